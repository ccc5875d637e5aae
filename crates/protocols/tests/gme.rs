//! GME: a session from its beginning to its end, and each departure from the paper on the shortest
//! execution that needs it.

use std::fmt::Write;

use driftlock_core::{Input, NodeId, Protocol, ResourceId, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{Config, Gme, Msg};
use driftlock_protocols::rl::Height;

use crate::gme_storms::weight;
use crate::stage::{Stage, check_golden};

const BOTH: [Variant; 2] = [Variant::Published, Variant::Repaired];
const PAIR: [(u32, u32); 1] = [(0, 1)];
const LINE: [(u32, u32); 2] = [(0, 1), (1, 2)];
const STAR: [(u32, u32); 2] = [(0, 1), (0, 2)];
const TRIANGLE: [(u32, u32); 3] = [(0, 1), (0, 2), (1, 2)];
/// The leader at the end of one of three arms.
const ARMS: [(u32, u32); 3] = [(0, 1), (1, 2), (1, 3)];

fn stage(n: usize, links: &[(u32, u32)], variant: Variant) -> Stage<Gme> {
    Stage::new(n, links, &Config { units: 8, ..Config::from(variant) })
}

fn ask(stage: &mut Stage<Gme>, node: u32, r: u64) {
    stage.step(NodeId(node), Input::RequestCs(ResourceId(r)));
}

fn receive(stage: &mut Stage<Gme>, node: u32, from: u32, msg: Msg) {
    stage.step(NodeId(node), Input::Recv { from: NodeId(from), msg });
}

fn inside(stage: &Stage<Gme>) -> Vec<usize> {
    let is_inside = |k: &usize| stage.processes[*k].status() == Status::Critical;
    (0..stage.processes.len()).filter(is_inside).collect()
}

fn leader(stage: &Stage<Gme>) -> Option<usize> {
    stage.processes.iter().position(|process| process.held() > 0)
}

fn queue(stage: &Stage<Gme>, node: usize) -> Vec<(u32, u64)> {
    stage.processes[node].q().iter().map(|entry| (entry.j.0, entry.r.0)).collect()
}

fn snapshot(stage: &mut Stage<Gme>) {
    for (k, process) in stage.processes.iter().enumerate() {
        let queue: Vec<String> =
            process.q().iter().map(|entry| format!("{}:{}", entry.j, entry.r)).collect();
        let (status, weight) = (process.status(), process.weight());
        let queue = queue.join(",");
        let _ = writeln!(stage.story, "  n{k} {status:?} weight {weight} Q=[{queue}]");
    }
}

/// Three enter together for one resource, one after them for another.
#[test]
fn a_session() {
    let mut stage = stage(4, &ARMS, Variant::Repaired);
    stage.heading("0 has the token and enters for r0; 2 asks for r0, 3 for r1, 1 for r0");
    ask(&mut stage, 0, 0);
    ask(&mut stage, 2, 0);
    stage.deliver(2, 1);
    ask(&mut stage, 3, 1);
    stage.deliver(3, 1);
    ask(&mut stage, 1, 0);
    snapshot(&mut stage);
    stage.heading("1 gets a subtoken, enters and lets 2 in, and asks for what 3 wants");
    stage.deliver(1, 0);
    stage.deliver(0, 1);
    stage.deliver(1, 2);
    snapshot(&mut stage);
    assert_eq!(inside(&stage), [0, 1, 2]);
    stage.heading("0 knows of r1 and tries whether there is someone for r0 behind 1 and 3");
    stage.deliver_all();
    snapshot(&mut stage);
    assert_eq!((inside(&stage), queue(&stage, 0)), (vec![0, 1, 2], vec![(1, 1)]));
    stage.heading("0 leaves, and so do 1 and 2, and all weight goes back");
    stage.release(0);
    stage.release(2);
    stage.deliver_all();
    assert_eq!(leader(&stage), Some(0), "the session is not over");
    stage.release(1);
    stage.deliver(1, 0);
    snapshot(&mut stage);
    stage.heading("the token goes by 1 to 3, which enters for r1");
    stage.deliver_all();
    snapshot(&mut stage);
    assert_eq!((leader(&stage), inside(&stage)), (Some(3), vec![3]));
    check_golden("gme_session", &stage.story);
}

/// 1 is inside by a subtoken, and leaves while it knows no neighbor: 1-2 has just come up, and 0-1
/// has gone down.
fn left_alone(variant: Variant) -> Stage<Gme> {
    let mut stage = stage(3, &STAR, variant);
    ask(&mut stage, 0, 0);
    ask(&mut stage, 1, 0);
    stage.deliver_all();
    stage.up(1, 2);
    stage.down(0, 1);
    stage.release(1);
    stage
}

#[test]
fn d1_weight_waits_for_a_neighbor() {
    let published = left_alone(Variant::Published);
    assert!(published.undefined > 0);
    assert_eq!(weight(&published), -8, "and is lost where it does not\n{}", published.story);
    let mut repaired = left_alone(Variant::Repaired);
    assert_eq!((repaired.undefined, repaired.processes[1].weight()), (0, 8));
    repaired.deliver_all();
    assert_eq!(repaired.processes[0].weight(), 0, "{}", repaired.story);
}

/// G5: the subtoken answers what 1 asked for, and 3 behind it wants something else.
#[test]
fn d2_what_remains_is_asked_for_anew() {
    for variant in BOTH {
        let mut stage = stage(4, &ARMS, variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 2, 0);
        stage.deliver(2, 1);
        ask(&mut stage, 3, 1);
        stage.deliver(3, 1);
        stage.deliver_all();
        stage.release(0);
        stage.release(2);
        stage.deliver_all();
        let starves = variant == Variant::Published;
        assert_eq!(inside(&stage), if starves { vec![] } else { vec![3] }, "{}", stage.story);
        assert_eq!(stage.processes[3].status() == Status::Waiting, starves);
    }
}

/// The request of 2, on whose behalf 1 asked, goes with the link 1-2; the token comes all the same,
/// and 1 enters by itself. `next` of 1 still names 0, which is above it now.
#[test]
fn d3_the_leader_does_not_ask() {
    for variant in BOTH {
        let mut stage = stage(3, &LINE, variant);
        ask(&mut stage, 2, 0);
        stage.deliver(2, 1);
        stage.up(0, 2);
        stage.down(1, 2);
        stage.deliver(1, 0);
        stage.deliver(0, 1);
        ask(&mut stage, 1, 0);
        assert_eq!((leader(&stage), inside(&stage)), (Some(1), vec![1]), "{}", stage.story);
        stage.deliver(1, 0);
        ask(&mut stage, 0, 1);
        stage.deliver(0, 1);
        stage.up(1, 2);
        stage.deliver(2, 1);
        let asks = stage.story.lines().last().is_some_and(|line| line.contains("n1 -> n0 Request"));
        assert_eq!(asks, variant == Variant::Published, "{}", stage.story);
    }
}

/// 1 raises its height and takes the token: a request from before is void, and one that knows of
/// the raise is not.
#[test]
fn d4_a_request_that_crossed_with_a_raise_is_void() {
    let mut stage = stage(3, &TRIANGLE, Variant::Repaired);
    stage.down(0, 1);
    assert_eq!(stage.processes[1].my_height().h1, 1, "{}", stage.story);
    receive(&mut stage, 1, 2, Msg::Token(Height::new(0, 1, NodeId(2))));
    let request = |known| {
        let h = Height::new(0, 1, NodeId(2));
        Msg::Request { h, r: ResourceId(0), known, again: 0 }
    };
    receive(&mut stage, 1, 2, request(0));
    assert_eq!((stage.processes[1].held(), queue(&stage, 1)), (1, vec![]));
    receive(&mut stage, 1, 2, request(1));
    assert_eq!(stage.processes[1].held(), 0, "the token goes to 2\n{}", stage.story);
}

/// G1: the holder leaves and asks for something else while its subtoken is on the way.
#[test]
fn d5_published_opens_a_second_session_in_six_events() {
    for variant in BOTH {
        let mut stage = stage(2, &PAIR, variant);
        ask(&mut stage, 0, 1);
        ask(&mut stage, 1, 1);
        stage.deliver(1, 0);
        stage.release(0);
        ask(&mut stage, 0, 0);
        stage.deliver(0, 1);
        let both = variant == Variant::Published;
        assert_eq!(inside(&stage), if both { vec![0, 1] } else { vec![1] }, "{}", stage.story);
        assert_eq!(weight(&stage) != 0, both);
    }
}

/// G2: a request finds the holder outside, and the token leaves, with 1 inside by a subtoken.
#[test]
fn d5_the_token_stays_until_all_weight_is_back() {
    for variant in BOTH {
        let mut stage = stage(3, &STAR, variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 0);
        stage.deliver_all();
        stage.release(0);
        ask(&mut stage, 2, 1);
        stage.deliver_all();
        let both = variant == Variant::Published;
        assert_eq!(inside(&stage), if both { vec![1, 2] } else { vec![1] }, "{}", stage.story);
    }
}

/// 1 asks 0, hears that 0 has raised its height, and asks again; then the answer to its first
/// request arrives. The second one still stands, and 1 uses it for what 2 wants.
#[test]
fn d6_an_answer_to_a_request_before_the_last_leaves_the_last() {
    let mut stage = stage(3, &LINE, Variant::Repaired);
    ask(&mut stage, 1, 0);
    ask(&mut stage, 2, 1);
    stage.deliver(2, 1);
    receive(&mut stage, 1, 0, Msg::Link(Height::new(0, 0, NodeId(0)), 1));
    let sub = |answers| Msg::Sub { r: ResourceId(0), w: 8, answers };
    receive(&mut stage, 1, 0, sub(Some(0)));
    assert_eq!(inside(&stage), [1]);
    assert!(stage.story.ends_with("n1 -> n0 Request(r1)(0,1,1)#1+2\n"), "{}", stage.story);
    receive(&mut stage, 1, 0, sub(Some(1)));
    assert_eq!(stage.processes[1].asked(), Some(ResourceId(1)), "{}", stage.story);
    assert_eq!(stage.processes[1].weight(), 8, "the second weight went back");
}

/// 2 asked for r1 through 1, and moves away; 1 itself wants r0.
#[test]
fn d6_a_request_for_what_nobody_wants_is_replaced() {
    let mut stage = stage(3, &LINE, Variant::Repaired);
    ask(&mut stage, 0, 0);
    ask(&mut stage, 2, 1);
    stage.deliver_all();
    ask(&mut stage, 1, 0);
    assert_eq!((queue(&stage, 0), stage.in_transit()), (vec![(1, 1)], 0), "{}", stage.story);
    stage.up(0, 2);
    stage.down(1, 2);
    assert_eq!(stage.processes[1].asked(), Some(ResourceId(0)));
    stage.deliver(1, 0);
    stage.deliver(0, 1);
    assert_eq!(inside(&stage), [0, 1], "{}", stage.story);
}

/// G3: 2 asks 0 for the token, which has just left for 1, and is deleted from the queue of 0 with
/// the link; the subtoken of 1 finds nobody at 0.
#[test]
fn d7_a_subtoken_that_nobody_can_use_goes_back() {
    for variant in BOTH {
        let mut stage = stage(3, &TRIANGLE, variant);
        ask(&mut stage, 1, 0);
        for (from, to) in [(1, 0), (0, 1), (1, 0)] {
            stage.deliver(from, to);
        }
        ask(&mut stage, 2, 0);
        stage.deliver(2, 0);
        stage.deliver(0, 1);
        stage.down(0, 2);
        stage.deliver(1, 0);
        let lost = variant == Variant::Published;
        assert_eq!((stage.undefined, weight(&stage)), if lost { (1, -8) } else { (0, 0) });
    }
}

/// G4: 1 wants r1, and 2 behind it r0. The share of 1 is of no use to it.
#[test]
fn d7_nobody_has_a_share_that_it_cannot_use() {
    for variant in BOTH {
        let mut stage = stage(3, &LINE, variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 1);
        stage.deliver(1, 0);
        ask(&mut stage, 2, 0);
        stage.deliver(2, 1);
        stage.deliver(0, 1);
        let lost = variant == Variant::Published;
        assert_eq!(weight(&stage), if lost { -4 } else { 0 }, "{}", stage.story);
        stage.deliver_all();
        assert_eq!(inside(&stage), [0, 2], "{}", stage.story);
        stage.release(0);
        stage.release(2);
        stage.deliver_all();
        assert_eq!(inside(&stage), if lost { vec![] } else { vec![1] }, "{}", stage.story);
    }
}

/// G6: a second subtoken reaches 1 inside.
#[test]
fn d7_a_second_subtoken_inside_goes_back() {
    for variant in BOTH {
        let mut stage = stage(2, &PAIR, variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 0);
        stage.deliver_all();
        receive(&mut stage, 1, 0, Msg::Sub { r: ResourceId(0), w: 8, answers: None });
        assert_eq!(stage.undefined, usize::from(variant == Variant::Published));
        assert_eq!(stage.processes[1].weight(), 8);
        assert_eq!(stage.in_transit(), usize::from(variant == Variant::Repaired));
    }
}

/// Of three behind one subtoken of two units, one is left and asked for anew; all enter together.
#[test]
fn d8_who_finds_no_unit_is_asked_for_anew() {
    let config = Config { units: 2, ..Config::default() };
    let mut stage: Stage<Gme> = Stage::new(4, &ARMS, &config);
    ask(&mut stage, 0, 0);
    for node in [2, 3] {
        ask(&mut stage, node, 0);
        stage.deliver(node, 1);
    }
    ask(&mut stage, 1, 0);
    stage.deliver(1, 0);
    stage.deliver(0, 1);
    assert_eq!((inside(&stage), queue(&stage, 1)), (vec![0, 1], vec![(3, 0)]), "{}", stage.story);
    stage.deliver_all();
    assert_eq!(inside(&stage), [0, 1, 2, 3], "{}", stage.story);
    assert_eq!((stage.processes[0].weight(), weight(&stage)), (-4, 0));
}

/// 3 has asked 2 for r1; a link to 1 comes up, which is lower. A subtoken for r0 goes back by 1.
#[test]
fn d9_weight_that_goes_back_leaves_next_alone() {
    for variant in BOTH {
        let mut stage = stage(4, &[(0, 1), (1, 2), (2, 3)], variant);
        ask(&mut stage, 3, 1);
        stage.up(1, 3);
        stage.deliver(1, 3);
        receive(&mut stage, 3, 2, Msg::Sub { r: ResourceId(0), w: 8, answers: None });
        assert!(stage.story.ends_with("n3 -> n1 Release(8)\n"), "{}", stage.story);
        let next = if variant == Variant::Published { 1 } else { 2 };
        assert_eq!(stage.processes[3].next(), Some(NodeId(next)));
    }
}

/// G9: 0 has left, 1 is still inside for r0, and 2 wants r0 too; nobody wants anything else.
#[test]
fn d10_the_session_goes_on_when_the_leader_has_left() {
    for variant in BOTH {
        let mut stage = stage(3, &LINE, variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 0);
        stage.deliver_all();
        stage.release(0);
        ask(&mut stage, 2, 0);
        stage.deliver_all();
        if variant == Variant::Repaired {
            assert_eq!((leader(&stage), inside(&stage)), (Some(0), vec![1, 2]), "{}", stage.story);
        } else {
            assert_ne!(leader(&stage), Some(0), "the token leaves although weight is out");
        }
    }
}

/// 2 wants r0, behind 1, which asked for r1 first; every further request at 0 brings 1 another
/// subtoken in the paper, and none here.
#[test]
fn d10_other_requests_are_tried_once() {
    for variant in BOTH {
        let mut stage = stage(4, &[(0, 1), (1, 2), (0, 3)], variant);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 1);
        ask(&mut stage, 2, 0);
        stage.deliver(2, 1);
        stage.deliver_all();
        assert_eq!(inside(&stage), [0, 2], "{}", stage.story);
        ask(&mut stage, 3, 0);
        stage.deliver(3, 0);
        let to_one = stage.story.matches("n0 -> n1 SubToken").count();
        assert_eq!(to_one, if variant == Variant::Published { 2 } else { 1 });
    }
}

/// 1 wants r1 and is tried; after that, as many as the bound says get in for r0.
#[test]
fn d11_a_session_takes_in_so_many_more() {
    for (session, expected) in [(Some(0), 0), (Some(1), 0), (Some(2), 1), (Some(3), 2), (None, 3)] {
        let config = Config { session, ..Config::default() };
        let mut stage: Stage<Gme> = Stage::new(5, &[(0, 1), (0, 2), (0, 3), (0, 4)], &config);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 1);
        stage.deliver_all();
        for node in 2..5 {
            ask(&mut stage, node, 0);
            stage.deliver_all();
        }
        assert_eq!(inside(&stage).len(), 1 + expected, "{session:?}\n{}", stage.story);
        (0..5).for_each(|_| {
            inside(&stage).into_iter().for_each(|node| stage.release(node as u32));
            stage.deliver_all();
        });
        assert!(stage.processes.iter().all(|process| process.status() == Status::Remainder));
    }
}

/// 2 asked for r1 through 1, and moves away; nobody else is behind 1.
#[test]
fn d12_a_request_that_nobody_wants_is_withdrawn() {
    let mut stage = stage(3, &LINE, Variant::Repaired);
    ask(&mut stage, 0, 0);
    ask(&mut stage, 2, 1);
    stage.deliver_all();
    assert_eq!(queue(&stage, 0), [(1, 1)]);
    stage.up(0, 2);
    stage.down(1, 2);
    assert!(stage.story.contains("n1 -> n0 Withdraw"), "{}", stage.story);
    stage.deliver(1, 0);
    assert_eq!((queue(&stage, 0), stage.processes[1].asked()), (vec![], None));
}

/// The same, but the answer is under way; and 1 asks for itself before it arrives. Its number says
/// that it is not the answer to that.
#[test]
fn d12_an_answer_that_crosses_with_a_withdrawal_is_no_answer_to_what_follows() {
    let mut stage = stage(3, &LINE, Variant::Repaired);
    ask(&mut stage, 0, 0);
    ask(&mut stage, 2, 0);
    stage.deliver(2, 1);
    stage.deliver(1, 0);
    stage.up(0, 2);
    stage.down(1, 2);
    ask(&mut stage, 1, 1);
    stage.deliver(0, 1);
    assert_eq!(stage.processes[1].asked(), Some(ResourceId(1)), "{}", stage.story);
    stage.deliver_all();
    assert_eq!(queue(&stage, 0), [(1, 1)], "{}", stage.story);
}

/// 2 and 3 take turns so that one of them is always inside for r0. Where sessions are open, 1 waits
/// as long as they do; where they are bounded, it does not.
#[test]
fn d11_an_open_session_may_keep_others_waiting_for_ever() {
    for session in [None, Some(4)] {
        let config = Config { session, ..Config::default() };
        let mut stage: Stage<Gme> = Stage::new(4, &[(0, 1), (0, 2), (0, 3)], &config);
        ask(&mut stage, 0, 0);
        ask(&mut stage, 1, 1);
        ask(&mut stage, 3, 0);
        stage.deliver_all();
        stage.release(0);
        for turn in 0..200 {
            let (comes, goes) = if turn % 2 == 0 { (2, 3) } else { (3, 2) };
            for (node, status) in [(comes, Status::Remainder), (goes, Status::Critical)] {
                if stage.processes[node as usize].status() == status {
                    if node == comes { ask(&mut stage, node, 0) } else { stage.release(node) }
                }
                stage.deliver_all();
            }
        }
        let waits = stage.processes[1].status() == Status::Waiting;
        assert_eq!(waits, session.is_none(), "{session:?}");
    }
}

/// 1 has to raise its height, between 0 and 2 whose levels are far apart.
#[test]
fn d15_a_sink_rises_to_the_level_of_its_highest_neighbor() {
    for (variant, h1, h2) in [(Variant::Published, 11, 1), (Variant::Repaired, 1000, 6)] {
        let mut stage = stage(3, &LINE, variant);
        receive(&mut stage, 1, 2, Msg::Link(Height::new(1000, 7, NodeId(2)), 1));
        receive(&mut stage, 1, 0, Msg::Link(Height::new(10, 0, NodeId(0)), 1));
        let height = stage.processes[1].my_height();
        assert_eq!(height, Height::new(h1, h2, NodeId(1)), "{}", stage.story);
    }
}
