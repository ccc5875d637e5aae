//! `driftlock world`: what other tools have written to files.

mod figure;
mod hint;
mod tell;

use anyhow::{Result, anyhow};
use driftlock_sim::{ScenarioError, Traced, traced};
use driftlock_traces::{Inspection, Kind, Radio, Slice, inspect_with_course};

use crate::Verdict;
use crate::lab::args::InspectArgs;
use crate::lab::origin::flag_of;
use crate::terminal::{say, say_line};

/// What a trace holds, and how its links were made.
struct Inspected<'a> {
    args: &'a InspectArgs,
    /// Contacts have none.
    radio: Option<Radio>,
    found: Inspection,
    course: Vec<Slice>,
}

pub(crate) fn inspect(args: &InspectArgs) -> Result<Verdict> {
    let mut wanted = Traced { range: args.range, ..Traced::of(&args.file) };
    args.reading.apply(&mut wanted);
    let (trace, changes) = traced::read(&wanted).map_err(|error| explained(&error))?;
    let (found, course) = inspect_with_course(&trace, &changes, figure::WIDTH);
    let radio = matches!(trace.kind, Kind::Movement(_)).then(|| wanted.radio());
    let inspected = Inspected { args, radio, found, course };
    if args.json {
        say_line(&serde_json::to_string_pretty(&inspected.json())?)?;
    } else {
        say(&inspected.plain_text())?;
    }
    Ok(Verdict::Held)
}

/// What is wrong, with the flag for it. What is wrong with the file names it.
fn explained(error: &ScenarioError) -> anyhow::Error {
    let message = error.to_string();
    match message.split_once(": ") {
        Some(("trace.file", what)) => anyhow!("{what}"),
        Some((key, what)) => anyhow!("{}: {what}", flag_of(key).unwrap_or(key)),
        None => anyhow!("{message}"),
    }
}
