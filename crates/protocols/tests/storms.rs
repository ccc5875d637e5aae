//! Random schedules of protocols that let several nodes in at once: storm, then calm, with what the
//! protocol promises judged after every step.

use std::collections::BTreeSet;

use driftlock_core::{Graph, Initial, Input, NodeId, ResourceId, Status};

use crate::schedules::Lcg;
use crate::stage::{Stage, graph};

/// What can happen in a storm.
#[derive(Clone, Copy)]
pub(crate) struct Weather {
    pub(crate) requests: usize,
    pub(crate) resources: usize,
    pub(crate) changes: usize,
    /// Whether messages on one channel may overtake each other.
    pub(crate) overtaking: bool,
}

/// A network in a storm.
pub(crate) struct Storm<P: Initial> {
    pub(crate) stage: Stage<P>,
    /// What each node asked for last.
    pub(crate) wanted: Vec<ResourceId>,
    pub(crate) links: Graph,
    /// Whether links may go down with messages in transit, which are lost, and the network may fall
    /// apart. Either end of a new link may be the one that moved then.
    pub(crate) rough: bool,
    speeds: Vec<usize>,
    dice: Lcg,
}

/// What can happen next.
#[derive(Clone, Copy)]
enum Act {
    Deliver(NodeId, NodeId),
    Release(NodeId),
    Request(NodeId),
    Change,
}

impl<P: Initial> Storm<P> {
    /// A random connected network of `n` nodes.
    pub(crate) fn new(n: usize, seed: u64, config: &P::Config) -> Self {
        let mut dice = Lcg(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut pairs = BTreeSet::new();
        for k in 1..n {
            pairs.insert((dice.below(k) as u32, k as u32));
        }
        for _ in 0..dice.below(n * n / 2 + 1) {
            let (a, b) = (dice.below(n) as u32, dice.below(n) as u32);
            if a != b {
                pairs.insert((a.min(b), a.max(b)));
            }
        }
        let list: Vec<(u32, u32)> = pairs.into_iter().collect();
        let speeds = (0..n * n).map(|_| [1, 1, 4, 30][dice.below(4)]).collect();
        let wanted = vec![ResourceId(0); n];
        let (stage, links) = (Stage::new(n, &list, config), graph(n, &list));
        Storm { stage, wanted, links, rough: false, speeds, dice }
    }

    /// Storm, then calm, until nothing can happen. `judge` is asked after every step. Returns who
    /// waits at the end.
    pub(crate) fn run(&mut self, weather: Weather, judge: &dyn Fn(&Self)) -> Vec<usize> {
        let mut left = weather;
        for _ in 0..200_000 {
            let Some(act) = self.pick(left) else {
                let waits = |k: &usize| self.stage.processes[*k].status() == Status::Waiting;
                return (0..self.wanted.len()).filter(waits).collect();
            };
            self.act(act, &mut left);
            judge(self);
        }
        panic!("the network never falls silent\n{}", self.stage.story)
    }

    fn pick(&mut self, left: Weather) -> Option<Act> {
        let mut choices: Vec<(usize, Act)> = Vec::new();
        let n = self.wanted.len();
        for (&(from, to), channel) in &self.stage.channels {
            if !channel.is_empty() {
                choices.push((self.speeds[from.index() * n + to.index()], Act::Deliver(from, to)));
            }
        }
        for node in self.links.nodes() {
            match self.stage.processes[node.index()].status() {
                Status::Critical => choices.push((3, Act::Release(node))),
                Status::Remainder if left.requests > 0 => choices.push((2, Act::Request(node))),
                _ => {}
            }
        }
        if left.changes > 0 {
            choices.push((4, Act::Change));
        }
        let total: usize = choices.iter().map(|choice| choice.0).sum();
        let mut pick = self.dice.below(total.max(1));
        choices.into_iter().find_map(|(weight, act)| {
            let hit = pick < weight;
            pick = pick.saturating_sub(weight);
            hit.then_some(act)
        })
    }

    fn act(&mut self, act: Act, left: &mut Weather) {
        match act {
            Act::Deliver(from, to) => {
                if left.overtaking {
                    let channel = self.stage.channels.get_mut(&(from, to)).unwrap();
                    let first = self.dice.below(channel.len());
                    channel.rotate_left(first);
                }
                self.stage.deliver(from.0, to.0);
            }
            Act::Release(node) => self.stage.release(node.0),
            Act::Request(node) => {
                left.requests -= 1;
                let resource = ResourceId(self.dice.below(left.resources) as u64);
                self.wanted[node.index()] = resource;
                self.stage.step(node, Input::RequestCs(resource));
            }
            Act::Change => {
                left.changes -= 1;
                self.change();
            }
        }
    }

    /// A random pair flips, if the model allows it.
    fn change(&mut self) {
        let n = self.wanted.len();
        let (a, b) = (self.dice.below(n) as u32, self.dice.below(n) as u32);
        let (x, y) = (NodeId(a.min(b)), NodeId(a.max(b)));
        if a == b {
            return;
        }
        if self.rough {
            return self.rough_change(NodeId(a), NodeId(b));
        }
        if !self.links.has(x, y) {
            self.links.link(x, y);
            return self.stage.up(x.0, y.0);
        }
        let busy = |pair| self.stage.channels.get(&pair).is_some_and(|msgs| !msgs.is_empty());
        if busy((x, y)) || busy((y, x)) {
            return;
        }
        self.links.unlink(x, y);
        if self.links.is_connected() {
            self.stage.down(x.0, y.0);
        } else {
            self.links.link(x, y);
        }
    }

    /// A link comes up, `moving` being the end that moved, or it is lost with what is on it.
    fn rough_change(&mut self, still: NodeId, moving: NodeId) {
        if self.links.has(still, moving) {
            self.links.unlink(still, moving);
            self.stage.lose(still.0, moving.0);
        } else {
            self.links.link(still, moving);
            self.stage.up(still.0, moving.0);
        }
    }

    /// Those inside, with what they asked for.
    pub(crate) fn inside(&self) -> Vec<(usize, ResourceId)> {
        let inside = |k: &usize| self.stage.processes[*k].status() == Status::Critical;
        (0..self.wanted.len()).filter(inside).map(|k| (k, self.wanted[k])).collect()
    }
}
