//! Up to `k` at once by permission: every schedule of three nodes that ask twice.

use driftlock_check::Setup;
use driftlock_core::Medium;
use driftlock_protocols::raymond_k::{Config, RaymondK};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};

fn setup(n: usize, tokens: u32) -> Setup {
    let links: Vec<(u32, u32)> = (1..n as u32).map(|k| (0, k)).collect();
    let rules = Rules { exclusion: Exclusion::AtMost(tokens), ..Rules::default() };
    Setup { medium: Medium::Routed, requests: vec![2; n], rules, ..Setup::new(graph(n, &links)) }
}

#[test]
fn three_nodes_that_ask_twice() {
    let states = [1, 2].map(|tokens| {
        let report = explored::<RaymondK>(&setup(3, tokens), &Config { tokens });
        assert!(report.held(), "{:?}", report.counterexample);
        report.explored.states
    });
    assert_eq!(states, [14_739, 1_163_482]);
}

#[test]
fn four_nodes_that_ask_once() {
    let setup = Setup { requests: vec![1; 4], ..setup(4, 2) };
    assert!(explored::<RaymondK>(&setup, &Config { tokens: 2 }).held());
}

/// One more than were promised does get in if one more is let in.
#[test]
fn one_more_gets_in_if_one_more_may() {
    let found = explored::<RaymondK>(&setup(3, 1), &Config { tokens: 2 }).counterexample.unwrap();
    assert_eq!(found.violation.promise, Promise::Exclusion);
}
