//! Networks that fall apart: who is owed what in which part, and what has to be said.

use driftlock_check::{Connectivity, Counterexample, Setup};
use driftlock_core::{NoTimer, NodeId};
use driftlock_replay::Action;
use driftlock_spec::{Promise, Rules};

use crate::line::{Line, Slip};
use crate::networks::{explored, graph};

const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];

/// Nodes 0 and 1 ask, and so many links change.
pub(crate) fn apart(n: usize, link_changes: u8) -> Setup {
    let mut requests = vec![1; n];
    requests.truncate(2);
    requests.resize(n, 0);
    let connectivity = Connectivity::Partitions;
    Setup { requests, link_changes, connectivity, ..Setup::new(graph(n, &LINE[..n - 1])) }
}

fn counterexample(setup: &Setup, slip: Slip) -> Option<Counterexample<NoTimer>> {
    let report = explored::<Line>(setup, &slip);
    assert_eq!(report.held(), report.counterexample.is_none());
    report.counterexample
}

/// What is broken, in how many actions, and how many of them repeat.
fn found(setup: &Setup, slip: Slip) -> Option<(Promise, usize, usize)> {
    counterexample(setup, slip).map(|found| {
        let round = found.cycle.map_or(0, |first| found.schedule.len() - first);
        (found.violation.promise, found.schedule.len(), round)
    })
}

fn down(a: u32, b: u32) -> Action<NoTimer> {
    Action::LinkDown { a: NodeId(a), b: NodeId(b) }
}

/// Who waits where there is no token is owed nothing, as long as they know.
#[test]
fn a_toy_that_is_right_holds() {
    assert_eq!(found(&apart(2, 4), Slip::None), None);
    assert_eq!(found(&apart(3, 1), Slip::None), None);
    let twice = Setup { requests: vec![2, 2, 0], ..apart(3, 1) };
    assert_eq!(found(&twice, Slip::None), None);
}

#[test]
fn a_token_out_of_reach_has_to_be_reported() {
    let mute = counterexample(&apart(2, 1), Slip::Mute).unwrap();
    assert_eq!((mute.violation.promise, mute.schedule), (Promise::Reachability, vec![down(0, 1)]));
    assert_eq!(mute.violation.what, "n1 cannot reach a token and does not say so");
    // If all is in one piece, there is nothing to report.
    assert_eq!(found(&apart(2, 0), Slip::Mute), None);
    let whole = Setup { connectivity: Connectivity::Physical, ..apart(3, 3) };
    assert_eq!(found(&whole, Slip::Mute).filter(|found| found.0 == Promise::Reachability), None);
}

#[test]
fn a_report_has_to_be_taken_back_when_the_parts_meet() {
    assert_eq!(found(&apart(2, 1), Slip::Stale), None);
    let stale = counterexample(&apart(2, 2), Slip::Stale).unwrap();
    assert_eq!((stale.violation.promise, stale.schedule.len()), (Promise::Reachability, 2));
    assert_eq!(stale.violation.what, "n1 says that no token can be reached, and one can");
}

#[test]
fn progress_is_owed_where_there_is_a_token() {
    // The part of 0 and 1 has the token, and 2 has none.
    assert_eq!(found(&apart(3, 0), Slip::Sulks), None);
    assert_eq!(found(&apart(3, 1), Slip::Sulks), Some((Promise::NoStarvation, 2, 0)));
    // As long as the parts have not met, 1 waits and is owed nothing.
    assert_eq!(found(&apart(2, 1), Slip::Forgetful), None);
    assert_eq!(found(&apart(2, 2), Slip::Forgetful), Some((Promise::NoStarvation, 3, 0)));
}

/// A token that is always in transit is in the part of its sender and of its receiver.
#[test]
fn a_waiter_that_is_put_off_for_ever_in_a_part_is_found() {
    assert_eq!(found(&apart(3, 0), Slip::HotPotato), None);
    let loud = Setup { requests: vec![0, 1, 0], ..apart(3, 1) };
    assert_eq!(found(&loud, Slip::HotPotato), Some((Promise::NoStarvation, 5, 2)));
    let rules = Rules { silent: false, ..loud.rules };
    let silent = Setup { rules, ..loud };
    assert_eq!(found(&silent, Slip::HotPotato), Some((Promise::NoStarvation, 5, 2)));
}

/// Node 1 waits, but there is nothing to be had: it should be silent about it.
#[test]
fn a_part_without_a_token_has_to_be_silent() {
    assert_eq!(found(&apart(3, 0), Slip::Chats), None);
    assert_eq!(found(&apart(3, 1), Slip::Chats), Some((Promise::Silence, 5, 2)));
    let rules = Rules { silent: false, ..Rules::default() };
    assert_eq!(found(&Setup { rules, ..apart(3, 1) }, Slip::Chats), None);
}

#[test]
fn a_token_may_go_round_for_ever_if_silence_is_not_promised() {
    let loud = Rules { silent: false, ..Rules::default() };
    for connectivity in [Connectivity::Physical, Connectivity::Known, Connectivity::Partitions] {
        let silent = Setup { connectivity, ..apart(2, 0) };
        let loud = Setup { rules: loud, ..silent.clone() };
        assert_eq!(found(&silent, Slip::Circulates), Some((Promise::Silence, 4, 2)));
        assert_eq!(found(&loud, Slip::Circulates), None);
        assert_eq!(found(&loud, Slip::Skips), Some((Promise::NoStarvation, 4, 2)));
    }
}

#[test]
fn a_node_that_stops_takes_its_links_down() {
    let crash = |n, link_changes| Setup {
        crashes: 1,
        progress_despite_faults: true,
        ..apart(n, link_changes)
    };
    assert_eq!(found(&crash(3, 0), Slip::None), None);
    // If a link to 0 could come up again, 1 would think that the token is there.
    assert_eq!(found(&crash(2, 3), Slip::None), None);
    let mute = counterexample(&crash(3, 0), Slip::Mute).unwrap();
    assert_eq!(mute.schedule, [Action::Crash(NodeId(1)), down(0, 1), down(2, 1)]);
    assert_eq!(mute.violation.what, "n2 cannot reach a token and does not say so");
    let untroubled = Setup { progress_despite_faults: false, ..crash(3, 0) };
    assert_eq!(found(&untroubled, Slip::Mute), None);
}
