//! Where the right answer is known without a simulation.

use driftlock_sim::{ChangeModel, Measure, Network, Scenario, Shape};

use crate::worlds::{changes, load, percent, rl, rr};

/// Nodes think next to nothing.
const RATE: f64 = 50.0;

fn steady(network: Network) -> Scenario {
    let measure = Some(Measure { warmup: 2_000, entries: Some(6_000), until: None });
    Scenario { network, requests: load(RATE), measure, ..Scenario::default() }
}

/// When everyone always waits, RL's token makes a depth-first tour of a tree: 2(n-1) hops and n
/// critical sections to a round. A node waits all that time but for its own section and for
/// thinking.
#[test]
fn rl_at_high_load_makes_tours_of_a_tree() {
    for (n, connectivity) in [(30, 20.0), (30, 80.0), (12, 50.0)] {
        let network = Network { nodes: n, ..percent(connectivity) };
        let run = rl(&steady(network));
        let tour = (2 * (n - 1) + n) as f64 - 1.0 - 1.0 / RATE;
        let wait = run.metrics.waiting.mean;
        assert!((wait - tour).abs() < 0.1, "n={n} {connectivity} %: {wait}, a tour takes {tour}");
        assert!(run.metrics.fairness > 0.9999);
        let round = (3 * n - 2) as f64;
        assert!((run.metrics.throughput * round / n as f64 - 1.0).abs() < 0.01);
    }
}

/// Raymond 1989: about 4 messages per entry at high load; exactly 4(n-1)/n for a tour of the tree
/// in which each link carries a request and the privilege each way.
#[test]
fn raymond_at_high_load_sends_four_messages_for_each_tree_link() {
    let run = rr(&steady(Network { shape: Shape::Clique, ..Network::default() }));
    let messages = run.metrics.messages_per_entry;
    assert!((messages - 4.0 * 29.0 / 30.0).abs() < 0.02, "{messages}");
    assert_eq!(run.metrics.hops_per_message, 1.0);
}

/// On a line of three with one asker at the far end: two hops there, two hops back, the first time;
/// then it has the token.
#[test]
fn a_single_asker_waits_once_and_then_never() {
    let network = Network { shape: Shape::Line, nodes: 3, ..Network::default() };
    let mut scenario = Scenario { network, ..Scenario::default() };
    scenario.requests.nodes = Some(vec![2]);
    scenario.measure = Some(Measure { warmup: 0, entries: Some(10), until: None });
    let metrics = rl(&scenario).metrics;
    assert_eq!((metrics.waiting.max, metrics.waiting.median), (4.0, 0.0));
    assert_eq!(metrics.messages_by_kind["Request"], 0.2);
    assert_eq!(metrics.messages_by_kind["Token"], 0.2);
    assert_eq!(metrics.fairness, 1.0, "of those who ask");
}

/// Little's law ties waiting time, thinking time and throughput together in every closed system.
#[test]
fn littles_law_holds() {
    for (rate, model, mobility) in
        [(0.05, ChangeModel::None, 0.0), (0.5, ChangeModel::Toggle, 0.02)]
    {
        let scenario = Scenario {
            requests: load(rate),
            link_changes: changes(model, mobility),
            measure: Some(Measure { warmup: 1_000, entries: Some(20_000), until: None }),
            ..Scenario::default()
        };
        for metrics in [rl(&scenario).metrics, rr(&scenario).metrics] {
            let cycle = metrics.waiting.mean + 1.0 + 1.0 / rate;
            let nodes = metrics.throughput * cycle;
            assert!((nodes - 30.0).abs() < 0.6, "{nodes} of 30 nodes");
        }
    }
}

/// Section 6: without mobility the number of links is nearly all there is to RL's messages.
#[test]
fn messages_grow_with_connectivity_and_waits_do_not() {
    let metrics = |connectivity| rl(&steady(percent(connectivity))).metrics;
    let (thin, thick) = (metrics(20.0), metrics(80.0));
    assert!(thick.messages_per_entry > 2.0 * thin.messages_per_entry);
    assert!((thick.waiting.mean / thin.waiting.mean - 1.0).abs() < 0.01);
    assert!(!thin.notes.contains_key("RaiseHeight"), "nobody raises its height in a static net");
}
