//! Nodes that stop for good.

use driftlock_core::{Input, NodeId, Status};
use driftlock_journal::Event as Recorded;
use driftlock_spec::links::Downfall;

use super::{Simulated, World};
use crate::span::ticks;

impl<P: Simulated> World<'_, P> {
    /// Whether `node` has stopped for good.
    #[inline]
    pub(super) fn has_crashed(&self, node: NodeId) -> bool {
        !self.crashed.is_empty() && self.crashed.contains(&node)
    }

    /// Whether all who ask have stopped for good, and the script is over. Then entries that are
    /// still to be measured never come; a time that is, does.
    pub(super) fn nobody_asks(&self) -> bool {
        if self.crashed.is_empty() || self.scenario.measure().until.is_some() {
            return false;
        }
        let requests = &self.scenario.requests;
        let gone = match &requests.nodes {
            Some(nodes) => nodes.iter().all(|&node| self.has_crashed(NodeId(node))),
            None => self.crashed.len() == self.sites.len(),
        };
        gone && self.scenario.script.iter().all(|scripted| ticks(scripted.at) < self.now)
    }

    /// `node` stops for good: it is told nothing any more, and all its links go down with what is
    /// in transit on them.
    pub(super) fn crash(&mut self, node: NodeId) {
        if self.monitor.violation().is_some() || !self.crashed.insert(node) {
            return;
        }
        match self.sites[node.index()].process.status() {
            Status::Waiting => self.waiting = self.waiting.saturating_sub(1),
            Status::Critical => self.meter.left(self.now),
            Status::Remainder => {}
        }
        self.timers.retain(|(of, _), _| *of != node);
        self.monitor.crashed(node);
        self.write_down_fault(node, Recorded::Crash);
        for peer in self.links.peers(node) {
            self.lose_link(node, peer);
        }
    }

    /// The link of a node that has crashed goes down. What it sent is lost, and only the other end
    /// is told.
    fn lose_link(&mut self, crashed: NodeId, peer: NodeId) {
        for _ in 0..self.links.on_the_way(crashed, peer) {
            self.write_down_fault(peer, Recorded::Lose(crashed));
        }
        let joined = self.links.joined_without(crashed, peer, false);
        self.monitor.link_down(peer, crashed, Downfall { in_transit: 0, joined });
        self.links.fell(crashed, peer);
        self.meter.link_changed();
        self.step(peer, Input::LinkDown { peer: crashed });
    }
}
