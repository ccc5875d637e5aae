//! `driftlock sim --campaign`: many scenarios drawn at random, to look for trouble.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use driftlock_lab::sweep;
use driftlock_sim::campaign::{Given, Takes, draw};
use driftlock_sim::{ChangeModel, Medium, Run, Scenario, Shape};
use driftlock_spec::Violation;
use serde::Serialize;
use serde_json::json;

use super::seeds::Seed;
use super::sim::{check_seeds, deposed, held, threads};
use crate::Verdict;
use crate::lab::args::{SimArgs, WorldArgs};
use crate::lab::origin::Origin;
use crate::lab::registry::{self, Entry, protocols};
use crate::lab::{command_line, files, interrupt, progress};
use crate::terminal::say_line;

/// How many runs there are if nothing is said. They take seconds.
const RUNS: u64 = 200;

pub(crate) fn run(args: &SimArgs, stop: &AtomicBool) -> Result<Verdict> {
    let campaign = Campaign::plan(args)?;
    if !args.json {
        say_line(&campaign.headline())?;
        say_line(&format!("replay: {}", command_line::typed(std::env::args_os())))?;
    }
    let outcomes = campaign.run_all(stop)?;
    let finished: Vec<(u64, &Outcome)> =
        (0..).zip(&outcomes).filter_map(|(k, outcome)| Some((k, outcome.as_ref()?))).collect();
    let seed = campaign.first_broken(&finished)?;
    campaign.report(&finished, seed.as_ref())?;
    if let Some(seed) = seed {
        seed.tell(args.json)?;
        return Ok(Verdict::Violated);
    }
    if finished.len() < outcomes.len() {
        bail!("interrupted: {} of {} runs are finished", finished.len(), outcomes.len());
    }
    Ok(Verdict::Held)
}

/// What is to be done.
struct Campaign<'a> {
    args: &'a SimArgs,
    origin: Origin<'a>,
    /// What takes turns: a protocol and what carries its messages.
    subjects: Vec<(&'static Entry, Medium)>,
    first_seed: u64,
    runs: u64,
    folder: PathBuf,
}

/// What came of a run.
struct Outcome {
    steps: u64,
    entries: u64,
    link_changes: u64,
    deposed: u64,
    violation: Option<Violation>,
}

/// What came of all runs of a subject.
#[derive(Default, Serialize)]
struct Total {
    runs: u64,
    entries: u64,
    link_changes: u64,
    steps: u64,
}

impl<'a> Campaign<'a> {
    /// Understand what was asked for, and refuse it now or never.
    fn plan(args: &'a SimArgs) -> Result<Self> {
        if args.world.trace.is_typed() {
            bail!("--campaign: its worlds are drawn, so it does not go with --trace");
        }
        let campaign = Campaign {
            args,
            origin: Origin::read(args)?,
            subjects: subjects(args)?,
            first_seed: args.world.seed.unwrap_or(1),
            runs: args.runs.unwrap_or(RUNS),
            folder: args.seeds_dir.clone().unwrap_or_else(|| "seeds".into()),
        };
        check_seeds(campaign.first_seed, campaign.runs)?;
        for k in 0..campaign.runs {
            campaign.scenario(k)?;
        }
        if campaign.folder.exists() {
            files::check(&campaign.folder.join("README.md")).context("--seeds-dir")?;
        }
        Ok(campaign)
    }

    fn subject(&self, seed: u64) -> (&'static Entry, Medium) {
        self.subjects[(seed % self.subjects.len() as u64) as usize]
    }

    /// The scenario of a run: drawn, but for what was typed.
    fn scenario(&self, k: u64) -> Result<Scenario> {
        let seed = self.first_seed + k;
        let (entry, medium) = self.subject(seed);
        let world = &self.args.world;
        let given = given(world, entry, medium);
        let mut scenario = draw(seed, &given);
        scenario.protocol = entry.name.into();
        // What a protocol has anyway need not be said.
        scenario.medium = (entry.carriers().next() != Some(medium)).then_some(medium);
        if world.connectivity.is_some() || world.links.is_some() {
            scenario.network.links = None;
        }
        world.apply(&mut scenario);
        settle(world, given.takes, &mut scenario);
        if !entry.may_stop_on_mesh(world.variant.as_deref()) && medium == Medium::Mesh {
            let typed = world.crash.is_some();
            scenario.script.retain(|scripted| typed || scripted.crash.is_none());
        }
        scenario.seed = seed;
        let completed = registry::complete(&mut scenario);
        completed.map_err(|error| self.origin.explain(&format!("{error:#}")))?;
        Ok(scenario)
    }

    fn headline(&self) -> String {
        let names: Vec<String> = self.subjects.iter().map(|subject| name(*subject)).collect();
        format!(
            "seed {} to {}  driftlock {}  campaign of {} runs: {}",
            self.first_seed,
            self.first_seed + (self.runs - 1),
            env!("CARGO_PKG_VERSION"),
            self.runs,
            names.join(", "),
        )
    }

    /// Run all. One that was not finished has no outcome.
    fn run_all(&self, stop: &AtomicBool) -> Result<Vec<Option<Outcome>>> {
        let bar = progress::bar(self.runs, "runs");
        let jobs: Vec<u64> = (0..self.runs).collect();
        let outcomes = sweep::all(&jobs, threads(self.args.threads), stop, |&k| {
            let outcome = self.run_one(k, stop);
            if outcome.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            bar.inc(1);
            outcome.with_context(|| format!("seed {}", self.first_seed + k))
        });
        bar.finish_and_clear();
        outcomes.into_iter().map(|outcome| outcome.transpose().map(Option::flatten)).collect()
    }

    fn run_one(&self, k: u64, stop: &AtomicBool) -> Result<Option<Outcome>> {
        let run = registry::run(&self.scenario(k)?, None, &mut |_| interrupt::patience(stop))?;
        let Run { metrics, violation, steps, interrupted, .. } = run;
        let (entries, link_changes) = (metrics.entries, metrics.link_changes);
        let deposed = deposed(&metrics);
        Ok((!interrupted).then_some(Outcome { steps, entries, link_changes, deposed, violation }))
    }

    /// The first run in which a promise was broken, shrunk and kept.
    fn first_broken(&self, finished: &[(u64, &Outcome)]) -> Result<Option<Seed>> {
        let broken = finished.iter().filter_map(|(k, run)| Some((*k, run.violation.as_ref()?)));
        let found = broken.clone().count();
        let Some((k, violation)) = broken.clone().next() else { return Ok(None) };
        let scenario = self.scenario(k)?;
        let (entry, _) = self.subject(scenario.seed);
        let variant = scenario.variant.as_deref().unwrap_or(entry.variants[0]);
        let seed = Seed::keep(&self.folder, &scenario, variant, violation)?;
        Ok(Some(seed.among(found, finished.len())))
    }

    fn report(&self, finished: &[(u64, &Outcome)], broken: Option<&Seed>) -> Result<()> {
        let mut totals: BTreeMap<String, Total> = BTreeMap::new();
        for (k, outcome) in finished {
            let total = totals.entry(name(self.subject(self.first_seed + k))).or_default();
            total.runs += 1;
            total.entries += outcome.entries;
            total.link_changes += outcome.link_changes;
            total.steps += outcome.steps;
        }
        if self.args.json {
            let report = json!({
                "driftlock": env!("CARGO_PKG_VERSION"), "seed": self.first_seed,
                "runs": self.runs, "finished": finished.len(), "subjects": totals,
                "counterexample": broken,
            });
            return say_line(&serde_json::to_string_pretty(&report)?);
        }
        for (name, Total { runs, entries, link_changes, steps }) in &totals {
            say_line(&format!(
                "{name}: {runs} runs, {entries} entries, {link_changes} link changes, {steps} steps"
            ))?;
        }
        if broken.is_none() && !finished.is_empty() {
            let steps: u64 = totals.values().map(|total| total.steps).sum();
            let deposed = finished.iter().map(|(_, outcome)| outcome.deposed).sum();
            say_line(&held(steps, deposed))?;
        }
        Ok(())
    }
}

/// The protocols that were asked for, on the media that were.
fn subjects(args: &SimArgs) -> Result<Vec<(&'static Entry, Medium)>> {
    let entries: Vec<&Entry> = match &args.protocol {
        Some(protocol) => vec![registry::find(protocol)?],
        None => protocols().iter().collect(),
    };
    let typed: Option<Medium> = args.world.medium.map(Into::into);
    if let (Some(_), Some(medium)) = (&args.protocol, typed) {
        // Whether the protocol has it is said like everything that is wrong with a scenario.
        return Ok(entries.into_iter().map(|entry| (entry, medium)).collect());
    }
    let model: Option<ChangeModel> = args.world.link_changes.map(Into::into);
    let changes = args.world.mobility.is_some_and(|rate| rate > 0.0)
        || model.is_some_and(|model| model != ChangeModel::None)
        || args.world.motion.is_typed();
    let media = |entry: &'static Entry| entry.carriers().map(move |medium| (entry, medium));
    let all = entries.iter().copied().flat_map(media);
    let wanted = all.filter(|(entry, medium)| {
        let moves = !args.world.motion.is_typed() || may_move(args, entry, *medium);
        let changes = !changes || entry.may_change_links(*medium);
        typed.is_none_or(|typed| typed == *medium) && changes && moves
    });
    let wanted: Vec<(&Entry, Medium)> = wanted.collect();
    // Why nobody can is told for the first of them.
    let first = entries.into_iter().flat_map(media).next();
    let nobody = first.map(|(entry, medium)| (entry, typed.unwrap_or(medium)));
    Ok(if wanted.is_empty() { nobody.into_iter().collect() } else { wanted })
}

/// Whether the nodes of a protocol can move as it was typed.
fn may_move(args: &SimArgs, entry: &Entry, medium: Medium) -> bool {
    let apart = medium == Medium::Links && entry.may_fall_apart(args.world.variant.as_deref());
    match args.world.motion.together {
        true => entry.local.is_none(),
        false => medium == Medium::Mesh || apart,
    }
}

fn name((entry, medium): (&Entry, Medium)) -> String {
    match medium {
        Medium::Links => format!("{} over links", entry.name),
        Medium::Routed => format!("{} routed", entry.name),
        Medium::Mesh => format!("{} on a mesh", entry.name),
    }
}

/// Take back what was drawn and does not go with what was typed.
fn settle(world: &WorldArgs, takes: Takes, scenario: &mut Scenario) {
    if world.range.is_some() {
        scenario.network.degree = None;
    }
    if world.mobility.is_some_and(|rate| rate > 0.0) {
        scenario.motion = None;
    }
    let may_crash = scenario.may_fall_apart() || takes.faults;
    if !may_crash && world.crash.is_none() {
        scenario.script.clear();
    }
    if world.crash.is_some() {
        let typed = world.crash.iter().map(|crashes| crashes.0.len()).sum();
        let drawn = scenario.script.len().saturating_sub(typed);
        scenario.script.drain(..drawn);
    }
    if scenario.resources() < 2 && world.popular.is_none() {
        scenario.requests.popular = None;
    }
}

/// What was typed of what is drawn.
fn given(world: &WorldArgs, entry: &Entry, medium: Medium) -> Given {
    let shape = match world.network {
        Some(shape) => Some(shape.into()),
        None if world.edges.is_some() => Some(Shape::File),
        None if world.connectivity.is_some() || world.links.is_some() => Some(Shape::Random),
        None if world.range.or(world.degree).or(world.area).is_some() => Some(Shape::Geometric),
        None if world.motion.is_typed() => Some(Shape::Geometric),
        None => None,
    };
    // Links that may not change stay, unless someone insists and is refused.
    let model = world.link_changes.map(Into::into);
    let model = model.or((!entry.may_change_links(medium)).then_some(ChangeModel::None));
    // Nodes that move change links by no other law.
    let model = model.or(world.motion.is_typed().then_some(ChangeModel::None));
    let local = entry.local.is_some();
    let apart = !local && entry.may_fall_apart(world.variant.as_deref());
    let takes = Takes {
        tokens: entry.tokens,
        groups: entry.groups,
        partitions: medium == Medium::Links && apart && !world.motion.together,
        local,
        mesh: medium == Medium::Mesh,
        faults: medium == Medium::Mesh && entry.faults,
    };
    Given { nodes: world.nodes, shape, model, load: world.load, takes }
}
