//! The links that are up, and what is in transit on them: [`Links`].

use driftlock_core::graph::Search;
use driftlock_core::{Graph, NodeId, PeerMap};
use driftlock_spec::links::Delivery;

/// One end of a link that is up.
#[derive(Clone, Debug)]
struct End {
    /// Which incarnation of the link this is; no two links of a run have the same number.
    epoch: u32,
    /// Messages sent at this end.
    sent: u32,
    /// Messages received at this end.
    received: u32,
    /// When the last message sent at this end arrives. A later one does not arrive earlier.
    busy_until: u64,
    /// The link is to go down as soon as nothing is in transit on it.
    leaving: bool,
    /// The process at this end counts the other among its neighbors.
    known: bool,
}

/// A message on its way over a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transit {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    epoch: u32,
    number: u32,
}

/// All links that are up.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    ends: Vec<PeerMap<End>>,
    epochs: u32,
    /// Rises with every change of what may be used to go from one node to another.
    version: u64,
    search: Search,
}

impl Links {
    /// The links of `graph`, which both their ends know.
    pub(crate) fn new(graph: &Graph) -> Self {
        let end = |&peer: &NodeId| (peer, End::new(0, true));
        let ends = graph.nodes().map(|node| graph.neighbors(node).iter().map(end).collect());
        Links { ends: ends.collect(), epochs: 0, version: 0, search: Search::default() }
    }

    /// Put a message on the link between `from` and `to`, which takes `delay` but overtakes none.
    /// Returns when it arrives, or nothing if there is no such link.
    #[inline]
    pub(crate) fn send(
        &mut self,
        from: NodeId,
        to: NodeId,
        now: u64,
        delay: u64,
    ) -> Option<(u64, Transit)> {
        let end = self.ends[from.index()].get_mut(to)?;
        let arrival = end.busy_until.max(now + delay);
        end.busy_until = arrival;
        let transit = Transit { from, to, epoch: end.epoch, number: end.sent };
        end.sent = end.sent.wrapping_add(1);
        Some((arrival, transit))
    }

    /// Take a message off its link. Returns how that looks to a monitor, and whether the link is
    /// to go down.
    #[inline]
    pub(crate) fn arrive(&mut self, transit: Transit) -> (Delivery, bool) {
        let Transit { from, to, epoch: sent_on, number } = transit;
        let Some(end) = self.ends[to.index()].get_mut(from) else {
            return (Delivery { sent_on, link: None, number, expected: 0 }, false);
        };
        let delivery = Delivery { sent_on, link: Some(end.epoch), number, expected: end.received };
        end.received = end.received.wrapping_add(1);
        (delivery, end.leaving)
    }

    pub(crate) fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.ends[a.index()].contains(b)
    }

    /// Messages in transit on a link that is up, both ways.
    pub(crate) fn in_transit(&self, a: NodeId, b: NodeId) -> u32 {
        let (at_a, at_b) = (&self.ends[a.index()][b], &self.ends[b.index()][a]);
        at_a.sent.wrapping_sub(at_b.received) + at_b.sent.wrapping_sub(at_a.received)
    }

    /// A link comes up.
    pub(crate) fn raise(&mut self, a: NodeId, b: NodeId) {
        self.epochs += 1;
        self.version += 1;
        self.ends[a.index()].insert(b, End::new(self.epochs, false));
        self.ends[b.index()].insert(a, End::new(self.epochs, false));
    }

    /// A link goes down.
    pub(crate) fn fell(&mut self, a: NodeId, b: NodeId) {
        self.version += 1;
        self.ends[a.index()].remove(b);
        self.ends[b.index()].remove(a);
    }

    /// A link is to go down, or is not to any more.
    pub(crate) fn set_leaving(&mut self, a: NodeId, b: NodeId, leaving: bool) {
        self.version += 1;
        self.ends[a.index()][b].leaving = leaving;
        self.ends[b.index()][a].leaving = leaving;
    }

    pub(crate) fn is_leaving(&self, a: NodeId, b: NodeId) -> bool {
        self.ends[a.index()].get(b).is_some_and(|end| end.leaving)
    }

    /// The process at `node` has said whether it counts `peer` among its neighbors. Returns whether
    /// both ends of the link now know it and did not before.
    pub(crate) fn set_known(&mut self, node: NodeId, peer: NodeId, known: bool) -> bool {
        let Some(end) = self.ends[node.index()].get_mut(peer) else { return false };
        let news = known && !end.known;
        end.known = known;
        news && self.ends[peer.index()][node].known
    }

    /// Whether both ends know the link between them.
    pub(crate) fn is_known(&self, a: NodeId, b: NodeId) -> bool {
        self.ends[a.index()].get(b).is_some_and(|end| end.known)
            && self.ends[b.index()].get(a).is_some_and(|end| end.known)
    }

    /// Whether `a` and `b` are joined by a path other than the link between them; if wanted, one
    /// of links that both their ends know.
    pub(crate) fn joined_without(&mut self, a: NodeId, b: NodeId, known: bool) -> bool {
        let mut search = std::mem::take(&mut self.search);
        if search.is_empty() {
            search = Search::new(self.ends.len());
        }
        let joined = search.joined(a, b, |node, see| {
            for (peer, end) in self.ends[node.index()].iter() {
                let apart = (node, peer) == (a, b) || (node, peer) == (b, a);
                if !apart && (!known || (end.known && self.ends[peer.index()][node].known)) {
                    see(peer);
                }
            }
        });
        self.search = search;
        joined
    }

    /// Changes whenever [`Links::lasting`] does.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The neighbors of `node` over links that are not about to go down, in order.
    pub(crate) fn lasting(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.ends[node.index()].iter().filter(|(_, end)| !end.leaving).map(|(peer, _)| peer)
    }

    /// Whether the link between `a` and `b` is up and not about to go down.
    pub(crate) fn lasts(&self, a: NodeId, b: NodeId) -> bool {
        self.ends[a.index()].get(b).is_some_and(|end| !end.leaving)
    }
}

impl End {
    fn new(epoch: u32, known: bool) -> Self {
        End { epoch, sent: 0, received: 0, busy_until: 0, leaving: false, known }
    }
}
