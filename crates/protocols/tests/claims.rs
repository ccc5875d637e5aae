//! The lemmas of section 5 of Walter, Welch and Vaidya (2001), and what is true where one is not.

use std::collections::VecDeque;

use driftlock_core::{Input, NodeId, Protocol, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Height, Msg, Rl};

use crate::schedules::{Bounds, End, Schedule};
use crate::stage::Stage;

const SCHEDULES: u64 = 400;

fn in_every_configuration(changes: usize, judge: &dyn Fn(&Stage<Rl>)) {
    for n in 2..=6 {
        for seed in 0..SCHEDULES {
            let config = Config::from(Variant::Repaired);
            let mut schedule: Schedule<Rl> = Schedule::new(n, seed, &config);
            let end = schedule.run(Bounds { requests: 10, changes }, judge);
            assert_eq!(end, End::Served, "n={n} seed={seed}");
        }
    }
}

/// Lemma 4 (a): `l` is on its own queue if and only if it is waiting.
#[test]
fn lemma_4a_a_node_is_on_its_own_queue_iff_it_waits() {
    in_every_configuration(10, &|stage| {
        for (k, process) in stage.processes.iter().enumerate() {
            let waits = process.status() == Status::Waiting;
            assert_eq!(process.q().contains(NodeId::at(k)), waits, "{}", stage.story);
        }
    });
}

/// Section 2: the lowest node is always the holder of the token.
#[test]
fn the_holder_is_the_lowest_node_of_all() {
    in_every_configuration(10, &|stage| {
        if let Some(holder) = stage.processes.iter().find(|process| process.held() > 0) {
            let lowest = stage.processes.iter().map(Rl::my_height).min();
            assert_eq!(Some(holder.my_height()), lowest, "{}", stage.story);
        }
    });
}

/// An idle holder owes nobody, and whoever is on a queue is above.
#[test]
fn queues_hold_only_neighbors_that_are_above() {
    in_every_configuration(10, &|stage| {
        for (k, process) in stage.processes.iter().enumerate() {
            for other in process.q().iter().filter(|other| other.index() != k) {
                let height = process.height_of(other);
                assert!(height.is_some_and(|height| process.my_height() < height));
            }
            if process.held() > 0 && process.status() == Status::Remainder {
                assert!(process.q().is_empty(), "{}", stage.story);
            }
        }
    });
}

/// Lemmas 1 and 3 speak of one direction per link. A link can stay incoming at both its ends
/// though, since only nodes below are told of a lowered height. What is true: once a link is quiet,
/// nobody takes a neighbor to be lower that is higher.
#[test]
fn lemma_3_one_sided_nobody_takes_a_higher_neighbor_to_be_lower() {
    in_every_configuration(10, &|stage| {
        for (i, process) in stage.processes.iter().enumerate() {
            for (j, other) in stage.processes.iter().enumerate() {
                let (a, b) = (NodeId::at(i), NodeId::at(j));
                let quiet = |pair| stage.channels.get(&pair).is_none_or(VecDeque::is_empty);
                let Some(seen) = process.height_of(b) else { continue };
                if quiet((a, b)) && quiet((b, a)) && seen < process.my_height() {
                    assert!(other.my_height() < process.my_height(), "{}", stage.story);
                }
            }
        }
    });
}

/// The one-sided form is the most there is: some quiet link is incoming at both its ends.
#[test]
fn lemma_3_two_sided_is_false() {
    let mut found = false;
    for seed in 0..SCHEDULES {
        let config = Config::from(Variant::Published);
        let mut schedule: Schedule<Rl> = Schedule::new(4, seed, &config);
        assert_eq!(schedule.run(Bounds { requests: 12, changes: 0 }, &|_| {}), End::Served);
        let processes = &schedule.stage.processes;
        let above = |i: usize, j: usize| {
            let seen = processes[i].height_of(NodeId::at(j));
            seen.is_some_and(|seen| seen > processes[i].my_height())
        };
        found |= (0..4).any(|i| (0..i).any(|j| above(i, j) && above(j, i)));
    }
    assert!(found);
}

/// Lemma 2 for no link changes at all: nobody raises its height.
#[test]
fn lemma_2_in_a_static_network_nobody_raises_its_height() {
    in_every_configuration(0, &|stage| {
        assert!(!stage.story.contains("RaiseHeight"), "{}", stage.story);
    });
}

/// `receivedLI` does its job: no token is ever sent to a node that is taken to be deaf for good.
#[test]
fn after_the_storm_no_link_is_deaf() {
    for n in 2..=6 {
        for seed in 0..SCHEDULES {
            let config = Config::from(Variant::Repaired);
            let mut schedule: Schedule<Rl> = Schedule::new(n, seed, &config);
            schedule.run(Bounds { requests: 10, changes: 10 }, &|_| {});
            let text = format!("{:?}", schedule.stage.processes);
            assert!(!text.contains("received_li: false"), "n={n} seed={seed}");
            let tokens = schedule.stage.channels.values().flatten();
            assert_eq!(tokens.filter(|msg| matches!(msg, Msg::Token(_))).count(), 0);
        }
    }
}

/// Section 4.1, `receivedLI`: from sending the token until its receipt is confirmed, whatever the
/// receiver says is older than the token and is not believed.
#[test]
fn heights_older_than_the_token_are_not_believed() {
    let mut stage: Stage<Rl> = Stage::new(2, &[(0, 1)], &Config::default());
    stage.request(0);
    stage.request(1);
    stage.deliver(1, 0);
    stage.release(0);
    let (zero, one) = (NodeId(0), NodeId(1));
    let expected = Height::new(0, -1, one);
    let old = Height::new(5, 5, one);
    for msg in [Msg::LinkInfo(old, 0), Msg::Request(old, 0)] {
        stage.step(zero, Input::Recv { from: one, msg });
        assert_eq!(stage.processes[0].height_of(one), Some(expected));
        assert!(stage.processes[0].q().is_empty());
    }
    stage.step(zero, Input::Recv { from: one, msg: Msg::LinkInfo(expected, 0) });
    let news = Height::new(0, -2, one);
    stage.step(zero, Input::Recv { from: one, msg: Msg::LinkInfo(news, 0) });
    assert_eq!(stage.processes[0].height_of(one), Some(news), "confirmed, so it is heard again");
}

/// Section 4.2: a node that has already asked on behalf of another does not ask again for itself.
#[test]
fn one_request_serves_all_who_wait_behind_it() {
    let mut stage: Stage<Rl> = Stage::new(3, &[(0, 1), (1, 2)], &Config::default());
    stage.request(0);
    stage.request(2);
    stage.deliver_all();
    stage.request(1);
    assert_eq!(stage.in_transit(), 0, "{}", stage.story);
    stage.release(0);
    stage.deliver_all();
    stage.release(2);
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Critical);
}
