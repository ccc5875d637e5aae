//! Fences and quorums, with processes that do what they are told.

use driftlock_core::{
    Graph, Input, NoTimer, NodeId, Out, Protocol, ResourceId, Status, Ticks, Tokens,
};

use super::Monitor;
use crate::links::Downfall;
use crate::progress::Calm;
use crate::{Promise, Rules, Violation};

/// Enters at the next message with the epoch in it; another one while inside is a new epoch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Puppet {
    status: Status,
    epoch: u64,
}

impl Protocol for Puppet {
    type Msg = u64;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<u64>, out: &mut Out<u64>) {
        match input {
            Input::RequestCs(_) => self.status = Status::Waiting,
            Input::Recv { msg, .. } => {
                self.epoch = msg;
                if self.status == Status::Waiting {
                    self.status = Status::Critical;
                    out.enter_cs();
                }
            }
            _ => self.status = Status::Remainder,
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Tokens for Puppet {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &u64) -> u32 {
        0
    }

    fn epoch(&self) -> u64 {
        self.epoch
    }
}

/// A line of nodes.
struct Line {
    puppets: Vec<Puppet>,
    monitor: Monitor,
}

impl Line {
    fn new(n: u32, rules: Rules) -> Self {
        let mut graph = Graph::new(n as usize);
        for k in 1..n {
            graph.link(NodeId(k - 1), NodeId(k));
        }
        let puppets = vec![Puppet { status: Status::Remainder, epoch: 0 }; n as usize];
        let monitor = Monitor::new(&puppets, rules).on(&puppets, &graph);
        Line { puppets, monitor }
    }

    fn take(&mut self, node: u32, input: Input<u64>) {
        let (puppet, mut out) = (&mut self.puppets[node as usize], Out::new());
        self.monitor.before(Ticks(0), NodeId(node), puppet, &input);
        puppet.step(input, &mut out);
        self.monitor.after(NodeId(node), puppet, out.as_slice());
    }

    fn ask(&mut self, node: u32) {
        self.take(node, Input::RequestCs(ResourceId(0)));
    }

    fn tell(&mut self, node: u32, epoch: u64) {
        self.take(node, Input::Recv { from: NodeId(0), msg: epoch });
    }

    fn enter(&mut self, node: u32, epoch: u64) {
        self.ask(node);
        self.tell(node, epoch);
    }

    /// A node stops, and its links go down.
    fn crash(&mut self, node: u32) {
        self.monitor.crashed(NodeId(node));
        let last = self.puppets.len() as u32 - 1;
        let peers = [node.checked_sub(1), Some(node + 1).filter(|&peer| peer <= last)];
        for peer in peers.into_iter().flatten() {
            if !self.monitor.crashed.contains(&NodeId(peer)) {
                let fall = Downfall { in_transit: 0, joined: false };
                self.monitor.link_down(NodeId(peer), NodeId(node), fall);
            }
        }
    }

    fn promise(&self) -> Option<Promise> {
        self.monitor.violation().map(|violation| violation.promise)
    }

    /// Who waits in vain although it is owed something.
    fn starving(&mut self) -> Vec<NodeId> {
        self.monitor.calm_ended(Ticks(9), Calm::Silent, self.puppets.iter());
        self.monitor.violation().map_or(Vec::new(), |Violation { nodes, .. }| nodes.clone())
    }
}

fn rules(fenced: bool, quorum: bool) -> Rules {
    Rules { fenced, quorum, ..Rules::default() }
}

#[test]
fn behind_a_fence_only_those_of_one_epoch_exclude_each_other() {
    let mut line = Line::new(3, rules(true, false));
    line.enter(0, 1);
    line.enter(1, 2);
    assert_eq!(line.promise(), None, "the first is deposed");
    line.enter(2, 1);
    assert_eq!(line.promise(), Some(Promise::Exclusion));
    let mut open = Line::new(3, rules(false, true));
    open.enter(0, 1);
    open.enter(1, 2);
    assert_eq!(open.promise(), Some(Promise::Exclusion));
}

#[test]
fn whoever_changes_its_epoch_inside_is_judged_then() {
    let mut line = Line::new(2, rules(true, false));
    line.enter(0, 1);
    line.enter(1, 2);
    line.tell(0, 2);
    assert_eq!(line.promise(), Some(Promise::Exclusion));
}

#[test]
fn whoever_stops_inside_is_inside_no_more() {
    for (fenced, quorum, broken) in
        [(true, false, None), (false, true, None), (false, false, Some(Promise::Exclusion))]
    {
        let mut line = Line::new(3, rules(fenced, quorum));
        line.enter(0, 1);
        line.crash(0);
        line.enter(1, 1);
        assert_eq!(line.promise(), broken, "{fenced} {quorum}");
    }
}

#[test]
fn progress_is_owed_to_a_part_with_most_of_all_nodes() {
    // 0 1 2 x 4: three of five are together.
    let mut line = Line::new(5, rules(true, true));
    (0..5).for_each(|node| line.ask(node));
    line.crash(3);
    assert_eq!(line.starving(), [NodeId(0), NodeId(1), NodeId(2)]);
    // 0 1 x 3 4: no two are.
    let mut line = Line::new(5, rules(true, true));
    (0..5).for_each(|node| line.ask(node));
    line.crash(2);
    assert_eq!(line.starving(), []);
    // 0 1 x x: half is not most.
    let mut line = Line::new(4, rules(true, true));
    (0..4).for_each(|node| line.ask(node));
    line.crash(3);
    line.crash(2);
    assert_eq!(line.starving(), []);
}

/// Who is in too small a part may go on trying; nobody else may.
#[test]
fn those_who_try_in_vain_need_not_be_silent() {
    for (crashed, broken) in [(Some(1), None), (None, Some(Promise::NoStarvation))] {
        let mut line = Line::new(3, rules(true, true));
        line.ask(0);
        crashed.into_iter().for_each(|node| line.crash(node));
        line.monitor.calm_ended(Ticks(9), Calm::Restless, line.puppets.iter());
        assert_eq!(line.promise(), broken);
    }
    let mut line = Line::new(3, rules(true, true));
    line.monitor.calm_ended(Ticks(9), Calm::Restless, line.puppets.iter());
    assert_eq!(line.promise(), Some(Promise::Silence));
}
