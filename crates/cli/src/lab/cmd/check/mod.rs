//! `driftlock check`.

mod held;
mod plan;
mod story;
mod suite;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use driftlock_check::{End, Limits, Progress};
use serde_json::{Value, json};

pub(crate) use self::plan::Plan;
pub(crate) use self::story::Story;
use super::sim::threads;
use crate::Verdict;
use crate::lab::args::CheckArgs;
use crate::lab::command_line::{quoted, typed};
use crate::lab::{files, interrupt, progress, registry};
use crate::program;
use crate::terminal::{say, say_line};

/// What came of a check.
pub(crate) struct Outcome {
    pub(crate) explored: Progress,
    pub(crate) end: End,
    pub(crate) cut: u64,
    /// The broken promise.
    pub(crate) story: Option<Story>,
}

pub(crate) fn run(args: &CheckArgs) -> Result<Verdict> {
    let stop = interrupt::listen();
    let limits = Limits { threads: threads(args.threads), bytes: args.memory, ..Limits::default() };
    if args.deep && !args.suite {
        bail!("--deep: only --suite has a long list");
    }
    if args.suite {
        return suite::run(args.deep, args.json, &limits, stop);
    }
    let plan = Plan::of(args)?;
    let journal = args.journal.clone().unwrap_or_else(|| journal_of(&plan));
    files::check(&journal).context("--journal")?;
    if !args.force {
        refuse_too_large(&plan, &limits)?;
    }
    if !args.json {
        say_line(&format!(
            "driftlock {}  check {}, {}, {}",
            env!("CARGO_PKG_VERSION"),
            plan.subject(),
            plan.network(),
            plan.environment()
        ))?;
    }
    let outcome = explore(&plan, &limits, stop)?;
    if let Some(story) = &outcome.story
        && !story.journal.is_empty()
    {
        files::write(&journal, |to| Ok(to.write_all(&story.journal)?))?;
    }
    if args.json {
        say_line(&serde_json::to_string_pretty(&describe(&plan, &outcome, &journal))?)?;
    } else {
        tell(&plan, &outcome, &journal)?;
    }
    match outcome.end {
        End::Complete => Ok(Verdict::Held),
        End::Violated => Ok(Verdict::Violated),
        unfinished => bail!("{}", why_unfinished(unfinished)),
    }
}

fn journal_of(plan: &Plan) -> PathBuf {
    PathBuf::from(format!("counterexample-{}.dlj", plan.subject().replace(' ', "-")))
}

/// Explore a plan, with progress shown.
pub(crate) fn explore(plan: &Plan, limits: &Limits, stop: &AtomicBool) -> Result<Outcome> {
    let spinner = progress::spinner();
    let outcome = registry::check(plan, limits, &mut |so_far: &Progress| {
        spinner.set_position(so_far.states);
        spinner.set_message(format!(
            "states, {} to expand, {} deep, {}",
            grouped(so_far.frontier),
            so_far.depth,
            memory(so_far.bytes)
        ));
        interrupt::patience(stop)
    });
    spinner.finish_and_clear();
    outcome
}

/// Say so if there will be more states than memory can hold.
fn refuse_too_large(plan: &Plan, limits: &Limits) -> Result<()> {
    let estimate = registry::estimate(plan)?;
    // The guess is on the high side, by a factor of 2 or so.
    if estimate.bytes <= 2.0 * limits.bytes as f64 {
        return Ok(());
    }
    let (events, states) = estimate.tried;
    bail!(
        "too large: about {:.0e} states and {:.0e} bytes, more than --memory allows (guessed from \
         {} with {}); ask for fewer nodes, requests or link changes, or go as far as memory does \
         with --force",
        estimate.states,
        estimate.bytes,
        counted(states, "state"),
        counted(events.into(), "event"),
    )
}

fn tell(plan: &Plan, outcome: &Outcome, journal: &Path) -> Result<()> {
    let Progress { states, edges, depth, bytes, .. } = outcome.explored;
    say_line(&format!(
        "explored {} and {} between them, {depth} deep, in {}",
        counted(states, "state"),
        counted(edges, "step"),
        memory(bytes)
    ))?;
    let spread = plan.setup.spread.unwrap_or_default();
    if outcome.cut > 0 {
        say_line(&format!(
            "cut off: {} to states with heights more than {spread} apart (--spread)",
            counted(outcome.cut, "step")
        ))?;
    } else if outcome.end == End::Complete {
        say_line("nothing was cut off")?;
    }
    match &outcome.story {
        None if outcome.end == End::Complete => say(&held::text(plan, outcome.cut > 0)),
        None => say_line("no promise is broken in what was explored"),
        Some(story) => {
            say_line(&format!("\nVIOLATED {}", story.headline()))?;
            say(&story.text)?;
            if story.journal.is_empty() {
                return Ok(());
            }
            let journal = quoted(&journal.to_string_lossy());
            say_line(&format!("journal: {journal}"))?;
            say_line(&format!("replay:  {} replay {journal} --print", program::name()))?;
            say_line(&format!("again:   {}", typed(std::env::args_os())))
        }
    }
}

fn why_unfinished(end: End) -> &'static str {
    match end {
        End::Interrupted => "interrupted before everything was explored",
        End::OutOfMemory => "out of --memory before everything was explored",
        _ => "stopped before everything was explored",
    }
}

fn describe(plan: &Plan, outcome: &Outcome, journal: &Path) -> Value {
    let Outcome { explored, end, cut, story } = outcome;
    let links: Vec<[u32; 2]> = plan.setup.graph.links().map(|(a, b)| [a.0, b.0]).collect();
    let broken = story.as_ref().map(|story| {
        json!({
            "promise": story.violation.promise.name(),
            "what": story.violation.what,
            "actions": story.actions,
            "cycle_from": story.cycle,
            "steps": story.text.lines().collect::<Vec<_>>(),
            "journal": (!story.journal.is_empty()).then(|| journal.to_string_lossy()),
        })
    });
    json!({
        "protocol": plan.entry.name,
        "variant": plan.variant.as_deref().unwrap_or(plan.entry.variants[0]),
        "nodes": plan.setup.graph.n_nodes(),
        "links": links,
        "requests": plan.setup.requests,
        "link_changes": plan.setup.link_changes,
        "environment": plan.environment(),
        "states": explored.states,
        "edges": explored.edges,
        "depth": explored.depth,
        "bytes": explored.bytes,
        "spread": plan.setup.spread,
        "cut": cut,
        "complete": *end == End::Complete,
        "held": *end == End::Complete && broken.is_none(),
        "violation": broken,
    })
}

/// An amount of memory.
fn memory(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", grouped(bytes >> 20)),
    }
}

/// So many of something.
fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!((counted(1, "step"), counted(0, "step")), ("1 step".into(), "0 steps".into()));
    }

    #[test]
    fn thousands_are_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
