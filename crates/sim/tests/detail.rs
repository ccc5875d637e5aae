//! Bytes and recovery, where they are asked for.

use driftlock_protocols::Variant;
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::metrics::{Metrics, Recovery};
use driftlock_sim::{
    ChangeModel, ConnectedBy, LinkChanges, Network, Scenario, Scripted, Shape, World,
};

use crate::worlds::{changes, cold, load, percent, routed};

fn asks(node: u32, at: f64) -> Scripted {
    Scripted { at, request: Some(node), ..Scripted::default() }
}

/// Two nodes, of which one asks once.
fn two() -> Scenario {
    Scenario {
        network: Network { shape: Shape::Line, nodes: 2, ..Network::default() },
        requests: load(0.0),
        script: vec![asks(1, 1.0)],
        ..Scenario::default()
    }
}

fn in_detail(scenario: &Scenario) -> Metrics {
    let run = World::<Rl>::new(scenario, &Config::default()).unwrap().in_detail().run();
    assert_eq!(run.violation, None);
    run.metrics
}

/// A request has a tag, a height of three and a number, the token a tag and a height; whoever has
/// it tells its new height like a request. Numbers this small have a byte each.
#[test]
fn an_entry_of_rl_takes_a_request_the_token_and_a_height() {
    let metrics = in_detail(&two());
    assert_eq!((metrics.entries, metrics.messages_per_entry), (1, 3.0));
    let detail = metrics.detail.unwrap();
    assert_eq!((detail.bytes_per_entry, detail.recovery), (5.0 + 4.0 + 5.0, None));
}

/// Messages of Raymond's algorithm are a tag each, on every link that they go over.
#[test]
fn a_routed_message_counts_on_every_link() {
    let scenario = routed(&Scenario {
        network: percent(20.0),
        link_changes: changes(ChangeModel::Toggle, 0.01),
        measure: cold(200),
        ..Scenario::default()
    });
    let metrics = World::<Raymond>::new(&scenario, &()).unwrap().in_detail().run().metrics;
    assert!(metrics.hops_per_message > 1.0);
    assert_eq!(metrics.detail.unwrap().bytes_per_entry, metrics.messages_per_entry);
}

#[test]
fn what_is_asked_for_changes_nothing_else() {
    let scenario = Scenario {
        network: percent(20.0),
        link_changes: changes(ChangeModel::Toggle, 0.01),
        measure: cold(300),
        ..Scenario::default()
    };
    let plain = World::<Rl>::new(&scenario, &Config::default()).unwrap().run().metrics;
    assert_eq!(plain.detail, None);
    assert_eq!(Metrics { detail: None, ..in_detail(&scenario) }, plain);
}

/// Nobody waits when the link goes down, and nobody asks for 15 units.
#[test]
fn recovery_is_from_the_last_change_of_the_script() {
    let change = |at, down| Scripted { at, down: Some(down), ..Scripted::default() };
    let scenario = Scenario {
        network: Network { shape: Shape::Ring, nodes: 4, ..Network::default() },
        requests: load(0.0),
        link_changes: changes(ChangeModel::Scripted, 0.0),
        script: vec![asks(1, 1.0), change(5.0, [1, 2]), asks(2, 20.0), asks(3, 20.5)],
        ..Scenario::default()
    };
    let served = in_detail(&scenario).detail.unwrap().recovery.unwrap();
    assert_eq!(served.backlog, Some(0.0));
    assert!(served.next_entry.is_some_and(|time| time > 15.0), "{served:?}");
}

/// With the token goes who has it; the others wait for ever and know it.
#[test]
fn who_never_recovers_has_no_time() {
    let connected_by = ConnectedBy::Partitions;
    let crash = Scripted { at: 2.0, crash: Some(0), ..Scripted::default() };
    let scenario = Scenario {
        link_changes: LinkChanges { connected_by, ..LinkChanges::default() },
        script: vec![asks(1, 1.5), crash],
        ..two()
    };
    let config = krl::Config::new(Variant::Repaired, 1, Forwarding::Never);
    let run = World::<Krl>::new(&scenario, &config).unwrap().in_detail().run();
    assert_eq!(run.violation, None);
    let recovery = run.metrics.detail.unwrap().recovery;
    assert_eq!(recovery, Some(Recovery { next_entry: None, backlog: None }));
}
