//! LME-2 by hand: who asks whom, who gives way, what a link takes with it, and the circle of
//! priorities that the paper's flags admit.

use driftlock_core::{Input, NodeId, Protocol, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::lme2::{Config, Lme2, Msg};

use crate::stage::{Stage, check_golden};

const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

fn network(n: usize, links: &[(u32, u32)], variant: Variant) -> Stage<Lme2> {
    Stage::new(n, links, &Config::from(variant))
}

fn status(stage: &Stage<Lme2>) -> Vec<Status> {
    stage.processes.iter().map(Protocol::status).collect()
}

/// Whether both ends of the link agree that `a` has priority over `b`.
fn goes_before(stage: &Stage<Lme2>, a: u32, b: u32) -> bool {
    let higher = |i: u32, j: u32| stage.processes[i as usize].higher(NodeId(j));
    (higher(a, b), higher(b, a)) == (Some(false), Some(true))
}

/// On a path, 1 asks 0 first, which has priority, and enters; 2 waits for it. Then 1 goes last.
#[test]
fn a_path_of_three() {
    let mut stage = network(3, PATH, Variant::Repaired);
    stage.heading("1 is hungry; 0, which goes before it, thinks, and steps back");
    stage.request(1);
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Critical);
    stage.heading("0 and 2 are hungry; their requests are suspended");
    stage.request(0);
    stage.request(2);
    stage.deliver_all();
    assert!(stage.processes[1].suspends(NodeId(0)) && stage.processes[1].suspends(NodeId(2)));
    stage.heading("1 has eaten; 0 and 2 eat together");
    stage.release(1);
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Critical, Status::Remainder, Status::Critical]);
    assert_eq!([0, 1, 2].map(|k| stage.processes[k].c()), [1, 2, 0]);
    assert!(goes_before(&stage, 0, 1) && goes_before(&stage, 2, 1));
    check_golden("lme2_path", &stage.story);
}

/// A hungry node that lacks a fork from above gives away those from below, and does not want them
/// back yet; it gives away those from above too, and wants them back.
#[test]
fn a_hungry_node_gives_way() {
    let mut stage = network(4, &[(0, 2), (1, 2), (2, 3)], Variant::Repaired);
    stage.request(0);
    stage.request(1);
    assert_eq!(status(&stage)[..2], [Status::Critical; 2]);
    stage.request(2);
    stage.request(3);
    stage.deliver(3, 2);
    stage.deliver(3, 2);
    assert!(stage.story.ends_with("n2 -> n3 Fork(false)\n"), "{}", stage.story);
    stage.deliver_all();
    assert_eq!(stage.processes[3].status(), Status::Critical);
    stage.release(0);
    stage.request(0);
    stage.deliver_all();
    let wants_back = "n2 -> n0 Fork(true)";
    assert!(!stage.story.contains(wants_back), "0 goes after 2 now\n{}", stage.story);
    for k in [1, 3, 0] {
        stage.release(k);
    }
    stage.deliver_all();
    assert_eq!(stage.processes[2].status(), Status::Critical, "{}", stage.story);
}

/// Who is asked by a neighbor with priority gives its fork, wants it back, and lets go of those
/// that it kept from below.
#[test]
fn a_fork_that_is_given_to_a_node_above_is_wanted_back() {
    let config = Config { notifies: false, ..Config::default() };
    let mut stage: Stage<Lme2> = Stage::new(4, &[(0, 1), (1, 2), (1, 3)], &config);
    for k in [2, 1, 3] {
        stage.request(k);
        stage.deliver_all();
    }
    assert!(stage.processes[1].suspends(NodeId(3)), "1 has all forks from above");
    stage.request(0);
    stage.deliver(0, 1);
    let given = "    n1 -> n0 Fork(true)\n    n1 -> n3 Fork(false)\n";
    assert!(stage.story.ends_with(given), "{}", stage.story);
    stage.deliver_all();
    assert_eq!(stage.processes[0].status(), Status::Critical);
    assert!(stage.processes[0].suspends(NodeId(1)), "which has not asked anew");
    for k in [0, 2, 3] {
        stage.release(k);
    }
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Critical, "{}", stage.story);
}

/// A request that crosses with the fork it asks for is void: there is one answer.
#[test]
fn a_request_that_crosses_with_the_fork_is_void() {
    let mut stage = network(2, &[(0, 1)], Variant::Repaired);
    let sent = Input::Recv { from: NodeId(0), msg: Msg::Req };
    let before = stage.processes[1].clone();
    stage.step(NodeId(1), sent);
    assert_eq!(stage.processes[1], before, "1 has no fork to give");
}

/// Two nodes eat, and one moves next to the other: it is hungry again, and eats when the other has
/// eaten.
#[test]
fn who_moves_next_to_an_eating_node_is_demoted() {
    let mut stage = network(3, &[(0, 1)], Variant::Repaired);
    stage.request(0);
    stage.request(2);
    assert_eq!(status(&stage), [Status::Critical, Status::Remainder, Status::Critical]);
    stage.heading("2 moves next to 0");
    stage.up(0, 2);
    assert_eq!(status(&stage), [Status::Critical, Status::Remainder, Status::Waiting]);
    stage.deliver_all();
    assert!(goes_before(&stage, 0, 2) && stage.processes[0].suspends(NodeId(2)));
    stage.heading("0 has eaten");
    stage.release(0);
    stage.deliver_all();
    assert_eq!(status(&stage)[2], Status::Critical, "{}", stage.story);
    check_golden("lme2_demoted", &stage.story);
}

/// Who stood still eats on, whoever comes, and knows the newcomer's priority when it hears of it.
#[test]
fn who_stood_still_is_not_disturbed() {
    let mut stage = network(3, &[(0, 1)], Variant::Repaired);
    stage.request(1);
    stage.deliver_all();
    stage.up(1, 2);
    assert_eq!(stage.processes[1].status(), Status::Critical);
    assert_eq!(stage.processes[1].c_of(NodeId(2)), None);
    assert_eq!(stage.processes[1].higher(NodeId(2)), Some(false));
    assert_eq!(stage.processes[2].higher(NodeId(1)), Some(true));
    stage.deliver_all();
    assert_eq!(stage.processes[1].c_of(NodeId(2)), Some(stage.processes[2].c()));
    assert!(goes_before(&stage, 1, 2));
}

/// A node that moves in a network where it had priority loses it, and its neighbors are told.
#[test]
fn who_moves_goes_after_all_its_neighbors() {
    let mut stage = network(4, &[(0, 1), (0, 2), (2, 3)], Variant::Repaired);
    assert!(goes_before(&stage, 0, 1) && goes_before(&stage, 0, 2));
    stage.up(3, 0);
    stage.deliver_all();
    for j in [1, 2, 3] {
        assert!(goes_before(&stage, j, 0), "{j}\n{}", stage.story);
    }
}

/// The fork is in transit when its link goes down; when the link comes back, there is one again.
#[test]
fn a_fork_that_is_lost_with_its_link_is_made_anew_with_it() {
    for still in [0, 1] {
        let mut stage = network(2, &[(0, 1)], Variant::Repaired);
        stage.request(1);
        for (from, to) in [(1, 0), (1, 0)] {
            stage.deliver(from, to);
        }
        assert!(stage.story.ends_with("n0 -> n1 Fork(false)\n"), "{}", stage.story);
        stage.lose(0, 1);
        assert_eq!(stage.processes[1].status(), Status::Critical, "nobody is left to wait for");
        assert!(!stage.processes[1].has_fork(NodeId(0)));
        stage.up(still, 1 - still);
        let has = |k: u32| stage.processes[k as usize].has_fork(NodeId(1 - k));
        assert_eq!((has(still), has(1 - still)), (true, false));
        stage.deliver_all();
        if still == 1 {
            stage.release(1);
        }
        stage.deliver_all();
    }
}

/// A hungry node waits for one neighbor only, and that one goes away.
#[test]
fn a_link_that_goes_down_may_be_all_that_was_waited_for() {
    let mut stage = network(3, PATH, Variant::Repaired);
    stage.request(0);
    stage.request(1);
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Waiting);
    stage.lose(0, 1);
    assert_eq!(stage.processes[1].status(), Status::Critical, "{}", stage.story);
}

/// Without notifications nobody hears of hunger, and who thinks keeps its priority.
#[test]
fn without_notifications_thinking_nodes_keep_their_priority() {
    let config = Config { notifies: false, ..Config::default() };
    let mut stage: Stage<Lme2> = Stage::new(3, PATH, &config);
    stage.request(1);
    stage.deliver_all();
    assert!(!stage.story.contains("Notify") && !stage.story.contains("Prio"), "{}", stage.story);
    assert!(goes_before(&stage, 0, 1));
}

/// 1 is hungry, and 0, which thinks, steps back behind 1 and 2; 2 does not hear of it for a while.
/// 1 eats and steps back. It is hungry again, and 2, which thinks, steps back behind 1: it takes 0
/// for higher already. Then it hears that 0 is not.
fn three_that_step_back(variant: Variant) -> Stage<Lme2> {
    let mut stage = network(3, TRIANGLE, variant);
    stage.request(1);
    for (from, to) in [(1, 0), (0, 1), (1, 0), (0, 1), (1, 2)] {
        stage.deliver(from, to);
    }
    assert_eq!(stage.processes[1].status(), Status::Critical, "{}", stage.story);
    stage.release(1);
    stage.request(1);
    for (from, to) in [(1, 0), (1, 2), (1, 2), (2, 1), (0, 2)] {
        stage.deliver(from, to);
    }
    stage
}

#[test]
fn d1_published_has_three_nodes_that_go_before_each_other() {
    let stage = three_that_step_back(Variant::Published);
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        assert!(goes_before(&stage, a, b), "{a} before {b}\n{}", stage.story);
    }
    let is_switch = |msg: &Msg| *msg == Msg::Switch;
    assert!(!stage.channels.values().flatten().any(is_switch), "and nothing will change that");
}

#[test]
fn d1_numbers_have_no_circle() {
    let mut stage = three_that_step_back(Variant::Repaired);
    stage.deliver(2, 0);
    assert_eq!([0, 1, 2].map(|k| stage.processes[k].c()), [1, 2, 3], "{}", stage.story);
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        assert!(goes_before(&stage, a, b), "{a} before {b}\n{}", stage.story);
    }
}

/// A million nodes have to fit.
#[test]
fn a_process_is_small() {
    assert!(size_of::<Lme2>() <= 40);
}
