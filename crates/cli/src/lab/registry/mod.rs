//! From names to protocols: the one place that knows all of them.
//!
//! | file | what it is |
//! |---|---|
//! | `entries` | the protocols of the papers, an entry each |
//! | `entry` | what an entry says |
//! | `others` | all protocols, those of other people included |
//! | `machine` | what can be done with a protocol, whichever it is |
//! | `keys` | what a protocol takes of a scenario or a check, and what is refused |

mod entries;
mod entry;
mod keys;
mod machine;
mod others;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::{Result, bail};
use driftlock_check::{Estimate, Limits, Progress};
use driftlock_journal::JournalError;
use driftlock_replay::Replayed;
use driftlock_sim::{Run, Scenario, Session, Shape, ticks};
use driftlock_spec::{Promise, Rules};

pub use self::entry::Entry;
pub(crate) use self::keys::{
    check_partitions, check_restarts, check_sharing, check_stops, check_variant, complete, medium,
    name_plainly,
};
pub use self::machine::Of;
pub(crate) use self::machine::{AnyReader, Machine};
pub(crate) use self::others::has_others;
pub use self::others::{protocols, register};
use crate::lab::cmd::check::{Outcome, Plan};
use crate::names::unknown;

/// What was chosen for a protocol, in a scenario or for a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<'c> {
    /// The variant, if not the default one.
    pub variant: Option<&'c str>,
    /// How many tokens there are.
    pub tokens: u32,
    /// How many entries a session has at most while others wait, if not as usual.
    pub session: Option<Session>,
    /// How long things take, where time passes.
    pub pace: Option<Pace>,
}

/// How long things take, in ticks. Time-outs are made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// A message to any node, at most.
    pub message: u64,
    /// Everyone being served once, one after the other, at most.
    pub others: u64,
}

impl Pace {
    fn of(scenario: &Scenario) -> Self {
        if let Some(timeout) = scenario.timeout.map(ticks) {
            return Pace { message: timeout, others: timeout };
        }
        let nodes = scenario.n_nodes() as f64;
        let hop = scenario.delay.longest();
        let entry = scenario.critical_section.longest() + 2.0 * hop;
        Pace { message: ticks(nodes * hop), others: ticks(nodes * entry) }
    }
}

impl<'c> Choice<'c> {
    /// What a scenario says.
    pub(crate) fn of(scenario: &'c Scenario) -> Self {
        let Scenario { variant, session, .. } = scenario;
        let (tokens, pace) = (scenario.tokens(), Some(Pace::of(scenario)));
        Choice { variant: variant.as_deref(), tokens, session: *session, pace }
    }
}

/// The protocol of that name.
pub(crate) fn find(name: &str) -> Result<&'static Entry> {
    let entry =
        protocols().iter().find(|entry| entry.name == name || entry.aliases.contains(&name));
    let names = || protocols().iter().map(|entry| entry.name);
    match entry {
        Some(entry) => Ok(entry),
        None if name.is_empty() => {
            bail!("which protocol? (there are: {})", names().collect::<Vec<_>>().join(", "))
        }
        None => bail!("{}", unknown("protocol", name, names())),
    }
}

/// The protocol of that full name, as it stands in a completed scenario and in a journal.
fn named(name: &str) -> Result<&'static Entry> {
    let entry = find(name)?;
    if entry.name != name {
        bail!("`{name}` is not the full name of a protocol");
    }
    Ok(entry)
}

/// Find out what shows only once the network is there: whether there is one, and whether the script
/// fits it.
pub(crate) fn rehearse(scenario: &Scenario) -> Result<()> {
    let Scenario { network, script, .. } = scenario;
    let entry = named(&scenario.protocol)?;
    let is_certain = match network.shape {
        _ if scenario.trace.is_some() => false,
        Shape::File => false,
        // Where the network need not be connected, the first draw will do.
        Shape::Geometric => entry.local.is_some(),
        _ => true,
    };
    if is_certain && script.is_empty() {
        return Ok(());
    }
    entry.machine.rehearse(scenario, entry.rules(&Choice::of(scenario)))
}

/// Run a completed scenario. `watch` is told the number of entries now and then, and may break off.
pub(crate) fn run(
    scenario: &Scenario,
    journal: Option<&mut dyn Write>,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    let entry = named(&scenario.protocol)?;
    entry.machine.run(scenario, entry.rules(&Choice::of(scenario)), journal, watch)
}

/// Run a completed scenario, and count bytes and look at recovery too.
pub(crate) fn run_in_detail(
    scenario: &Scenario,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    let entry = named(&scenario.protocol)?;
    entry.machine.run_in_detail(scenario, entry.rules(&Choice::of(scenario)), watch)
}

/// Run a completed scenario for an experiment. How far from a node that has stopped others starve
/// is measured there, and not judged.
pub(crate) fn measure(
    scenario: &Scenario,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    let entry = named(&scenario.protocol)?;
    let rules = entry.rules(&Choice::of(scenario));
    let rules = Rules { locality: rules.locality.map(|_| u32::MAX), ..rules };
    entry.machine.run(scenario, rules, None, watch)
}

/// Explore every schedule of a plan.
pub(crate) fn check(
    plan: &Plan,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome> {
    plan.entry.machine.check(plan, limits, watch)
}

/// Guess how many states a plan has.
pub(crate) fn estimate(plan: &Plan) -> Result<Estimate> {
    plan.entry.machine.estimate(plan)
}

/// Run a journal again. `seen` is given each step as text.
pub(crate) fn replay_journal(
    reader: &mut AnyReader<'_>,
    seen: &mut dyn FnMut(&dyn Fn() -> String),
) -> Result<Replayed> {
    let entry = named(&reader.header().protocol)?;
    entry.machine.replay(reader, seen)
}

/// Shrink the run of a journal in which `promise` is broken. Returns the journal of the short run,
/// or nothing if the promise can be broken only by what a schedule does not have: a short calm.
pub(crate) fn shrink_journal(journal: &[u8], promise: Promise) -> Result<Option<Vec<u8>>> {
    let mut reader = read(journal)?;
    let entry = named(&reader.header().protocol)?;
    entry.machine.shrink(&mut reader, promise)
}

/// Begin to read a journal.
pub(crate) fn read<'r>(from: impl BufRead + 'r) -> Result<AnyReader<'r>, JournalError> {
    let from: Box<dyn BufRead + 'r> = Box::new(from);
    AnyReader::new(from)
}
