//! Section 4.1.3: the behavior of a process at a cluster node.

use driftlock_core::{Out, Status};

use super::{Local, Msg, Published, Timer};

impl Published {
    /// A. Cluster node i is hungry for the token.
    pub(super) fn on_request_cs(&mut self, out: &mut Out<Msg, Timer>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting; //                                                1
        self.tell(self.co, Msg::Req, out); //                                         2, 3
    }

    /// B. On receiving `localtokenmsg`.
    pub(super) fn on_local(&mut self, token: Local, out: &mut Out<Msg, Timer>) {
        let serves_it = token.queue.contains(self.i);
        if self.co == self.i && !serves_it {
            return self.on_returned(&token, out);
        }
        let token = match self.local.take() {
            None => token, //                                                         4, 5
            Some(other) if other.roundno > token.roundno => other, //           10, 11, 12
            Some(_) => token,
        };
        let may_enter = self.seqno < token.roundno && self.status == Status::Waiting; // 6
        if self.status == Status::Critical {
            self.local = Some(token);
        } else if may_enter {
            self.local = Some(token);
            self.status = Status::Critical; //                                       7, 14
            out.enter_cs(); //                                                           8
        } else {
            self.pass_on(token, out); //                                             9, 13
        }
    }

    /// C. On exit CS.
    pub(super) fn on_release_cs(&mut self, out: &mut Out<Msg, Timer>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder; //                                             15
        let token = self.local.take().expect("who is inside has the local token");
        self.seqno = token.roundno; //                                                  16
        self.pass_on(token, out);
    }

    fn pass_on(&mut self, mut token: Local, out: &mut Out<Msg, Timer>) {
        token.queue.delete(self.i); //                                                  17
        let next = token.queue.iter().next(); //                                        18
        let Some(next) = next else {
            self.tell(self.co, Msg::OverOut, out); //                                   19
            return self.tell(self.co, Msg::Local(token), out); //                       20
        };
        self.tell(self.co, Msg::Over, out); //                                          21
        let in_range = self.neighbor.contains(next) || self.co == self.i;
        let to = if in_range { next } else { self.co }; //                          22, 23
        self.tell(to, Msg::Local(token), out); //                                       24
    }
}
