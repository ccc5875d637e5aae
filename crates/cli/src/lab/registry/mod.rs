//! From names to protocols: the one place that knows all of them.
//!
//! | file | what it is |
//! |---|---|
//! | `entries` | the protocols, an entry each |
//! | `machine` | what can be done with a protocol, whichever it is |
//! | `keys` | what a protocol takes of a scenario or a check, and what is refused |

mod entries;
mod keys;
mod machine;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::{Result, bail};
use driftlock_check::{Estimate, Limits, Progress};
use driftlock_journal::JournalError;
use driftlock_replay::Replayed;
use driftlock_sim::{Medium, Run, Scenario, Session, Shape, ticks};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};
use serde::Serialize;

pub(crate) use self::entries::PROTOCOLS;
pub(crate) use self::keys::{
    check_partitions, check_restarts, check_sharing, check_variant, complete, medium,
};
pub(crate) use self::machine::{AnyReader, Machine};
use crate::lab::cmd::check::{Outcome, Plan};
use crate::names::unknown;

/// A protocol: what people are told of it, and what the machinery has to know.
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
    /// Whether it sees links change. If not, they may change only where messages are routed.
    #[serde(skip)]
    pub(crate) sees_links: bool,
    /// Whether as many may be inside as there are tokens. Takes `tokens`.
    #[serde(skip)]
    pub(crate) tokens: bool,
    /// Whether all may be inside who want the same resource. Takes `resources`, `session` and
    /// `requests.popular`.
    #[serde(skip)]
    pub(crate) groups: bool,
    /// Whether whoever enters has a token, and these are counted.
    #[serde(skip)]
    pub(crate) counted: bool,
    /// Whether it sends nothing any more once nobody wants anything.
    #[serde(skip)]
    pub(crate) silent: fn(&Choice<'_>) -> bool,
    /// The variants that can live with a network that falls apart.
    #[serde(skip)]
    pub(crate) apart: &'static [&'static str],
    /// The variants that real nodes can run, which write them down and wake up with them.
    #[serde(skip)]
    pub(crate) wakes: &'static [&'static str],
    /// Whether it lives with messages that get lost and nodes that stop on a mesh: whoever is
    /// inside under an older epoch is deposed, and most of all nodes go on.
    #[serde(skip)]
    pub(crate) faults: bool,
    /// How far from a node that has stopped others may starve, in links, if only neighbors
    /// exclude each other. Such a protocol lives with links that break with what is on them, if it
    /// sees links at all, with networks that fall apart, and with crashes nobody is told of.
    #[serde(skip)]
    pub(crate) local: Option<fn(&Choice<'_>) -> u32>,
    /// What is done with it.
    #[serde(skip)]
    pub(crate) machine: &'static dyn Machine,
}

/// What was chosen for a protocol, in a scenario or for a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice<'c> {
    /// The variant, if not the default one.
    pub(crate) variant: Option<&'c str>,
    /// How many tokens there are.
    pub(crate) tokens: u32,
    /// How many entries a session has at most while others wait, if not as usual.
    pub(crate) session: Option<Session>,
    /// How long things take, where time passes.
    pub(crate) pace: Option<Pace>,
}

/// How long things take, in ticks. Time-outs are made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    /// A message to any node, at most.
    pub(crate) message: u64,
    /// All others being served one after the other, at most.
    pub(crate) others: u64,
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

impl Entry {
    /// What carries its messages, the default first.
    pub(crate) fn media(&self) -> impl Iterator<Item = Medium> + use<> {
        self.media.iter().map(|name| medium_of(name))
    }

    /// Whether the protocol can live with links that change on this medium.
    pub(crate) fn may_change_links(&self, medium: Medium) -> bool {
        self.sees_links || !medium.shows_links()
    }

    /// Whether the protocol is told that links change on this medium.
    pub(crate) fn sees_link_changes(&self, medium: Medium) -> bool {
        self.sees_links && medium.shows_links()
    }

    /// Whether this variant can live with a network that falls apart.
    pub(crate) fn may_fall_apart(&self, variant: Option<&str>) -> bool {
        self.local.is_some() || self.apart.contains(&variant.unwrap_or(self.variants[0]))
    }

    /// Whether a node with this variant can be killed and wake up.
    pub(crate) fn may_wake_up(&self, variant: Option<&str>) -> bool {
        self.wakes.contains(&variant.unwrap_or(self.variants[0]))
    }

    /// What the protocol promises. What is up to the world is as usual.
    pub(crate) fn rules(&self, choice: &Choice<'_>) -> Rules {
        if let Some(locality) = self.local {
            return Rules { silent: (self.silent)(choice), ..Rules::local(locality(choice)) };
        }
        let exclusion = match (self.groups, self.tokens) {
            (true, _) => Exclusion::SameGroup,
            (false, true) => Exclusion::AtMost(choice.tokens),
            (false, false) => Exclusion::AtMost(1),
        };
        let (fenced, quorum) = (self.faults, self.faults);
        Rules { exclusion, silent: (self.silent)(choice), fenced, quorum, ..Rules::default() }
    }
}

/// The medium of that name.
fn medium_of(name: &str) -> Medium {
    let all = [Medium::Links, Medium::Routed, Medium::Mesh];
    all.into_iter().find(|medium| medium.name() == name).unwrap_or_default()
}

/// The protocol of that name.
pub(crate) fn find(name: &str) -> Result<&'static Entry> {
    let entry = PROTOCOLS.iter().find(|entry| entry.name == name || entry.aliases.contains(&name));
    let names = || PROTOCOLS.iter().map(|entry| entry.name);
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
