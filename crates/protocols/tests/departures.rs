//! Each departure from the paper, on the shortest execution found that needs it.

use driftlock_core::{NodeId, Protocol, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};

use crate::stage::Stage;

fn triangle(variant: Variant) -> Stage<Rl> {
    Stage::new(3, &[(0, 1), (0, 2), (1, 2)], &Config::from(variant))
}

/// On 0-1 and 0-2 the link 1-2 comes up and 0-1 goes down: 1 has no neighbor it knows of.
fn alone(variant: Variant) -> Stage<Rl> {
    let mut stage = Stage::new(3, &[(0, 1), (0, 2)], &Config::from(variant));
    stage.up(1, 2);
    stage.down(0, 1);
    stage
}

#[test]
fn d1_published_has_no_minimum_over_no_neighbors() {
    let stage = alone(Variant::Published);
    assert_eq!(stage.undefined, 1, "{}", stage.story);
    assert!(stage.story.contains("RaiseHeight, line 1"));
}

#[test]
fn d1_a_node_without_neighbors_is_no_sink_and_sends_nothing() {
    let mut stage = alone(Variant::Repaired);
    assert_eq!(stage.undefined, 0);
    assert!(!stage.story.contains("RaiseHeight"));
    stage.request(1);
    assert_eq!(stage.processes[1].next(), None);
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Critical, "{}", stage.story);
}

/// In a triangle, 1-2 goes down and comes up, 0-2 goes down, and 2 asks while it knows no neighbor.
fn asked_alone(variant: Variant) -> Stage<Rl> {
    let mut stage = triangle(variant);
    stage.down(1, 2);
    stage.up(1, 2);
    stage.down(0, 2);
    stage.request(2);
    stage.up(0, 2);
    stage.deliver_all();
    stage
}

#[test]
fn d2_published_never_sends_a_request_that_found_no_neighbor() {
    let stage = asked_alone(Variant::Published);
    assert!(stage.undefined > 0);
    assert_eq!(stage.processes[2].status(), Status::Waiting, "{}", stage.story);
    assert_eq!(stage.in_transit(), 0, "2 waits for ever next to an idle token");
}

#[test]
fn d2_a_request_that_found_no_neighbor_is_sent_when_there_is_one() {
    let stage = asked_alone(Variant::Repaired);
    assert_eq!(stage.processes[2].status(), Status::Critical, "{}", stage.story);
}

/// 0 is inside, 1 is on its queue, and 2 tells it of a height.
#[test]
fn d3_the_holder_does_not_reroute_on_link_info() {
    for variant in [Variant::Published, Variant::Repaired] {
        let mut stage = triangle(variant);
        stage.down(0, 2);
        stage.request(0);
        stage.request(1);
        stage.deliver(1, 0);
        stage.up(0, 2);
        let before = stage.processes[0].clone();
        assert_eq!((before.q().len(), before.next()), (1, Some(NodeId(0))));
        stage.deliver(2, 0);
        assert_eq!(stage.processes[0].next(), Some(NodeId(0)));
        assert_eq!(stage.processes[0].q(), before.q());
        let sent = stage.story.lines().last().map(str::trim_start);
        assert_eq!(sent, Some("n0 Recv LinkInfo(0,1,2) from n2"), "and sends nothing");
    }
}

/// In a clique, 2 asks 0; its request is slow. 0 loses its link to 3, raises its height, and 2 asks
/// 3 instead; then 0 takes the token, and the slow request arrives.
fn asked_twice(variant: Variant) -> Stage<Rl> {
    let clique = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mut stage: Stage<Rl> = Stage::new(4, &clique, &Config::from(variant));
    stage.request(2);
    stage.request(3);
    for (from, to) in [(3, 0), (0, 3), (3, 0), (3, 1), (3, 2)] {
        stage.deliver(from, to);
    }
    stage.release(3);
    stage.request(0);
    stage.request(1);
    stage.deliver(1, 3);
    stage.deliver(0, 3);
    stage.down(0, 3);
    for (from, to) in [(0, 1), (0, 1), (0, 2), (2, 3), (3, 1), (1, 3), (3, 1)] {
        stage.deliver(from, to);
    }
    stage.release(1);
    stage.deliver(1, 0);
    assert_eq!(stage.processes[0].status(), Status::Critical, "{}", stage.story);
    stage.deliver(2, 0);
    stage
}

#[test]
fn d4_published_takes_two_requests_for_one() {
    let stage = asked_twice(Variant::Published);
    let holding = [0, 3].map(|k| stage.processes[k].q().contains(NodeId(2)));
    assert_eq!(holding, [true, true], "{}", stage.story);
}

#[test]
fn d4_a_request_that_crossed_with_a_raise_is_void() {
    let mut stage = asked_twice(Variant::Repaired);
    let holding = [0, 3].map(|k| stage.processes[k].q().contains(NodeId(2)));
    assert_eq!(holding, [false, true], "{}", stage.story);
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.processes[2].status(), Status::Critical, "{}", stage.story);
}
