//! What a head does (section 4.2): it collects requests, and serves them when the global token
//! comes.

use alloc::vec::Vec;
use core::mem;

use driftlock_core::{NodeId, Out, PeerMap};

use super::{Cluster, Color, Epoch, Global, Local, Msg, Round, Timer};

impl Cluster {
    /// A. While others are served, a request has to wait for the next visit of the global token.
    pub(super) fn on_req(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        if !self.is_head() {
            return out.send(j, Msg::Hello(self.head)); // D5
        }
        if j != self.i && !self.peer.contains(j) {
            return; // D5
        }
        let others_wait = self.is_asked();
        match &self.serving {
            None => self.lq.enqueue(j),
            Some(served) if served.contains(j) => {}
            Some(_) => self.nlq.enqueue(j),
        }
        if !others_wait {
            self.watch(out);
            self.wake(self.i, self.n, out);
        }
    }

    /// `head` wants the global token, which may rest: here, or where it went from here (D7).
    pub(super) fn on_wake(&mut self, head: NodeId, hops: u32, out: &mut Out<Msg, Timer>) {
        match &mut self.global {
            Some(round) => {
                round.called_by(head);
                self.forward(out);
            }
            None => self.wake(head, hops, out),
        }
    }

    fn wake(&mut self, head: NodeId, hops: u32, out: &mut Out<Msg, Timer>) {
        match self.toward {
            _ if self.global.is_some() => {}
            Some(to) if hops > 0 => out.send(to, Msg::Wake(head, hops - 1)),
            Some(_) => {}
            None => self.call(head),
        }
    }

    /// The global token comes by here, and is told then that `head` wants it (D4).
    pub(super) fn call(&mut self, head: NodeId) {
        if let Err(place) = self.calls.binary_search(&head)
            && head != self.i
        {
            self.calls.insert(place, head);
        }
    }

    /// A member is out of range, and asks another head (D5).
    pub(super) fn forget(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        let was_asked = self.is_asked();
        self.lq.delete(j);
        self.nlq.delete(j);
        if was_asked && !self.is_asked() {
            self.watch(out);
        }
    }

    /// B. A cluster is served once in a round.
    pub(super) fn on_global(&mut self, j: NodeId, token: Global, out: &mut Out<Msg, Timer>) {
        let Global { epoch, mut round } = token;
        if epoch < self.promised {
            return self.answer(j, out);
        }
        self.learn(epoch, out);
        self.missed = 0;
        let visited = round.color.insert(self.i, Color::R) == Some(Color::R);
        self.take_global(round);
        if !self.is_head() && self.peer.contains(j) {
            out.send(j, Msg::Hello(self.head)); // D5
        }
        if visited {
            self.forward(out);
        }
        self.watch(out);
    }

    /// Case 1.
    pub(super) fn on_over(&mut self, j: NodeId, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        if let Some(served) = self.serving.as_mut().filter(|_| epoch == self.promised) {
            served.delete(j);
            self.missed = 0;
            self.watch(out);
        }
    }

    /// Case 3.
    pub(super) fn on_over_out(&mut self, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        if self.serving.is_some() && epoch == self.promised {
            self.serving = None;
            self.missed = 0;
            self.lq = mem::take(&mut self.nlq); // D1
            self.forward(out);
            self.watch(out);
        }
    }

    /// If the global token is here and not in use, use it or send it on.
    pub(super) fn use_global(&mut self, out: &mut Out<Msg, Timer>) {
        while let Some(round) = self.global.as_mut().filter(|_| self.serving.is_none()) {
            let Some(first) = self.lq.iter().next() else { return self.forward(out) };
            round.used = true;
            let queue = mem::take(&mut self.lq);
            self.serving = Some(queue.clone());
            let token = Local { epoch: self.promised, co: self.i, queue };
            self.tell(first, Msg::Local(token), out);
        }
    }

    /// Send the global token to a head that it has not visited in this round, a near one if there
    /// is one. If all were visited, it rests, or a new round begins. Who is no longer a head leaves
    /// it to its head (D5).
    fn forward(&mut self, out: &mut Out<Msg, Timer>) {
        let near = self.n_list();
        let (is_head, head) = (self.is_head(), self.head);
        let is_asked = !self.lq.is_empty();
        let Some(round) = self.global.as_mut().filter(|_| self.serving.is_none()) else { return };
        let to = if is_head {
            next_of(self.i, round, &near)
        } else {
            round.color.insert(self.i, Color::G); // D4
            Some(head)
        };
        if let Some((to, mut round)) = to.and_then(|to| Some((to, self.global.take()?))) {
            round.used |= is_asked;
            self.toward = Some(to).filter(|_| !is_head || !round.used);
            out.send(to, Msg::Global(Global { epoch: self.promised, round }));
        }
    }

    /// Something was heard of a token: if anyone waits here, wait for the next time.
    pub(super) fn watch(&mut self, out: &mut Out<Msg, Timer>) {
        if self.is_asked() && self.inquiry.is_none() {
            out.set_timer(Timer::Lost, self.config.lost(self.missed));
        } else {
            out.cancel_timer(Timer::Lost);
        }
    }

    /// Whether anyone waits for this head.
    pub(super) fn is_asked(&self) -> bool {
        !self.lq.is_empty() || !self.nlq.is_empty() || self.serving.is_some()
    }

    /// Start with the global token here.
    pub(super) fn hold(&mut self) {
        let color = PeerMap::from_iter([(self.i, Color::R)]);
        self.take_global(Round { color, used: false });
    }

    /// The global token hears of the heads that have called for it (D4).
    fn take_global(&mut self, mut round: Round) {
        mem::take(&mut self.calls).into_iter().for_each(|head| round.called_by(head));
        self.global = Some(round);
    }
}

impl Round {
    /// `head` wants the token, which may not have heard of it (D4).
    fn called_by(&mut self, head: NodeId) {
        self.used = true;
        let color = self.color.get_or_insert_with(head, || Color::W);
        if *color == Color::G {
            *color = Color::W;
        }
    }
}

/// Case 3: the successor of head `i` with these neighbors, in this round or if that is over in the
/// next.
fn next_of(i: NodeId, round: &mut Round, near: &[NodeId]) -> Option<NodeId> {
    let Round { color, used } = round;
    for &j in near {
        color.get_or_insert_with(j, || Color::W); // D4
    }
    let unvisited = |color: &PeerMap<Color>| -> Vec<NodeId> {
        let unvisited = color.iter().filter(|&(j, color)| j != i && *color == Color::W);
        unvisited.map(|(j, _)| j).collect()
    };
    if unvisited(color).is_empty() && mem::take(used) {
        // D7
        let heads = color.iter().filter(|(_, color)| **color != Color::G).map(|(j, _)| j);
        *color = heads.chain(near.iter().copied()).map(|j| (j, Color::W)).collect(); // D4
    }
    let unvisited = unvisited(color);
    unvisited.iter().find(|j| near.contains(j)).or(unvisited.first()).copied() // D3
}
