//! Figures 3 and 4 of Walter, Welch and Vaidya (2001), as section 4.4 tells them.
//!
//! The figures give no heights in the text, so these follow from what section 4.4 says: node 1
//! sends its request to 3 and not to 2, and has no way down but 3.

use std::fmt::Write;

use driftlock_core::{NodeId, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};

use crate::stage::{Stage, check_golden};

const LINKS: [(u32, u32); 5] = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const HEIGHTS: [(i64, i64); 4] = [(0, 0), (0, 2), (0, 3), (0, 1)];

/// Part (a) of both figures: 0 is in the critical section, 2 and 3 wait, and are on its queue.
fn part_a(variant: Variant) -> Stage<Rl> {
    let mut stage = Stage::new(4, &LINKS, &Config { variant, heights: HEIGHTS.to_vec() });
    stage.heading("(a) 0 is in the critical section, 3 and 2 have asked for it");
    stage.request(0);
    stage.request(3);
    stage.request(2);
    stage.deliver(3, 0);
    stage.deliver(2, 0);
    snapshot(&mut stage);
    assert_eq!(q(&stage, 0), [3, 2]);
    stage
}

/// Heights, queues and next pointers, as the figures draw them.
fn snapshot(stage: &mut Stage<Rl>) {
    for (k, process) in stage.processes.iter().enumerate() {
        let queue: Vec<String> = process.q().iter().map(|node| node.to_string()).collect();
        let next = process.next().map_or("nobody".into(), |node| node.to_string());
        let height = process.my_height();
        let _ = writeln!(stage.story, "  n{k} {height} Q=[{}] next={next}", queue.join(","));
    }
}

fn q(stage: &Stage<Rl>, node: usize) -> Vec<u32> {
    stage.processes[node].q().iter().map(|other| other.0).collect()
}

fn next(stage: &Stage<Rl>, node: usize) -> Option<u32> {
    stage.processes[node].next().map(|other| other.0)
}

#[test]
fn figure_3_static_network() {
    let variants = [Variant::Published, Variant::Repaired];
    let [published, repaired] = variants.map(figure_3);
    assert_eq!(published, repaired, "the departures change nothing here");
    check_golden("rl_fig3", &repaired);
}

fn figure_3(variant: Variant) -> String {
    let mut stage = part_a(variant);
    stage.heading("(b) 1 asks 3");
    stage.request(1);
    stage.deliver(1, 3);
    snapshot(&mut stage);
    assert_eq!((q(&stage, 1), q(&stage, 3)), (vec![1], vec![3, 1]));

    stage.heading("(c) 0 leaves; the token goes to 3, with a request on behalf of 2");
    stage.release(0);
    stage.deliver(0, 3);
    snapshot(&mut stage);
    assert_eq!(stage.processes[3].my_height().h2, -1);
    assert_eq!((next(&stage, 0), next(&stage, 3)), (Some(3), Some(3)));

    stage.heading("(d) 3 leaves; the token goes to 1, with a request on behalf of 0");
    stage.deliver(3, 0);
    stage.deliver(0, 3);
    stage.release(3);
    stage.deliver(3, 1);
    stage.deliver(1, 3);
    stage.deliver(3, 1);
    snapshot(&mut stage);
    assert_eq!((q(&stage, 1), q(&stage, 3), q(&stage, 0)), (vec![3], vec![0], vec![2]));

    stage.heading("(e) 1 leaves; the token goes by 3 and 0 to 2");
    stage.release(1);
    stage.deliver_all();
    snapshot(&mut stage);
    let status: Vec<Status> =
        stage.processes.iter().map(driftlock_core::Protocol::status).collect();
    assert_eq!(status[2], Status::Critical);
    assert!(status.iter().enumerate().all(|(k, s)| (*s == Status::Critical) == (k == 2)));
    let lowest = (0..4).min_by_key(|&k| stage.processes[k].my_height());
    assert_eq!(lowest, Some(2), "the holder is the lowest of all");
    assert_eq!(stage.processes[2].my_height().h2, -5, "h2 falls by 1 with each of 5 hops");
    stage.story
}

#[test]
fn figure_4_dynamic_network() {
    let variants = [Variant::Published, Variant::Repaired];
    let [published, repaired] = variants.map(figure_4);
    assert_eq!(
        published,
        repaired.replace("#1", ""),
        "nothing differs but that raises are numbered"
    );
    check_golden("rl_fig4", &published);
}

fn figure_4(variant: Variant) -> String {
    let mut stage = part_a(variant);
    stage.heading("(b) 3 moves away from 2; 2 does nothing");
    stage.down(2, 3);
    assert_eq!(next(&stage, 2), Some(0));
    stage.heading("(b, c) 3 moves away from 0, raises its height and asks 1");
    stage.down(0, 3);
    snapshot(&mut stage);
    assert_eq!((q(&stage, 0), next(&stage, 3)), (vec![2], Some(1)));
    assert_eq!(stage.processes[3].my_height().h1, 1);

    stage.heading("(d) 1 raises its height, for it has lost its last way down");
    stage.deliver(3, 1);
    snapshot(&mut stage);
    assert_eq!(stage.processes[1].my_height().h1, 1);
    assert!(stage.processes[1].my_height() < stage.processes[3].my_height());

    stage.heading("(d, e) the request of 3 reaches 1, which asks 2");
    stage.deliver(3, 1);
    assert_eq!((q(&stage, 1), next(&stage, 1)), (vec![3], Some(2)));
    stage.heading("(e) 2 takes note of 1 and sends nothing: its request to 0 still stands");
    stage.deliver(1, 2);
    stage.deliver(1, 2);
    snapshot(&mut stage);
    assert_eq!((q(&stage, 2), next(&stage, 2)), (vec![2, 1], Some(0)));
    assert!(stage.processes[2].my_height() < stage.processes[1].my_height());
    assert_eq!(stage.channels[&(NodeId(2), NodeId(0))].len(), 0);
    stage.story
}
