//! Figures 2 to 5 of Walter, Cao and Mohanty (2001), as sections 4.2 to 4.4 tell them.
//!
//! The figures themselves are lost, so links and heights follow from what the text says happens:
//! whom each node asks, who loses its last way down, whom a token is forwarded to.

use std::fmt::Write;

use driftlock_core::{NodeId, Protocol, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::krl::{Config, Forwarding, Krl};

use crate::stage::{Stage, check_golden};

/// Figures 2 and 3: 4 asks 1 and not 2; the only way down from 3 is 0; 1 is above 3.
const LINKS: [(u32, u32); 5] = [(0, 2), (0, 3), (1, 4), (2, 3), (2, 4)];
const HEIGHTS: [(i64, i64); 5] = [(0, 0), (0, 2), (0, 3), (0, 1), (0, 4)];

/// Figures 4 and 5, with other numbers, since here the tokens are at 0 and 1 at first: 0 is node 3
/// of the figures, 1 is 5, 2 is 0, 3 is 2, 4 is 1, 5 is 4, and 6 is 6.
const RING_AND_TAIL: [(u32, u32); 7] = [(0, 2), (2, 3), (3, 4), (0, 4), (0, 5), (1, 5), (1, 6)];
const RING_AND_TAIL_HEIGHTS: [(i64, i64); 7] =
    [(0, 0), (0, -1), (0, 1), (0, 4), (0, 3), (0, 2), (0, 0)];

fn config(variant: Variant, forwarding: Forwarding, heights: &[(i64, i64)]) -> Config {
    // Heights as in the paper, without reference levels (D10).
    let heights = heights.to_vec();
    Config { detects: false, heights, ..Config::new(variant, 2, forwarding) }
}

/// Heights, queues, next pointers and tokens, as the figures draw them.
fn snapshot(stage: &Stage<Krl>) -> String {
    let mut drawn = String::new();
    for (k, process) in stage.processes.iter().enumerate() {
        let queue: Vec<String> = process.q().iter().map(|node| node.to_string()).collect();
        let next = process.next().map_or("nobody".into(), |node| node.to_string());
        let (height, tokens) = (process.my_height(), process.num_tokens());
        let tokens = if tokens > 0 { format!(" tokens={tokens}") } else { String::new() };
        let _ = writeln!(drawn, "  n{k} {height} Q=[{}] next={next}{tokens}", queue.join(","));
    }
    drawn
}

fn draw(stage: &mut Stage<Krl>) {
    let drawn = snapshot(stage);
    stage.story.push_str(&drawn);
}

fn q(stage: &Stage<Krl>, node: usize) -> Vec<u32> {
    stage.processes[node].q().iter().map(|other| other.0).collect()
}

fn next(stage: &Stage<Krl>, node: usize) -> Option<u32> {
    stage.processes[node].next().map(|other| other.0)
}

fn tokens(stage: &Stage<Krl>) -> Vec<usize> {
    (0..stage.processes.len()).filter(|&k| stage.processes[k].num_tokens() > 0).collect()
}

/// Part (a) of Figures 2 and 3: 3 and 2 have asked 0, 4 has asked 1.
fn part_a(variant: Variant) -> Stage<Krl> {
    let mut stage = Stage::new(5, &LINKS, &config(variant, Forwarding::Never, &HEIGHTS));
    stage.heading("(a) 0 and 1 are in the critical section, 3 and 2 have asked 0, 4 has asked 1");
    for node in [0, 1, 3, 2, 4] {
        stage.request(node);
        stage.deliver_all();
    }
    draw(&mut stage);
    assert_eq!((q(&stage, 0), q(&stage, 1)), (vec![3, 2], vec![4]));
    stage
}

fn figure_2(variant: Variant) -> Stage<Krl> {
    let mut stage = part_a(variant);
    stage.heading("(b) 0 gives its token to 3 and asks for it, for 2; 1 gives its token to 4");
    stage.release(0);
    stage.release(1);
    stage.request(1);
    stage.deliver_all();
    draw(&mut stage);
    assert_eq!(tokens(&stage), [3, 4]);
    assert_eq!((q(&stage, 3), q(&stage, 4)), (vec![0], vec![1]));
    assert_eq!([0, 1, 3, 4].map(|k| next(&stage, k)), [Some(3), Some(4), Some(3), Some(4)]);

    stage.heading("(c) 4 gives its token to 1; that of 3 goes to 2 by way of 0");
    stage.release(4);
    stage.release(3);
    stage.deliver_all();
    draw(&mut stage);
    assert_eq!(tokens(&stage), [1, 2]);
    assert!((0..5).all(|k| q(&stage, k).is_empty()));

    stage.heading("(d) 1 and 2 leave; 4 asks 2, its lowest neighbor");
    stage.release(1);
    stage.release(2);
    stage.request(4);
    draw(&mut stage);
    assert_eq!(next(&stage, 4), Some(2));

    stage.heading("(e) 4 takes the token from 2");
    stage.deliver(4, 2);
    stage.deliver(2, 4);
    draw(&mut stage);
    assert_eq!(stage.processes[4].status(), Status::Critical);

    stage.heading("(f) 1 has nobody above it, and lowers itself below all its neighbors");
    stage.deliver_all();
    draw(&mut stage);
    let below = |k: u32| stage.processes[1].my_height() < stage.processes[k as usize].my_height();
    assert!(below(4) && stage.story.contains("n1 does LowerHeight"));
    stage
}

#[test]
fn krl_figure_2_static_network() {
    let [published, repaired] = [Variant::Published, Variant::Repaired].map(figure_2);
    check_golden("krl_fig2", &repaired.story);
    assert!(!repaired.story.contains("RaiseHeight"), "in a static network nobody raises itself");
    assert_eq!((tokens(&published), tokens(&repaired)), (vec![1, 4], vec![1, 4]));
}

/// 3 moves: it loses 0 and 2, and comes within reach of 1.
fn figure_3(variant: Variant) -> Stage<Krl> {
    let mut stage = part_a(variant);
    stage.heading("(b) 1 has given its token to 4; 3 moves to 1, and has no way down");
    stage.release(1);
    stage.deliver_all();
    stage.up(1, 3);
    stage.deliver_all();
    stage.down(2, 3);
    assert_eq!(next(&stage, 2), Some(0), "2 takes no action");

    stage.heading("(c) 0 drops 3 from its queue; 3 raises itself and asks 1");
    stage.down(0, 3);
    assert_eq!(q(&stage, 0), [2]);
    assert_eq!(next(&stage, 3), Some(1));
    assert!(stage.processes[3].my_height() > stage.processes[1].my_height());
    stage.deliver_all();
    draw(&mut stage);
    assert_eq!((q(&stage, 1), q(&stage, 4)), (vec![3], vec![1]));

    stage.heading("(d), (e) 0 gives its token to 2, 4 to 1, and 1 to 3");
    stage.release(0);
    stage.release(4);
    stage.deliver_all();
    draw(&mut stage);
    assert_eq!(tokens(&stage), [2, 3]);
    stage
}

#[test]
fn krl_figure_3_dynamic_network() {
    let [published, repaired] = [Variant::Published, Variant::Repaired].map(figure_3);
    check_golden("krl_fig3", &repaired.story);
    assert_eq!(tokens(&published), tokens(&repaired));
}

/// 1 is inside, 5 and 6 wait for it, and 0 has just left.
fn figure_4(variant: Variant, forwarding: Forwarding) -> Stage<Krl> {
    let config = config(variant, forwarding, &RING_AND_TAIL_HEIGHTS);
    let mut stage = Stage::new(7, &RING_AND_TAIL, &config);
    stage.heading("1 and 0 are in the critical section, 5 and 6 have asked 1");
    for node in [0, 1, 6, 5] {
        stage.request(node);
        stage.deliver_all();
    }
    draw(&mut stage);
    assert_eq!((q(&stage, 0), q(&stage, 1)), (vec![], vec![6, 5]));
    stage.heading("0 leaves");
    stage.release(0);
    stage.deliver_all();
    draw(&mut stage);
    stage
}

#[test]
fn krl_figure_4_an_idle_token() {
    let [published, repaired] =
        [Variant::Published, Variant::Repaired].map(|v| figure_4(v, Forwarding::Never));
    check_golden("krl_fig4", &repaired.story);
    for stage in [published, repaired] {
        assert_eq!(stage.processes[0].num_tokens(), 1, "the token of 0 is idle");
        assert_eq!(stage.processes[5].status(), Status::Waiting, "though 5, its neighbor, waits");
    }
}

#[test]
fn krl_figure_5_the_token_finds_who_waits() {
    let [published, repaired] =
        [Variant::Published, Variant::Repaired].map(|v| figure_4(v, Forwarding::Always));
    check_golden("krl_fig5", &repaired.story);
    for stage in [&published, &repaired] {
        let way: Vec<&str> = ["n0 -> n2", "n2 -> n3", "n3 -> n4", "n4 -> n0", "n0 -> n5"].into();
        let passed = stage.story.lines().filter(|line| line.contains(" Token("));
        let passed: Vec<String> =
            passed.filter(|line| line.contains("->")).map(str::to_owned).collect();
        assert_eq!(passed.len(), way.len(), "{passed:?}");
        assert!(passed.iter().zip(way).all(|(line, hop)| line.contains(hop)), "{passed:?}");
        assert_eq!(stage.processes[5].status(), Status::Critical);
        let visited = [2, 4, 5].map(|k| stage.processes[0].visited(NodeId(k)));
        assert_eq!(visited, [Some(true); 3], "all links of 0 are marked");
    }
}
