//! Links that change as a file says.

use std::sync::Arc;

use driftlock_core::{NodeId, ResourceId};

use super::{Event, Simulated, World};
use crate::changes::Change;
use crate::traced::Plan;

/// Where a run is in its trace.
#[derive(Debug)]
pub(super) struct Walk {
    plan: Arc<Plan>,
    /// The number of the next change.
    next: usize,
    /// When the last one was.
    last: u64,
    /// How many links the trace has up.
    up: u64,
    /// For how long links were up, and how long others were held up, in sums over all links.
    up_ticks: u128,
    held_ticks: u128,
}

impl Walk {
    /// Before the first change. What is up at the start comes up then, if all start alone.
    pub(super) fn new(plan: Arc<Plan>, alone: bool) -> Self {
        let next = if alone { 0 } else { plan.n_initial() };
        Walk { plan, next, last: 0, up: next as u64, up_ticks: 0, held_ticks: 0 }
    }

    /// When it is over.
    pub(super) fn length(&self) -> u64 {
        self.plan.length()
    }

    /// When the next change is.
    pub(super) fn due(&self) -> Option<u64> {
        self.plan.change(self.next).map(|(at, _)| at)
    }

    /// Links that are up from the start only because parts have to be joined.
    pub(super) fn joining(&self) -> &[(NodeId, NodeId)] {
        self.plan.joining()
    }

    /// Time has gone on, while so many links were held up.
    pub(super) fn pass(&mut self, now: u64, held_up: usize) {
        let ticks = u128::from(now.saturating_sub(self.last));
        self.last = now;
        self.up_ticks += ticks * u128::from(self.up);
        self.held_ticks += ticks * held_up as u128;
    }

    /// The share of the time of all links for which they were held up.
    pub(super) fn share_held_up(&self) -> f64 {
        let all = self.up_ticks + self.held_ticks;
        if all == 0 { 0.0 } else { self.held_ticks as f64 / all as f64 }
    }
}

impl<P: Simulated> World<'_, P> {
    /// The next change of the trace is due.
    pub(super) fn traced_change(&mut self) {
        let Some(walk) = &mut self.walk else { return };
        let Some((_, change)) = walk.plan.change(walk.next) else { return };
        walk.pass(self.now, self.held_up.len());
        walk.next += 1;
        match change {
            Change::Up(..) => walk.up += 1,
            Change::Down(..) => walk.up -= 1,
        }
        let has_roles = walk.plan.has_roles();
        if let Some(due) = walk.due() {
            self.agenda.schedule(due, Event::Traced);
        }
        let change = if has_roles { change } else { self.with_role(change) };
        self.follow(change);
    }

    /// Whether `node` is not there. Then what it was to ask for waits until it is.
    pub(super) fn postpones(&mut self, node: NodeId, resource: Option<ResourceId>) -> bool {
        let Some(walk) = &self.walk else { return false };
        let Some(back) = walk.plan.absence(node, self.now) else { return false };
        if let Some(at) = back {
            self.agenda.schedule(at, Event::Request(node, resource));
        }
        true
    }
}
