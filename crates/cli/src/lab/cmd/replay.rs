//! `driftlock replay`.

use std::fs::File;
use std::io::BufReader;

use anyhow::{Context, Result};
use driftlock_journal::Header;
use driftlock_replay::Replayed;
use serde_json::json;

use crate::Verdict;
use crate::lab::args::ReplayArgs;
use crate::lab::registry;
use crate::terminal::{say, say_line};

/// Steps are printed in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

pub(crate) fn run(args: &ReplayArgs) -> Result<Verdict> {
    let name = || args.journal.display().to_string();
    let file = File::open(&args.journal).with_context(|| format!("{}: cannot be read", name()))?;
    let mut reader = registry::read(BufReader::new(file)).with_context(name)?;
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
    tell(args, reader.header(), &replayed)?;
    Ok(if replayed.violation.is_some() { Verdict::Violated } else { Verdict::Held })
}

fn tell(args: &ReplayArgs, header: &Header, replayed: &Replayed) -> Result<()> {
    let violation = replayed.violation.as_ref().map(ToString::to_string);
    if args.json {
        let verdict = json!({
            "journal": args.journal.to_string_lossy(), "protocol": header.protocol,
            "nodes": header.n_nodes, "steps": replayed.steps, "as_recorded": true,
            "violation": violation,
        });
        return say_line(&serde_json::to_string_pretty(&verdict)?);
    }
    say_line(&format!("{} steps replayed, each as recorded", replayed.steps))?;
    say_line(violation.as_deref().unwrap_or("all promises held"))
}
