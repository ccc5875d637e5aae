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

#[test]
fn lost_messages_and_early_timers() {
    held(&Setup { losses: 2, ..line() });
    held(&Setup { losses: 1, timeouts: 1, duplications: 1, ..line() });
    let (promise, schedule) = broken(&Setup { losses: 2, ..line() }, Fault::Sulks);
    assert_eq!(promise, Promise::NoStarvation);
    assert!(schedule.iter().any(|action| matches!(action, Action::Lose { .. })));
}

/// In the middle of the line a node that stops leaves nobody in a part with most of the nodes; at
/// its end it leaves two who are.
#[test]
fn a_node_that_stops_takes_its_links_along() {
    let report = held(&Setup { crashes: 1, losses: 1, ..line() });
    assert!(report.explored.states > 1_000, "{}", report.explored.states);
    let sulking = Setup { crashes: 1, ..line() };
    let (promise, schedule) = broken(&sulking, Fault::Sulks);
    assert_eq!(promise, Promise::NoStarvation);
    let crash = schedule.iter().position(|action| matches!(action, Action::Crash(_))).unwrap();
    assert!(matches!(schedule[crash + 1], Action::LinkDown { .. }), "{schedule:?}");
    // Where everyone is owed progress, a part that is too small starves.
    let everyone = Rules { quorum: false, ..line().rules };
    let (promise, _) = broken(&Setup { crashes: 2, rules: everyone, ..line() }, Fault::None);
    assert_eq!(promise, Promise::NoStarvation);
}

/// What a node sent before it stopped is under way still, and what was sent to it is not.
#[test]
fn the_last_words_of_a_node_arrive() {
    let requests = vec![1, 0, 0];
    let setup = Setup { crashes: 1, requests, ..line() };
    let states = held(&setup).explored.states;
    let lossy = held(&Setup { losses: 1, ..setup }).explored.states;
    assert!(lossy > states, "{lossy} {states}");
}

#[test]
fn link_changes_and_crashes_together() {
    let triangle = graph(3, &[(0, 1), (1, 2), (0, 2)]);
    let setup = Setup { graph: triangle, link_changes: 2, crashes: 1, ..line() };
    held(&setup);
    let (promise, _) = broken(&Setup { link_changes: 1, ..line_cut() }, Fault::Forsaken);
    assert_eq!(promise, Promise::NoStarvation);
}

/// Node 1, in the middle, stops; then 0 and 2 may find each other.
fn line_cut() -> Setup {
    Setup { crashes: 1, ..line() }
}
