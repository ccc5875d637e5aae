//! Every promise is judged: a toy that breaks it is found, and one that keeps it is not.

use driftlock_check::{Connectivity, Setup};
use driftlock_core::NodeId;
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::Action;
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};
use crate::toy::{Flaw, Forger, Toy};

/// 1 and 2 are linked to 0 and to each other.
fn triangle() -> Setup {
    Setup::new(graph(3, &[(0, 1), (0, 2), (1, 2)]))
}

/// What is broken, in how many actions, and how many of them repeat.
fn found(setup: &Setup, flaw: Flaw) -> Option<(Promise, usize, usize)> {
    let report = explored::<Toy>(setup, &flaw);
    assert_eq!(report.held(), report.counterexample.is_none());
    report.counterexample.map(|found| {
        let round = found.cycle.map_or(0, |first| found.schedule.len() - first);
        (found.violation.promise, found.schedule.len(), round)
    })
}

#[test]
fn a_toy_that_is_right_holds() {
    assert_eq!(found(&triangle(), Flaw::None), None);
    assert_eq!(found(&Setup { timeouts: 2, ..triangle() }, Flaw::None), None);
    assert_eq!(found(&Setup { requests: vec![2, 1, 2], ..triangle() }, Flaw::None), None);
}

#[test]
fn promises_about_states_and_steps() {
    for (flaw, promise, actions) in [
        (Flaw::Anarchy, Promise::Exclusion, 2),
        (Flaw::Eager, Promise::EntryOnRequest, 2),
        (Flaw::Liar, Promise::EntryOnRequest, 1),
        (Flaw::Counterfeit, Promise::Tokens, 2),
        (Flaw::Careless, Promise::Tokens, 5),
        (Flaw::Forgetful, Promise::Weights, 5),
        (Flaw::Undefined, Promise::DefinedStep, 2),
        (Flaw::GivesUp, Promise::DefinedStep, 2),
    ] {
        assert_eq!(found(&triangle(), flaw), Some((promise, actions, 0)), "{flaw:?}");
    }
    let line = Setup::new(graph(4, &[(0, 1), (1, 2), (2, 3), (0, 2)]));
    let line = Setup { requests: vec![0, 1, 0, 0], ..line };
    assert_eq!(found(&line, Flaw::Stray), Some((Promise::DefinedStep, 2, 0)));
}

#[test]
fn other_promises_of_exclusion() {
    let rules = |exclusion| Rules { exclusion, ..Rules::default() };
    let anarchy = |setup: Setup| found(&setup, Flaw::Anarchy);
    let two = Setup { rules: rules(Exclusion::AtMost(2)), ..triangle() };
    assert_eq!(anarchy(two.clone()), Some((Promise::Exclusion, 3, 0)));
    assert_eq!(anarchy(Setup { requests: vec![1, 1, 0], ..two }), None);

    let groups = Setup { rules: rules(Exclusion::SameGroup), resources: 2, ..triangle() };
    assert_eq!(anarchy(groups.clone()), Some((Promise::Exclusion, 2, 0)));
    assert_eq!(anarchy(Setup { resources: 1, ..groups }), None);

    let local = Setup { rules: rules(Exclusion::NoTwoNeighbors), ..triangle() };
    assert_eq!(anarchy(local.clone()), Some((Promise::Exclusion, 2, 0)));
    let apart = graph(3, &[(0, 1), (0, 2)]);
    let apart = Setup { graph: apart, requests: vec![0, 1, 1], ..local };
    assert_eq!(anarchy(apart.clone()), None);
    // A link that comes up between two who are inside makes them neighbors.
    assert_eq!(anarchy(Setup { link_changes: 1, ..apart }), Some((Promise::Exclusion, 3, 0)));
}

#[test]
fn who_wants_the_same_gets_in_together() {
    let rules = Rules { exclusion: Exclusion::SameGroup, ..Rules::default() };
    let groups = Setup { rules, resources: 2, ..triangle() };
    // One after the other: 1 waits for 0 to leave, though it wants the same.
    let report = explored::<Toy>(&groups, &Flaw::NoRetry);
    let late = report.counterexample.unwrap();
    assert_eq!((late.violation.promise, late.schedule.len()), (Promise::ConcurrentEntering, 3));
    assert!(late.violation.what.starts_with("n1 waits for r0, and nobody wants"), "{late:?}");
    // With other promises of exclusion that is as it should be.
    assert_eq!(found(&triangle(), Flaw::NoRetry), None);
    // As long as a timer is set, it is not known yet.
    let others = Setup { requests: vec![0, 1, 1], ..groups };
    assert_eq!(found(&others, Flaw::None), None);
    let late = Some((Promise::ConcurrentEntering, 5, 0));
    assert_eq!(found(&others, Flaw::NoRetry), late, "1 is in, 2 has asked");
    // Nor is anything owed after a fault, if that is not promised.
    let faulty = Setup { losses: 1, requests: vec![0, 2, 0], ..others };
    assert_eq!(found(&faulty, Flaw::NoRetry), None);
}

#[test]
fn one_fork_for_each_link() {
    let pair = Setup { requests: vec![2, 2], ..Setup::new(graph(2, &[(0, 1)])) };
    let report = explored::<Forger<false>>(&pair, &true);
    let forged = report.counterexample.unwrap();
    assert_eq!((forged.violation.promise, forged.schedule.len()), (Promise::Forks, 2));
    assert!(forged.violation.what.contains("the link n0-n1 has 2 forks"), "{forged:?}");
    let alone = Setup { requests: vec![0, 2], ..pair };
    assert!(explored::<Forger<false>>(&alone, &false).held());
}

#[test]
fn one_token_of_each_epoch() {
    let pair = Setup { requests: vec![2, 2], ..Setup::new(graph(2, &[(0, 1)])) };
    let report = explored::<Forger<true>>(&pair, &true);
    let forged = report.counterexample.unwrap();
    assert_eq!((forged.violation.promise, forged.schedule.len()), (Promise::Epochs, 2));
    let alone = Setup { requests: vec![0, 2], ..pair };
    assert!(explored::<Forger<true>>(&alone, &false).held());
}

#[test]
fn a_deadlock_is_a_state_at_rest_with_a_waiter() {
    let setup = Setup { requests: vec![0, 1, 0], ..triangle() };
    let lost = Setup { losses: 1, progress_despite_faults: true, ..setup };
    assert_eq!(found(&lost, Flaw::NoRetry), Some((Promise::NoStarvation, 2, 0)));
    // A request that was lost is sent again; the token is not.
    let starved = explored::<Toy>(&lost, &Flaw::None).counterexample.unwrap();
    let of_token = Action::Lose { from: NodeId(0), to: NodeId(1) };
    assert!(starved.schedule.contains(&of_token), "{starved:?}");
}

#[test]
fn a_waiter_that_is_put_off_for_ever_is_found() {
    let (promise, actions, round) = found(&triangle(), Flaw::Busy).unwrap();
    assert_eq!((promise, actions, round), (Promise::NoStarvation, 3, 2));
    // The timer of a waiter goes off again and again, and nobody listens.
    assert_eq!(found(&triangle(), Flaw::Deaf), Some((Promise::NoStarvation, 3, 2)));
}

#[test]
fn talk_that_never_ends_is_found() {
    let (promise, _, round) = found(&triangle(), Flaw::Chatty).unwrap();
    assert_eq!((promise, round), (Promise::Silence, 2));
}

/// There is a cycle while a request is in transit, and one while someone is inside; neither is a
/// run in which everyone does their part.
#[test]
fn unfair_cycles_are_none() {
    let one = Setup { requests: vec![0, 1, 0], ..triangle() };
    assert_eq!(found(&one, Flaw::ChattyMeanwhile), None);
}

#[test]
fn a_network_that_cannot_move_does_not_pass() {
    let still = Setup { events: Some(0), ..triangle() };
    assert_eq!(found(&still, Flaw::None), Some((Promise::Possible, 0, 0)));
    let nobody = Setup { requests: vec![0, 0, 0], ..triangle() };
    assert_eq!(found(&nobody, Flaw::None), None, "and who never asks need not");
}

#[test]
fn faults() {
    let crashed = Setup { crashes: 1, requests: vec![0, 1, 1], ..triangle() };
    assert_eq!(found(&crashed, Flaw::None), None, "progress is not promised then");
    let demanding = Setup { progress_despite_faults: true, ..crashed };
    let (promise, actions, _) = found(&demanding, Flaw::None).unwrap();
    assert_eq!((promise, actions), (Promise::NoStarvation, 3), "0 stops, and 1 asks in vain");
    let doubled = Setup { duplications: 1, requests: vec![0, 1, 1], ..triangle() };
    assert_eq!(found(&doubled, Flaw::None).map(|found| found.0), Some(Promise::Exclusion));
}

/// RL was promised links that go down idle. Without that promise the token gets lost. And it was
/// promised a network in one piece: nobody would notice if it were not.
#[test]
fn rl_needs_what_it_was_promised() {
    let rules = Rules { lossy: true, ..Rules::default() };
    let one = Setup { requests: vec![0, 1, 0], spread: Some(4), ..triangle() };
    let lossy = Setup { link_changes: 1, rules, ..one.clone() };
    let report = explored::<Rl>(&lossy, &Config::default());
    let found = report.counterexample.unwrap();
    assert_eq!(found.violation.promise, Promise::NoStarvation);
    let parted = Setup { connectivity: Connectivity::Partitions, link_changes: 2, ..one };
    let report = explored::<Rl>(&parted, &Config::from(Variant::Repaired));
    let found = report.counterexample.unwrap();
    assert_eq!((found.violation.promise, found.schedule.len()), (Promise::Reachability, 2));
}
