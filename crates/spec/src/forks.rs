//! Where the fork of each link is: [`Forks`].

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::{Graph, Input, NodeId, Output, Tokens};

use crate::{Broken, tokens};

/// The fork of a link, followed from the steps of its ends.
#[derive(Clone, Copy, Debug, Default)]
struct Fork {
    /// Whether the smaller end has it, and whether the larger one has.
    at: [bool; 2],
    /// How many are on the way.
    in_transit: i64,
}

/// The forks of all links, for protocols that have them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forks {
    /// By the ends of the link, the smaller one first.
    of: BTreeMap<(NodeId, NodeId), Fork>,
    /// All links, in both directions.
    links: BTreeSet<(NodeId, NodeId)>,
}

impl Forks {
    /// The links that are up at the start.
    pub(crate) fn new<P: Tokens>(processes: &[P], graph: &Graph) -> Self {
        let has = |node: NodeId, peer: NodeId| processes[node.index()].has_fork(peer);
        let mut forks = Forks::default();
        for (a, b) in graph.links() {
            forks.link_up(a, b);
            forks.of.insert((a, b), Fork { at: [has(a, b), has(b, a)], in_transit: 0 });
        }
        forks
    }

    pub(crate) fn link_up(&mut self, a: NodeId, b: NodeId) {
        self.links.extend([(a, b), (b, a)]);
        self.of.insert(ends(a, b), Fork::default());
    }

    pub(crate) fn link_down(&mut self, a: NodeId, b: NodeId) {
        self.links.remove(&(a, b));
        self.links.remove(&(b, a));
        self.of.remove(&ends(a, b));
    }

    /// `node` is about to take `input`.
    pub(crate) fn before<P: Tokens>(&mut self, node: NodeId, input: &Input<P::Msg, P::Timer>) {
        if let Input::Recv { from, msg } = input
            && P::carries_fork(msg)
            && let Some(fork) = self.of.get_mut(&ends(node, *from))
        {
            fork.in_transit -= 1;
        }
    }

    /// `process` of `node` has answered `outputs`. All its links but `fresh` have one fork.
    pub(crate) fn after<P: Tokens>(
        &mut self,
        node: NodeId,
        process: &P,
        outputs: &[Output<P::Msg, P::Timer>],
        fresh: Option<(NodeId, NodeId)>,
    ) -> Result<(), Broken> {
        for output in outputs {
            if let Output::Send { to, msg } = output
                && P::carries_fork(msg)
                && let Some(fork) = self.of.get_mut(&ends(node, *to))
            {
                fork.in_transit += 1;
            }
        }
        let fresh = fresh.map(|(a, b)| ends(a, b));
        for &(_, peer) in self.links.range((node, NodeId(0))..=(node, NodeId(u32::MAX))) {
            let link = ends(node, peer);
            let Some(fork) = self.of.get_mut(&link) else { continue };
            fork.at[usize::from(peer < node)] = process.has_fork(peer);
            if fresh != Some(link) {
                fork.judge(link)?;
            }
        }
        Ok(())
    }

    /// Both ends of a new link were told.
    pub(crate) fn formed(&self, a: NodeId, b: NodeId) -> Result<(), Broken> {
        let link = ends(a, b);
        self.of.get(&link).map_or(Ok(()), |fork| fork.judge(link))
    }
}

impl Fork {
    fn judge(&self, (a, b): (NodeId, NodeId)) -> Result<(), Broken> {
        let in_transit = u32::try_from(self.in_transit).unwrap_or(u32::MAX);
        tokens::one_fork((a, self.at[0]), (b, self.at[1]), in_transit)
    }
}

fn ends(a: NodeId, b: NodeId) -> (NodeId, NodeId) {
    (a.min(b), a.max(b))
}
