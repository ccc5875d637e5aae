//! A mesh: messages go to any node, links come and go, and nodes stop with all their links.

use driftlock_check::{Report, Setup};
use driftlock_core::Medium;
use driftlock_replay::Action;
use driftlock_spec::{Promise, Rules};

use crate::claimant::{Again, Claimant, Fault};
use crate::networks::{explored, graph};

/// A line of three; the first and the last ask.
fn line() -> Setup {
    let rules = Rules { fenced: true, quorum: true, silent: false, ..Rules::default() };
    let line = graph(3, &[(0, 1), (1, 2)]);
    let requests = vec![1, 0, 1];
    let medium = Medium::Mesh;
    Setup { medium, requests, rules, progress_despite_faults: true, ..Setup::new(line) }
}

fn broken(setup: &Setup, fault: Fault) -> (Promise, Vec<Action<Again>>) {
    let found = explored::<Claimant>(setup, &fault).counterexample.unwrap();
    (found.violation.promise, found.schedule)
}

fn held(setup: &Setup) -> Report<Again> {
    let report = explored::<Claimant>(setup, &Fault::None);
    assert!(report.held(), "{:?}", report.counterexample);
    report
}

#[test]
fn messages_go_to_any_node_and_links_come_and_go_meanwhile() {
    let still = held(&line()).explored.states;
    let changing = held(&Setup { link_changes: 1, ..line() }).explored.states;
    assert!(changing > still, "{changing} {still}");
}

#[test]
fn without_a_fence_a_deposed_insider_is_one_too_many() {
    let rules = Rules { fenced: false, ..line().rules };
    let (promise, _) = broken(&Setup { rules, ..line() }, Fault::None);
    assert_eq!(promise, Promise::Exclusion);
}

#[test]
fn two_of_one_epoch_are_too_many_behind_a_fence_too() {
    let (promise, _) = broken(&line(), Fault::SharedEpochs);
    assert_eq!(promise, Promise::Exclusion);
}
