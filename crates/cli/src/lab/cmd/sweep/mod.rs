//! `driftlock sweep` and `driftlock merge`.
//!
//! `driftlock_sweep` does the work. Here it is told how scenarios are completed and run, and people
//! are told what came of it: `results` writes and tells, `merge` joins parts, `slurm` has a cluster
//! do the work, `programs` is for them, `warnings` says what is to be known about traces, and
//! `unchanged` that files are what they were.

mod merge;
#[cfg(feature = "parquet")]
mod programs;
mod results;
mod slurm;
mod unchanged;
mod warnings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Error, Result, anyhow, bail};
use driftlock_sim::{Run, Scenario};
use driftlock_sweep::digest::{Key, short_of_bytes};
use driftlock_sweep::engine::{Work, conduct};
use driftlock_sweep::plan::Cell;
use driftlock_sweep::rule::Rule;
use driftlock_sweep::{Author, Folder, Outcome, Plan, Shard, SweepFile};

pub(crate) use self::merge::run as merge;
#[cfg(feature = "parquet")]
pub use self::programs::{table, table_in};
use self::results::Results;
use self::unchanged::Files;
use super::sim::threads;
use crate::lab::args::{Engine, SweepArgs};
use crate::lab::progress::Steps;
use crate::lab::{files, interrupt, read_study, registry};
use crate::terminal::{remark, say_line, story};
use crate::{Verdict, program};

pub(crate) fn run(args: &SweepArgs) -> Result<Verdict> {
    args.check_engine()?;
    let environment = |name: &str| std::env::var(name).ok();
    let shard = args.shard.map(|wanted| wanted.resolve(&environment)).transpose();
    let shard = shard.map_err(|what| anyhow!("--shard: {what}"))?;
    let (plan, files) = plan(&args.file)?;
    let out = folder_of(args.out.as_deref(), &args.file);
    files::make_folder(&out)?;
    let stop = interrupt::listen();
    let mut folder = Folder::open(&out, shard)?;
    if folder.torn > 0 {
        let torn = folder.torn;
        remark(&format!("{torn} bytes of the log are no cells: what they were is run again"));
    }
    let cells = folder.kept.missing(&plan, shard);
    if !args.json {
        tell_plan(&plan, shard, &cells)?;
    }
    warnings::of(&plan).iter().for_each(|warning| remark(&format!("warning: {warning}")));
    let passing = match args.engine {
        Engine::Slurm => {
            slurm::conduct(args, &plan, &out, &mut folder.kept, stop)?;
            Passing::new()
        }
        Engine::Local => work(&plan, &cells, (&folder, &files), threads(args.threads), stop)?,
    };
    folder.kept.look(&out)?;
    folder.kept.cells.extend(passing);
    let left = folder.kept.missing(&plan, shard).len();
    if left > 0 {
        let mine = |cell: &usize| shard.is_none_or(|shard| shard.has(*cell));
        let can_run = |cell: &usize| mine(cell) && plan.cells[*cell].key.is_ok();
        let all = (0..plan.cells.len()).filter(can_run).count();
        let done = all - left;
        bail!(
            "interrupted: {done} of {all} cells are finished, and kept: the same command goes on"
        );
    }
    let results = Results::new(&plan, &folder.kept, shard);
    if shard.is_none() {
        results.write(&out)?;
    }
    results.tell(args.json, shard, &out)
}

/// What is to be done: the cells of a sweep file, and the files that it names.
fn plan(path: &Path) -> Result<(Plan, Files)> {
    let study = read_study(path)?;
    if let Err((protocol, why)) = check_names(&study) {
        let line = study.line_naming(&protocol).map_or(String::new(), |n| format!(", line {n}"));
        bail!("{}{line}: {}", path.display(), story(&why));
    }
    let files = Files::of(&study);
    Ok((plan_of(&study).with_context(|| path.display().to_string())?, files))
}

/// The same, of a file that was read.
fn plan_of(file: &SweepFile) -> Result<Plan> {
    let build = build()?;
    let (program, version) = (program::name(), env!("CARGO_PKG_VERSION"));
    check_names(file).map_err(|(_, why)| why)?;
    let plan = Plan::new(file, &Author { program, version, build: &build }, &|scenario| {
        let completed = registry::complete(scenario);
        registry::name_plainly(scenario);
        completed.map_err(|error| story(&error))
    });
    match plan.refused_whole() {
        Some(why) => bail!("nothing of it can be run: {why}"),
        None => Ok(plan),
    }
}

/// A name that nobody has is a mistake, and not something that a protocol cannot do.
fn check_names(file: &SweepFile) -> Result<(), (String, Error)> {
    for Scenario { protocol, variant, .. } in file.scenarios() {
        let entry = registry::find(&protocol).context("protocol");
        let known = entry.and_then(|entry| registry::check_variant(entry, variant.as_deref()));
        known.map_err(|why| (protocol, why))?;
    }
    Ok(())
}

/// What tells this program from others of its version: what another has found is not taken for what
/// this one would find. For our own protocols that is the code it was built from, and so the same
/// on all machines. Code of other people is not known here, and the program itself has to do.
fn build() -> Result<String> {
    if !registry::has_others() {
        return Ok(env!("DRIFTLOCK_CODE").into());
    }
    let program = std::env::current_exe().and_then(std::fs::read);
    Ok(short_of_bytes(&program.context("cannot read the program itself")?))
}

/// The folder for results.
fn folder_of(typed: Option<&Path>, file: &Path) -> PathBuf {
    match (typed, file.file_stem()) {
        (Some(typed), _) => typed.into(),
        (None, Some(stem)) if file.extension().is_some() => stem.into(),
        // The file has no ending to leave out.
        _ => format!("{}-results", file.display()).into(),
    }
}

fn tell_plan(plan: &Plan, shard: Option<Shard>, cells: &[usize]) -> Result<()> {
    let mine = |cell: &usize| shard.is_none_or(|shard| shard.has(*cell));
    let all = (0..plan.cells.len()).filter(mine).count();
    let part = shard.map_or(String::new(), |shard| format!("part {shard}: "));
    let repetitions = match &plan.rule {
        Rule::Count(1) => "1 repetition".into(),
        Rule::Count(count) => format!("{count} repetitions"),
        Rule::Until(until) => format!("{} to {} repetitions", until.least, until.most),
    };
    let can_run = |cell: &usize| mine(cell) && plan.cells[*cell].key.is_ok();
    let finished = match (0..plan.cells.len()).filter(can_run).count() - cells.len() {
        0 => String::new(),
        finished => format!(", {finished} of them finished before"),
    };
    let (seed, command) = (plan.seed, plan.command());
    let cells = if all == 1 { "cell" } else { "cells" };
    say_line(&format!("seed {seed}  {command}  {part}{all} {cells} of {repetitions}{finished}"))
}

/// What came of cells this time, and may be something else the next time: it is not written down.
type Passing = BTreeMap<Key, Outcome>;

/// Run cells, tell how far that is, and write down each that is finished.
fn work(
    plan: &Plan,
    cells: &[usize],
    (folder, files): (&Folder, &Files),
    threads: usize,
    stop: &AtomicBool,
) -> Result<Passing> {
    if cells.is_empty() {
        return Ok(Passing::new());
    }
    let steps = match plan.rule {
        Rule::Count(count) => Steps::new(cells.len() as u64 * count, "runs"),
        Rule::Until(_) => Steps::new(cells.len() as u64, "cells"),
    };
    let runs = AtomicU64::new(0);
    let tell = |finished: usize| {
        let run = runs.fetch_add(1, Ordering::Relaxed) + 1;
        match plan.rule {
            Rule::Count(_) => steps.are_done(run),
            Rule::Until(_) => {
                steps.are_called(format!("cells, {run} runs"));
                steps.are_done(finished as u64);
            }
        }
    };
    let run = runner(stop);
    let work = Work { plan, cells, threads, stop, run: &run, tell: &tell };
    let kept = keep(&work, folder, files);
    if kept.is_err() {
        stop.store(true, Ordering::Relaxed);
    }
    kept
}

/// Runs scenarios until someone wants us to stop. Where files are read that may be a matter of the
/// moment, and is tried twice.
fn runner(stop: &AtomicBool) -> impl Fn(&Scenario) -> Result<Run, String> + Sync {
    move |scenario| {
        let run = || registry::run_in_detail(scenario, &mut |_| interrupt::patience(stop));
        let again = |why: Error| if scenario.files().is_empty() { Err(why) } else { run() };
        run().or_else(again).map_err(|error| story(&error))
    }
}

/// Do the work, and write down each cell that is finished. What is not written down is returned.
fn keep(work: &Work<'_>, folder: &Folder, files: &Files) -> Result<Passing> {
    let passing = Mutex::new(Passing::new());
    conduct(work, &|cell, outcome| {
        let Cell { scenario, key } = &work.plan.cells[cell];
        files.check(scenario)?;
        let key = key.as_ref().expect("only cells that can be run are");
        if files.may_be_the_reason(scenario, &outcome) {
            passing.lock().expect("nobody panics while keeping").insert(*key, outcome);
            return Ok(());
        }
        anyhow::Ok(folder.log.add(key, &outcome)?)
    })?;
    Ok(passing.into_inner().expect("nobody panics while keeping"))
}
