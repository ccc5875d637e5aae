//! Chandy and Misra's philosophers by hand.

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::chandy_misra::ChandyMisra;

use crate::stage::{Stage, check_golden};

fn path(n: usize) -> Stage<ChandyMisra> {
    let links: Vec<(u32, u32)> = (1..n as u32).map(|k| (k - 1, k)).collect();
    Stage::new(n, &links, &())
}

fn eats(stage: &Stage<ChandyMisra>, k: usize) -> bool {
    stage.processes[k].status() == Status::Critical
}

/// All forks of a path are dirty and lead to the left; who is asked gives a dirty one away.
#[test]
fn a_dirty_fork_is_given_away_and_arrives_clean() {
    let mut stage = path(3);
    stage.request(1);
    assert!(!eats(&stage, 1), "the fork of 0 and 1 is with 0");
    stage.deliver_all();
    assert!(eats(&stage, 1));
    let one = &stage.processes[1];
    assert!([0, 2].iter().all(|&j| one.has_fork(NodeId(j)) && one.is_dirty(NodeId(j))));
    check_golden("chandy_misra_path", &stage.story);
}

/// 1 waits for 0, which eats, and has a clean fork from nobody; so 2 takes the dirty one. Once it
/// has come back, it is clean, and 1 keeps it.
#[test]
fn a_clean_fork_is_kept_until_its_holder_has_eaten() {
    let mut stage = path(3);
    stage.request(0);
    assert!(eats(&stage, 0));
    stage.request(2);
    stage.request(1);
    stage.deliver_all();
    assert!(eats(&stage, 2) && stage.processes[2].has_request_token(NodeId(1)));
    stage.release(2);
    stage.request(2);
    stage.deliver_all();
    assert!(stage.processes[1].has_fork(NodeId(2)) && !stage.processes[1].is_dirty(NodeId(2)));
    assert!(!eats(&stage, 2), "{}", stage.story);
    stage.release(0);
    stage.deliver_all();
    assert!(eats(&stage, 1), "{}", stage.story);
    stage.release(1);
    stage.deliver_all();
    assert!(eats(&stage, 2), "{}", stage.story);
}

/// Node 0 stops while it eats: 1 waits for it with a clean fork that 2 wants, and so on.
#[test]
fn a_node_that_stops_holds_up_the_whole_path() {
    let mut stage = path(6);
    for k in 0..6 {
        stage.request(k);
        stage.deliver_all();
        stage.release(k);
    }
    for k in 0..6 {
        stage.request(k);
        stage.deliver_all();
    }
    let waiting = |process: &ChandyMisra| process.status() == Status::Waiting;
    let waiting: Vec<bool> = stage.processes.iter().map(waiting).collect();
    assert_eq!(waiting, [false, true, true, true, true, true], "{}", stage.story);
}
