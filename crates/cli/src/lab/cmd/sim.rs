//! `driftlock sim`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use driftlock_lab::sweep;
use driftlock_sim::{Metrics, Run, Scenario};
use serde_json::{Value, json};

use super::summary::Summary;
use super::trace;
use super::violation::Counterexample;
use crate::Verdict;
use crate::lab::args::SimArgs;
use crate::lab::origin::Origin;
use crate::lab::{command_line, files, interrupt, progress, registry};
use crate::terminal::{remark, say, say_line};

pub(crate) fn run(args: &SimArgs) -> Result<Verdict> {
    let stop = interrupt::listen();
    if args.campaign {
        return super::campaign::run(args, stop);
    }
    let task = Task::plan(args)?;
    task.warnings.iter().for_each(|warning| remark(&format!("warning: {warning}")));
    if !args.json {
        say_line(&task.headline())?;
        say_line(&format!("replay: {} --reps {}", task.line(&task.scenario), task.repetitions))?;
    }
    let runs = task.run_all(stop)?;
    let finished = finished(&runs);
    let counterexample = task.counterexample(&finished)?;
    task.report(&finished, counterexample.as_ref())?;
    if let Some(counterexample) = counterexample {
        counterexample.tell(args.json)?;
        return Ok(Verdict::Violated);
    }
    if finished.len() < runs.len() {
        bail!("interrupted: {}", task.left(finished.len(), runs.iter().any(Option::is_some)));
    }
    Ok(Verdict::Held)
}

/// What is to be done.
struct Task<'a> {
    args: &'a SimArgs,
    origin: Origin<'a>,
    /// The first repetition.
    scenario: Scenario,
    repetitions: u64,
    threads: usize,
    /// What is to be known about the world before anything is measured in it.
    warnings: Vec<String>,
}

impl<'a> Task<'a> {
    /// Understand what was asked for, and refuse it now or never.
    fn plan(args: &'a SimArgs) -> Result<Self> {
        let origin = Origin::read(args)?;
        let mut scenario = origin.scenario();
        let checked = registry::complete(&mut scenario);
        checked.map_err(|error| origin.explain(&format!("{error:#}")))?;
        let repetitions = repetitions(args)?;
        check_seeds(scenario.seed, repetitions)?;
        check_journal(args, &scenario)?;
        let rehearsed = registry::rehearse(&scenario);
        rehearsed.map_err(|error| origin.explain(&format!("{error:#}")))?;
        let threads = threads(args.threads);
        let warnings = trace::of_run(&scenario);
        Ok(Task { args, origin, scenario, repetitions, threads, warnings })
    }

    /// What to type to run a repetition again.
    fn line(&self, scenario: &Scenario) -> String {
        let file = self.origin.file_needed().map(|path| (path, &self.origin.plain));
        command_line::of(scenario, file)
    }

    fn headline(&self) -> String {
        let Scenario { seed, protocol, variant, network, requests, link_changes, .. } =
            &self.scenario;
        let variant = variant.as_deref().map_or(String::new(), |name| format!(" {name}"));
        let seeds = match self.repetitions {
            1 => format!("seed {seed}"),
            several => format!("seed {seed} to {}", seed + (several - 1)),
        };
        let nodes = match (&self.scenario.trace, &network.file) {
            (Some(trace), _) => trace::in_short(trace, self.scenario.n_nodes()),
            (None, Some(file)) => format!("network={}", file.display()),
            (None, None) => format!("n={}", network.nodes),
        };
        let motion = self.scenario.motion.as_ref();
        let motion = motion.map_or(String::new(), |m| format!(" motion={}", m.model.name()));
        let several = |name: &str, number: u32| match number {
            1 => String::new(),
            number => format!(" {name}={number}"),
        };
        format!(
            "{seeds}  driftlock {}  {protocol}{variant} {nodes} load={} mobility={}{motion}{}{}",
            env!("CARGO_PKG_VERSION"),
            requests.rate,
            link_changes.rate,
            several("tokens", self.scenario.tokens()),
            several("resources", self.scenario.resources()),
        )
    }

    /// What there is after an interruption.
    fn left(&self, finished: usize, has_begun: bool) -> String {
        match self.args.journal.as_ref().filter(|_| has_begun) {
            Some(path) => format!("{} ends with the last step before it", path.display()),
            None => format!("{finished} of {} repetitions are finished", self.repetitions),
        }
    }

    fn repetition(&self, k: u64) -> Scenario {
        Scenario { seed: self.scenario.seed + k, ..self.scenario.clone() }
    }

    /// Run all repetitions. One that was not begun has no result.
    fn run_all(&self, stop: &AtomicBool) -> Result<Vec<Option<Run>>> {
        let meter = Meter::new(&self.scenario, self.repetitions);
        let jobs: Vec<u64> = (0..self.repetitions).collect();
        let runs = sweep::all(&jobs, self.threads, stop, |&k| {
            let run = self.run_one(&self.repetition(k), &meter, stop);
            if run.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            run.with_context(|| format!("seed {}", self.scenario.seed + k))
        });
        meter.bar.finish_and_clear();
        runs.into_iter().map(Option::transpose).collect()
    }

    fn run_one(&self, job: &Scenario, meter: &Meter, stop: &AtomicBool) -> Result<Run> {
        let mut told = 0;
        let mut watch = |entries: u64| {
            told = meter.tell(told, entries);
            interrupt::patience(stop)
        };
        let run = match &self.args.journal {
            Some(path) => files::write(path, |to| registry::run(job, Some(to), &mut watch)),
            None => registry::run(job, None, &mut watch),
        };
        meter.tell_end(told);
        run
    }

    /// The first run in which a promise was broken, kept.
    fn counterexample(&self, runs: &[(u64, &Run)]) -> Result<Option<Counterexample>> {
        let violations = runs.iter().filter_map(|(k, run)| Some((k, run.violation.as_ref()?)));
        let found = violations.clone().count();
        let Some((k, violation)) = violations.clone().next() else { return Ok(None) };
        let job = self.repetition(*k);
        let line = format!("{} --reps 1", self.line(&job));
        let journal = self.args.journal.as_deref();
        let kept = Counterexample::keep(&job, violation.to_string(), line, journal)?;
        Ok(Some(kept.among(found, runs.len())))
    }

    fn report(&self, runs: &[(u64, &Run)], broken: Option<&Counterexample>) -> Result<()> {
        let all = runs.iter().map(|(_, run)| *run);
        let held: Vec<&Run> = all.clone().filter(|run| run.violation.is_none()).collect();
        let summary = Summary::of(&held);
        if self.args.json {
            let each = runs.iter().map(|(k, run)| describe(self.scenario.seed + k, run));
            let mut report = json!({
                "driftlock": env!("CARGO_PKG_VERSION"), "scenario": self.scenario,
                "repetitions": each.collect::<Vec<Value>>(), "summary": summary,
                "counterexample": broken,
            });
            if self.scenario.trace.is_some() {
                report["warnings"] = json!(self.warnings);
            }
            return say_line(&serde_json::to_string_pretty(&report)?);
        }
        if !held.is_empty() {
            say(&summary.plain_text())?;
        }
        self.tell_short(&held)?;
        if broken.is_none() && !held.is_empty() {
            let steps: u64 = all.map(|run| run.steps).sum();
            let deposed = held.iter().map(|run| deposed(&run.metrics)).sum();
            say_line(&self::held(steps, deposed))?;
            let without = without_majority(&held);
            if without > 0 {
                let what = "no part of the network had more than half of all nodes left, so nobody";
                let of = held.len();
                say_line(&format!("in {without} of {of} repetitions {what} was owed an entry"))?;
            }
        }
        Ok(())
    }

    /// Say so if less was measured than was asked for.
    fn tell_short(&self, held: &[&Run]) -> Result<()> {
        let wanted = self.scenario.measure().entries.unwrap_or(0);
        let short = held.iter().filter(|run| run.metrics.entries < wanted).count();
        if short == 0 {
            return Ok(());
        }
        say_line(&format!(
            "{short} of {} repetitions measured fewer than {wanted} entries: nobody was served for \
             longer than --calm-limit allows, or nobody asked any more, or the trace was over",
            held.len()
        ))
    }
}

/// The runs that were not interrupted, with which repetition each is.
fn finished(runs: &[Option<Run>]) -> Vec<(u64, &Run)> {
    let begun = (0..).zip(runs).filter_map(|(k, run)| Some((k, run.as_ref()?)));
    begun.filter(|(_, run)| !run.interrupted).collect()
}

fn repetitions(args: &SimArgs) -> Result<u64> {
    match (args.reps, &args.journal) {
        (Some(2..), Some(_)) => bail!("--journal records one run: it goes with --reps 1"),
        (Some(repetitions), _) => Ok(repetitions),
        (None, Some(_)) => Ok(1),
        (None, None) => Ok(6),
    }
}

/// The seeds of all repetitions are numbers.
pub(crate) fn check_seeds(seed: u64, repetitions: u64) -> Result<()> {
    if seed.checked_add(repetitions - 1).is_none() {
        let most = u64::MAX - (repetitions - 1);
        bail!("--seed: {repetitions} repetitions count up from it, so it is at most {most}");
    }
    Ok(())
}

/// The journal can be written, and does not replace what is read.
fn check_journal(args: &SimArgs, scenario: &Scenario) -> Result<()> {
    let Some(journal) = &args.journal else { return Ok(()) };
    let traced = scenario.trace.as_ref().map(|trace| &trace.file);
    for read in args.scenario.iter().chain(&scenario.network.file).chain(traced) {
        if files::same(journal, read) {
            bail!("--journal: {} is read, and would be replaced", journal.display());
        }
    }
    files::check(journal).context("--journal")
}

pub(crate) fn threads(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into))
}

/// How many entries were under a token that had been replaced.
pub(crate) fn deposed(metrics: &Metrics) -> u64 {
    metrics.faults.map_or(0, |faults| faults.deposed)
}

/// In how many runs so many nodes stopped that nobody was owed progress any more.
pub(crate) fn without_majority(runs: &[&Run]) -> usize {
    runs.iter().filter(|run| run.metrics.majority_left == Some(false)).count()
}

/// What is said where nothing was broken. Who is deposed may be inside with another, which is
/// within the promise and has to be known all the same.
pub(crate) fn held(steps: u64, deposed: u64) -> String {
    let promises = format!("all promises held in {steps} steps");
    match deposed {
        0 => promises,
        1 => format!("{promises}, but 1 entry was deposed: {DEPOSED}"),
        several => format!("{promises}, but {several} entries were deposed: {DEPOSED}"),
    }
}

const DEPOSED: &str = "another got in meanwhile, under the token of a later epoch. What they \
    share has to refuse the older one (docs/papers/sbs2014.md)";

fn describe(seed: u64, run: &Run) -> Value {
    json!({
        "seed": seed,
        "steps": run.steps,
        "ended_at": run.ended_at,
        "violation": run.violation.as_ref().map(ToString::to_string),
        "metrics": run.metrics,
    })
}

/// How far all repetitions are, in entries if it is known how many there will be.
struct Meter {
    bar: indicatif::ProgressBar,
    /// The entries of each repetition.
    each: Option<u64>,
    total: AtomicU64,
}

impl Meter {
    fn new(scenario: &Scenario, repetitions: u64) -> Self {
        let measure = scenario.measure();
        let each = measure.entries.map(|entries| entries.saturating_add(measure.warmup));
        let bar = match each {
            Some(each) => progress::bar(each.saturating_mul(repetitions), "entries"),
            None => progress::bar(repetitions, "repetitions"),
        };
        Meter { bar, each, total: AtomicU64::new(0) }
    }

    /// A repetition has come from `told` entries to `entries`. Returns what is told.
    fn tell(&self, told: u64, entries: u64) -> u64 {
        let Some(each) = self.each else { return 0 };
        let more = entries.min(each).saturating_sub(told);
        let total = self.total.fetch_add(more, Ordering::Relaxed).saturating_add(more);
        self.bar.set_position(total);
        told + more
    }

    /// A repetition has ended.
    fn tell_end(&self, told: u64) {
        match self.each {
            Some(each) => drop(self.tell(told, each)),
            None => self.bar.inc(1),
        }
    }
}
