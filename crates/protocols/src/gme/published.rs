//! The published prose, paragraph by paragraph.

use driftlock_core::{Input, NodeId, Out, ResourceId, Status};

use super::weight::{signed, split};
use super::{Gme, Msg};
use crate::rl::Height;

impl Gme {
    pub(super) fn step_published(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(r) => self.requesting(r, out),
            Input::ReleaseCs => self.releasing(out),
            Input::Recv { from: j, msg } => match msg {
                Msg::Request { h, r, .. } => self.receiving_request(j, h, r, out),
                Msg::Withdraw => {}
                Msg::Token(h) => self.receiving_token(j, h, out),
                Msg::Sub { r, w, .. } => self.receiving_subtoken(r, w, out),
                Msg::Release(w) => self.receiving_release(w, out),
                Msg::Link(h, raises) => self.receiving_link(j, h, raises, out),
            },
            Input::LinkDown { peer: j } => self.link_failing(j, out),
            Input::LinkUp { peer: j, role: _ } => self.on_link_forming(j, out),
            Input::Timer(never) => match never {},
            Input::Returned { .. } => out.undefined("a message that comes back"),
        }
    }
}

/// The events.
impl Gme {
    /// Requesting the resource R.
    fn requesting(&mut self, r: ResourceId, out: &mut Out<Msg>) {
        self.q.enqueue(self.i, r);
        self.status = Status::Waiting;
        if self.leader {
            self.weight = 0;
            self.q.delete(self.i);
            self.sess = Some(r);
            self.enter(out);
        } else if self.q.is_just(self.i) {
            self.forward_request(out);
        }
    }

    /// Releasing the resource R.
    fn releasing(&mut self, out: &mut Out<Msg>) {
        if !self.leader {
            let w = core::mem::take(&mut self.weight).unsigned_abs();
            self.give_back(w, out);
        } else if self.weight == 0 {
            self.transmit_token(out);
        }
        self.status = Status::Remainder;
        self.sess = None;
    }

    /// Receiving a request message; the first paragraph says what a holder that is inside does.
    fn receiving_request(&mut self, j: NodeId, h: Height, r: ResourceId, out: &mut Out<Msg>) {
        let link = &mut self.link[j];
        if !link.received_li {
            return;
        }
        link.set_height(h);
        let is_incoming = self.my_height < h;
        if self.leader && self.status == Status::Critical {
            if is_incoming {
                self.answer_inside(j, r, out);
            }
            return;
        }
        if is_incoming {
            self.q.enqueue(j, r);
        }
        if self.leader {
            if !self.q.is_empty() && self.status == Status::Remainder {
                self.transmit_token(out);
            }
        } else if is_incoming && self.is_sink() {
            self.raise_height(out);
        } else if self.q.is_just(j) || self.must_reroute() {
            self.forward_request(out);
        }
    }

    /// A request reaches the holder in the critical section: a subtoken to everyone who has asked.
    fn answer_inside(&mut self, j: NodeId, r: ResourceId, out: &mut Out<Msg>) {
        let Some(mine) = self.sess else {
            return out.undefined("Requesting: a holder that is inside by a subtoken");
        };
        if r != mine {
            self.q.enqueue(j, r);
        }
        for k in 0..self.q.entries().len() {
            self.send_subtoken(self.q.entries()[k].j, mine, None, out);
        }
        if r == mine {
            self.send_subtoken(j, mine, None, out);
        }
    }

    /// Receiving a release message.
    fn receiving_release(&mut self, w: u64, out: &mut Out<Msg>) {
        if !self.leader {
            return self.give_back(w, out);
        }
        self.weight += signed(w);
        if self.weight == 0 && self.status == Status::Remainder {
            self.transmit_token(out);
        }
    }

    /// Receiving the token message.
    fn receiving_token(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        self.take_token(j, h, out);
        self.transmit_token(out);
    }

    /// Receiving a subtoken message.
    fn receiving_subtoken(&mut self, r: ResourceId, w: u64, out: &mut Out<Msg>) {
        let q = self.q.entries().len() as u64;
        if q == 0 {
            return out.undefined("Receiving a subtoken: w in |Q| parts where Q is empty");
        }
        if q > w {
            return out.undefined("Receiving a subtoken: a unit of weight in several parts");
        }
        if self.q.is_just(self.i) && !self.q.has(self.i, r) {
            return self.give_back(w, out);
        }
        for (k, part) in split(w, q).enumerate() {
            let entry = self.q.entries()[k];
            if entry.j != self.i {
                out.send(entry.j, Msg::Sub { r, w: part, answers: None });
            } else if entry.r == r {
                self.weight = signed(part);
                self.enter(out);
            }
        }
        self.q.delete_all_for(r);
    }

    /// Receiving a link information message.
    fn receiving_link(&mut self, j: NodeId, h: Height, raises: u32, out: &mut Out<Msg>) {
        self.hear_link(j, h, raises, out);
        if !self.leader && self.is_sink() {
            self.raise_height(out);
        } else if self.must_reroute() {
            self.forward_request(out);
        }
    }

    /// Link failing.
    fn link_failing(&mut self, j: NodeId, out: &mut Out<Msg>) {
        self.leave_n(j);
        if self.leader {
            return;
        }
        if self.is_sink() {
            self.raise_height(out);
        } else if !self.q.is_empty() && !self.next_is_in_n() {
            self.forward_request(out);
        }
    }
}

/// The procedures.
impl Gme {
    /// Procedure transmitToken().
    fn transmit_token(&mut self, out: &mut Out<Msg>) {
        let Some(head) = self.q.dequeue() else {
            return out.undefined("transmitToken: the first request where Q is empty");
        };
        if head.j != self.i {
            return self.pass_token(head.j, out);
        }
        self.next = Some(self.i);
        self.sess = Some(head.r);
        self.enter(out);
        for k in 0..self.q.entries().len() {
            self.send_subtoken(self.q.entries()[k].j, head.r, None, out);
        }
        self.q.delete_all_for(head.r);
    }

    /// Procedure sendRelease().
    fn give_back(&mut self, w: u64, out: &mut Out<Msg>) {
        if self.is_sink() {
            self.raise_height(out);
        }
        let Some(lowest) = self.lowest() else {
            return out.undefined("sendRelease: the lowest neighbor where N is empty");
        };
        self.next = Some(lowest);
        out.send(lowest, Msg::Release(w));
    }
}

/// The expressions.
impl Gme {
    /// Whether `Q` is not empty and the link to `next` has reversed. A holder reads its own height
    /// for that of itself.
    fn must_reroute(&self) -> bool {
        let height = self.next.and_then(|next| self.link.get(next).map(|link| link.height(next)));
        !self.q.is_empty() && height.is_some_and(|height| self.my_height < height)
    }

    fn next_is_in_n(&self) -> bool {
        self.next.and_then(|next| self.link.get(next)).is_some_and(|link| link.in_n)
    }
}
