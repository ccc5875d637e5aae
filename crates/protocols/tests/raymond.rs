//! Raymond's algorithm on small trees.

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::raymond::Raymond;

use crate::stage::Stage;

/// A line 0-1-2-3: the privilege goes to the end and turns the pointers around.
#[test]
fn the_privilege_turns_the_pointers_on_its_way() {
    let mut stage: Stage<Raymond> = Stage::new(4, &[(0, 1), (1, 2), (2, 3)], &());
    stage.request(3);
    stage.deliver_all();
    assert_eq!(stage.processes[3].status(), Status::Critical);
    let holders: Vec<u32> = stage.processes.iter().map(|process| process.holder().0).collect();
    assert_eq!(holders, [1, 2, 3, 3]);
    let sent = stage.story.lines().filter(|line| line.contains(" -> ")).count();
    assert_eq!(sent, 6, "three requests there, three privileges back");
}

/// A star: the hub asks once for all and serves them in the order they asked.
#[test]
fn a_node_asks_once_for_all_and_serves_in_order() {
    let mut stage: Stage<Raymond> = Stage::new(4, &[(0, 1), (1, 2), (1, 3)], &());
    stage.request(0);
    stage.request(3);
    stage.request(2);
    stage.deliver(3, 1);
    stage.deliver(2, 1);
    assert_eq!(stage.channels[&(NodeId(1), NodeId(0))].len(), 1);
    stage.deliver_all();
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.processes[3].status(), Status::Critical);
    stage.release(3);
    stage.deliver_all();
    assert_eq!(stage.processes[2].status(), Status::Critical);
    let held: u32 = stage.processes.iter().map(Tokens::held).sum();
    assert_eq!(held, 1);
}
