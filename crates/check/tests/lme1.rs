//! LME-1 over small networks: repaired it keeps every promise, published it breaks them as is
//! written on its page.

use std::fmt::Write;

use driftlock_check::{Connectivity, Setup};
use driftlock_core::Graph;
use driftlock_protocols::Variant;
use driftlock_protocols::lme1::{Coloring, Config, Lme1};
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};
use crate::rl::check_golden;

const PAIR: &[(u32, u32)] = &[(0, 1)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];

/// With more identifiers than there are nodes, so that there are rounds to go through.
const LINIAL: Coloring = Coloring::Linial { n: 1000, degree: 1 };

fn setup(graph: Graph, requests: &[u8], link_changes: u8) -> Setup {
    let (rules, connectivity) = (Rules::local(u32::MAX), Connectivity::Partitions);
    let requests = requests.to_vec();
    Setup { requests, link_changes, rules, connectivity, ..Setup::new(graph) }
}

/// Explore the repaired text, which has to hold, and say in a line how large that was.
fn held(links: &[(u32, u32)], requests: &[u8], changes: u8, coloring: Coloring) -> String {
    let setup = setup(graph(requests.len(), links), requests, changes);
    let report = explored::<Lme1>(&setup, &Config { coloring, ..Config::default() });
    let case = format!("{links:?}, {requests:?}, {changes} changes, {coloring:?}");
    assert!(report.held(), "{case}: {:?}", report.counterexample);
    assert_eq!(report.cut, 0);
    let explored = report.explored;
    format!("{case}: {} states, {} steps\n", explored.states, explored.edges)
}

#[test]
fn everyone_recolors_and_eats() {
    let mut found = String::new();
    for coloring in [Coloring::Greedy, LINIAL] {
        for (links, requests, changes) in [
            (PAIR, &[2, 2][..], 3),
            (LINE, &[1, 1, 1], 0),
            (LINE, &[0, 1, 1], 2),
            (TRIANGLE, &[0, 1, 1], 2),
            (TRIANGLE, &[1, 1, 1], 0),
        ] {
            let _ = write!(found, "{}", held(links, requests, changes, coloring));
        }
    }
    check_golden("lme1", &found);
}

/// Choy and Singh's: colors are given, and links stay.
#[test]
fn with_colors_that_are_given() {
    let mut found = String::new();
    for (links, requests) in [(TRIANGLE, &[2, 2, 1][..]), (LINE_4, &[1, 1, 1, 1])] {
        let _ = write!(found, "{}", held(links, requests, 0, Coloring::Given));
    }
    check_golden("choy_singh", &found);
}

fn broken(links: &[(u32, u32)], n: usize, changes: u8, coloring: Coloring) -> (Promise, usize) {
    let setup = setup(graph(n, links), &vec![1; n], changes);
    let published = Config { variant: Variant::Published, coloring };
    let found = explored::<Lme1>(&setup, &published).counterexample.unwrap();
    (found.violation.promise, found.schedule.len())
}

#[test]
fn d2_published_a_node_that_thinks_eats() {
    let found = broken(LINE, 3, 0, Coloring::Given);
    assert_eq!(found, (Promise::EntryOnRequest, 15));
}

#[test]
fn d4_published_two_nodes_without_colors_come_to_a_halt() {
    assert_eq!(broken(PAIR, 2, 0, Coloring::Greedy), (Promise::NoStarvation, 9));
    assert_eq!(broken(PAIR, 2, 0, LINIAL), (Promise::NoStarvation, 9));
}

#[test]
fn d3_published_a_link_goes_down_and_nobody_looks() {
    assert_eq!(broken(PAIR, 2, 1, Coloring::Greedy), (Promise::NoStarvation, 6));
}
