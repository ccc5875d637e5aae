//! Nodes that are killed and wake up as something they were before.

use driftlock_core::{NodeId, ResourceId, Status, Ticks, Tokens};

use super::Monitor;

impl Monitor {
    /// The process of `node` was `before`, and the node woke up with `after`, which was asked for
    /// `wanted` last. Nothing is lost or doubled by that, and nobody is inside who must not.
    pub fn woke_up<P: Tokens>(
        &mut self,
        at: Ticks,
        node: NodeId,
        (before, after): (&P, &P),
        wanted: ResourceId,
    ) {
        self.at = at;
        let is = after.status();
        let was = std::mem::replace(&mut self.sections[node.index()], is);
        self.inside += u32::from(is == Status::Critical);
        self.inside -= u32::from(was == Status::Critical);
        if let Some(place) = self.wanted.get_mut(node.index()) {
            *place = wanted;
        }
        self.tokens.before(before.held(), 0);
        self.tokens.after(after.held(), 0);
        self.judge(self.tokens.conserved());
        self.tokens.weigh(after.weight() - before.weight());
        self.judge_weight();
        if is == Status::Critical {
            self.judge_inside(self.everyone());
        }
    }
}
