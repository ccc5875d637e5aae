//! LME-1 by hand: each departure from the paper on an execution that needs it, and what the text
//! says of the fork collection.

use driftlock_core::{Input, NodeId, Protocol, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::lme1::{Coloring, Config, Lme1, Msg};

use crate::stage::{Stage, check_golden};

const PAIR: &[(u32, u32)] = &[(0, 1)];
const PATH: &[(u32, u32)] = &[(0, 1), (1, 2)];

fn given(n: usize, links: &[(u32, u32)], variant: Variant) -> Stage<Lme1> {
    Stage::new(n, links, &Config { variant, coloring: Coloring::Given })
}

fn greedy(n: usize, links: &[(u32, u32)], variant: Variant) -> Stage<Lme1> {
    Stage::new(n, links, &Config { variant, coloring: Coloring::Greedy })
}

fn status<P: Protocol>(stage: &Stage<P>) -> Vec<Status> {
    stage.processes.iter().map(Protocol::status).collect()
}

/// A node without neighbors passes through everything at once; the second becomes hungry next to
/// it, recolors, and waits; a meal later it eats.
#[test]
fn two_nodes_one_after_the_other() {
    let mut stage = greedy(2, PAIR, Variant::Repaired);
    stage.heading("1 is hungry: it recolors, collects the fork, and eats");
    stage.request(1);
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Remainder, Status::Critical]);
    assert_eq!(stage.processes[1].color(), Some(-1));
    stage.heading("0 is hungry: it recolors and waits at the second doorway");
    stage.request(0);
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Waiting, Status::Critical]);
    stage.heading("1 has eaten, and takes the smallest color that is free; 0 eats");
    stage.release(1);
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Critical, Status::Remainder]);
    assert_eq!(stage.processes[1].color(), Some(0));
    assert_eq!(stage.processes[0].color_of(NodeId(1)), Some(0));
    check_golden("lme1_pair", &stage.story);
}

/// On a path with colors 0, 1, 0: 1 eats, 2 crosses the doorways without knowing, and waits for the
/// fork; 1 is done.
fn meal(variant: Variant) -> Stage<Lme1> {
    let mut stage = given(3, PATH, variant);
    stage.request(1);
    for (from, to) in [(1, 0), (1, 0), (1, 0), (0, 1)] {
        stage.deliver(from, to);
    }
    assert_eq!(stage.processes[1].status(), Status::Critical, "{}", stage.story);
    stage.request(2);
    (0..3).for_each(|_| stage.deliver(2, 1));
    stage.release(1);
    stage
}

#[test]
fn d1_published_wants_a_fork_back_though_it_has_eaten() {
    let sent = |variant| {
        let stage = meal(variant);
        let sent = &stage.channels[&(NodeId(1), NodeId(2))];
        [true, false].map(|flag| sent.contains(&Msg::Fork(flag)))
    };
    assert_eq!(sent(Variant::Published), [true, false]);
    assert_eq!(sent(Variant::Repaired), [false, true]);
}

/// 2 eats in its turn and gives the fork back. 1, which thinks, has all its forks now: published it
/// eats, and since it is outside the doorway it gives the fork to 0 meanwhile.
#[test]
fn d2_published_lets_two_neighbors_eat() {
    for (variant, then) in
        [(Variant::Published, Status::Critical), (Variant::Repaired, Status::Remainder)]
    {
        let mut stage = meal(variant);
        stage.deliver_all();
        stage.release(2);
        stage.deliver_all();
        stage.request(0);
        stage.deliver_all();
        let then = [Status::Critical, then, Status::Remainder];
        assert_eq!(status(&stage), then, "{variant:?}\n{}", stage.story);
    }
}

/// A fork that comes to a node that does not collect any goes back if it is wanted back.
#[test]
fn d2_a_fork_counts_only_where_forks_are_collected() {
    let mut stage = given(2, PAIR, Variant::Repaired);
    stage.request(1);
    stage.deliver_all();
    stage.release(1);
    stage.deliver_all();
    assert!(stage.processes[1].has_fork(NodeId(0)));
    // 0, which thinks, is given the fork.
    stage.step(NodeId(0), Input::Recv { from: NodeId(1), msg: Msg::Fork(true) });
    assert_eq!(stage.processes[0].status(), Status::Remainder);
    assert!(!stage.processes[0].has_fork(NodeId(1)));
    assert_eq!(stage.channels[&(NodeId(0), NodeId(1))], [Msg::Fork(false)]);
}

/// 0 lacks the fork of its high neighbor only, and that neighbor leaves.
#[test]
fn d3_published_waits_for_the_fork_of_a_node_that_left() {
    for (variant, then) in
        [(Variant::Published, Status::Waiting), (Variant::Repaired, Status::Critical)]
    {
        let mut stage = given(2, PAIR, variant);
        stage.request(1);
        stage.deliver_all();
        stage.release(1);
        stage.deliver_all();
        stage.request(0);
        assert_eq!(stage.processes[0].status(), Status::Waiting);
        stage.lose(0, 1);
        assert_eq!(stage.processes[0].status(), then, "{variant:?}\n{}", stage.story);
    }
}

/// 0 has never had a color, and thinks; 1 needs its fork.
#[test]
fn d4_published_never_asks_a_neighbor_without_a_color() {
    for (variant, then) in
        [(Variant::Published, Status::Waiting), (Variant::Repaired, Status::Critical)]
    {
        let mut stage = greedy(2, PAIR, variant);
        stage.request(1);
        stage.deliver_all();
        assert_eq!(stage.processes[1].status(), then, "{variant:?}\n{}", stage.story);
    }
}

/// All of 0, 1 and 2 recolor; 1, which waits for 0, moves next to 3 and leaves the recoloring. It
/// is still linked to 2, which waits for it.
#[test]
fn d5_published_waits_for_the_color_of_a_node_that_went_elsewhere() {
    for (variant, colored) in [(Variant::Published, false), (Variant::Repaired, true)] {
        let mut stage = greedy(4, PATH, variant);
        (0..3).for_each(|node| stage.request(node));
        for (from, to) in [(1, 2), (2, 1)] {
            (0..3).for_each(|_| stage.deliver(from, to));
        }
        stage.up(3, 1);
        stage.deliver_all();
        let color = stage.processes[2].color();
        assert_eq!(color.is_some(), colored, "{variant:?}\n{}", stage.story);
    }
}

/// The answer to an earlier recoloring of 1 arrives in the next one, in which 0 takes part.
#[test]
fn d6_published_takes_an_old_answer_for_a_new_one() {
    let run = |variant| {
        let mut stage = greedy(3, PAIR, variant);
        stage.request(1);
        for _ in 0..3 {
            stage.deliver(1, 0);
        }
        // 1 moves next to 2 and begins anew.
        stage.up(2, 1);
        stage.deliver(2, 1);
        // 0 hears that 1 has left the doorways, and crosses them as well.
        stage.deliver(1, 0);
        stage.request(0);
        // The old answer arrives, and all others at 1.
        stage.deliver(0, 1);
        while stage.channels.get(&(NodeId(1), NodeId(2))).is_some_and(|msgs| !msgs.is_empty()) {
            stage.deliver(1, 2);
        }
        while stage.channels.get(&(NodeId(2), NodeId(1))).is_some_and(|msgs| !msgs.is_empty()) {
            stage.deliver(2, 1);
        }
        stage
    };
    let colors = |stage: &Stage<Lme1>| [0, 1].map(|k| Tokens::color(&stage.processes[k]));
    let stage = run(Variant::Published);
    assert_eq!(colors(&stage), [Some(-1); 2], "{}", stage.story);
    let mut stage = run(Variant::Repaired);
    assert_eq!(colors(&stage), [None; 2], "{}", stage.story);
    stage.deliver_all();
    assert_ne!(stage.processes[0].color(), stage.processes[1].color(), "{}", stage.story);
}

/// 0 lacks three forks of high neighbors. Published, it asks all of them again for each that comes.
#[test]
fn d7_a_fork_is_asked_for_once() {
    let asked = |variant| {
        let star: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
        let mut stage = given(4, star, variant);
        (1..4).for_each(|node| stage.request(node));
        stage.deliver_all();
        (1..4).for_each(|node| stage.release(node));
        stage.deliver_all();
        stage.request(0);
        stage.deliver_all();
        assert_eq!(stage.processes[0].status(), Status::Critical, "{}", stage.story);
        let asks = |line: &&str| line.starts_with("    n0 -> ") && line.ends_with("Req");
        stage.story.lines().filter(asks).count()
    };
    assert_eq!([Variant::Published, Variant::Repaired].map(asked), [6, 3]);
}

/// A node that eats and moves next to another stops eating, and starts again from the beginning.
#[test]
fn who_moves_next_to_somebody_stops_eating() {
    let mut stage = greedy(2, &[], Variant::Repaired);
    stage.request(0);
    stage.request(1);
    assert_eq!(status(&stage), [Status::Critical; 2]);
    stage.up(0, 1);
    assert_eq!(status(&stage), [Status::Critical, Status::Waiting], "{}", stage.story);
    assert!(stage.story.contains("n1 Demote"));
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Critical, Status::Waiting]);
    stage.release(0);
    stage.deliver_all();
    assert_eq!(status(&stage), [Status::Remainder, Status::Critical], "{}", stage.story);
}

/// Section 4.1, Figure 4: 1 waits for the fork of its low neighbor 0, which stopped; 0 moves away,
/// so 1 goes back to the entry of the inner doorway and gets in.
#[test]
fn the_return_path_is_taken_when_a_low_neighbor_leaves() {
    let mut stage = given(2, PAIR, Variant::Repaired);
    stage.request(0);
    stage.request(1);
    stage.deliver(1, 0);
    stage.deliver(1, 0);
    stage.deliver(1, 0);
    assert_eq!(status(&stage), [Status::Critical, Status::Waiting]);
    assert!(stage.processes[0].suspends(NodeId(1)));
    stage.lose(0, 1);
    assert_eq!(status(&stage), [Status::Critical; 2], "no neighbors any more\n{}", stage.story);
}
