//! Nodes that stop for good.

use std::collections::{BTreeSet, VecDeque};

use driftlock_core::{Input, NodeId, Status};
use driftlock_journal::Event as Recorded;
use driftlock_spec::links::Downfall;

use super::{Simulated, Site, World};
use crate::metrics::{Aftermath, Fate, Trouble};
use crate::scenario::Moment;
use crate::span::ticks;

impl<P: Simulated> World<'_, P> {
    /// Whether `node` has stopped for good.
    #[inline]
    pub(super) fn has_crashed(&self, node: NodeId) -> bool {
        !self.crashed.is_empty() && self.crashed.contains(&node)
    }

    /// Whether all who wait are in a part of the network too small to be owed anything.
    pub(super) fn only_others_wait(&mut self) -> bool {
        if !self.rules.quorum || self.crashed.is_empty() {
            return false;
        }
        let quorum = self.quorum.get_or_insert_with(|| self.monitor.in_quorum());
        let waits = |site: &Site<P>| site.process.status() == Status::Waiting;
        !self.sites.iter().zip(quorum).any(|(site, owed)| *owed && waits(site))
    }

    /// Whether anybody is in a part of the network that is large enough to be owed something, where
    /// nodes have stopped and that matters.
    pub(super) fn majority_left(&mut self) -> Option<bool> {
        if !self.rules.quorum || self.crashed.is_empty() {
            return None;
        }
        let quorum = self.quorum.get_or_insert_with(|| self.monitor.in_quorum());
        Some(quorum.contains(&true))
    }

    /// A script does something bad: from here on it is seen how that ends, if anyone asks.
    pub(super) fn trouble(&mut self) {
        if !self.meter.in_detail {
            return;
        }
        let sites = self.sites.iter().enumerate();
        let waiting = sites.filter(|(_, site)| site.process.status() == Status::Waiting);
        let waiting: BTreeSet<NodeId> = waiting.map(|(node, _)| NodeId::at(node)).collect();
        let waiting = waiting.difference(&self.crashed).copied().collect();
        self.trouble = Some(Trouble::new(self.now, waiting));
    }

    /// Whether all who ask have stopped for good, and the script is over. Then entries that are
    /// still to be measured never come; a time that is, does.
    pub(super) fn nobody_asks(&self) -> bool {
        if self.crashed.is_empty() || !self.untimed() {
            return false;
        }
        let requests = &self.scenario.requests;
        let gone = match &requests.nodes {
            Some(nodes) => nodes.iter().all(|&node| self.has_crashed(NodeId(node))),
            None => self.crashed.len() == self.sites.len(),
        };
        gone && self.script_is_over()
    }

    /// Whether nobody asks but the script, which is over, and everyone was served: a protocol that
    /// never falls silent would go on for ever.
    pub(super) fn goes_on_for_nobody(&self) -> bool {
        let only_script = !self.rules.silent && self.scenario.requests.rate == 0.0;
        only_script && self.waiting == 0 && self.untimed() && self.script_is_over()
    }

    /// Whether no time was said until which is measured.
    fn untimed(&self) -> bool {
        self.scenario.measure().until.is_none()
    }

    fn script_is_over(&self) -> bool {
        self.scenario.script.iter().all(|scripted| ticks(scripted.at) < self.now)
    }

    /// `node` stops for good, now or at the first such moment.
    pub(super) fn crash_once(&mut self, node: NodeId, once: Option<Moment>) {
        match once {
            Some(moment) => self.doomed.push((node, moment)),
            None => self.crash(node),
        }
    }

    /// Let those stop whose moment has come.
    pub(super) fn crash_doomed(&mut self) {
        let is_due = |world: &Self, (node, moment): (NodeId, Moment)| {
            let status = world.sites[node.index()].process.status();
            match moment {
                Moment::Waiting => status == Status::Waiting,
                Moment::Inside => status == Status::Critical,
            }
        };
        while let Some(k) = self.doomed.iter().position(|&doomed| is_due(self, doomed)) {
            let (node, _) = self.doomed.remove(k);
            self.crash(node);
        }
    }

    /// `node` stops for good: it is told nothing any more. All its links go down with what is in
    /// transit on them, unless the protocol is local: then nobody is told. What it sent over a mesh
    /// and is beyond its links lives on.
    pub(super) fn crash(&mut self, node: NodeId) {
        if self.monitor.violation().is_some() || !self.crashed.insert(node) {
            return;
        }
        match self.sites[node.index()].process.status() {
            Status::Waiting => self.waiting = self.waiting.saturating_sub(1),
            Status::Critical => self.meter.left(node, self.now),
            Status::Remainder => {}
        }
        self.timers.retain(|(of, _), _| *of != node);
        self.movers.iter_mut().for_each(|movers| movers.halt(node));
        self.monitor.crashed(node);
        self.trouble();
        self.write_down_fault(node, Recorded::Crash);
        if self.is_local() {
            return;
        }
        let peers: Vec<NodeId> = self.links.peers(node).collect();
        if self.routes.is_some() {
            // Nothing goes that way any more, whoever is told first.
            peers.iter().for_each(|&peer| self.links.tore(node, peer));
            self.hold_up_leaving();
        }
        for peer in peers {
            self.lose_link(node, peer);
        }
        if self.routes.is_some() {
            self.let_go_held_up();
        }
    }

    /// The link of a node that has crashed goes down. What it sent is lost, and only the other end
    /// is told.
    fn lose_link(&mut self, crashed: NodeId, peer: NodeId) {
        if self.routes.is_none() {
            for _ in 0..self.links.on_the_way(crashed, peer) {
                self.write_down_fault(peer, Recorded::Lose(crashed));
            }
            self.links.fell(crashed, peer);
        }
        self.monitor.link_down(peer, crashed, Downfall { in_transit: 0, joined: true });
        self.meter.link_changed();
        self.step(peer, Input::LinkDown { peer: crashed });
    }

    /// Who still waits when all is over, and how far that is from those who have stopped.
    pub(super) fn fates(&self) -> Vec<Fate> {
        let mut fates = vec![Fate::default(); self.sites.len()];
        let mut queue: VecDeque<NodeId> = self.crashed.iter().copied().collect();
        queue.iter().for_each(|node| fates[node.index()].distance = Some(0));
        while let Some(node) = queue.pop_front() {
            let farther = fates[node.index()].distance.map(|links| links + 1);
            for peer in self.links.peers(node) {
                if fates[peer.index()].distance.is_none() {
                    fates[peer.index()].distance = farther;
                    queue.push_back(peer);
                }
            }
        }
        for (node, fate) in fates.iter_mut().enumerate() {
            let waits = self.sites[node].process.status() == Status::Waiting;
            fate.starves = waits && !self.has_crashed(NodeId::at(node));
        }
        fates
    }

    /// The same in numbers.
    pub(super) fn aftermath(&self, fates: &[Fate]) -> Aftermath {
        let starving = fates.iter().filter(|fate| fate.starves);
        Aftermath {
            crashed: self.crashed.len() as u64,
            starving: starving.clone().count() as u64,
            reach: starving.filter_map(|fate| fate.distance).max(),
        }
    }
}
