//! What a node does that wants to enter (section 4.1). A head is a member of its own cluster, and
//! what it says to itself is not sent.

use driftlock_core::{NodeId, Out, Status};

use super::{Cluster, Local, Msg, Timer};

impl Cluster {
    pub(super) fn on_request_cs(&mut self, out: &mut Out<Msg, Timer>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting; //                                                1
        self.ask(out);
    }

    /// Ask the head, and again if nothing comes of it: the request may get lost.
    pub(super) fn ask(&mut self, out: &mut Out<Msg, Timer>) {
        out.set_timer(Timer::Again, self.config.again);
        self.tell(self.head, Msg::Req, out); //                                          2
    }

    pub(super) fn on_local(&mut self, j: NodeId, token: Local, out: &mut Out<Msg, Timer>) {
        if token.epoch < self.promised {
            return self.answer(j, out);
        }
        self.learn(token.epoch, out);
        let next = token.queue.iter().next();
        match self.status {
            _ if next != Some(self.i) => self.send_on(token, out), // D2
            Status::Waiting => {
                out.cancel_timer(Timer::Again);
                self.status = Status::Critical; //                                       7
                self.local = Some(token);
                out.enter_cs();
            }
            Status::Remainder => self.pass_on(token, out),
            Status::Critical => unreachable!("no message arrives twice"),
        }
    }

    pub(super) fn on_release_cs(&mut self, out: &mut Out<Msg, Timer>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder; //                                             15
        let token = self.local.take().expect("who is inside has the local token");
        if token.epoch == self.promised {
            self.pass_on(token, out);
        }
        self.give_promise(out); // D6
    }

    /// This node was served, or wants nothing any more.
    fn pass_on(&mut self, mut token: Local, out: &mut Out<Msg, Timer>) {
        token.queue.delete(self.i); //                                                  17
        let is_last = token.queue.is_empty(); //                                        18
        if is_last {
            return self.tell(token.co, Msg::OverOut(token.epoch), out); //              19
        }
        self.tell(token.co, Msg::Over(token.epoch), out); //                            21
        self.send_on(token, out);
    }

    /// To the next in the queue, or if it is out of range to the head, which sends it on.
    fn send_on(&mut self, token: Local, out: &mut Out<Msg, Timer>) {
        let next = token.queue.iter().next().expect("someone is left");
        let hears = |to| self.i == token.co || self.peer.contains(to);
        let to = if hears(next) { next } else { token.co }; //                          22
        self.tell(to, Msg::Local(token), out); //                                   20, 24
    }

    /// Send `msg`, or take it at once if it is for this node.
    pub(super) fn tell(&mut self, to: NodeId, msg: Msg, out: &mut Out<Msg, Timer>) {
        if to == self.i { self.on_message(to, msg, out) } else { out.send(to, msg) }
    }
}
