//! The engine: limits, interruption, threads, refusals, estimates.

use std::ops::ControlFlow;

use driftlock_check::{
    Connectivity, End, Limits, Progress, Refusal, Report, Setup, check, estimate,
};
use driftlock_core::{Graph, Medium, NoTimer};
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_spec::Rules;

use crate::networks::{explored, graph};

fn ring() -> Setup {
    let ring = graph(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
    Setup { link_changes: 1, spread: Some(12), ..Setup::new(ring) }
}

fn with(setup: &Setup, limits: &Limits) -> Report<NoTimer> {
    let watch = &mut |_: &_| ControlFlow::Continue(());
    check::<Rl>(setup, &Config::default(), limits, watch).unwrap()
}

/// All there is to say about a report.
fn told(report: &Report<NoTimer>) -> String {
    format!("{report:?}")
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let links = graph(3, &[(0, 1), (0, 2), (1, 2)]);
    let rules = Rules { undefined_stops: false, ..Rules::default() };
    let setup = Setup { link_changes: 3, rules, spread: Some(8), ..Setup::new(links) };
    let published = |threads| {
        let limits = Limits { threads, ..Limits::default() };
        let watch = &mut |_: &_| ControlFlow::Continue(());
        told(&check::<Rl>(&setup, &Config::from(Variant::Published), &limits, watch).unwrap())
    };
    let repaired = |threads| told(&with(&ring(), &Limits { threads, ..Limits::default() }));
    for threads in [2, 5] {
        assert_eq!(published(1), published(threads));
        assert_eq!(repaired(1), repaired(threads));
    }
}

#[test]
fn a_limit_ends_it_with_what_there_is() {
    let full = with(&ring(), &Limits::default());
    assert_eq!(full.end, End::Complete);
    let memory = with(&ring(), &Limits { bytes: 20 << 20, ..Limits::default() });
    assert_eq!((memory.end, memory.counterexample.is_none()), (End::OutOfMemory, true));
    let states = with(&ring(), &Limits { states: 100_000, ..Limits::default() });
    assert_eq!(states.end, End::OutOfStates);
    for part in [memory, states] {
        assert!((50_000..500_000).contains(&part.explored.states), "{part:?}");
        assert!(part.explored.frontier > 0 && !part.held());
        assert!(part.explored.depth < full.explored.depth);
    }
}

#[test]
fn an_interruption_ends_it_with_what_there_is() {
    for threads in [1, 2] {
        let mut looks = 0;
        let watch = &mut |progress: &Progress| {
            looks += 1;
            assert!(progress.states > progress.frontier);
            if looks < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let limits = Limits { threads, ..Limits::default() };
        let report = check::<Rl>(&ring(), &Config::default(), &limits, watch).unwrap();
        assert_eq!((report.end, looks), (End::Interrupted, 5));
        assert!(report.explored.frontier > 0);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |setup: Setup| {
        let watch = &mut |_: &_| ControlFlow::Continue(());
        check::<Raymond>(&setup, &(), &Limits::default(), watch).unwrap_err()
    };
    let pair = || Setup::new(graph(2, &[(0, 1)]));
    assert_eq!(refused(Setup::new(Graph::new(0))), Refusal::Empty);
    assert_eq!(refused(Setup::new(Graph::new(2))), Refusal::NotConnected);
    let line: Vec<(u32, u32)> = (0..8).map(|k| (k, k + 1)).collect();
    assert_eq!(refused(Setup::new(graph(9, &line))), Refusal::TooManyNodes(9));
    let three = Setup { requests: vec![1; 3], ..pair() };
    assert_eq!(refused(three), Refusal::Requests { n: 2, requests: 3 });
    assert_eq!(refused(Setup { resources: 0, ..pair() }), Refusal::NoResource);
    let routed = Setup { medium: Medium::Routed, link_changes: 1, ..pair() };
    assert_eq!(refused(routed), Refusal::RoutedLinks);
}

#[test]
fn one_node_is_a_network_too() {
    let alone = Setup { requests: vec![3], ..Setup::new(Graph::new(1)) };
    assert!(explored::<Raymond>(&alone, &()).held());
    assert!(explored::<Rl>(&Setup { link_changes: 2, ..alone }, &Config::default()).held());
}

/// What a process never reads again if messages arrive, it may read if they do not.
#[test]
fn nothing_is_forgotten_where_messages_get_lost() {
    let links = graph(3, &[(0, 1), (0, 2), (1, 2)]);
    let requests = vec![0, 0, 1];
    let setup = Setup { link_changes: 2, losses: 1, requests, ..Setup::new(links) };
    let setup = Setup { spread: Some(4), ..setup };
    // A counterexample on which the monitors did not agree would be a panic.
    let report = explored::<Rl>(&setup, &Config::from(Variant::Published));
    assert!(report.counterexample.is_none_or(|found| found.violation.step > 0));
}

/// Where states were cut off it cannot be said that nobody gets in behind them.
#[test]
fn who_gets_in_behind_the_cut_is_not_known() {
    let report = explored::<Rl>(&Setup { spread: Some(1), ..ring() }, &Config::default());
    assert!(report.cut > 0 && report.held());
}

/// What the estimate says, over what there is.
#[test]
fn estimates_come_near() {
    let triangle = || Setup::new(graph(3, &[(0, 1), (0, 2), (1, 2)]));
    let two_requests = Setup { requests: vec![2; 3], link_changes: 2, ..triangle() };
    for setup in [ring(), two_requests, Setup { link_changes: 2, ..triangle() }] {
        let guess = estimate::<Rl>(&setup, &Config::default()).unwrap().states;
        let ratio = guess / explored::<Rl>(&setup, &Config::default()).explored.states as f64;
        assert!((0.5..4.0).contains(&ratio), "{ratio}");
    }
}

/// Where both ends have to know of a link before it counts, fewer links may go down, and the
/// published text of RL never comes to a minimum over no neighbors.
#[test]
fn known_links_are_kinder_than_physical_ones() {
    let known = Setup { connectivity: Connectivity::Known, ..ring() };
    let (known, physical) = (with(&known, &Limits::default()), with(&ring(), &Limits::default()));
    assert!(known.held() && physical.held());
    assert_eq!(known.explored.states, physical.explored.states, "with one change it is the same");
    let line = graph(3, &[(0, 1), (1, 2)]);
    let setup = Setup { link_changes: 3, spread: Some(8), ..Setup::new(line) };
    let config = Config::from(Variant::Published);
    assert!(!explored::<Rl>(&setup, &config).held());
    let known = Setup { connectivity: Connectivity::Known, ..setup };
    assert!(explored::<Rl>(&known, &config).held());
}

/// Over a medium that routes, Raymond's tree need not be made of links.
#[test]
fn raymond_over_a_medium_that_routes() {
    let clique = graph(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    let routed = Setup { medium: Medium::Routed, requests: vec![2; 4], ..Setup::new(clique) };
    let over_links = Setup { medium: Medium::Links, ..routed.clone() };
    let (routed, over_links) =
        (explored::<Raymond>(&routed, &()), explored::<Raymond>(&over_links, &()));
    assert!(routed.held() && over_links.held());
    assert_eq!(routed.explored.states, over_links.explored.states);
}
