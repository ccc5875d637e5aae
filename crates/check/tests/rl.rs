//! RL over all small networks, with the number of states of each.
//!
//! A number that changes is a change of the algorithm, of the model or of a reduction, and has to
//! be explained. `UPDATE=1` rewrites them.

use std::fmt::Write;

use driftlock_check::{Report, Setup};
use driftlock_core::{Graph, NoTimer};
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_spec::{Promise, Rules};

use crate::networks::{connected, explored, graph};

/// How far apart heights may be.
const SPREAD: u32 = 8;

fn setup(graph: Graph, link_changes: u8) -> Setup {
    Setup { link_changes, spread: Some(SPREAD), ..Setup::new(graph) }
}

/// What came of a check, in a line.
fn line(setup: &Setup, variant: Variant, report: &Report<NoTimer>) -> String {
    let links: Vec<String> = setup.graph.links().map(|(a, b)| format!("{}{}", a.0, b.0)).collect();
    let verdict = match &report.counterexample {
        None => "held".into(),
        Some(found) => {
            let round = found.cycle.map_or(0, |first| found.schedule.len() - first);
            let round = if round > 0 { format!(", {round} of them repeat") } else { String::new() };
            format!("{} in {}{round}", found.violation.promise, found.schedule.len())
        }
    };
    let skipped = if setup.rules.undefined_stops { "" } else { " skipping" };
    format!(
        "{} {}, {variant:?}{skipped}: {} states, {} steps, {} cut: {verdict}\n",
        links.join(" "),
        setup.link_changes,
        report.explored.states,
        report.explored.edges,
        report.cut,
    )
}

pub(crate) fn check_golden(name: &str, found: &str) {
    let path = format!("{}/tests/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), found, "{name}: UPDATE=1 rewrites it");
}

/// Explore both variants, the published one both to its first undefined step and past it. The
/// repaired one has to hold wherever the published one does not.
fn both(graphs: Vec<Graph>, link_changes: &[u8]) -> String {
    let mut found = String::new();
    for graph in graphs {
        for &link_changes in link_changes {
            let stop = setup(graph.clone(), link_changes);
            let rules = Rules { undefined_stops: false, ..Rules::default() };
            let skip = Setup { rules, ..stop.clone() };
            for (setup, variant) in [
                (&stop, Variant::Repaired),
                (&stop, Variant::Published),
                (&skip, Variant::Published),
            ] {
                let report = explored::<Rl>(setup, &Config::from(variant));
                let _ = write!(found, "{}", line(setup, variant, &report));
                assert!(variant == Variant::Published || report.held(), "{found}");
            }
        }
    }
    found
}

#[test]
fn all_networks_of_three_nodes_with_up_to_three_link_changes() {
    check_golden("rl_three_nodes", &both(connected(3), &[0, 1, 2, 3]));
}

/// Those with more links, and D4, which takes a clique, are in `driftlock check --suite`, whose
/// table CI compares.
#[test]
fn networks_of_four_nodes_with_one_link_change() {
    let small = connected(4).into_iter().filter(|graph| graph.n_links() < 5);
    check_golden("rl_four_nodes", &both(small.collect(), &[1]));
}

/// D1: the shortest way to a minimum over no neighbors.
#[test]
fn d1_is_found_in_two_actions() {
    let setup = setup(graph(3, &[(0, 1), (0, 2)]), 2);
    let found = explored::<Rl>(&setup, &Config::from(Variant::Published)).counterexample.unwrap();
    assert_eq!((found.violation.promise, found.schedule.len()), (Promise::DefinedStep, 2));
    assert!(found.violation.what.contains("RaiseHeight, line 1"));
}

/// D2: the shortest way to a request that is never sent.
#[test]
fn d2_is_found_in_five_actions() {
    let rules = Rules { undefined_stops: false, ..Rules::default() };
    let setup = Setup { rules, ..setup(graph(3, &[(0, 1), (0, 2)]), 2) };
    let found = explored::<Rl>(&setup, &Config::from(Variant::Published)).counterexample.unwrap();
    assert_eq!((found.violation.promise, found.schedule.len()), (Promise::NoStarvation, 5));
}
