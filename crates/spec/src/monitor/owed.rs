//! Who is owed progress when the calm is over.

use driftlock_core::{NodeId, Status};

use super::Monitor;
use crate::exclusion::Exclusion;
use crate::progress;

impl Monitor {
    /// Whether those of `nodes` who want one resource are in together.
    pub(super) fn judge_together(
        &mut self,
        nodes: Vec<NodeId>,
        within_reach: impl Fn(NodeId) -> bool,
    ) {
        if self.rules.exclusion != Exclusion::SameGroup {
            return;
        }
        let interested = nodes.into_iter().map(|node| (node, self.section(node)));
        let interested = interested.filter(|(_, section)| *section != Status::Remainder);
        let all = interested.map(|(node, section)| (node, section, self.wanted[node.index()]));
        self.judge(progress::entered_together(all, within_reach));
    }

    /// For each node, whether it has to get in if it waits: whether it is far enough from all who
    /// have stopped, or in a part with most of all nodes, if that is what is promised; or else
    /// whether there is a token in its part of the network. If there are no tokens, the network has
    /// to be in one piece, or nothing is promised.
    pub(super) fn owed(&self, held: &[u32]) -> Option<Vec<bool>> {
        if let Some((most, neighbors)) = self.rules.locality.zip(self.neighbors.as_ref()) {
            let near = neighbors.within(self.crashed.iter().copied(), most);
            return Some(near.into_iter().map(|near| !near).collect());
        }
        if self.rules.quorum {
            return Some(self.in_quorum());
        }
        if !self.rules.partitions {
            return Some(vec![true; held.len()]);
        }
        let living = self.living();
        if !self.tokens.exist() {
            let reached = self.reached(living.first().copied().into_iter().collect());
            return living.iter().all(|node| reached[node.index()]).then_some(reached);
        }
        let holders = living.into_iter().filter(|node| held[node.index()] > 0);
        let mut reached = self.reached(holders.chain(self.arriving.iter().copied()).collect());
        let doubtful = reached.iter_mut().zip(&self.doubtful);
        doubtful.for_each(|(reached, doubtful)| *reached &= !doubtful);
        Some(reached)
    }

    /// For each node, whether it is in a part of the network with more than half of all nodes.
    pub fn in_quorum(&self) -> Vec<bool> {
        let mut seen = vec![false; self.sections.len()];
        for node in self.living() {
            if !seen[node.index()] {
                let part = self.reached(vec![node]);
                let living = part.iter().filter(|reached| **reached).count();
                if progress::has_quorum(living, part.len()) {
                    return part;
                }
                seen.iter_mut().zip(part).for_each(|(seen, reached)| *seen |= reached);
            }
        }
        vec![false; self.sections.len()]
    }

    /// For each node, whether one of `todo` is in its part of the network.
    pub(super) fn reached(&self, mut todo: Vec<NodeId>) -> Vec<bool> {
        let mut reached = vec![false; self.sections.len()];
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                let around = self.around(node).into_iter();
                todo.extend(around.filter(|peer| !self.crashed.contains(peer)));
            }
        }
        reached
    }

    fn around(&self, node: NodeId) -> Vec<NodeId> {
        match &self.working {
            Some(links) => links.neighbors(node).to_vec(),
            None => self.neighbors.iter().flat_map(|neighbors| neighbors.around(node)).collect(),
        }
    }
}
