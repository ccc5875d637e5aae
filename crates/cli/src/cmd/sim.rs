//! `driftlock sim`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use driftlock_lab::sweep;
use driftlock_sim::{Run, Scenario};
use serde_json::{Value, json};

use super::summary::Summary;
use crate::args::SimArgs;
use crate::terminal::{remark, say, say_line};
use crate::{Verdict, command_line, files, interrupt, progress, registry};

/// How many of the last steps before a violation are shown.
const SHOWN_STEPS: usize = 12;

pub(crate) fn run(args: &SimArgs) -> Result<Verdict> {
    let scenario = scenario(args)?;
    let repetitions = repetitions(args)?;
    let file = file_needed(args, &scenario);
    if !args.json {
        say_line(&headline(&scenario, repetitions))?;
        let line = command_line::of(&scenario, file.as_deref());
        say_line(&format!("replay: {line} --reps {repetitions}"))?;
    }
    let stop = interrupt::listen();
    let jobs: Vec<Scenario> = (0..repetitions)
        .map(|k| Scenario { seed: scenario.seed.wrapping_add(k), ..scenario.clone() })
        .collect();
    let runs = run_all(args, &jobs, stop)?;
    report(args, &scenario, &jobs, &runs)?;
    let failed = jobs.iter().zip(&runs).find_map(|(job, run)| {
        run.as_ref().and_then(|run| run.violation.as_ref()).map(|violation| (job, violation))
    });
    if let Some((job, violation)) = failed {
        let path = keep_violation(args, job)?;
        tell_violation(args, job, &violation.to_string(), &path, file.as_deref())?;
        return Ok(Verdict::Violated);
    }
    if runs.iter().any(Option::is_none) {
        bail!(
            "interrupted: {} of {repetitions} repetitions are finished",
            runs.iter().flatten().count()
        );
    }
    Ok(Verdict::Held)
}

/// The scenario that was asked for.
fn scenario(args: &SimArgs) -> Result<Scenario> {
    let mut scenario = match &args.scenario {
        Some(path) => Scenario::from_file(path)?,
        None => Scenario::default(),
    };
    match &args.protocol {
        Some(protocol) => scenario.protocol.clone_from(protocol),
        None if scenario.protocol.is_empty() => {
            let names = registry::PROTOCOLS.map(|entry| entry.name).join(", ");
            bail!("which protocol? (there are: {names})");
        }
        None => {}
    }
    args.world.apply(&mut scenario);
    registry::complete(&mut scenario)?;
    Ok(scenario)
}

fn repetitions(args: &SimArgs) -> Result<u64> {
    match (args.reps, &args.journal) {
        (Some(0), _) => bail!("--reps: run at least 1 repetition"),
        (Some(2..), Some(_)) => bail!("--journal records one run: it goes with --reps 1"),
        (Some(repetitions), _) => Ok(repetitions),
        (None, Some(_)) => Ok(1),
        (None, None) => Ok(6),
    }
}

/// A scenario with a script cannot be typed; its file has to be named.
fn file_needed(args: &SimArgs, scenario: &Scenario) -> Option<String> {
    let file = args.scenario.as_ref().filter(|_| !scenario.script.is_empty());
    file.map(|path| path.to_string_lossy().into_owned())
}

fn headline(scenario: &Scenario, repetitions: u64) -> String {
    let variant = scenario.variant.as_deref().map_or(String::new(), |name| format!(" {name}"));
    let last = scenario.seed.wrapping_add(repetitions - 1);
    let seeds = if repetitions == 1 { String::new() } else { format!(" to {last}") };
    format!(
        "seed {}{seeds}  driftlock {}  {}{variant} n={} load={} mobility={}",
        scenario.seed,
        env!("CARGO_PKG_VERSION"),
        scenario.protocol,
        scenario.network.nodes,
        scenario.requests.rate,
        scenario.link_changes.rate,
    )
}

/// Run all repetitions. One that was interrupted has no result.
fn run_all(args: &SimArgs, jobs: &[Scenario], stop: &AtomicBool) -> Result<Vec<Option<Run>>> {
    let measure = jobs[0].measure;
    let each = measure.entries.map_or(0, |entries| measure.warmup + entries);
    let bar = match each {
        0 => progress::bar(jobs.len() as u64, "repetitions"),
        each => progress::bar(each.saturating_mul(jobs.len() as u64), "entries"),
    };
    let total = AtomicU64::new(0);
    let threads = threads(args.threads)?;
    let runs = sweep::all(jobs, threads, stop, |job| {
        let mut told = 0;
        let mut tell = |entries: u64| {
            let sum = total.fetch_add(entries - told, Ordering::Relaxed) + entries - told;
            told = entries;
            bar.set_position(if each > 0 { sum } else { bar.position() });
        };
        let run = run_one(args, job, &mut |entries| {
            tell(entries.min(each));
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        tell(each);
        bar.inc(u64::from(each == 0));
        run
    });
    bar.finish_and_clear();
    let unfinished = |run: Run| (!run.interrupted).then_some(run);
    runs.into_iter().map(|run| Ok(run.transpose()?.and_then(unfinished))).collect()
}

pub(crate) fn threads(wanted: Option<usize>) -> Result<usize> {
    match wanted {
        Some(0) => bail!("--threads: it takes at least 1 thread"),
        Some(threads) => Ok(threads),
        None => Ok(std::thread::available_parallelism().map_or(1, Into::into)),
    }
}

fn run_one(
    args: &SimArgs,
    job: &Scenario,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    match &args.journal {
        Some(path) => files::write(path, |to| registry::run(job, Some(to), watch)),
        None => registry::run(job, None, watch),
    }
}

fn report(
    args: &SimArgs,
    scenario: &Scenario,
    jobs: &[Scenario],
    runs: &[Option<Run>],
) -> Result<()> {
    let finished: Vec<&Run> = runs.iter().flatten().collect();
    let held: Vec<&Run> = finished.iter().copied().filter(|run| run.violation.is_none()).collect();
    let summary = Summary::of(&held);
    if args.json {
        let each: Vec<Value> = jobs
            .iter()
            .zip(runs)
            .filter_map(|(job, run)| run.as_ref().map(|run| describe(job, run)))
            .collect();
        let report = json!({
            "driftlock": env!("CARGO_PKG_VERSION"), "scenario": scenario, "repetitions": each,
            "summary": summary,
        });
        return say_line(&serde_json::to_string_pretty(&report)?);
    }
    if !held.is_empty() {
        let entries = held.iter().map(|run| run.metrics.entries).sum();
        say(&summary.table(entries, held.len()).plain_text())?;
    }
    let steps: u64 = finished.iter().map(|run| run.steps).sum();
    if held.len() == finished.len() {
        say_line(&format!("all promises held in {steps} steps"))?;
    }
    Ok(())
}

fn describe(job: &Scenario, run: &Run) -> Value {
    json!({
        "seed": job.seed,
        "steps": run.steps,
        "ended_at": run.ended_at,
        "violation": run.violation.as_ref().map(ToString::to_string),
        "metrics": run.metrics,
    })
}

/// Write the journal of a run in which a promise was broken, unless it is written already. Runs
/// are deterministic, so it is enough to run it again.
fn keep_violation(args: &SimArgs, job: &Scenario) -> Result<PathBuf> {
    if let Some(path) = &args.journal {
        return Ok(path.clone());
    }
    let path = PathBuf::from(format!("violation-{}-seed{}.dlj", job.protocol, job.seed));
    let watch = &mut |_| ControlFlow::Continue(());
    files::write(&path, |to| registry::run(job, Some(to), watch))
        .context("a promise was broken, but its journal could not be kept")?;
    Ok(path)
}

fn tell_violation(
    args: &SimArgs,
    job: &Scenario,
    violation: &str,
    path: &Path,
    file: Option<&str>,
) -> Result<()> {
    let line = command_line::of(job, file);
    if args.json {
        remark(&format!("{violation}; journal: {}; replay: {line} --reps 1", path.display()));
        return Ok(());
    }
    say_line(&format!("\nVIOLATED with seed {}: {violation}", job.seed))?;
    say_line("the last steps:")?;
    say(&last_steps(path)?)?;
    say_line(&format!("journal: {}", path.display()))?;
    say_line(&format!("replay:  {line} --reps 1"))?;
    say_line(&format!("         driftlock replay {} --print", path.display()))
}

fn last_steps(path: &Path) -> Result<String> {
    let file = std::io::BufReader::new(std::fs::File::open(path)?);
    let mut reader = driftlock_journal::Reader::new(file)?;
    let mut last = std::collections::VecDeque::new();
    registry::replay_journal(&mut reader, &mut |step| {
        if last.len() == SHOWN_STEPS {
            last.pop_front();
        }
        last.push_back(step());
    })?;
    Ok(last.into_iter().collect())
}
