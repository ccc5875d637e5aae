//! Messages on their way, and timers.

use driftlock_core::{Input, NodeId, Ticks};

use super::{Event, Simulated, World};
use crate::links::Transit;
use crate::scenario::ConnectedBy;

impl<P: Simulated> World<'_, P> {
    #[inline(always)]
    pub(super) fn send(&mut self, from: NodeId, to: NodeId, msg: P::Msg) {
        self.meter.sent();
        if let Some(routes) = &mut self.routes {
            let kind = P::kind(&msg);
            let packet = routes.accept(from, to, msg);
            return self.dispatch(from, kind, packet);
        }
        let (kind, bytes) = (P::kind(&msg), self.meter.bytes_of(&msg));
        if let Some((arrival, transit)) = self.transmit(from, to, kind, bytes) {
            self.agenda.schedule(arrival, Event::Arrive(transit, msg));
        }
    }

    /// Put a message on a link. Returns when it arrives, or nothing if there is no such link.
    #[inline(always)]
    pub(super) fn transmit(
        &mut self,
        from: NodeId,
        to: NodeId,
        kind: usize,
        bytes: u64,
    ) -> Option<(u64, Transit)> {
        let delay = self.delay.draw(|| self.delays.draw());
        let sent = self.links.send(from, to, self.now, delay);
        match sent {
            Some(_) => self.meter.transmitted(kind, bytes),
            None => self.monitor.stray_message(from, to),
        }
        sent
    }

    #[inline(always)]
    pub(super) fn arrive(&mut self, transit: Transit, msg: P::Msg) {
        if self.is_gone(transit) {
            return;
        }
        let (delivery, leaving) = self.links.arrive(transit);
        let Transit { from, to, .. } = transit;
        self.monitor.delivery(from, to, delivery);
        self.step(to, Input::Recv { from, msg });
        if self.scenario.link_changes.connected_by == ConnectedBy::Known {
            self.learn(to, from);
        }
        if leaving {
            self.let_go(from, to);
        }
    }

    /// Whether a message was lost with its link, or with a node that has crashed: what was on its
    /// links, or where these stay, what was sent to it.
    #[inline(always)]
    fn is_gone(&mut self, transit: Transit) -> bool {
        if self.rules.lossy && self.links.has_lost(transit) {
            return true;
        }
        if self.crashed.is_empty() || !self.is_local() {
            return self.has_crashed(transit.from) || self.has_crashed(transit.to);
        }
        let gone = self.has_crashed(transit.to);
        if gone {
            self.links.arrive(transit);
        }
        gone
    }

    pub(super) fn set_timer(&mut self, node: NodeId, timer: P::Timer, after: Ticks) {
        self.settings += 1;
        self.longest_timer = self.longest_timer.max(after.0);
        let setting = self.settings;
        self.timers.insert((node, timer.clone()), setting);
        let due = self.now.saturating_add(after.0);
        self.agenda.schedule(due, Event::Timer(node, timer, setting));
    }

    pub(super) fn ring(&mut self, node: NodeId, timer: P::Timer) {
        let name = (node, timer);
        self.timers.remove(&name);
        self.step(node, Input::Timer(name.1));
    }

    /// Whether a timer was neither set anew nor unset since.
    pub(super) fn is_set(&self, node: NodeId, timer: &P::Timer, setting: u64) -> bool {
        self.timers.get(&(node, timer.clone())) == Some(&setting)
    }
}
