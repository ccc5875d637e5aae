//! The applications: who asks when, and how long it stays.

use std::collections::VecDeque;

use driftlock_core::{Graph, Input, NodeId, ResourceId, Status};

use super::traced::Walk;
use super::{Event, Phase, Simulated, World};
use crate::changes;
use crate::dice::{self, Stream};
use crate::metrics::Wait;
use crate::scenario::ScenarioError;
use crate::span::ticks;

impl<P: Simulated> World<'_, P> {
    /// Put the first request of every node, the first link change and the script on the agenda.
    pub(super) fn plan_ahead(&mut self, graph: &Graph) -> Result<(), ScenarioError> {
        let n = graph.n_nodes();
        self.scenario.check_nodes(n)?;
        if let Some(due) = self.walk.as_ref().and_then(Walk::due) {
            self.agenda.schedule(due, Event::Traced);
        }
        match &self.scenario.requests.nodes {
            Some(nodes) => nodes.iter().for_each(|&node| self.think(NodeId(node))),
            None => graph.nodes().for_each(|node| self.think(node)),
        }
        for scripted in &self.scenario.script {
            let at = ticks(scripted.at);
            if let Some(node) = scripted.request {
                let resource = scripted.resource.map(|number| ResourceId(number.into()));
                self.agenda.schedule(at, Event::Request(NodeId(node), resource));
            }
            if let Some(kind) = &scripted.lose {
                self.agenda.schedule(at, Event::Lose(kind_of::<P>(kind)?));
            }
            if let Some(node) = scripted.crash {
                self.agenda.schedule(at, Event::Crash(NodeId(node), scripted.once));
            }
        }
        let (apart, silent) = (self.apart(), self.is_local());
        for (at, change) in changes::scripted(graph, &self.scenario.script, apart, silent)? {
            self.agenda.schedule(at, Event::ScriptedChange(change));
        }
        if let Some(movers) = &self.movers {
            for node in graph.nodes() {
                let first = movers.first(node);
                first.into_iter().for_each(|at| self.agenda.schedule(at, Event::Move(node)));
            }
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
            self.agenda.schedule(self.now + pause, Event::Request(node, None));
        }
    }

    pub(super) fn request(&mut self, node: NodeId, resource: Option<ResourceId>) {
        if self.has_crashed(node) || self.postpones(node, resource) {
            return;
        }
        let site = &mut self.sites[node.index()];
        if site.process.status() != Status::Remainder {
            return self.backlog.entry(node).or_default().push_back(resource);
        }
        let index = u64::from(site.asked);
        (site.asked_at, site.moved) = (self.now, false);
        site.asked += 1;
        if self.waiting == 0 {
            self.served_at = self.now;
        }
        self.waiting += 1;
        let resource = resource.unwrap_or_else(|| self.choose(node, index));
        self.sites[node.index()].wanted = resource;
        self.step(node, Input::RequestCs(resource));
    }

    /// Draw what `node` asks for this time. Where there is no choice, nothing is drawn.
    fn choose(&self, node: NodeId, index: u64) -> ResourceId {
        let resources = self.scenario.resources();
        if resources < 2 {
            return ResourceId(0);
        }
        let number = self.dice.draw(Stream::Resources, node.0, index);
        chosen(number, resources, self.scenario.requests.popular)
    }

    pub(super) fn enter(&mut self, node: NodeId) {
        self.waiting = self.waiting.saturating_sub(1);
        self.served_at = self.now;
        let site = &mut self.sites[node.index()];
        site.visits += 1;
        let (visit, wanted, still) = (site.visits, site.wanted, !site.moved);
        if self.rules.fenced {
            self.meter.deposes(node, site.process.epoch());
        }
        let wait = Wait { ticks: self.now - site.asked_at, still };
        let index = u64::from(visit);
        let stay = self.stay.draw(|| self.dice.draw(Stream::Critical, node.0, index));
        self.agenda.schedule(self.now + stay, Event::Release(node, visit));
        if let Some(trouble) = &mut self.trouble {
            trouble.entered(node, self.now);
        }
        if self.phase == Phase::Storm && self.meter.entered(node, wanted, self.now, wait) {
            self.end_storm();
        }
    }

    /// The application of `node` has to wait again: that is another wait.
    pub(super) fn demote(&mut self, node: NodeId) {
        let site = &mut self.sites[node.index()];
        site.visits += 1;
        (site.asked_at, site.moved) = (self.now, false);
        self.waiting += 1;
        self.meter.demoted(node, self.now);
    }

    pub(super) fn release(&mut self, node: NodeId, visit: u32) {
        if self.sites[node.index()].visits != visit || self.has_crashed(node) {
            return;
        }
        self.meter.left(node, self.now);
        self.step(node, Input::ReleaseCs);
        if let Some(resource) = self.backlog.get_mut(&node).and_then(VecDeque::pop_front) {
            self.agenda.schedule(self.now, Event::Request(node, resource));
        } else if self.phase == Phase::Storm {
            self.think(node);
        }
    }
}

/// The place of a kind of message among all kinds of the protocol.
fn kind_of<P: Simulated>(name: &str) -> Result<usize, ScenarioError> {
    P::KINDS.iter().position(|kind| *kind == name).ok_or_else(|| {
        let kinds = P::KINDS.join(", ");
        let what = format!("there are no messages of kind `{name}`, the kinds are {kinds}");
        ScenarioError::value("script", &what)
    })
}

/// The resource for a random number: so often 0 if it is popular, and otherwise all alike.
fn chosen(number: u64, resources: u32, popular: Option<f64>) -> ResourceId {
    let Some(popular) = popular else {
        let wide = u128::from(number) * u128::from(resources);
        return ResourceId((wide >> 64) as u64);
    };
    let share = dice::unit(number);
    if share <= popular {
        return ResourceId(0);
    }
    let others = f64::from(resources - 1);
    let place = (share - popular) / (1.0 - popular) * others;
    ResourceId(u64::from(1 + (place as u32).min(resources - 2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    fn counted(resources: u32, popular: Option<f64>) -> Vec<u32> {
        let mut die = Dice::new(2).sequence(Stream::Resources);
        let mut count = vec![0; resources as usize];
        for _ in 0..30_000 {
            count[chosen(die.draw(), resources, popular).0 as usize] += 1;
        }
        count
    }

    #[test]
    fn resources_are_alike_unless_one_is_popular() {
        for count in counted(3, None) {
            assert!((9_600..10_400).contains(&count));
        }
        let count = counted(3, Some(0.8));
        assert!((23_600..24_400).contains(&count[0]), "{count:?}");
        assert!((2_700..3_300).contains(&count[1]), "{count:?}");
        assert_eq!(counted(2, Some(1.0)), [30_000, 0]);
        assert_eq!(counted(2, Some(0.0)), [0, 30_000]);
    }

    #[test]
    fn the_ends_of_the_dice_are_resources_too() {
        for popular in [None, Some(0.0), Some(0.3), Some(1.0)] {
            for number in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
                assert!(chosen(number, 4, popular).0 < 4);
            }
        }
    }
}
