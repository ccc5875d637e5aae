//! Ideal routing: shortest paths to anyone, planned anew when links change, at no cost.
//!
//! This is what Raymond's algorithm runs on in section 6 of Walter, Welch and Vaidya (2001). Of
//! several shortest paths the one with the smallest identifiers from the destination's side is
//! taken, and a packet on its way follows the paths of the moment, hop by hop. Links that are
//! about to go down are not used. Packets of one sender to one receiver arrive in the order they
//! were sent: one that was overtaken because routes changed is waited for, unless it is lost.

use std::collections::VecDeque;

use driftlock_core::{NodeId, PeerMap};

use crate::links::Links;

/// A message on its way to a node that may be several links away.
#[derive(Clone, Debug)]
pub(crate) struct Packet<M> {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    /// The how-manieth from this sender to this receiver.
    number: u64,
    pub(crate) msg: M,
}

/// The routing layer of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Routes<M> {
    packets: Vec<Option<Packet<M>>>,
    free: Vec<u32>,
    /// By sender: how many packets went to each receiver.
    sent: Vec<PeerMap<u64>>,
    /// By receiver: what comes from each sender.
    flows: Vec<PeerMap<Flow<M>>>,
    /// By node: the next hop to each destination asked for, and for which links it was planned.
    hops: Vec<PeerMap<(u64, NodeId)>>,
    /// For a breadth-first search: in which round a node was seen, and from where.
    seen: Vec<(u64, NodeId)>,
    round: u64,
    queue: VecDeque<NodeId>,
}

#[derive(Clone, Debug)]
struct Flow<M> {
    /// How many packets were handed over or lost.
    done: u64,
    /// Those that came before their turn, or were lost before it.
    early: Vec<(u64, Due<M>)>,
}

/// What is next from a sender to a receiver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Due<M> {
    /// This message.
    Message(M),
    /// One that is lost.
    Lost,
}

impl<M> Routes<M> {
    pub(crate) fn new(n_nodes: usize) -> Self {
        Routes {
            packets: Vec::new(),
            free: Vec::new(),
            sent: vec![PeerMap::new(); n_nodes],
            flows: (0..n_nodes).map(|_| PeerMap::new()).collect(),
            hops: vec![PeerMap::new(); n_nodes],
            seen: vec![(0, NodeId(0)); n_nodes],
            round: 0,
            queue: VecDeque::new(),
        }
    }

    /// Take a message in. Returns the number of its packet.
    pub(crate) fn accept(&mut self, from: NodeId, to: NodeId, msg: M) -> u32 {
        let sent = &mut self.sent[from.index()];
        let number = sent.get(to).copied().unwrap_or(0);
        sent.insert(to, number + 1);
        let packet = Some(Packet { from, to, number, msg });
        match self.free.pop() {
            Some(place) => {
                self.packets[place as usize] = packet;
                place
            }
            None => {
                self.packets.push(packet);
                u32::try_from(self.packets.len() - 1).expect("fewer than 2^32 packets")
            }
        }
    }

    /// The packet with this number, which is on its way.
    pub(crate) fn packet(&self, place: u32) -> &Packet<M> {
        self.packets[place as usize].as_ref().expect("a packet on its way is kept")
    }

    /// A packet has reached its receiver. Returns its ends; what can be handed over, in order, is
    /// told by [`Routes::next_due`].
    pub(crate) fn arrived(&mut self, place: u32) -> (NodeId, NodeId) {
        let Packet { from, to, number, msg } = self.take(place);
        self.settle(from, to, number, Due::Message(msg))
    }

    /// A packet is lost on its way. Returns its ends, as if it had arrived.
    pub(crate) fn lost(&mut self, place: u32) -> (NodeId, NodeId) {
        let Packet { from, to, number, .. } = self.take(place);
        self.settle(from, to, number, Due::Lost)
    }

    fn take(&mut self, place: u32) -> Packet<M> {
        self.free.push(place);
        self.packets[place as usize].take().expect("a packet on its way is kept")
    }

    fn settle(&mut self, from: NodeId, to: NodeId, number: u64, due: Due<M>) -> (NodeId, NodeId) {
        let flows = &mut self.flows[to.index()];
        if !flows.contains(from) {
            flows.insert(from, Flow { done: 0, early: Vec::new() });
        }
        flows[from].early.push((number, due));
        (from, to)
    }

    /// What is next from `from` to `to`, if that is known by now.
    pub(crate) fn next_due(&mut self, from: NodeId, to: NodeId) -> Option<Due<M>> {
        let flow = self.flows[to.index()].get_mut(from)?;
        let place = flow.early.iter().position(|(number, _)| *number == flow.done)?;
        flow.done += 1;
        Some(flow.early.swap_remove(place).1)
    }

    /// The next node on the way from `at` to `to`, which is another node; nothing if there is no
    /// way.
    pub(crate) fn next_hop(&mut self, at: NodeId, to: NodeId, links: &Links) -> Option<NodeId> {
        if links.lasts(at, to) {
            return Some(to);
        }
        if let Some(&(version, hop)) = self.hops[at.index()].get(to)
            && version == links.version()
        {
            return Some(hop);
        }
        self.plan(at, to, links)
    }

    /// Search from the destination until `at` is found, and note the hops on the way between.
    fn plan(&mut self, at: NodeId, to: NodeId, links: &Links) -> Option<NodeId> {
        self.round += 1;
        self.queue.clear();
        self.queue.push_back(to);
        self.seen[to.index()] = (self.round, to);
        while self.seen[at.index()].0 != self.round {
            let node = self.queue.pop_front()?;
            for peer in links.lasting(node) {
                if self.seen[peer.index()].0 != self.round {
                    self.seen[peer.index()] = (self.round, node);
                    self.queue.push_back(peer);
                }
            }
        }
        let mut node = at;
        while node != to {
            let hop = self.seen[node.index()].1;
            self.hops[node.index()].insert(to, (links.version(), hop));
            node = hop;
        }
        Some(self.seen[at.index()].1)
    }
}

#[cfg(test)]
mod tests {
    use driftlock_core::Graph;

    use super::*;

    #[test]
    fn packets_follow_shortest_paths_of_the_moment() {
        let mut ring = Graph::new(6);
        for k in 0..6 {
            ring.link(NodeId(k), NodeId((k + 1) % 6));
        }
        let mut links = Links::new(&ring);
        let mut routes: Routes<()> = Routes::new(6);
        assert_eq!(routes.next_hop(NodeId(0), NodeId(2), &links), Some(NodeId(1)));
        links.fell(NodeId(1), NodeId(2));
        assert_eq!(routes.next_hop(NodeId(0), NodeId(2), &links), Some(NodeId(5)));
        links.raise(NodeId(0), NodeId(3));
        assert_eq!(routes.next_hop(NodeId(0), NodeId(2), &links), Some(NodeId(3)));
        links.set_leaving(NodeId(0), NodeId(3), true);
        assert_eq!(routes.next_hop(NodeId(0), NodeId(2), &links), Some(NodeId(5)));
    }

    #[test]
    fn an_overtaken_packet_is_waited_for() {
        let mut routes = Routes::new(2);
        let first = routes.accept(NodeId(0), NodeId(1), 'a');
        let second = routes.accept(NodeId(0), NodeId(1), 'b');
        routes.arrived(second);
        assert_eq!(routes.next_due(NodeId(0), NodeId(1)), None);
        routes.arrived(first);
        assert_eq!(routes.next_due(NodeId(0), NodeId(1)), Some(Due::Message('a')));
        assert_eq!(routes.next_due(NodeId(0), NodeId(1)), Some(Due::Message('b')));
        assert_eq!(routes.next_due(NodeId(0), NodeId(1)), None);
    }

    #[test]
    fn a_lost_packet_is_not_waited_for() {
        let mut routes = Routes::new(2);
        let [first, second, third] =
            ['a', 'b', 'c'].map(|msg| routes.accept(NodeId(0), NodeId(1), msg));
        routes.lost(second);
        assert_eq!(routes.next_due(NodeId(0), NodeId(1)), None);
        routes.arrived(third);
        routes.arrived(first);
        let due = [(); 4].map(|()| routes.next_due(NodeId(0), NodeId(1)));
        let [a, c] = ['a', 'c'].map(|msg| Some(Due::Message(msg)));
        assert_eq!(due, [a, Some(Due::Lost), c, None]);
    }

    #[test]
    fn without_a_way_there_is_no_next_hop() {
        let mut line = Graph::new(3);
        line.link(NodeId(0), NodeId(1));
        line.link(NodeId(1), NodeId(2));
        let mut links = Links::new(&line);
        links.fell(NodeId(1), NodeId(2));
        let mut routes: Routes<()> = Routes::new(3);
        assert_eq!(routes.next_hop(NodeId(0), NodeId(2), &links), None);
        assert_eq!(routes.next_hop(NodeId(0), NodeId(1), &links), Some(NodeId(1)));
    }
}
