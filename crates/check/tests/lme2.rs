//! Local mutual exclusion over small networks: LME-2 keeps every promise, that of its failure
//! locality included; the flags of the paper lead to a run in which nobody ever eats again.

use std::fmt::Write;

use driftlock_check::{Connectivity, Counterexample, Setup};
use driftlock_core::{Graph, NoTimer};
use driftlock_protocols::Variant;
use driftlock_protocols::lme2::{Config, Lme2};
use driftlock_spec::{Promise, Rules};

use crate::networks::{connected, explored, graph};
use crate::rl::check_golden;

const PATH: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const STAR: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const RING: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

/// Links go down with what is in transit on them, and the network may fall apart. Everyone asks
/// once.
fn setup(graph: Graph, link_changes: u8) -> Setup {
    let (rules, connectivity) = (Rules::local(2), Connectivity::Partitions);
    Setup { link_changes, rules, connectivity, ..Setup::new(graph) }
}

fn config(notifies: bool) -> Config {
    Config { notifies, ..Config::default() }
}

/// Explore the repaired text, which has to hold, and say in a line how large that was.
fn held(setup: &Setup, config: &Config) -> String {
    let report = explored::<Lme2>(setup, config);
    let links: Vec<String> = setup.graph.links().map(|(a, b)| format!("{}{}", a.0, b.0)).collect();
    let (changes, crashes, notifies) = (setup.link_changes, setup.crashes, config.notifies);
    let asks: String = setup.requests.iter().map(u8::to_string).collect();
    let case = format!("{}, {changes} changes, {crashes} crashes, {asks}", links.join(" "));
    assert!(report.held(), "{case}: {:?}", report.counterexample);
    assert_eq!(report.cut, 0);
    let told = if notifies { "notified" } else { "silent" };
    let explored = report.explored;
    format!("{case}, {told}: {} states, {} steps\n", explored.states, explored.edges)
}

#[test]
fn networks_of_three_nodes_with_link_changes() {
    let mut found = String::new();
    for graph in connected(3) {
        for (link_changes, notifies) in [(0, true), (1, true), (1, false), (2, false)] {
            let setup = setup(graph.clone(), link_changes);
            let _ = write!(found, "{}", held(&setup, &config(notifies)));
        }
    }
    check_golden("lme2_three_nodes", &found);
}

#[test]
fn three_nodes_that_ask_twice() {
    let mut found = String::new();
    for graph in connected(3) {
        let asks_twice = Setup { requests: vec![2; 3], ..setup(graph.clone(), 0) };
        let moves = Setup { requests: vec![2; 3], ..setup(graph, 1) };
        if asks_twice.graph.n_links() == 2 {
            let _ = write!(found, "{}", held(&asks_twice, &config(true)));
        }
        let _ = write!(found, "{}", held(&asks_twice, &config(false)));
        let _ = write!(found, "{}", held(&moves, &config(false)));
    }
    check_golden("lme2_three_nodes_twice", &found);
}

/// Everyone farther than two links from the node that stops gets in.
#[test]
fn four_nodes_one_of_which_stops() {
    let mut found = String::new();
    let choices = [(PATH, true), (STAR, true), (PATH, false), (STAR, false), (RING, false)];
    for (links, notifies) in choices {
        let setup = Setup { crashes: 1, ..setup(graph(4, links), 0) };
        let _ = write!(found, "{}", held(&setup, &config(notifies)));
    }
    check_golden("lme2_four_nodes", &found);
}

/// Two paths of five nodes; on the second no node is between its neighbors in the initial order.
#[test]
fn five_nodes_one_of_which_stops() {
    let paths = [[(0, 1), (1, 2), (2, 3), (3, 4)], [(0, 3), (3, 1), (1, 4), (4, 2)]];
    let stops = |links: [(u32, u32); 4]| Setup { crashes: 1, ..setup(graph(5, &links), 0) };
    let found = paths.map(|links| held(&stops(links), &config(false)));
    check_golden("lme2_five_nodes", &found.concat());
}

fn verdict(found: &Counterexample<NoTimer>) -> (Promise, usize) {
    (found.violation.promise, found.schedule.len())
}

/// Two links is as near as it gets: some node at that distance starves.
#[test]
fn a_node_that_stops_is_felt_two_links_away() {
    let rules = Rules::local(1);
    let setup = Setup { crashes: 1, rules, ..setup(graph(4, PATH), 0) };
    let found = explored::<Lme2>(&setup, &Config::default()).counterexample.unwrap();
    assert_eq!(verdict(&found), (Promise::NoStarvation, 9));
    let silent = explored::<Lme2>(&setup, &config(false)).counterexample.unwrap();
    assert_eq!(verdict(&silent), (Promise::NoStarvation, 7));
}

/// What the flags of the paper break first. With numbers it holds, and so it does without
/// notifications.
fn broken(setup: &Setup) -> Counterexample<NoTimer> {
    for config in [Config::default(), config(false)] {
        held(setup, &config);
    }
    let silent = Config { variant: Variant::Published, notifies: false };
    assert!(explored::<Lme2>(setup, &silent).held());
    let report = explored::<Lme2>(setup, &Config::from(Variant::Published));
    report.counterexample.unwrap()
}

/// All three are hungry, each goes before one of the others and after the other one, and they pass
/// the forks around for ever.
#[test]
fn d1_a_circle_of_flags_is_found_in_a_static_triangle() {
    let setup = Setup { requests: vec![1, 2, 1], ..setup(graph(3, TRIANGLE), 0) };
    let found = broken(&setup);
    assert_eq!(verdict(&found), (Promise::NoStarvation, 34));
    assert_eq!(found.violation.nodes.len(), 3);
}

#[test]
fn d1_a_circle_of_flags_is_found_with_one_link_change() {
    let found = broken(&setup(graph(3, &[(0, 1), (1, 2)]), 1));
    assert_eq!(verdict(&found), (Promise::NoStarvation, 22));
    assert_eq!(found.violation.nodes.len(), 3);
}
