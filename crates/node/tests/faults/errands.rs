//! Those who are told to have others forgotten: [`Errands`].

use super::run::Daemon;
use crate::air::Air;

/// How long they wait before they try again, in microseconds.
const AGAIN: u64 = 1_000_000;

/// What somebody is told.
pub(super) struct Errand {
    by: usize,
    /// Whom to have forgotten.
    pub(super) node: usize,
    /// When to try again.
    next: u64,
}

/// Those who are told to have others forgotten.
#[derive(Default)]
pub(super) struct Errands {
    all: Vec<Errand>,
    /// How many have been forgotten.
    pub(super) done: usize,
}

impl Errands {
    pub(super) fn add(&mut self, by: usize, node: usize) {
        self.all.push(Errand { by, node, next: 0 });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether this node is to be forgotten, and is not yet.
    pub(super) fn are_about(&self, node: usize) -> bool {
        self.all.iter().any(|errand| errand.node == node)
    }

    pub(super) fn retain(&mut self, is_kept: impl Fn(&Errand) -> bool) {
        self.all.retain(is_kept);
    }

    /// See who is forgotten, and try again to have the others forgotten.
    pub(super) fn go_on(&mut self, air: &mut Air, daemons: &[Daemon]) {
        let before = self.all.len();
        self.all.retain(|errand| {
            let knows = air.nodes[errand.by].council.belongs();
            !knows || air.is_member(errand.node, errand.by)
        });
        self.done += before - self.all.len();
        for errand in &mut self.all {
            let can = daemons[errand.by] == Daemon::Runs;
            if can && errand.next <= air.now && air.nodes[errand.by].council.belongs() {
                errand.next = air.now + AGAIN;
                air.forget(errand.by, errand.node);
            }
        }
    }
}
