//! LME-2 draft.


use driftlock_check::{Connectivity, Setup};
use driftlock_core::Graph;
use driftlock_protocols::Variant;
use driftlock_protocols::lme2::{Config, Lme2};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

use crate::networks::{connected, explored};

fn setup(graph: Graph, requests: u8, link_changes: u8) -> Setup {
    let exclusion = Exclusion::NoTwoNeighbors;
    let rules = Rules { exclusion, partitions: true, lossy: true, ..Rules::default() };
    let connectivity = Connectivity::Partitions;
    let requests = vec![requests; graph.n_nodes()];
    Setup { requests, link_changes, rules, connectivity, ..Setup::new(graph) }
}

#[test]
fn draft() {
    for variant in [Variant::Repaired, Variant::Published] {
    for notifies in [true, false] {
        let config = Config { variant, notifies };
    for graph in connected(3) {
        for (requests, changes) in [(1, 0), (2, 0), (1, 1), (1, 2)] {
            let start = std::time::Instant::now();
            let report = explored::<Lme2>(&setup(graph.clone(), requests, changes), &config);
            let links: Vec<_> = graph.links().map(|(a, b)| format!("{}{}", a.0, b.0)).collect();
            println!("{config:?} {links:?} req={requests} changes={changes}: {} states {:?} {:?}", report.explored.states, start.elapsed(), report.counterexample.map(|c| (c.violation, c.schedule)));
        }
    }}}
}
