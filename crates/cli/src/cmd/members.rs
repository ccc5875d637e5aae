//! `driftlock members` and `driftlock forget`.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use driftlock_client::blocking::Client;
use driftlock_client::wire::{Counting, Members, Voting};

use crate::Verdict;
use crate::args::{ForgetArgs, LookArgs};
use crate::cmd::look::show;
use crate::columns::{Cell, Columns};
use crate::session::{self, connect};
use crate::terminal::{complain, say_line};

/// How often to look how far it is.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How long neighbors may take to notice that a node is silent.
const NOTICE: Duration = Duration::from_secs(5);

pub(crate) fn members(args: &LookArgs) -> Result<Verdict> {
    let members = connect(&args.socket)?.members()?;
    show(args, &members, || plain(&members))
}

fn plain(members: &Members) -> String {
    if members.version == 0 {
        return "this node belongs to no network yet\n".into();
    }
    let count = members.members.len();
    let mut text =
        format!("list {} of epoch {}: {count} nodes\n\n", members.version, members.epoch);
    let mut table = Columns::new(["node", "stops alone after"]);
    for member in &members.members {
        let alone = member.alone_ms.map(|ms| format!("{} s", ms as f64 / 1000.0));
        table.row([Cell::number(member.node), Cell::text(alone.unwrap_or_default())]);
    }
    text += &table.plain_text();
    for line in under_way(members) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// What is not done yet, and why.
fn under_way(members: &Members) -> Vec<String> {
    let mut lines = Vec::new();
    let of = members.members.len();
    if let Some(Voting { forget, leave, join, agreed }) = &members.voting {
        for (what, who) in [("forget", forget), ("leave", leave), ("join", join)] {
            if !who.is_empty() {
                let (who, voters) = (list(who), list(agreed));
                lines.push(format!("{what} {who}: votes of {voters} so far, of {of} members"));
            }
        }
    }
    match &members.counting {
        Some(Counting { silent, .. }) if !silent.is_empty() => {
            lines.push(format!("counting tokens: waiting for node {}", list(silent)));
        }
        Some(Counting { wait_ms, .. }) if 0 < *wait_ms => {
            let seconds = wait_ms.div_ceil(1000);
            lines.push(format!("waiting up to {seconds} s for what was forgotten to have stopped"));
        }
        _ => {}
    }
    lines
}

fn list(nodes: &[u32]) -> String {
    match nodes {
        [] => "nobody".into(),
        nodes => nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    }
}

pub(crate) fn forget(args: &ForgetArgs) -> Result<Verdict> {
    let client = connect(&args.socket)?;
    let before = client.members()?;
    client.forget(args.node, args.stopped)?;
    let mut waited = Duration::ZERO;
    let mut said = Vec::new();
    loop {
        std::thread::park_timeout(LOOK_EVERY);
        waited += LOOK_EVERY;
        let now = client.members()?;
        if is_forgotten(&now, &before, args.node) {
            let what = format!("node {} is forgotten", args.node);
            say_line(&format!("{what}; what was lost with it is made anew (epoch {})", now.epoch))?;
            return Ok(Verdict::Held);
        }
        insist(&client, args, &now, waited)?;
        let lines = under_way(&now);
        if lines != said {
            lines.iter().for_each(|line| complain(line));
            said = lines;
        }
        if args.wait.is_some_and(|wait| wait <= waited) {
            complain("it is not done yet, and goes on; `driftlock members` shows how far it is");
            return Ok(Verdict::Exit(session::NOT_YET));
        }
    }
}

/// Whether the node is off the list, or on it with another memory, and nothing is left to be done.
fn is_forgotten(now: &Members, before: &Members, node: u32) -> bool {
    let mut meant = before.members.iter().filter(|member| member.node == node);
    meant.all(|member| !now.members.contains(member)) && now.counting.is_none()
}

/// Neighbors need some time to notice that a node is gone. After that, who is heard is there.
fn insist(client: &Client, args: &ForgetArgs, now: &Members, waited: Duration) -> Result<()> {
    let Some(heard) = now.heard.iter().find(|heard| heard.node == args.node) else {
        return Ok(());
    };
    if NOTICE < waited {
        let (node, by) = (args.node, list(&heard.by));
        bail!("node {node} is not forgotten: it is heard by node {by}; is it off?");
    }
    client.forget(args.node, args.stopped)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use driftlock_client::wire::{Counting, Member};

    use super::*;

    fn list(epoch: u64, members: &[(u32, &str)]) -> Members {
        let member = |(node, memory): &(u32, &str)| Member {
            node: *node,
            alone_ms: None,
            memory: (*memory).to_owned(),
        };
        Members { epoch, members: members.iter().map(member).collect(), ..Members::default() }
    }

    #[test]
    fn a_node_is_forgotten_when_it_is_gone_or_another_and_all_is_counted() {
        let before = list(0, &[(1, "a"), (2, "b"), (3, "c")]);
        let others = list(1, &[(1, "a"), (2, "b")]);
        assert!(!is_forgotten(&others, &before, 2), "that was another one");
        assert!(is_forgotten(&others, &before, 3));
        assert!(is_forgotten(&list(1, &[(1, "a"), (2, "b"), (3, "d")]), &before, 3), "it is back");
        let counting = Members { counting: Some(Counting::default()), ..others };
        assert!(!is_forgotten(&counting, &before, 3));
    }
}
