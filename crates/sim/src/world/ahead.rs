//! Looking ahead, in networks that no cache holds.
//!
//! A step among a million nodes waits for memory most of the time: for the node, its neighbors and
//! its links, one after the other. What the next few events will need is therefore read before the
//! first of them happens: nothing depends on what is read, so the machine fetches it all at once.

use std::hint::black_box;

use driftlock_core::{NodeId, Output};

use super::{Event, Simulated, World};

/// Smaller networks are in the cache anyway.
pub(super) const LARGE: usize = 1 << 14;

impl<P: Simulated> World<'_, P> {
    /// Read what the next few events will need: first where things are, then the things.
    pub(super) fn look_ahead(&self) {
        let batch = self.agenda.batch();
        let places = batch.clone().fold(0, |sum, event| sum ^ self.peek(event));
        let things = batch.fold(0, |sum, event| sum ^ self.glance(event));
        black_box((places, things));
    }

    /// Read where the things are that an event will need.
    fn peek(&self, event: &Event<P::Msg, P::Timer>) -> usize {
        let (node, more) = match event {
            Event::Arrive(transit, msg) => {
                let forked = P::carries_fork(msg);
                let sender = if forked { self.monitor.degree(transit.from) } else { 0 };
                (transit.to, sender ^ self.links.waiting_for(*transit) as usize)
            }
            Event::Request(node, _) | Event::Release(node, _) => (*node, 0),
            Event::Move(node) => {
                let way = self.movers.as_ref().map_or(0, |movers| movers.glance(*node));
                return way ^ self.links.degree(*node);
            }
            _ => return 0,
        };
        let site = &self.sites[node.index()];
        let application = site.visits as usize ^ site.process.status() as usize;
        more ^ application ^ self.links.degree(node) ^ self.monitor.peek(node)
    }

    /// Read the things.
    fn glance(&self, event: &Event<P::Msg, P::Timer>) -> u32 {
        let (node, more) = match event {
            Event::Arrive(transit, msg) if P::carries_fork(msg) => {
                (transit.to, self.monitor.glance(transit.from))
            }
            Event::Arrive(transit, _) => (transit.to, 0),
            Event::Request(node, _) | Event::Release(node, _) => (*node, 0),
            Event::Move(node) => return self.links.glance(*node),
            _ => return 0,
        };
        let process = &self.sites[node.index()].process;
        more ^ process.glance() ^ self.links.glance(node) ^ self.monitor.glance(node)
    }

    /// Read the links over which `node` is about to send.
    pub(super) fn look_along_links(&self, node: NodeId) {
        let receivers = self.out.as_slice().iter().filter_map(|output| match output {
            Output::Send { to, .. } => Some(*to),
            _ => None,
        });
        black_box(receivers.fold(0, |sum, to| sum ^ self.links.sent(node, to)));
    }
}
