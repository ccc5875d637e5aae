//! Local mutual exclusion in random schedules, over links that come and go and take what is in
//! transit with them: what is promised, and what the proof rests on, after every step.

use std::cell::{Cell, RefCell};

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::chandy_misra::{self, ChandyMisra};
use driftlock_protocols::lme2::{Config, Lme2};

use crate::storms::{Storm, Weather};

const SCHEDULES: u64 = 600;

const CALM: Weather = Weather { requests: 14, resources: 1, changes: 0, overtaking: false };
const ROUGH: Weather = Weather { changes: 10, ..CALM };

/// No two neighbors are inside, and each link has one fork.
pub(crate) fn judge_forks<P: Tokens + driftlock_core::Initial>(storm: &Storm<P>) {
    let stage = &storm.stage;
    for (a, b) in storm.links.links() {
        let ends = [(a, b), (b, a)];
        let inside = ends.map(|(i, _)| stage.processes[i.index()].status() == Status::Critical);
        assert_ne!(inside, [true, true], "{a} and {b}\n{}", stage.story);
        let forks = ends.map(|(i, j)| {
            let in_transit = stage.channels.get(&(i, j)).into_iter().flatten();
            let in_transit = in_transit.filter(|msg| P::carries_fork(msg)).count();
            in_transit + usize::from(stage.processes[i.index()].has_fork(j))
        });
        assert_eq!(forks[0] + forks[1], 1, "forks of {a} and {b}\n{}", stage.story);
    }
}

/// What a node knows of another's number is not above it; who thinks keeps nobody waiting.
fn judge_lme2(storm: &Storm<Lme2>) {
    judge_forks(storm);
    for (k, process) in storm.stage.processes.iter().enumerate() {
        for &j in storm.links.neighbors(NodeId::at(k)) {
            let its = storm.stage.processes[j.index()].c();
            let known = process.c_of(j).is_none_or(|c| c <= its);
            assert!(known, "{k} of {j}\n{}", storm.stage.story);
            let keeps = process.status() == Status::Remainder && process.suspends(j);
            assert!(!keeps, "{k} keeps {j} waiting\n{}", storm.stage.story);
        }
    }
}

/// Whether all know the numbers of their neighbors. Until then an end that has moved gives way.
fn all_known(storm: &Storm<Lme2>) -> bool {
    let knows = |i: NodeId, j: NodeId| storm.stage.processes[i.index()].c_of(j).is_some();
    storm.links.links().all(|(a, b)| knows(a, b) && knows(b, a))
}

/// Whether there are nodes that go before each other in a circle, both ends of each link agreeing.
fn has_circle(storm: &Storm<Lme2>) -> bool {
    let processes = &storm.stage.processes;
    let mut left: Vec<NodeId> = storm.links.nodes().collect();
    let before = |i: NodeId, j: NodeId| {
        let (of_i, of_j) = (processes[i.index()].higher(j), processes[j.index()].higher(i));
        (of_i, of_j) == (Some(false), Some(true))
    };
    loop {
        let is_first = |j: &NodeId| !left.iter().any(|&i| before(i, *j));
        let Some(first) = left.iter().position(is_first) else { return !left.is_empty() };
        left.remove(first);
    }
}

#[test]
fn lme2_serves_everyone_in_any_schedule() {
    for (notifies, weather) in [(true, CALM), (true, ROUGH), (false, CALM), (false, ROUGH)] {
        let config = Config { notifies, ..Config::default() };
        for (n, seed) in (2..=6).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
            let mut storm: Storm<Lme2> = Storm::new(n, seed, &config);
            storm.rough = true;
            let before = RefCell::new(vec![0; n]);
            let waiting = storm.run(weather, &|storm| {
                judge_lme2(storm);
                assert!(!all_known(storm) || !has_circle(storm), "{}", storm.stage.story);
                let now: Vec<i64> = storm.stage.processes.iter().map(Lme2::c).collect();
                let before = before.replace(now.clone());
                assert!(before.iter().zip(&now).all(|(a, b)| a <= b), "{}", storm.stage.story);
            });
            assert!(waiting.is_empty(), "n={n} seed={seed} {waiting:?}\n{}", storm.stage.story);
        }
    }
}

/// The paper's flags come to a circle in some static schedules, and never break exclusion.
#[test]
fn d1_published_comes_to_a_circle_in_some_static_schedules() {
    let circles = |notifies| {
        let config = Config { variant: Variant::Published, notifies };
        let comes_to_one = |seed: &u64| {
            let mut storm: Storm<Lme2> = Storm::new(3, *seed, &config);
            let circle = Cell::new(false);
            storm.run(CALM, &|storm| {
                judge_forks(storm);
                circle.set(circle.get() || has_circle(storm));
            });
            circle.get()
        };
        (0..SCHEDULES).filter(comes_to_one).count()
    };
    let found = circles(true);
    assert!((1..100).contains(&found), "{found} of {SCHEDULES}");
    assert_eq!(circles(false), 0, "only those who have eaten step back, and they have the forks");
}

#[test]
fn chandy_misra_serves_everyone_in_any_schedule() {
    for (n, seed) in (2..=6).flat_map(|n| (0..SCHEDULES).map(move |seed| (n, seed))) {
        let mut storm: Storm<ChandyMisra> = Storm::new(n, seed, &());
        let waiting = storm.run(CALM, &|storm| {
            judge_forks(storm);
            judge_request_tokens(storm);
        });
        assert!(waiting.is_empty(), "n={n} seed={seed} {waiting:?}\n{}", storm.stage.story);
    }
}

/// Each link has one request token, too.
fn judge_request_tokens(storm: &Storm<ChandyMisra>) {
    for (a, b) in storm.links.links() {
        let at = [(a, b), (b, a)].map(|(i, j)| {
            let in_transit = storm.stage.channels.get(&(i, j)).into_iter().flatten();
            let in_transit = in_transit.filter(|msg| **msg == chandy_misra::Msg::Req).count();
            in_transit + usize::from(storm.stage.processes[i.index()].has_request_token(j))
        });
        assert_eq!(at[0] + at[1], 1, "request tokens of {a} and {b}\n{}", storm.stage.story);
    }
}
