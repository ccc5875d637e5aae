//! Who is deposed: [`Fence`].

use driftlock_core::NodeId;

/// What a fence before the critical section lets through: those of the latest epoch.
#[derive(Clone, Debug, Default)]
pub(super) struct Fence {
    /// The latest epoch under which anyone has entered.
    latest: u64,
    /// Who is inside under it.
    inside: Vec<NodeId>,
}

impl Fence {
    /// `node` enters under this epoch. Returns how many entries are deposed by now: this one, or
    /// those of all who were inside before.
    pub(super) fn entered(&mut self, node: NodeId, epoch: u64) -> u64 {
        if epoch < self.latest {
            return 1;
        }
        let mut deposed = 0;
        if epoch > self.latest {
            self.latest = epoch;
            deposed = self.inside.drain(..).count() as u64;
        }
        self.inside.push(node);
        deposed
    }

    /// `node` is outside.
    #[inline]
    pub(super) fn left(&mut self, node: NodeId) {
        self.inside.retain(|&other| other != node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_deposed_once_by_whatever_is_later() {
        let mut fence = Fence::default();
        let mut enter = |node, epoch| fence.entered(NodeId(node), epoch);
        assert_eq!([enter(1, 3), enter(2, 3), enter(3, 5)], [0, 0, 2]);
        assert_eq!([enter(4, 4), enter(5, 6), enter(6, 6)], [1, 1, 0]);
        fence.left(NodeId(6));
        assert_eq!(fence.entered(NodeId(7), 9), 1, "one of the two has left in time");
    }
}
