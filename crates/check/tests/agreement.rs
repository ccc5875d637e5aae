//! The checker finds as many states as the plainest search there is.

use std::collections::VecDeque;

use driftlock_check::{Checked, Setup};
use driftlock_core::Graph;
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::networks::{connected, explored, graph};
use crate::plain::Plain;

/// How many states there are, how many edges, and how far away the last one is.
fn count<P: Checked>(initial: Plain<P>) -> (u64, u64, u32) {
    let mut seen: HashMap<Plain<P>, u32, FxBuildHasher> = HashMap::default();
    seen.insert(initial.clone(), 0);
    let mut queue = VecDeque::from([initial]);
    let (mut edges, mut depth) = (0, 0);
    while let Some(state) = queue.pop_front() {
        depth = depth.max(seen[&state]);
        for happens in state.possible() {
            edges += 1;
            let next = state.after(happens);
            if !seen.contains_key(&next) {
                seen.insert(next.clone(), seen[&state] + 1);
                queue.push_back(next);
            }
        }
    }
    (seen.len() as u64, edges, depth)
}

fn agree<P: Checked>(graph: Graph, config: &P::Config, requests: u8, link_changes: u8) {
    let plain = count(Plain::<P>::new(&graph, config, requests, link_changes));
    let requests = vec![requests; graph.n_nodes()];
    let report = explored::<P>(&Setup { requests, link_changes, ..Setup::new(graph) }, config);
    let found = report.explored;
    assert!(report.held());
    assert_eq!((found.states, found.edges, found.depth), plain);
}

#[test]
fn rl_without_link_changes() {
    for network in connected(3) {
        agree::<Rl>(network, &Config::default(), 2, 0);
    }
}

#[test]
fn rl_with_link_changes() {
    for variant in [Variant::Published, Variant::Repaired] {
        for network in connected(3) {
            agree::<Rl>(network, &Config::from(variant), 1, 1);
        }
    }
    agree::<Rl>(graph(3, &[(0, 1), (0, 2), (1, 2)]), &Config::default(), 1, 2);
}

#[test]
fn raymond_on_trees() {
    agree::<Raymond>(graph(4, &[(0, 1), (1, 2), (1, 3)]), &(), 2, 0);
    agree::<Raymond>(graph(5, &[(0, 1), (1, 2), (2, 3), (2, 4)]), &(), 1, 0);
}
