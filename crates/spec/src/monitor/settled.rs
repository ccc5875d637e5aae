//! Links whose ends are told of changes one by one.

use driftlock_core::{Graph, NodeId};

use super::Monitor;

impl Monitor {
    /// `node` is about to be told that its link to `peer` came up, or went down. They are neighbors
    /// while both ends count on it.
    pub fn end_told(&mut self, node: NodeId, peer: NodeId, up: bool) {
        self.judge_fresh_link();
        let Some(neighbors) = &mut self.neighbors else { return };
        neighbors.end(node, peer, up);
        let both = neighbors.linked(node, peer) && neighbors.linked(peer, node);
        self.fresh = (up && both).then_some((node, peer));
    }

    /// The run ends with these links working. Those who are `untold` have not heard that a link
    /// went down: in their parts of the network nobody has to know whether there is a token. For
    /// those who are `in_doubt` that is so because nobody can say whether what they sent arrived:
    /// in their parts nothing is owed.
    pub fn links_working(&mut self, links: &Graph, untold: Vec<NodeId>, in_doubt: Vec<NodeId>) {
        self.working = Some(links.clone());
        self.excused = self.reached(untold);
        self.doubtful = self.reached(in_doubt);
    }

    /// Whether `node` has to know whether there is a token in its part of the network.
    pub(super) fn has_to_know(&self, node: NodeId) -> bool {
        !self.excused.get(node.index()).copied().unwrap_or(false)
    }
}
