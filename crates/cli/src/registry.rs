//! From names to protocols: the one place that knows all of them.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::{Context, Result, bail};
use driftlock_check::{Checked, Counterexample, Estimate, Limits, Progress};
use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{self, Rl};
use driftlock_replay::{Replayable, Replayed, Shrunk, enact, replay, schedule_of, shrink};
use driftlock_sim::{ChangeModel, Medium, Run, Scenario, Shape, Simulated, World};
use driftlock_spec::Promise;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cmd::check::{Outcome, Plan, Story};
use crate::names::unknown;

/// A protocol, for people.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Entry {
    /// The name to type.
    pub(crate) name: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// What it promises, and under which conditions.
    pub(crate) promise: &'static str,
    /// Where it is from.
    pub(crate) paper: &'static str,
    /// The variants, the default one first.
    pub(crate) variants: &'static [&'static str],
    /// What carries its messages, the default first.
    pub(crate) media: &'static [&'static str],
}

/// All protocols.
pub(crate) const PROTOCOLS: [Entry; 2] = [
    Entry {
        name: "rl",
        aliases: &[],
        promise: "one at a time; everyone gets in once links cease to change; connected network",
        paper: "Walter, Welch, Vaidya: A Mutual Exclusion Algorithm for Ad Hoc Mobile \
                Networks, 2001",
        variants: &["repaired", "published"],
        media: &["links"],
    },
    Entry {
        name: "raymond",
        aliases: &["rr"],
        promise: "one at a time; everyone gets in; fixed tree, messages routed to tree neighbors",
        paper: "Raymond: A Tree-Based Algorithm for Distributed Mutual Exclusion, 1989",
        variants: &["published"],
        media: &["routed", "links"],
    },
];

/// The protocol of that name.
pub(crate) fn find(name: &str) -> Result<&'static Entry> {
    let entry = PROTOCOLS.iter().find(|entry| entry.name == name || entry.aliases.contains(&name));
    match entry {
        Some(entry) => Ok(entry),
        None if name.is_empty() => {
            bail!("which protocol? (there are: {})", PROTOCOLS.map(|entry| entry.name).join(", "))
        }
        None => bail!("{}", unknown("protocol", name, PROTOCOLS.iter().map(|entry| entry.name))),
    }
}

/// Whether the protocol can live with links that change on this medium.
pub(crate) fn may_change_links(name: &str, medium: Medium) -> bool {
    (name, medium) != ("raymond", Medium::Links)
}

/// Whether the protocol is told that links change on this medium.
pub(crate) fn sees_link_changes(name: &str, medium: Medium) -> bool {
    medium == Medium::Links && may_change_links(name, medium)
}

/// Refuse a variant that the protocol does not have.
pub(crate) fn check_variant(entry: &Entry, variant: Option<&str>) -> Result<()> {
    match variant.filter(|variant| !entry.variants.contains(variant)) {
        None => Ok(()),
        Some(variant) => {
            let kind = format!("variant of {}", entry.name);
            bail!("variant: {}", unknown(&kind, variant, entry.variants.iter().copied()));
        }
    }
}

/// What carries the messages of the protocol, if it can.
pub(crate) fn medium(entry: &Entry, wanted: Option<Medium>) -> Result<Medium> {
    match (entry.name, wanted) {
        ("rl", Some(Medium::Routed)) => {
            bail!("medium: rl talks to neighbors and has to see its links: it cannot run routed");
        }
        ("raymond", None) => Ok(Medium::Routed),
        (_, wanted) => Ok(wanted.unwrap_or_default()),
    }
}

/// Fill in what the protocol decides, and refuse what it cannot do. What is refused is told with
/// its key in the scenario first.
pub(crate) fn complete(scenario: &mut Scenario) -> Result<()> {
    let entry = find(&scenario.protocol).context("protocol")?;
    scenario.protocol = entry.name.into();
    check_variant(entry, scenario.variant.as_deref())?;
    let changes = scenario.link_changes.model != ChangeModel::None;
    let (name, medium) = (entry.name, medium(entry, scenario.medium)?);
    if changes && !may_change_links(name, medium) {
        bail!("medium: {name} does not see links change: only `routed` can carry it then");
    }
    if medium != Medium::default() {
        scenario.medium = Some(medium);
    }
    scenario.check()?;
    Ok(())
}

/// Who writes journals.
const SOFTWARE: &str = concat!("driftlock ", env!("CARGO_PKG_VERSION"));

/// Find out what shows only once the network is there: whether there is one, and whether the script
/// fits it.
pub(crate) fn rehearse(scenario: &Scenario) -> Result<()> {
    let Scenario { network, script, .. } = scenario;
    let is_certain = !matches!(network.shape, Shape::File | Shape::Geometric) && script.is_empty();
    if !is_certain {
        // Any protocol will do.
        World::<'_, Raymond>::new(scenario, &())?;
    }
    Ok(())
}

/// Run a completed scenario. `watch` is told the number of entries now and then, and may break off.
pub(crate) fn run(
    scenario: &Scenario,
    journal: Option<&mut dyn Write>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    match scenario.protocol.as_str() {
        "rl" => run_as::<Rl>(scenario, &rl_config(scenario.variant.as_deref()), journal, watch),
        "raymond" => run_as::<Raymond>(scenario, &(), journal, watch),
        other => find(other).and_then(|_| bail!("`{other}` is not the full name of a protocol")),
    }
}

fn rl_config(variant: Option<&str>) -> rl::Config {
    let published = variant == Some("published");
    rl::Config::from(if published { Variant::Published } else { Variant::Repaired })
}

fn run_as<P: Simulated<Config: Serialize>>(
    scenario: &Scenario,
    config: &P::Config,
    journal: Option<&mut dyn Write>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    let mut world: World<'_, P> = World::new(scenario, config)?;
    if let Some(to) = journal {
        world = world.record(config, SOFTWARE, to).context("cannot write the journal")?;
    }
    let mut run = world.run_watched(watch);
    match run.journal_error.take() {
        Some(error) => Err(error).context("cannot write the journal"),
        None => Ok(run),
    }
}

/// Explore every schedule of a plan.
pub(crate) fn check(
    plan: &Plan,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    match plan.entry.name {
        "rl" => check_as::<Rl>(plan, &rl_config(plan.variant.as_deref()), limits, watch),
        "raymond" => check_as::<Raymond>(plan, &(), limits, watch),
        other => find(other).and_then(|_| bail!("`{other}` cannot be checked")),
    }
}

fn check_as<P: Checked>(
    plan: &Plan,
    config: &P::Config,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    let report = driftlock_check::check::<P>(&plan.setup, config, limits, watch)?;
    let told = |found: Counterexample<P::Timer>| -> Result<Story> {
        let mut journal = Vec::new();
        if found.schedule.is_empty() {
            return Ok(Story::new::<P>(&found, &[], journal));
        }
        let setting = plan.setup.setting(plan.entry.name);
        let to = Some((SOFTWARE, &mut journal as &mut dyn Write));
        let enacted = enact::<P>(&setting, config, &found.schedule, found.calm, to)?;
        Ok(Story::new::<P>(&found, &enacted.steps, journal))
    };
    Ok(Outcome {
        explored: report.explored,
        end: report.end,
        cut: report.cut,
        story: report.counterexample.map(told).transpose()?,
    })
}

/// Guess how many states a plan has.
pub(crate) fn estimate(plan: &Plan) -> Result<Estimate> {
    let (setup, variant) = (&plan.setup, plan.variant.as_deref());
    match plan.entry.name {
        "rl" => Ok(driftlock_check::estimate::<Rl>(setup, &rl_config(variant))?),
        "raymond" => Ok(driftlock_check::estimate::<Raymond>(setup, &())?),
        other => find(other).and_then(|_| bail!("`{other}` cannot be checked")),
    }
}

/// Run a journal again. `seen` is given each step as text.
pub(crate) fn replay_journal<R: BufRead>(
    reader: &mut Reader<R>,
    seen: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<Replayed> {
    match reader.header().protocol.as_str() {
        "rl" => {
            let config: rl::Config = config(reader)?;
            let (heights, n) = (config.heights.len(), reader.header().n_nodes as usize);
            if heights != 0 && heights != n {
                bail!("has initial heights of {heights} nodes, expected {n}");
            }
            replay_as::<Rl, R>(reader, &config, seen)
        }
        "raymond" => replay_as::<Raymond, R>(reader, &config(reader)?, seen),
        other => find(other).and_then(|_| bail!("`{other}` is not the full name of a protocol")),
    }
}

/// Shrink the run of a journal in which `promise` is broken. Returns the journal of the short run,
/// or nothing if the promise can be broken only by what a schedule does not have: a short calm.
pub(crate) fn shrink_journal(journal: &[u8], promise: Promise) -> Result<Option<Vec<u8>>> {
    let mut reader = Reader::new(journal)?;
    match reader.header().protocol.as_str() {
        "rl" => {
            let config: rl::Config = config(&reader)?;
            shrink_as::<Rl>(&mut reader, &config, promise)
        }
        "raymond" => shrink_as::<Raymond>(&mut reader, &(), promise),
        other => find(other).and_then(|_| bail!("`{other}` is not the full name of a protocol")),
    }
}

fn shrink_as<P: Replayable<Config: Serialize>>(
    reader: &mut Reader<&[u8]>,
    config: &P::Config,
    promise: Promise,
) -> Result<Option<Vec<u8>>> {
    let (setting, schedule) = schedule_of(reader)?;
    let Some(shrunk) = shrink::<P>(&setting, config, &schedule, promise) else { return Ok(None) };
    let Shrunk { setting, schedule, calm } = shrunk;
    let mut journal = Vec::new();
    enact::<P>(&setting, config, &schedule, calm, Some((SOFTWARE, &mut journal)))?;
    Ok(Some(journal))
}

fn config<C: DeserializeOwned, R: BufRead>(reader: &Reader<R>) -> Result<C> {
    serde_json::from_value(reader.header().config.clone())
        .context("has a configuration that this protocol does not understand")
}

fn replay_as<P: Replayable, R: BufRead>(
    reader: &mut Reader<R>,
    config: &P::Config,
    seen: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<Replayed> {
    let ticks_per_unit = reader.header().ticks_per_unit.max(1);
    let done = replay::<P, R>(reader, config, &mut |at, node, happening, outputs| {
        seen(&|| {
            let at = in_units(at, ticks_per_unit);
            driftlock_journal::text::told(&at, node, &happening.in_words(), outputs)
        });
    })?;
    Ok(done)
}

/// A time in units, with as many decimals as a tick has.
fn in_units(ticks: u64, ticks_per_unit: u64) -> String {
    let decimals = ticks_per_unit.ilog10() as usize;
    format!("{:.decimals$}", ticks as f64 / ticks_per_unit as f64)
}
