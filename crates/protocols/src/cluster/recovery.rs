//! How a token that got lost is replaced (D6).
//!
//! A head with requests that hears nothing of a token for long begins a new epoch: it asks all
//! nodes to promise that they take no token of an earlier epoch. Who promises gives up the tokens
//! it has. Who is in the critical section promises when it has left. When all have promised, nobody
//! is inside and no token is left, and there can be a new one; it does not matter whether the old
//! one was lost at all. Of two who begin an epoch, the later epoch goes on and the other is given
//! up.
//!
//! A node that has stopped never promises. So who does not answer for long is written off, if more
//! than half of all nodes have promised: no two parts of a network can write each other off.

use core::mem;

use driftlock_core::{NodeId, Out, Status};

use super::{Cluster, Epoch, Msg, Timer};

/// Said when a node begins an epoch: with time-outs that are right, something got lost.
pub const BEGIN_EPOCH: &str = "begin an epoch";

impl Cluster {
    /// Nothing was heard of a token for long. Who is inside knows where it is.
    pub(super) fn on_lost(&mut self, out: &mut Out<Msg, Timer>) {
        if self.status == Status::Critical {
            return self.watch(out);
        }
        out.note(BEGIN_EPOCH);
        self.missed = self.missed.saturating_add(1);
        self.promise(Epoch { number: self.promised.number + 1, by: self.i }, out);
        let others = (0..self.n).map(NodeId).filter(|&j| j != self.i);
        self.inquiry = Some(others.map(|j| (j, 0)).collect());
        self.watch(out);
        self.inquire(out);
        self.begin_if_promised(out);
    }

    /// Ask those who have not promised yet.
    fn inquire(&mut self, out: &mut Out<Msg, Timer>) {
        for j in self.inquiry.iter().flat_map(|missing| missing.keys()) {
            out.send(j, Msg::Inquire(self.promised));
        }
        out.set_timer(Timer::Answers, self.config.answers);
    }

    pub(super) fn on_inquire(&mut self, j: NodeId, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        if epoch > self.promised {
            self.promise(epoch, out);
        }
        self.answer(j, out);
    }

    /// Tell `j` of the epoch that was promised, or will be: it has asked, or has sent a token of an
    /// earlier one.
    pub(super) fn answer(&self, j: NodeId, out: &mut Out<Msg, Timer>) {
        out.send(j, if self.deferred { Msg::Inside(self.promised) } else { self.a_promise() });
    }

    fn a_promise(&self) -> Msg {
        Msg::Promise(self.promised, self.is_head() && self.is_asked())
    }

    /// A later epoch than the one asked for means that someone else has begun that.
    pub(super) fn on_promise(
        &mut self,
        j: NodeId,
        epoch: Epoch,
        wants: bool,
        out: &mut Out<Msg, Timer>,
    ) {
        if epoch > self.promised {
            self.promise(epoch, out);
        } else if let Some(missing) = self.inquiry.as_mut().filter(|_| epoch == self.promised) {
            missing.remove(j);
            if wants {
                self.call(j);
            }
            self.begin_if_promised(out);
        }
    }

    /// Who is inside is alive, and waited for. If it is too late for that, it is told.
    pub(super) fn on_inside(&mut self, j: NodeId, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        if epoch > self.promised {
            return self.promise(epoch, out);
        }
        match &mut self.inquiry {
            Some(missing) => missing.get_mut(j).into_iter().for_each(|asked| *asked = 0),
            None if self.promised.by == self.i => out.send(j, Msg::Begun(self.promised)),
            None => {}
        }
    }

    /// Write off those who were asked in vain too often, or ask again.
    pub(super) fn on_answers_late(&mut self, out: &mut Out<Msg, Timer>) {
        let patience = self.config.patience;
        let Some(missing) = &mut self.inquiry else { return };
        let mut all_gone = patience.is_some();
        for (_, asked) in missing.iter_mut() {
            let is_gone = Some(*asked) >= patience;
            all_gone &= is_gone;
            *asked += u8::from(!is_gone);
        }
        let (n, gone) = (self.n as usize, missing.len());
        if all_gone && 2 * (n - gone) > n {
            missing.retain(|_, _| false);
        }
        self.inquire(out);
        self.begin_if_promised(out);
    }

    /// All have promised: there is a token in the new epoch.
    fn begin_if_promised(&mut self, out: &mut Out<Msg, Timer>) {
        if self.inquiry.as_ref().is_some_and(|missing| missing.is_empty()) {
            self.inquiry = None;
            out.cancel_timer(Timer::Answers);
            self.hold();
            self.watch(out);
        }
    }

    /// Take no token of an earlier epoch from now on, and give up what there is here.
    fn promise(&mut self, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        self.promised = epoch;
        self.deferred = self.status == Status::Critical;
        self.global = None;
        self.toward = Some(epoch.by).filter(|&by| by != self.i);
        self.calls.clear();
        if self.inquiry.take().is_some() {
            out.cancel_timer(Timer::Answers);
        }
        if let Some(served) = self.serving.take().filter(|_| self.is_head()) {
            let later = mem::take(&mut self.nlq);
            let is_here = |j: &NodeId| *j == self.i || self.peer.contains(*j);
            served.iter().chain(later.iter()).filter(is_here).for_each(|j| self.lq.enqueue(j));
        }
        self.watch(out);
    }

    /// This node has left the critical section, and promises what it had to put off.
    pub(super) fn give_promise(&mut self, out: &mut Out<Msg, Timer>) {
        if mem::take(&mut self.deferred) {
            out.send(self.promised.by, self.a_promise());
        }
    }

    /// There is a token of this epoch. Who is inside under an earlier one was written off.
    pub(super) fn learn(&mut self, epoch: Epoch, out: &mut Out<Msg, Timer>) {
        if epoch > self.promised {
            self.promise(epoch, out);
        }
        if self.local.as_ref().is_some_and(|token| token.epoch < epoch) {
            self.local = None;
            self.status = Status::Waiting;
            out.demote();
            self.give_promise(out);
            self.ask(out);
        }
    }
}
