//! Who is linked with whom, and where the fork of each link is: [`Neighbors`].

use driftlock_core::{Graph, Input, NodeId, Output, PeerMap, Tokens};

use crate::{Broken, tokens};

/// What one end of a link has of its fork.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// Whether the fork is here.
    fork: bool,
    /// How many forks were sent from here and have not arrived.
    sent: i16,
}

/// The links that are up, seen from each of their ends, followed from what the driver says and from
/// the steps of the processes. A step costs as much as the node has neighbors, in any network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbors {
    of: Vec<PeerMap<Side>>,
    /// The peers with which the process of the step shares a fork that may have moved.
    touched: Vec<NodeId>,
}

impl Neighbors {
    /// The links that are up at the start.
    pub(crate) fn new<P: Tokens>(processes: &[P], graph: &Graph) -> Self {
        let side = |node: NodeId, peer: NodeId| {
            let fork = P::FORKS && processes[node.index()].has_fork(peer);
            (peer, Side { fork, sent: 0 })
        };
        let sides = |node: NodeId| {
            graph.neighbors(node).iter().map(|&peer| side(node, peer)).collect::<PeerMap<Side>>()
        };
        Neighbors { of: graph.nodes().map(sides).collect(), touched: Vec::new() }
    }

    pub(crate) fn link_up(&mut self, a: NodeId, b: NodeId) {
        self.of[a.index()].insert(b, Side::default());
        self.of[b.index()].insert(a, Side::default());
    }

    /// The end of `node` counts on its link with `peer` from now on, or no more.
    pub(crate) fn end(&mut self, node: NodeId, peer: NodeId, open: bool) {
        match open {
            true => drop(self.of[node.index()].insert(peer, Side::default())),
            false => drop(self.of[node.index()].remove(peer)),
        }
    }

    /// The link goes down, and its fork with it.
    pub(crate) fn link_down(&mut self, a: NodeId, b: NodeId) {
        self.of[a.index()].remove(b);
        self.of[b.index()].remove(a);
    }

    pub(crate) fn linked(&self, a: NodeId, b: NodeId) -> bool {
        self.of[a.index()].contains(b)
    }

    pub(crate) fn degree(&self, node: NodeId) -> usize {
        self.of[node.index()].len()
    }

    pub(crate) fn glance(&self, node: NodeId) -> u32 {
        self.of[node.index()].glance()
    }

    /// The neighbors of `node`, in order.
    pub(crate) fn around(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.of[node.index()].keys()
    }

    /// `node` is about to take `input`.
    #[inline]
    pub(crate) fn before<P: Tokens>(&mut self, node: NodeId, input: &Input<P::Msg, P::Timer>) {
        self.touched.clear();
        if let Input::Recv { from, msg } = input
            && P::carries_fork(msg)
            && let Some(side) = self.of[from.index()].get_mut(node)
        {
            side.sent = side.sent.saturating_sub(1);
            self.touched.push(*from);
        }
    }

    /// `process` of `node` has answered `outputs`. Returns whether all forks that moved are where
    /// they can be; what is not `judged` is not asked.
    #[inline]
    pub(crate) fn after<P: Tokens>(
        &mut self,
        node: NodeId,
        process: &P,
        outputs: &[Output<P::Msg, P::Timer>],
        judged: impl Fn(NodeId) -> bool,
    ) -> Result<(), Broken> {
        let sides = &mut self.of[node.index()];
        for output in outputs {
            if let Output::Send { to, msg } = output
                && P::carries_fork(msg)
                && let Some(side) = sides.get_mut(*to)
            {
                side.sent = side.sent.saturating_add(1);
                self.touched.push(*to);
            }
        }
        for (peer, side) in sides.iter_mut() {
            let fork = process.has_fork(peer);
            if std::mem::replace(&mut side.fork, fork) != fork {
                self.touched.push(peer);
            }
        }
        let moved = self.touched.iter().filter(|&&peer| judged(peer));
        moved.map(|&peer| self.one_fork(node, peer)).find(Result::is_err).unwrap_or(Ok(()))
    }

    /// Whether the link between `a` and `b` has one fork, if it is up.
    pub(crate) fn one_fork(&self, a: NodeId, b: NodeId) -> Result<(), Broken> {
        let (a, b) = (a.min(b), a.max(b));
        let sides = (self.of[a.index()].get(b), self.of[b.index()].get(a));
        let (Some(at_a), Some(at_b)) = sides else { return Ok(()) };
        let sent = i32::from(at_a.sent) + i32::from(at_b.sent);
        let in_transit = u32::try_from(sent).unwrap_or(u32::MAX);
        tokens::one_fork((a, at_a.fork), (b, at_b.fork), in_transit)
    }

    /// For each node, whether it is no farther than `most` links from one of `from`.
    pub(crate) fn within(&self, from: impl Iterator<Item = NodeId>, most: u32) -> Vec<bool> {
        let mut near = vec![false; self.of.len()];
        let mut rim: Vec<NodeId> = from.collect();
        rim.iter().for_each(|node| near[node.index()] = true);
        for _ in 0..most {
            let mut next = Vec::new();
            for peer in rim.iter().flat_map(|&node| self.around(node)) {
                if !std::mem::replace(&mut near[peer.index()], true) {
                    next.push(peer);
                }
            }
            if next.is_empty() {
                break;
            }
            rim = next;
        }
        near
    }
}
