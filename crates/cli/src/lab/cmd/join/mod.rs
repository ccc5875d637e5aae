//! `driftlock join`: what nodes wrote down, as one journal.

mod kinds;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use driftlock_core::NodeId;
use driftlock_locks::Key;
use driftlock_node::recorder::{Line, Title, VERSION};
use driftlock_replay::PartStep;
use serde_json::json;

use self::kinds::Parts;
use crate::Verdict;
use crate::lab::args::JoinArgs;
use crate::lab::files;
use crate::terminal;

/// More nodes than this are no network that wrote this down.
const NODES_MAX: u32 = 100_000;

pub(crate) fn run(args: &JoinArgs) -> Result<Verdict> {
    let mut locks = BTreeMap::<Key, Parts>::new();
    let mut writers = BTreeMap::new();
    for file in &args.parts {
        let title = read(file, &mut locks)?;
        if let Some(other) = writers.insert(title.node, file) {
            let (one, other) = (file.display(), other.display());
            bail!("{one} and {other} are both of {}", title.node);
        }
        let zero = title.node == NodeId(0);
        ensure!(
            title.founder == zero,
            "{}: only a network that node 0 has founded can be joined",
            file.display()
        );
    }
    let (key, parts) = chosen(&args.lock, &locks)?;
    let mut journal = Vec::new();
    let joined = kinds::join_parts(key.kind, parts, &mut journal)?;
    files::write(&args.out, |to| to.write_all(&journal).context("cannot write the journal"))?;
    let violation = joined.violation.as_ref().map(ToString::to_string);
    let (steps, left) = (joined.records.len(), joined.left);
    if args.json {
        let told = json!({
            "journal": args.out.to_string_lossy(), "lock": key.name, "kind": key.kind.name(),
            "nodes": parts.len(), "steps": steps, "left": left, "violation": violation,
        });
        terminal::say_line(&serde_json::to_string_pretty(&told)?)?;
    } else {
        let out = args.out.display();
        terminal::say_line(&format!("{key}: {steps} steps of {} nodes, in {out}", parts.len()))?;
        if 0 < left {
            let why = "what comes before them is missing: a node's file, or what a node handed on";
            terminal::say_line(&format!("{left} more steps have no place; {why} when it left"))?;
        }
        terminal::say_line(violation.as_deref().unwrap_or("all promises held"))?;
    }
    Ok(if violation.is_some() { Verdict::Violated } else { Verdict::Held })
}

/// Read the steps of one node.
fn read(file: &Path, locks: &mut BTreeMap<Key, Parts>) -> Result<Title> {
    let name = file.display();
    let open = File::open(file).with_context(|| format!("{name}: cannot be read"))?;
    let mut lines = BufReader::new(open).lines();
    let first = lines.next().with_context(|| format!("{name}: is empty"))?;
    let first = first.with_context(|| format!("{name}: cannot be read"))?;
    let title: Title = serde_json::from_str(&first)
        .with_context(|| format!("{name}: was not written by `driftlock node --journal`"))?;
    ensure!(title.driftlock_part == VERSION, "{name}: is of another version of driftlock");
    ensure!(title.node.0 < NODES_MAX, "{name}: {} has too great a number", title.node);
    for (number, line) in lines.enumerate() {
        let place = || format!("{name}: line {}", number + 2);
        let line = line.with_context(place)?;
        let Line { lock, event, epoch, check, .. } = match serde_json::from_str(&line) {
            Ok(line) => line,
            // The node may have been stopped while it wrote.
            Err(error) if error.is_eof() => break,
            Err(error) => return Err(error).with_context(place),
        };
        let parts = locks.entry(lock).or_default();
        parts.entry(title.node).or_default().push(PartStep { event, epoch, check });
    }
    Ok(title)
}

/// The lock of this name.
fn chosen<'l>(name: &str, locks: &'l BTreeMap<Key, Parts>) -> Result<(&'l Key, &'l Parts)> {
    let mut named = locks.iter().filter(|(key, _)| key.name == name);
    let Some(found) = named.next() else {
        let names: Vec<&str> = locks.keys().map(|key| key.name.as_str()).collect();
        bail!("nobody has used a lock `{name}`; there are: {}", names.join(", "));
    };
    if let Some((other, _)) = named.next() {
        bail!("`{name}` was used as locks of two kinds: {} and {}", found.0.kind, other.kind);
    }
    Ok(found)
}
