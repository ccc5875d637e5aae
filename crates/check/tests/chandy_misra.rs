//! Chandy and Misra's philosophers: every schedule of small fixed networks.

use driftlock_check::{Connectivity, Setup};
use driftlock_protocols::chandy_misra::ChandyMisra;
use driftlock_spec::{Promise, Rules};

use crate::networks::{connected, explored, graph};

fn setup(n: usize, links: &[(u32, u32)], locality: u32) -> Setup {
    let (rules, connectivity) = (Rules::local(locality), Connectivity::Partitions);
    Setup { requests: vec![2; n], rules, connectivity, ..Setup::new(graph(n, links)) }
}

#[test]
fn all_networks_of_four_nodes_that_ask_once() {
    let states = connected(4).into_iter().map(|graph| {
        let setup = Setup { requests: vec![1; 4], graph, ..setup(4, &[], 3) };
        let report = explored::<ChandyMisra>(&setup, &());
        assert!(report.held(), "{:?}", report.counterexample);
        report.explored.states
    });
    assert_eq!(states.sum::<u64>(), 134_196);
}

#[test]
fn four_nodes_that_ask_twice() {
    for links in [&[(0, 1), (1, 2), (2, 3)][..], &[(0, 1), (1, 2), (2, 3), (0, 3)]] {
        assert!(explored::<ChandyMisra>(&setup(4, links, 3), &()).held());
    }
}

/// Its failure locality is the whole network: on a path, who is at the other end of it starves.
#[test]
fn a_node_that_stops_is_felt_three_links_away() {
    let links = [(0, 1), (1, 2), (2, 3)];
    let stops = |locality| Setup { crashes: 1, ..setup(4, &links, locality) };
    assert!(explored::<ChandyMisra>(&stops(3), &()).held());
    let found = explored::<ChandyMisra>(&stops(2), &()).counterexample.unwrap();
    assert_eq!((found.violation.promise, found.schedule.len()), (Promise::NoStarvation, 12));
}
