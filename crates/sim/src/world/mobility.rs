//! Links that come and go.

use driftlock_core::{Input, LinkRole, NodeId};
use driftlock_spec::links::Downfall;

use super::{Event, Phase, Simulated, World};
use crate::changes::Change;
use crate::scenario::ConnectedBy;

impl<P: Simulated> World<'_, P> {
    pub(super) fn change(&mut self) {
        let changes = self.changes.as_mut().expect("changes are due only where there are any");
        let made = changes.make();
        let due = changes.due().max(self.now);
        self.agenda.schedule(due, Event::Change);
        made.into_iter().flatten().for_each(|change| self.follow(change));
    }

    /// Do as planned.
    pub(super) fn follow(&mut self, change: Change) {
        let (Change::Up(a, b) | Change::Down(a, b)) = change;
        if self.has_crashed(a) || self.has_crashed(b) {
            return;
        }
        match change {
            Change::Up(a, b) if self.links.is_up(a, b) => self.links.set_leaving(a, b, false),
            Change::Up(a, b) => self.link_up(a, b),
            Change::Down(a, b) => {
                self.links.set_leaving(a, b, true);
                self.let_go(a, b);
            }
        }
    }

    fn link_up(&mut self, a: NodeId, b: NodeId) {
        self.monitor.link_up(a, b, self.links.is_up(a, b));
        self.links.raise(a, b);
        self.meter.link_changed();
        if self.routes.is_none() {
            let (peer, role) = (b, LinkRole::Static);
            self.step(a, Input::LinkUp { peer, role });
            let (peer, role) = (a, LinkRole::Moving);
            self.step(b, Input::LinkUp { peer, role });
        }
    }

    /// Take a link down that is to go down, unless something is in transit on it or it is needed.
    pub(super) fn let_go(&mut self, a: NodeId, b: NodeId) {
        if self.phase != Phase::Storm || !self.links.may_leave(a, b) {
            return;
        }
        let by_known = self.scenario.link_changes.connected_by == ConnectedBy::Known;
        let needed = by_known && self.routes.is_none() && self.links.is_known(a, b);
        if needed && !self.links.joined_without(a, b, true) {
            self.held_up.push((a, b));
            return;
        }
        self.link_down(a, b);
    }

    fn link_down(&mut self, a: NodeId, b: NodeId) {
        let in_transit = self.links.in_transit(a, b);
        let joined = self.links.joined_without(a, b, false);
        self.monitor.link_down(a, b, Downfall { in_transit, joined });
        self.links.fell(a, b);
        self.meter.link_changed();
        if self.routes.is_none() {
            self.step(a, Input::LinkDown { peer: b });
            self.step(b, Input::LinkDown { peer: a });
        }
    }

    /// `node` may have come to know `peer`; then links that were needed so far may go.
    pub(super) fn learn(&mut self, node: NodeId, peer: NodeId) {
        let known = self.sites[node.index()].process.knows(peer);
        if self.links.set_known(node, peer, known) {
            for (a, b) in std::mem::take(&mut self.held_up) {
                self.let_go(a, b);
            }
        }
    }
}
