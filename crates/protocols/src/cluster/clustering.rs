//! Who is in which cluster (D5).
//!
//! Clusters are those of the lowest identifier, changed as little as possible: a node whose head is
//! out of range goes to the lowest head that it hears, and if it hears none it becomes one; of two
//! heads that hear each other for a while, the higher one gives up. Everything else leaves clusters
//! as they are: a node with a low identifier that comes by changes nothing. That needs neither
//! positions nor speeds, which a node may not know, and two heads that pass each other stay heads.
//!
//! Everyone tells its neighbors who its head is. Members tell their heads which other clusters they
//! hear, so that heads know the heads that are two or three links away.

use alloc::vec::Vec;

use driftlock_core::{Fifo, NodeId, Out, Status};

use super::{Cluster, Msg, Peer, Timer};

impl Cluster {
    pub(super) fn on_link_up(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        self.peer.insert(j, Peer::default());
        out.send(j, Msg::Hello(self.head));
    }

    pub(super) fn on_link_down(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        let (before, contends) = (self.border(), self.lower_head());
        self.peer.remove(j);
        self.forget(j, out);
        self.choose(contends, out);
        self.report(&before, out);
    }

    pub(super) fn on_hello(&mut self, j: NodeId, head: NodeId, out: &mut Out<Msg, Timer>) {
        let (before, contends) = (self.border(), self.lower_head());
        // Who says again what is known has not left: what it reported counts.
        if let Some(peer) = self.peer.get_mut(j).filter(|peer| peer.head != Some(head)) {
            *peer = Peer { head: Some(head), ..Peer::default() };
            self.choose(contends, out);
            self.report(&before, out);
        }
    }

    pub(super) fn on_beside(&mut self, j: NodeId, heads: Vec<NodeId>) {
        if let Some(peer) = self.peer.get_mut(j) {
            peer.beside = heads;
        }
    }

    /// The other head has been a neighbor for a while: the higher one of them gives up.
    pub(super) fn on_contend(&mut self, out: &mut Out<Msg, Timer>) {
        if let Some(j) = self.lower_head().filter(|_| self.is_head()) {
            let before = self.border();
            self.join(j, out);
            self.report(&before, out);
        }
    }

    /// Go to another cluster if the head is lost. A head has `contends` for its lower head up to
    /// now: while that is the same, time goes on, whatever else is new.
    fn choose(&mut self, contends: Option<NodeId>, out: &mut Out<Msg, Timer>) {
        if self.is_head() {
            match self.lower_head() {
                now if now == contends => {}
                Some(_) => out.set_timer(Timer::Contend, self.config.contend),
                None => out.cancel_timer(Timer::Contend),
            }
        } else if self.peer.get(self.head).is_none_or(|peer| peer.head != Some(self.head)) {
            let head = self.heads().next().unwrap_or(self.i);
            self.join(head, out);
        }
    }

    /// The handoff: the request of this node moves with it. If it was a head, those who have asked
    /// it will ask others; those in the local token are still served.
    fn join(&mut self, head: NodeId, out: &mut Out<Msg, Timer>) {
        let before = core::mem::replace(&mut self.head, head);
        self.peer.keys().for_each(|j| out.send(j, Msg::Hello(head)));
        if before == self.i {
            out.cancel_timer(Timer::Contend);
            self.lq = Fifo::new();
            self.nlq = Fifo::new();
            self.watch(out);
        }
        if self.status == Status::Waiting {
            self.ask(out);
        }
    }

    /// Tell the head which clusters this node hears, if that or the head is another than `before`.
    fn report(&self, before: &(NodeId, Vec<NodeId>), out: &mut Out<Msg, Timer>) {
        let now = self.border();
        if !self.is_head() && now != *before {
            out.send(self.head, Msg::Beside(now.1));
        }
    }

    pub(super) fn is_head(&self) -> bool {
        self.head == self.i
    }

    /// The neighbors that are heads.
    fn heads(&self) -> impl Iterator<Item = NodeId> {
        self.peer.iter().filter(|(j, peer)| peer.head == Some(*j)).map(|(j, _)| j)
    }

    /// The lowest neighbor that is a head, if it is lower than this node.
    fn lower_head(&self) -> Option<NodeId> {
        self.heads().next().filter(|&j| j < self.i)
    }

    /// The head of this node, and the heads of other clusters that it hears.
    fn border(&self) -> (NodeId, Vec<NodeId>) {
        let heads = self.peer.iter().filter_map(|(_, peer)| peer.head);
        (self.head, sorted(heads.filter(|&head| head != self.head)))
    }

    /// `N-LIST`: the heads of the clusters around that of this head.
    pub(super) fn n_list(&self) -> Vec<NodeId> {
        let members = self.peer.iter().filter(|(_, peer)| peer.head == Some(self.i));
        let beside = members.flat_map(|(_, peer)| peer.beside.iter().copied());
        let heard = self.peer.iter().filter_map(|(_, peer)| peer.head);
        sorted(heard.chain(beside).filter(|&head| head != self.i))
    }
}

pub(super) fn sorted(heads: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut heads: Vec<NodeId> = heads.collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}
