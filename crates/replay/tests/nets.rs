//! Settings and schedules for the other tests, and running them.

use driftlock_core::{Graph, Medium, NodeId, ResourceId};
use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::{
    Action, Enacted, ReplayError, Replayable, Replayed, Setting, enact, replay,
};
use driftlock_spec::Rules;
use driftlock_spec::progress::Calm;
use serde::Serialize;

pub(crate) fn setting(n: usize, links: &[(u32, u32)], rules: Rules) -> Setting {
    let mut graph = Graph::new(n);
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    Setting { protocol: "rl".into(), graph, medium: Medium::Links, rules }
}

pub(crate) fn published() -> Config {
    Config::from(Variant::Published)
}

pub(crate) fn request<T>(node: u32) -> Action<T> {
    Action::Request(NodeId(node), ResourceId(0))
}

pub(crate) fn deliver<T>(from: u32, to: u32) -> Action<T> {
    Action::Deliver { from: NodeId(from), to: NodeId(to) }
}

pub(crate) fn lose<T>(from: u32, to: u32) -> Action<T> {
    Action::Lose { from: NodeId(from), to: NodeId(to) }
}

pub(crate) fn duplicate<T>(from: u32, to: u32) -> Action<T> {
    Action::Duplicate { from: NodeId(from), to: NodeId(to) }
}

pub(crate) fn up<T>(a: u32, b: u32) -> Action<T> {
    Action::LinkUp { a: NodeId(a), b: NodeId(b), moving: NodeId(b) }
}

pub(crate) fn down<T>(a: u32, b: u32) -> Action<T> {
    Action::LinkDown { a: NodeId(a), b: NodeId(b) }
}

/// Run a schedule, replay its journal, and compare.
pub(crate) fn verified<P: Replayable<Config: Serialize>>(
    setting: &Setting,
    config: &P::Config,
    schedule: &[Action<P::Timer>],
    calm: Option<Calm>,
) -> (Enacted<P>, Vec<u8>) {
    let mut journal = Vec::new();
    let enacted =
        enact::<P>(setting, config, schedule, calm, Some(("test", &mut journal))).unwrap();
    let replayed = replayed::<P>(&journal, config).unwrap();
    assert_eq!(replayed.steps, enacted.steps.len() as u64);
    assert_eq!(replayed.violation, enacted.violation);
    (enacted, journal)
}

pub(crate) fn replayed<P: Replayable>(
    journal: &[u8],
    config: &P::Config,
) -> Result<Replayed, ReplayError> {
    replay::<P, _>(&mut Reader::new(journal)?, config, &mut |_, _, _, _| {})
}

/// A schedule of RL by its published text, with the usual rules.
pub(crate) fn rl(n: usize, links: &[(u32, u32)], schedule: &[Action<Never>]) -> Enacted<Rl> {
    verified::<Rl>(&setting(n, links, Rules::default()), &published(), schedule, None).0
}

pub(crate) type Never = driftlock_core::NoTimer;
