//! `driftlock replay`.

use std::fs::File;
use std::io::BufReader;

use anyhow::{Context, Result};
use driftlock_journal::Reader;
use serde_json::json;

use crate::Verdict;
use crate::args::ReplayArgs;
use crate::registry;
use crate::terminal::{say, say_line};

/// Steps are printed in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

pub(crate) fn run(args: &ReplayArgs) -> Result<Verdict> {
    let name = || args.journal.display().to_string();
    let file = File::open(&args.journal).with_context(|| format!("{}: cannot be read", name()))?;
    let mut reader = Reader::new(BufReader::new(file)).with_context(name)?;
    let (mut piece, mut said) = (String::new(), Ok(()));
    let replayed = registry::replay_journal(&mut reader, &mut |step| {
        if args.print && said.is_ok() {
            piece.push_str(&step());
            if piece.len() >= PIECE {
                said = say(&piece);
                piece.clear();
            }
        }
    });
    said?;
    say(&piece)?;
    let replayed = replayed.with_context(name)?;
    let violation = replayed.violation.as_ref().map(ToString::to_string);
    if args.json {
        let header = reader.header();
        let (protocol, nodes, steps) = (&header.protocol, header.n_nodes, replayed.steps);
        let verdict = json!({
            "journal": name(), "protocol": protocol, "nodes": nodes, "steps": steps,
            "as_recorded": true, "violation": violation,
        });
        say_line(&serde_json::to_string_pretty(&verdict)?)?;
    } else {
        say_line(&format!("{} steps replayed, each as recorded", replayed.steps))?;
        say_line(violation.as_deref().unwrap_or("all promises held"))?;
    }
    Ok(if violation.is_some() { Verdict::Violated } else { Verdict::Held })
}
