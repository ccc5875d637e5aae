//! Scenarios for the other tests, and running them.

use driftlock_core::NodeId;
use driftlock_journal::{Event, Reader, Record};
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Medium, Network, Requests, Run, Scenario, Simulated, World,
};

/// Random changes at this rate.
pub(crate) fn changes(model: ChangeModel, rate: f64) -> LinkChanges {
    LinkChanges { model, rate, ..LinkChanges::default() }
}

/// The first so many entries from time 0.
pub(crate) fn cold(entries: u64) -> Option<Measure> {
    Some(Measure { warmup: 0, entries: Some(entries), until: None })
}

pub(crate) fn load(rate: f64) -> Requests {
    Requests { rate, ..Requests::default() }
}

/// A random network of the paper's size.
pub(crate) fn percent(connectivity: f64) -> Network {
    Network { connectivity: Some(connectivity), ..Network::default() }
}

pub(crate) fn rl(scenario: &Scenario) -> Run {
    World::<Rl>::new(scenario, &Config::from(Variant::Repaired)).unwrap().run()
}

pub(crate) fn rl_published(scenario: &Scenario) -> Run {
    World::<Rl>::new(scenario, &Config::from(Variant::Published)).unwrap().run()
}

/// Raymond's algorithm over ideal routing.
pub(crate) fn rr(scenario: &Scenario) -> Run {
    World::<Raymond>::new(&routed(scenario), &()).unwrap().run()
}

pub(crate) fn routed(scenario: &Scenario) -> Scenario {
    Scenario { medium: Some(Medium::Routed), ..scenario.clone() }
}

/// A run with its journal.
pub(crate) fn recorded<P: Simulated<Config: serde::Serialize>>(
    scenario: &Scenario,
    config: &P::Config,
) -> (Run, Vec<u8>) {
    let mut bytes = Vec::new();
    let world = World::<P>::new(scenario, config).unwrap();
    let run = world.record(config, "test", &mut bytes).unwrap().run();
    assert!(run.journal_error.is_none());
    (run, bytes)
}

/// All records of a journal.
pub(crate) fn records(journal: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new(journal).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}

/// When each node asked first.
pub(crate) fn first_requests(journal: &[u8], n_nodes: usize) -> Vec<Option<u64>> {
    let mut first = vec![None; n_nodes];
    for Record { at, node: NodeId(node), event, .. } in records(journal) {
        if matches!(event, Event::Request(_)) {
            first[node as usize].get_or_insert(at);
        }
    }
    first
}
