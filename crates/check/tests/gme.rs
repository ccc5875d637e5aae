//! Group mutual exclusion over small networks: the repaired text keeps every promise, and each
//! defect of the published one is found by the shortest way.

use std::fmt::Write;

use driftlock_check::{Counterexample, Setup};
use driftlock_core::{Graph, NoTimer};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{Config, Gme};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::networks::{connected, explored, graph};
use crate::rl::check_golden;

/// Two resources; everyone asks once.
fn setup(graph: Graph, link_changes: u8) -> Setup {
    let rules = Rules { exclusion: Exclusion::SameGroup, ..Rules::default() };
    Setup { resources: 2, link_changes, rules, ..Setup::new(graph) }
}

/// Explore the repaired text, which has to hold, and say in a line how large that was.
fn held(setup: &Setup, config: &Config) -> String {
    let report = explored::<Gme>(setup, config);
    let links: Vec<String> = setup.graph.links().map(|(a, b)| format!("{}{}", a.0, b.0)).collect();
    let session = config.session.map_or("open".into(), |session| session.to_string());
    let (changes, asks) = (setup.link_changes, setup.requests[0]);
    let case = format!("{} {changes} {asks}, {session}, {}", links.join(" "), config.units);
    assert!(report.held(), "{case}: {:?}", report.counterexample);
    let explored = report.explored;
    format!("{case}: {} states, {} steps, {} cut\n", explored.states, explored.edges, report.cut)
}

/// Sessions of any length, of the default length, and such that end at once; weights that run out,
/// and such that do not.
fn configs() -> Vec<Config> {
    let choices = [(Some(16), 1 << 32), (Some(16), 2), (Some(1), 3), (Some(0), 1), (None, 2)];
    let config = |(session, units)| Config { session, units, ..Config::default() };
    choices.into_iter().map(config).collect()
}

#[test]
fn networks_of_three_nodes_with_up_to_one_link_change() {
    let mut found = String::new();
    for graph in connected(3) {
        for link_changes in [0, 1] {
            for config in configs() {
                let _ = write!(found, "{}", held(&setup(graph.clone(), link_changes), &config));
            }
        }
    }
    check_golden("gme_three_nodes", &found);
}

#[test]
fn three_nodes_with_two_link_changes_or_two_requests() {
    let mut found = String::new();
    for graph in connected(3) {
        let config = Config { session: Some(1), units: 2, ..Config::default() };
        let changes = Setup { spread: Some(8), ..setup(graph.clone(), 2) };
        let requests = Setup { requests: vec![2; 3], ..setup(graph, 0) };
        let _ = write!(found, "{}{}", held(&changes, &config), held(&requests, &config));
    }
    check_golden("gme_three_nodes_more", &found);
}

#[test]
fn static_networks_of_four_nodes() {
    let links: [&[(u32, u32)]; 4] = [
        &[(0, 1), (1, 2), (2, 3)],
        &[(0, 1), (0, 2), (0, 3)],
        &[(0, 1), (1, 2), (1, 3)],
        &[(0, 1), (1, 2), (2, 3), (0, 3)],
    ];
    let mut found = String::new();
    for links in links {
        for config in configs() {
            let _ = write!(found, "{}", held(&setup(graph(4, links), 0), &config));
        }
    }
    check_golden("gme_four_nodes", &found);
}

/// What the published text breaks first, and in how many actions. Undefined steps are skipped.
fn broken(setup: Setup, requests: &[u8]) -> Counterexample<NoTimer> {
    let rules = Rules { undefined_stops: false, ..setup.rules };
    let setup = Setup { requests: requests.to_vec(), rules, spread: Some(12), ..setup };
    let config = Config { session: None, ..Config::from(Variant::Published) };
    let report = explored::<Gme>(&setup, &config);
    let repaired = explored::<Gme>(&setup, &Config::default());
    assert!(repaired.held(), "{:?}", repaired.counterexample);
    report.counterexample.unwrap()
}

fn verdict(found: &Counterexample<NoTimer>) -> (Promise, usize) {
    (found.violation.promise, found.schedule.len())
}

/// G10: the holder leaves and nobody waits.
#[test]
fn there_is_no_first_request_where_the_queue_is_empty() {
    let setup = setup(graph(2, &[(0, 1)]), 0);
    let found = explored::<Gme>(&setup, &Config::from(Variant::Published)).counterexample.unwrap();
    assert_eq!(verdict(&found), (Promise::DefinedStep, 2));
    assert!(found.violation.what.contains("transmitToken"), "{}", found.violation.what);
}

/// G1: the holder asks again and forgets what it has out.
#[test]
fn d5_a_weight_that_is_set_to_nothing_is_found_in_five_actions() {
    let found = broken(setup(graph(2, &[(0, 1)]), 0), &[2, 1]);
    assert_eq!(verdict(&found), (Promise::Weights, 5));
}

/// G2: the token leaves with weight out, and two resources are used at once.
#[test]
fn d5_a_token_that_leaves_too_early_is_found_in_eight_actions() {
    let found = broken(setup(graph(3, &[(0, 1), (0, 2)]), 0), &[1, 1, 1]);
    assert_eq!(verdict(&found), (Promise::Exclusion, 8));
}

/// G3: a subtoken for someone whose link has failed.
#[test]
fn d7_a_subtoken_for_nobody_is_found_in_nine_actions() {
    let found = broken(setup(graph(3, &[(0, 1), (0, 2), (1, 2)]), 1), &[0, 1, 1]);
    assert_eq!(verdict(&found), (Promise::Weights, 9));
}

/// G4: a share for a node that wants something else.
#[test]
fn d7_a_share_for_the_wrong_resource_is_found_in_six_actions() {
    let found = broken(setup(graph(3, &[(0, 1), (1, 2)]), 0), &[1, 1, 1]);
    assert_eq!(verdict(&found), (Promise::Weights, 6));
    assert!(found.violation.what.contains("is gone"), "{}", found.violation.what);
}

/// G5: what remains on a queue is never asked for again. Who is inside together is not judged, or
/// G2 would be found first.
#[test]
fn d2_a_request_that_is_never_repeated_is_found_in_fifteen_actions() {
    let setup = setup(graph(4, &[(0, 1), (1, 2), (1, 3)]), 0);
    let rules = Rules { exclusion: Exclusion::AtMost(4), ..setup.rules };
    let found = broken(Setup { rules, ..setup }, &[1, 0, 1, 1]);
    assert_eq!(verdict(&found), (Promise::NoStarvation, 15));
}

/// Where nobody is behind another, everyone asks once and nothing else, the text does what it says.
#[test]
fn the_published_text_holds_for_two_nodes() {
    let rules = Rules { undefined_stops: false, ..setup(graph(2, &[]), 0).rules };
    let setup = Setup { rules, ..setup(graph(2, &[(0, 1)]), 0) };
    assert!(explored::<Gme>(&setup, &Config::from(Variant::Published)).held());
}
