//! Nodes that are killed and wake up as they were written down: [`Naps`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use driftlock_core::{Graph, Input, NodeId, Out, Output, Protocol, ResourceId, Status, Ticks};

use crate::Replayable;
use crate::ends::{End, ends_of};
use crate::stage::{Stage, Taken};

/// What nodes were saved as, and what became of those that were killed.
pub(crate) struct Naps<P: Replayable> {
    config: P::Config,
    saved: BTreeMap<NodeId, Saved<P>>,
    /// What each was asked for last.
    wanted: BTreeMap<NodeId, ResourceId>,
    /// What nodes that have woken up have sent since over links that are gone and whose other ends
    /// were not told; it never arrives.
    pub(crate) late: BTreeMap<End, VecDeque<P::Msg>>,
}

/// What a node wakes up as.
#[derive(Clone)]
struct Saved<P> {
    process: P,
    /// The links that it was told of.
    known: BTreeSet<NodeId>,
    wanted: ResourceId,
}

impl<P: Replayable> Naps<P> {
    pub(crate) fn new(config: &P::Config) -> Self {
        Naps {
            config: config.clone(),
            saved: BTreeMap::new(),
            wanted: BTreeMap::new(),
            late: BTreeMap::new(),
        }
    }

    fn wanted(&self, node: NodeId) -> ResourceId {
        self.wanted.get(&node).copied().unwrap_or_default()
    }
}

impl<P: Replayable> Stage<P> {
    /// A node wakes up as it is now if it is killed.
    pub(crate) fn save(&mut self, node: NodeId) -> Result<(), String> {
        if !self.rules.settled || P::FORKS {
            return Err(format!("{node} writes nothing down"));
        }
        let process = self.processes[node.index()].clone();
        let (known, wanted) = (self.ends.open_at(node), self.naps.wanted(node));
        self.naps.saved.insert(node, Saved { process, known, wanted });
        Ok(())
    }

    /// A node is killed and wakes up. Whoever is still inside asks again.
    pub(crate) fn restart(
        &mut self,
        at: u64,
        node: NodeId,
        inside: Option<ResourceId>,
    ) -> Result<Taken<P>, String> {
        let Saved { process, known, wanted } = self.wakes_up_as(node)?;
        let was = self.processes[node.index()].status();
        let asks = inside.map(Input::RequestCs);
        if asks.clone().is_some_and(|asks| was != Status::Critical || !enters(&process, asks)) {
            return Err(format!("nobody can be inside when {node} wakes up"));
        }
        let before = std::mem::replace(&mut self.processes[node.index()], process);
        self.naps.saved.remove(&node);
        self.naps.wanted.insert(node, wanted);
        for peer in (0..self.processes.len()).map(NodeId::at).filter(|&peer| peer != node) {
            self.break_off(node, peer, known.contains(&peer));
        }
        let after = &self.processes[node.index()];
        self.monitor.woke_up(Ticks(at), node, (&before, after), wanted);
        Ok(asks)
    }

    /// What was saved; or a node that has met nobody, if nothing ever is.
    fn wakes_up_as(&self, node: NodeId) -> Result<Saved<P>, String> {
        if !self.rules.settled || !P::FORKS {
            let saved = self.naps.saved.get(&node).cloned();
            return saved.ok_or_else(|| format!("it is not known what {node} would wake up as"));
        }
        let mut alone = P::initial(&Graph::new(self.processes.len()), &self.naps.config);
        let process = alone.swap_remove(node.index());
        Ok(Saved { process, known: BTreeSet::new(), wanted: ResourceId::default() })
    }

    /// The link of a node that was killed is gone. What it had sent may still arrive, and nothing
    /// that it sends from now on.
    fn break_off(&mut self, node: NodeId, peer: NodeId, known: bool) {
        let [own, far] = ends_of(node, peer);
        self.cut(node, peer);
        if self.ends.is_open(own) != known {
            self.monitor.end_told(node, peer, known);
        }
        self.ends.wake(own, known);
        self.lose(peer, node);
        if known && self.ends.receives(far) {
            self.naps.late.entry(own).or_default();
        }
    }

    /// A step was taken. What was saved before is void if it has to be written down, or somebody
    /// was let in for something else.
    pub(crate) fn outdate(&mut self, node: NodeId, input: &Input<P::Msg, P::Timer>) {
        if let Input::RequestCs(resource) = input {
            self.naps.wanted.insert(node, *resource);
        }
        let wanted = self.naps.wanted(node);
        let (outputs, naps) = (self.out.as_slice(), &mut self.naps);
        let Some(saved) = naps.saved.get(&node) else { return };
        let enters = outputs.contains(&Output::EnterCs);
        let otherwise = saved.process.status() != Status::Remainder && saved.wanted != wanted;
        if P::is_written_down(input, outputs) || (enters && otherwise) {
            naps.saved.remove(&node);
        }
    }

    /// Who has tokens on their way back that never had a way to go.
    pub(crate) fn late_tokens(&self) -> impl Iterator<Item = NodeId> {
        let with_token = |(_, late): &(&End, &VecDeque<P::Msg>)| {
            late.iter().any(|message| P::carried(message) > 0)
        };
        self.naps.late.iter().filter(with_token).map(|(&(node, _), _)| node)
    }
}

/// Whether a process would be let in by the step in which it asks.
fn enters<P: Protocol>(process: &P, asks: Input<P::Msg, P::Timer>) -> bool {
    let (mut trial, mut out) = (process.clone(), Out::new());
    if process.status() == Status::Remainder {
        trial.step(asks, &mut out);
    }
    out.as_slice().contains(&Output::EnterCs)
}
