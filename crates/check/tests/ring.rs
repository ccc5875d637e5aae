//! The ring that is found on the way: every schedule of small networks.

use driftlock_check::Setup;
use driftlock_core::{Graph, Medium};
use driftlock_protocols::ring::Ring;

use crate::networks::{connected, explored, graph};

/// Messages can go to anyone, and links stay.
fn setup(graph: Graph, requests: u8) -> Setup {
    let (medium, requests) = (Medium::Mesh, vec![requests; graph.n_nodes()]);
    Setup { medium, requests, ..Setup::new(graph) }
}

fn states(setup: &Setup) -> u64 {
    let report = explored::<Ring>(setup, &());
    assert!(report.held(), "{:?}", report.counterexample);
    assert_eq!(report.cut, 0);
    report.explored.states
}

#[test]
fn networks_of_three_nodes_that_ask_twice() {
    let found: Vec<u64> = connected(3).into_iter().map(|graph| states(&setup(graph, 2))).collect();
    assert_eq!(found, [3_329; 4], "the token goes round in three moves over any of them");
}

#[test]
fn networks_of_four_nodes_that_ask_once() {
    let found = connected(4).into_iter().map(|graph| states(&setup(graph, 1)));
    assert_eq!(found.sum::<u64>(), 73_062);
}

#[test]
fn four_nodes_that_ask_twice() {
    let networks =
        [&[(0, 1), (1, 2), (2, 3)], &[(0, 1), (0, 2), (0, 3)], &[(0, 2), (2, 1), (1, 3)]];
    assert_eq!(networks.map(|links| states(&setup(graph(4, links), 2))), [83_667; 3]);
}

/// One and two nodes are rings, too.
#[test]
fn the_smallest_rings() {
    let sizes = [graph(1, &[]), graph(2, &[(0, 1)])].map(|graph| states(&setup(graph, 3)));
    assert_eq!(sizes, [7, 326]);
}

/// What the token says of neighbors may be out of date.
#[test]
fn three_nodes_whose_links_change() {
    let changes = |graph, link_changes| Setup { link_changes, ..setup(graph, 2) };
    let found: Vec<u64> =
        connected(3).into_iter().map(|graph| states(&changes(graph, 2))).collect();
    assert_eq!(found, [49_187, 48_569, 66_133, 56_415]);
}

#[test]
fn four_nodes_whose_links_change() {
    let networks = [&[(0, 1), (1, 2), (2, 3)][..], &[(0, 1), (1, 2), (2, 3), (0, 3)]];
    let changes = |links| Setup { link_changes: 1, ..setup(graph(4, links), 1) };
    assert_eq!(networks.map(|links| states(&changes(links))), [14_389, 28_670]);
}
