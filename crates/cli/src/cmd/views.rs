//! What a node shows of itself, as plain text.

use std::fmt::Write;

use driftlock_client::wire::{Holder, LockView, Neighbor, Queue, Status, Waiter};
use serde::Serialize;

use crate::columns::{Cell, Columns};

pub(crate) fn status(status: &Status) -> String {
    let role = match (status.founder, status.leaving) {
        (_, true) => ", leaving",
        (true, false) => ", founder",
        (false, false) => "",
    };
    let moves = if status.moving { "moving" } else { "static" };
    let mut text = format!(
        "node {} of {}{role}, {moves}, up {}: {}, {}\n",
        status.node,
        clean(&status.network),
        time(status.uptime_ms),
        count(status.links, "link"),
        count(status.locks, "lock"),
    );
    for doubt in &status.in_doubt {
        let messages = count(doubt.messages, "message");
        let since = since(status.uptime_ms, doubt.since_ms);
        let _ = writeln!(text, "in doubt for {since}: {messages} to node {}", doubt.peer);
    }
    for lost in &status.lost {
        let _ = writeln!(text, "lost: a token of {}, to node {}", clean(&lost.lock), lost.peer);
    }
    for warning in &status.warnings {
        let _ = writeln!(text, "warning: {}", clean(warning));
    }
    text
}

pub(crate) fn neighbors(neighbors: &[Neighbor], now_ms: u64) -> String {
    if neighbors.is_empty() {
        return "no neighbors are heard\n".into();
    }
    let headers =
        ["node", "state", "for", "role", "rtt ms", "queued", "unacked", "epoch", "address"];
    let mut table = Columns::new(headers);
    for neighbor in neighbors {
        let rtt = neighbor
            .rtt_us
            .map_or(Cell::empty(), |rtt| Cell::number(format_args!("{:.2}", rtt as f64 / 1000.0)));
        table.row([
            Cell::number(neighbor.node),
            Cell::text(word(neighbor.state)),
            Cell::number(since(now_ms, neighbor.since_ms)),
            Cell::text(neighbor.role.map_or(String::new(), word)),
            rtt,
            Cell::number(neighbor.queued),
            Cell::number(neighbor.unacknowledged),
            Cell::number(neighbor.epoch),
            Cell::text(clean(neighbor.address.as_deref().unwrap_or(""))),
        ]);
    }
    table.plain_text()
}

pub(crate) fn locks(locks: &[LockView], now_ms: u64) -> String {
    if locks.is_empty() {
        return "no lock was asked for yet\n".into();
    }
    let headers = ["name", "kind", "state", "tokens", "fence", "held", "waiting", "holders"];
    let mut table = Columns::new(headers);
    for lock in locks {
        let permits = lock.permits.map_or(String::new(), |permits| format!(" {permits}"));
        table.row([
            Cell::text(clean(&lock.name)),
            Cell::text(word(lock.kind) + &permits),
            Cell::text(word(lock.state)),
            Cell::number(lock.tokens),
            Cell::number(lock.fence),
            Cell::number(lock.held),
            Cell::number(lock.waiters),
            Cell::text(holders(lock, now_ms)),
        ]);
    }
    table.plain_text()
}

/// The first few who hold a lock.
fn holders(lock: &LockView, now_ms: u64) -> String {
    const SHOWN: usize = 3;
    let holder = |holder: &Holder| {
        let pid = holder.pid.map_or("?".into(), |pid| pid.to_string());
        let group =
            holder.group.as_ref().map_or(String::new(), |group| format!(" {}", clean(group)));
        let lease = |until_ms: u64| format!(" of {}", since(until_ms, holder.since_ms));
        let lease = holder.until_ms.map_or(String::new(), lease);
        format!("{pid}{group} {}{lease}", since(now_ms, holder.since_ms))
    };
    let mut shown: Vec<String> = lock.holders.iter().take(SHOWN).map(holder).collect();
    if lock.held > shown.len() as u64 {
        shown.push(format!("and {} more", lock.held - shown.len() as u64));
    }
    shown.join(", ")
}

pub(crate) fn queue(queue: &Queue, now_ms: u64) -> String {
    let mut text = String::new();
    let (name, kind) = (clean(&queue.name), word(queue.kind));
    let _ = writeln!(text, "{name} ({kind}): {} here", count(queue.waiters, "program"));
    if !queue.neighbors.is_empty() {
        let nodes: Vec<String> = queue.neighbors.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "and on behalf of node {}", nodes.join(", "));
    }
    if !queue.here.is_empty() {
        let mut table = Columns::new(["pid", "user", "for", "group"]);
        for Waiter { pid, uid, since_ms, group } in &queue.here {
            table.row([
                pid.map_or(Cell::empty(), Cell::number),
                Cell::number(uid),
                Cell::number(since(now_ms, *since_ms)),
                Cell::text(clean(group.as_deref().unwrap_or(""))),
            ]);
        }
        let _ = write!(text, "\n{}", table.plain_text());
    }
    text
}

/// The name of a value, as the API has it.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Names are chosen by others, and may not play with the terminal.
fn clean(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(shown).collect()
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// How long ago something was. Both times are the node's, and the second may be the later one.
fn since(now_ms: u64, then_ms: u64) -> String {
    time(now_ms.saturating_sub(then_ms))
}

/// Some time, in the two largest units.
fn time(ms: u64) -> String {
    let seconds = ms / 1000;
    match (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0, seconds) => format!("{seconds}.{}s", ms % 1000 / 100),
        (0, 0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (0, hours, minutes, _) => format!("{hours}h{minutes:02}m"),
        (days, hours, ..) => format!("{days}d{hours:02}h"),
    }
}

#[cfg(test)]
mod tests {
    use driftlock_client::wire::{InDoubt, LostToken};

    use super::*;

    #[test]
    fn times_have_two_units() {
        let shown = [999, 59_900, 60_000, 3_599_000, 3_600_000, 90_000_000].map(time);
        assert_eq!(shown, ["0.9s", "59.9s", "1m00s", "59m59s", "1h00m", "1d01h"]);
        assert_eq!(since(1, 2), "0.0s");
    }

    #[test]
    fn trouble_is_shown() {
        let trouble = Status {
            node: 3,
            network: "a\u{1b}[2J".into(),
            uptime_ms: 9000,
            in_doubt: vec![InDoubt { peer: 4, messages: 1, since_ms: 2000 }],
            lost: vec![LostToken { peer: 5, lock: "pad".into() }],
            warnings: vec!["two nodes are called 3".into()],
            ..Status::default()
        };
        assert_eq!(
            status(&trouble),
            "node 3 of a\\u{1b}[2J, static, up 9.0s: 0 links, 0 locks\n\
             in doubt for 7.0s: 1 message to node 4\n\
             lost: a token of pad, to node 5\n\
             warning: two nodes are called 3\n"
        );
    }

    #[test]
    fn a_lease_is_shown_beside_the_time_that_it_was_used() {
        let since_ms = 1000;
        let holder = Holder { pid: Some(7), since_ms, until_ms: Some(61_000), ..Holder::default() };
        let lock = LockView { held: 1, holders: vec![holder], ..LockView::default() };
        assert_eq!(holders(&lock, 3000), "7 2.0s of 1m00s");
    }

    #[test]
    fn of_many_holders_some_are_shown() {
        let holder = Holder { pid: Some(7), since_ms: 1000, ..Holder::default() };
        let lock = LockView { held: 9, holders: vec![holder; 5], ..LockView::default() };
        assert_eq!(holders(&lock, 3000), "7 2.0s, 7 2.0s, 7 2.0s, and 6 more");
    }
}
