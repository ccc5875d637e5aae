//! The applications: who asks when, and how long it stays.

use driftlock_core::{Graph, Input, NodeId, ResourceId, Status};

use super::{Event, Phase, Simulated, World};
use crate::changes;
use crate::dice::Stream;
use crate::scenario::ScenarioError;
use crate::span::ticks;

impl<P: Simulated> World<'_, P> {
    /// Put the first request of every node, the first link change and the script on the agenda.
    pub(super) fn plan_ahead(&mut self, graph: &Graph) -> Result<(), ScenarioError> {
        let n = graph.n_nodes();
        self.scenario.check_nodes(n)?;
        match &self.scenario.requests.nodes {
            Some(nodes) => nodes.iter().for_each(|&node| self.think(NodeId(node))),
            None => graph.nodes().for_each(|node| self.think(node)),
        }
        for scripted in &self.scenario.script {
            if let Some(node) = scripted.request {
                self.agenda.schedule(ticks(scripted.at), Event::Request(NodeId(node)));
            }
        }
        for (at, change) in changes::scripted(graph, &self.scenario.script)? {
            self.agenda.schedule(at, Event::ScriptedChange(change));
        }
        if let Some(changes) = &self.changes {
            self.agenda.schedule(changes.due(), Event::Change);
        }
        Ok(())
    }

    /// Draw how long `node` thinks before it asks.
    fn think(&mut self, node: NodeId) {
        if let Some(pause) = self.pause {
            let index = u64::from(self.sites[node.index()].asked);
            let pause = pause.draw(|| self.dice.draw(Stream::Requests, node.0, index));
            self.agenda.schedule(self.now + pause, Event::Request(node));
        }
    }

    pub(super) fn request(&mut self, node: NodeId) {
        let site = &mut self.sites[node.index()];
        if site.process.status() != Status::Remainder {
            site.backlog += 1;
            return;
        }
        site.asked_at = self.now;
        site.asked += 1;
        if self.waiting == 0 {
            self.served_at = self.now;
        }
        self.waiting += 1;
        self.step(node, Input::RequestCs(ResourceId(0)));
    }

    pub(super) fn enter(&mut self, node: NodeId) {
        self.waiting = self.waiting.saturating_sub(1);
        self.served_at = self.now;
        let site = &mut self.sites[node.index()];
        site.visits += 1;
        let (wait, visit) = (self.now - site.asked_at, site.visits);
        let index = u64::from(visit);
        let stay = self.stay.draw(|| self.dice.draw(Stream::Critical, node.0, index));
        self.agenda.schedule(self.now + stay, Event::Release(node, visit));
        if self.phase == Phase::Storm && self.meter.entered(node, self.now, wait) {
            self.end_storm();
        }
    }

    pub(super) fn release(&mut self, node: NodeId, visit: u32) {
        if self.sites[node.index()].visits != visit {
            return;
        }
        self.step(node, Input::ReleaseCs);
        let backlog = &mut self.sites[node.index()].backlog;
        if *backlog > 0 {
            *backlog -= 1;
            self.agenda.schedule(self.now, Event::Request(node));
        } else if self.phase == Phase::Storm {
            self.think(node);
        }
    }
}
