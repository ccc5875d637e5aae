//! Section 4.2.2: the behavior of a process at a cluster head. The text has no line numbers.

use core::mem;

use driftlock_core::{NodeId, Out};

use super::{Color, Global, Local, Msg, Published, Timer};

impl Published {
    /// A. On receiving `msg_to_ch` of the type `req`.
    pub(super) fn on_req(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        self.hungry = true;
        if self.global.is_none() || !self.started {
            self.lq.enqueue(j);
        } else {
            self.nlq.enqueue(j);
        }
        if !self.started && self.global.is_none() {
            out.send(NodeId(0), Msg::Start);
        }
        self.start(out);
    }

    /// The global token that is here from the beginning starts to go around.
    pub(super) fn start(&mut self, out: &mut Out<Msg, Timer>) {
        if !mem::replace(&mut self.started, true) {
            self.on_global(out);
        }
    }

    /// B. On receiving `globaltoken`, which is here.
    pub(super) fn on_global(&mut self, out: &mut Out<Msg, Timer>) {
        let Some(token) = &mut self.global else { return };
        let visited = token.color.insert(self.i, Color::R) == Some(Color::R);
        if visited || !self.hungry {
            return self.forward(out);
        }
        self.roundno += 1;
        self.send_local(out);
    }

    /// `localtokenmsg` goes to the first in `LQ`, which is kept as a copy.
    fn send_local(&mut self, out: &mut Out<Msg, Timer>) {
        let Some(first) = self.lq.iter().next() else {
            return out.undefined("a local token for nobody");
        };
        out.set_timer(Timer::Over, self.config.over);
        let token = Local { queue: self.lq.clone(), roundno: self.roundno };
        self.tell(first, Msg::Local(token), out);
    }

    /// Case 1.
    pub(super) fn on_over(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        self.lq.delete(j);
        out.set_timer(Timer::Over, self.config.over);
    }

    /// Case 2: a new `localtokenmsg` with the same `roundno`.
    pub(super) fn on_over_late(&mut self, out: &mut Out<Msg, Timer>) {
        self.send_local(out);
    }

    /// Case 3.
    pub(super) fn on_over_out(&mut self, out: &mut Out<Msg, Timer>) {
        out.cancel_timer(Timer::Over);
        self.forward(out);
    }

    /// A local token is back: the next is out of range of the last, or nobody is left. The text
    /// does not say what to do with it; to send it on is what 4.1.3 promises.
    pub(super) fn on_returned(&mut self, token: &Local, out: &mut Out<Msg, Timer>) {
        if let Some(next) = token.queue.iter().next() {
            out.send(next, Msg::Local(token.clone()));
        }
    }

    /// "Forward globaltoken to successor cluster head."
    fn forward(&mut self, out: &mut Out<Msg, Timer>) {
        let Some(token) = &mut self.global else { return };
        let has = |color: Color, j: &NodeId| token.color.get(*j) == Some(&color);
        let waits = token.color.iter().any(|(j, color)| j != self.i && *color == Color::W);
        let near = || self.n_list.iter().copied();
        let to = if waits {
            let unvisited = near().find(|j| has(Color::W, j));
            unvisited.or_else(|| near().find(|j| has(Color::R, j)))
        } else {
            token.globalvalue += 1;
            token.color = self.heads.clone();
            near().next()
        };
        self.send_global(to, out);
    }

    fn send_global(&mut self, to: Option<NodeId>, out: &mut Out<Msg, Timer>) {
        let Some(to) = to else {
            return out.undefined("no successor for the global token");
        };
        if let Some(token) = self.global.take() {
            self.lq = mem::take(&mut self.nlq);
            self.hungry = !self.lq.is_empty();
            self.send_primary(to, token, out);
        }
    }

    /// A global token is here to be used.
    pub(super) fn accept(&mut self, token: Global, out: &mut Out<Msg, Timer>) {
        self.started = true;
        self.global = Some(token);
        self.on_global(out);
    }
}
