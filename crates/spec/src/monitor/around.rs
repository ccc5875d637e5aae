//! What is promised of a node and its neighbors: forks and colors, and who is inside when a link
//! comes up.

use driftlock_core::{NodeId, Output, Tokens};

use super::Monitor;
use crate::colors;
use crate::exclusion::Exclusion;

impl Monitor {
    /// Both ends of a link that came up were told.
    pub(super) fn judge_fresh_link(&mut self) {
        if let Some((a, b)) = self.fresh.take() {
            if self.rules.exclusion == Exclusion::NoTwoNeighbors {
                self.judge_inside(vec![a, b]);
            }
            let stopped = [a, b].iter().any(|node| self.crashed.contains(node));
            if self.has_forks && !stopped && !self.uneven {
                self.judge_fork(a, b);
            }
            let color = |node: NodeId| self.colors.get(node.index()).copied().flatten();
            self.judge(colors::differ((a, color(a)), (b, color(b))));
        }
    }

    /// Whether the link between `a` and `b` has one fork.
    pub(super) fn judge_fork(&mut self, a: NodeId, b: NodeId) {
        let neighbors = self.neighbors.as_ref();
        self.judge(neighbors.map_or(Ok(()), |neighbors| neighbors.one_fork(a, b)));
    }

    /// Where the forks are of which `node` has or had one.
    #[inline]
    pub(super) fn judge_forks<P: Tokens>(
        &mut self,
        node: NodeId,
        process: &P,
        outputs: &[Output<P::Msg, P::Timer>],
    ) {
        let Some(neighbors) = &mut self.neighbors else { return };
        let (fresh, crashed) = (self.fresh, &self.crashed);
        let is_fresh = |peer| fresh == Some((node, peer)) || fresh == Some((peer, node));
        let judged = |peer: NodeId| !is_fresh(peer) && !crashed.contains(&peer);
        let even = neighbors.after(node, process, outputs, judged);
        self.judge(if self.uneven { Ok(()) } else { even });
    }

    /// `node` competes with this color from now on, or no longer.
    pub(super) fn judge_color(&mut self, node: NodeId, color: Option<i64>) {
        let Some(place) = self.colors.get_mut(node.index()) else { return };
        if std::mem::replace(place, color) == color || color.is_none() {
            return;
        }
        let Some(neighbors) = &self.neighbors else { return };
        let theirs = |peer: NodeId| (peer, self.colors[peer.index()]);
        let differ = |peer| colors::differ((node, color), theirs(peer));
        let legal = neighbors.around(node).map(differ).find(Result::is_err).unwrap_or(Ok(()));
        self.judge(legal);
    }
}
