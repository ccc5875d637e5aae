//! The text with its departures.

use alloc::vec::Vec;
use core::mem;

use driftlock_core::{Input, NodeId, Out, ResourceId, Status};

use super::weight::{signed, split};
use super::{Entry, Gme, Msg};
use crate::rl::Height;

impl Gme {
    /// Every event is followed by what the leader does with the token, or by what the others do to
    /// get at it.
    pub(super) fn step_repaired(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(r) => self.on_request_cs(r),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg } => match msg {
                Msg::Request { h, r, known, again } => {
                    let void = self.is_void(known);
                    self.on_request(j, h, r, again, void);
                }
                Msg::Withdraw => self.q.delete(j), // D12
                Msg::Token(h) => self.on_token(j, h, out),
                Msg::Sub { r, w, answers } => self.on_subtoken(j, r, w, answers, out),
                Msg::Release(w) => self.on_release(w, out),
                Msg::Link(h, raises) => self.on_link(j, h, raises, out),
            },
            Input::LinkDown { peer: j } => self.leave_n(j),
            Input::LinkUp { peer: j, role: _ } => self.on_link_forming(j, out),
            Input::Timer(never) => match never {},
            Input::Returned { to: j, msg } => self.on_returned(j, msg), // D13
        }
        self.go_on(out);
    }

    /// What follows from an event.
    pub(super) fn go_on(&mut self, out: &mut Out<Msg>) {
        if self.leader {
            self.lead(out);
        } else {
            self.follow(out);
        }
    }
}

/// The events.
impl Gme {
    /// Requesting the resource.
    fn on_request_cs(&mut self, r: ResourceId) {
        self.status = Status::Waiting;
        self.q.renew(self.i, r, 0);
    }

    /// Releasing the resource.
    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        self.status = Status::Remainder;
        if !self.leader {
            let w = mem::take(&mut self.weight).unsigned_abs();
            self.send_release(w, out);
        }
    }

    /// Receiving a request message.
    fn on_request(&mut self, j: NodeId, h: Height, r: ResourceId, again: u32, void: bool) {
        let link = &mut self.link[j];
        if !link.received_li {
            return;
        }
        link.set_height(h);
        if self.my_height < h && !void {
            self.q.renew(j, r, again);
        }
    }

    /// Receiving the token message.
    fn on_token(&mut self, j: NodeId, h: Height, out: &mut Out<Msg>) {
        assert!(self.weight == 0 && self.buffer == 0, "the token moves when all weight is back");
        self.take_token(j, h, out);
    }

    /// Receiving a subtoken message.
    fn on_subtoken(
        &mut self,
        j: NodeId,
        r: ResourceId,
        w: u64,
        answers: Option<u32>,
        out: &mut Out<Msg>,
    ) {
        if self.leader {
            return self.weight += signed(w); // D7
        }
        if self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers {
            self.asked = None; // D6
        }
        let served = self.to_serve(r, w, answers.is_none());
        if served.is_empty() {
            return self.send_release(w, out); // D7
        }
        for (entry, part) in served.iter().zip(split(w, served.len() as u64)) {
            if entry.j == self.i {
                self.weight += signed(part);
                self.q.delete(entry.j);
                self.enter(out);
            } else if entry.r == r {
                self.q.delete(entry.j);
                out.send(entry.j, Msg::Sub { r, w: part, answers: Some(entry.again) }); // D6
            } else {
                out.send(entry.j, Msg::Sub { r, w: part, answers: None }); // D10
            }
        }
    }

    /// Receiving a release message.
    fn on_release(&mut self, w: u64, out: &mut Out<Msg>) {
        if self.leader {
            self.weight += signed(w);
        } else {
            self.send_release(w, out);
        }
    }

    /// Receiving a link information message.
    fn on_link(&mut self, j: NodeId, h: Height, raises: u32, out: &mut Out<Msg>) {
        let raised = self.hear_link(j, h, raises, out);
        let under_way = self.asked.is_some_and(|ask| ask.r.is_some());
        if raised && !self.leader && under_way && self.next == Some(j) {
            self.send_request(j, out); // D4
        }
    }
}

/// What real links need.
impl Gme {
    /// What was sent to `j` comes back, the link to which has failed.
    fn on_returned(&mut self, j: NodeId, msg: Msg) {
        self.leave_n(j);
        match msg {
            Msg::Token(_) => {
                assert!(!self.leader, "there is one token");
                self.leader = true;
                self.asked = None;
            }
            Msg::Sub { w, .. } | Msg::Release(w) if self.leader => self.weight += signed(w),
            Msg::Sub { w, .. } | Msg::Release(w) => self.buffer += w,
            Msg::Request { .. } | Msg::Withdraw | Msg::Link(..) => {
                panic!("only the token and weight come back")
            }
        }
    }
}

/// The procedures.
impl Gme {
    /// What the leader does after every event: end the session if it is over, open one or pass the
    /// token, and let in who wants what the session is for.
    fn lead(&mut self, out: &mut Out<Msg>) {
        if self.status != Status::Critical && self.weight == 0 {
            self.end_session(); // D5
        }
        if self.sess.is_none() {
            match self.q.dequeue() {
                None => return self.next = Some(self.i), // D3
                Some(head) if head.j != self.i => return self.pass_token(head.j, out),
                Some(head) => self.open_session(head.r, out),
            }
        }
        if let Some(r) = self.sess {
            self.let_in(r, out);
        }
    }

    fn open_session(&mut self, r: ResourceId, out: &mut Out<Msg>) {
        self.sess = Some(r);
        self.left = self.config.session.unwrap_or(0);
        self.next = Some(self.i);
        self.enter(out);
    }

    fn end_session(&mut self) {
        self.sess = None;
        self.left = 0;
        self.q.entries_mut().iter_mut().for_each(|entry| entry.tried = false);
    }

    /// Let in who wants `r`: the leader itself, neighbors, and those behind neighbors.
    fn let_in(&mut self, r: ResourceId, out: &mut Out<Msg>) {
        if self.q.has(self.i, r) && self.may_let_in(r) {
            self.q.delete(self.i);
            self.enter(out);
        }
        let (wanting, others) = self.neighbors_on_q(r);
        for entry in wanting {
            if self.may_let_in(r) {
                self.q.delete(entry.j);
                self.send_subtoken(entry.j, r, Some(entry.again), out);
            }
        }
        for entry in others {
            if !entry.tried && self.may_let_in(r) {
                let tried = self.q.entries_mut().iter_mut().filter(|other| other.j == entry.j);
                tried.for_each(|entry| entry.tried = true); // D10
                self.send_subtoken(entry.j, r, None, out);
            }
        }
    }

    /// Whether the session may take in one more; if so, that is counted.
    fn may_let_in(&mut self, r: ResourceId) -> bool {
        if self.weight.checked_sub(signed(self.config.units)).is_none() {
            return false; // D8
        }
        if self.config.session.is_some() && self.q.has_some_but(r) {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left; // D11
        }
        true
    }

    /// What a node without the token does after every event: see to it that it has a way to the
    /// token, that what is wanted is asked for, and that weight goes back.
    fn follow(&mut self, out: &mut Out<Msg>) {
        if self.is_sink() {
            self.raise_height(out);
        } else if self.must_ask() {
            match (self.asked, self.next) {
                (Some(_), Some(next)) => self.send_request(next, out), // D6
                _ => self.forward_request(out),
            }
        } else if self.q.is_empty() {
            self.withdraw(out);
        }
        if self.buffer > 0 {
            self.send_release(0, out);
        }
    }

    /// Withdraw a request that is under way. Its answer may be, too, so its number is kept (D12).
    fn withdraw(&mut self, out: &mut Out<Msg>) {
        let (Some(ask), Some(next)) = (&mut self.asked, self.next) else { return };
        if ask.r.take().is_some() {
            out.send(next, Msg::Withdraw);
        }
    }

    /// Procedure sendRelease(), with what has waited for a neighbor.
    fn send_release(&mut self, w: u64, out: &mut Out<Msg>) {
        let w = w + mem::take(&mut self.buffer);
        match self.lowest() {
            Some(lowest) => out.send(lowest, Msg::Release(w)), // D9
            None => self.buffer = w,                           // D1
        }
    }
}

/// The expressions.
impl Gme {
    /// Whether a request has to be sent: somebody is on `Q`, and none is under way, or one for what
    /// nobody wants any more.
    fn must_ask(&self) -> bool {
        let for_what = self.asked.and_then(|ask| ask.r);
        let wanted = for_what.is_some_and(|r| self.q.has_some_for(r)); // D6
        !self.q.is_empty() && !wanted // D2
    }

    /// Whether a request of someone who knew of so many raises is void: the sender did not know of
    /// a raise before the token was here, and asks again when it hears of it (D4).
    fn is_void(&self, known: u32) -> bool {
        let unknown = self.raises.wrapping_sub(known);
        let since_token = self.raises.wrapping_sub(self.raises_before);
        unknown > since_token
    }

    /// The neighbors on `Q`: those who want `r`, and the others.
    fn neighbors_on_q(&self, r: ResourceId) -> (Vec<Entry>, Vec<Entry>) {
        let entries = self.q.entries().iter().copied();
        entries.filter(|entry| entry.j != self.i).partition(|entry| entry.r == r)
    }

    /// Who shares a subtoken for `r`: the node itself, then neighbors who want `r`, then those
    /// behind whom there may be someone who does; no more than it has units (D8).
    fn to_serve(&self, r: ResourceId, w: u64, to_all: bool) -> Vec<Entry> {
        let (wanting, others) = self.neighbors_on_q(r);
        let own =
            self.q.entries().iter().copied().filter(|entry| entry.j == self.i && entry.r == r);
        let mut served: Vec<Entry> = own.chain(wanting).collect();
        if to_all {
            served.extend(others); // D10
        }
        served.truncate(usize::try_from(w).unwrap_or(usize::MAX)); // D8
        served
    }
}
