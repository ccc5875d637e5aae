//! Looking ahead, in networks that no cache holds.
//!
//! A step among a million nodes waits for memory most of the time: for the node, its neighbors and
//! its links, one after the other. What the next few events will need is therefore read before the
//! first of them happens: nothing depends on what is read, so the machine fetches it all at once.

use std::hint::black_box;

use driftlock_core::NodeId;

use super::{Event, Simulated, World};
use crate::links::Transit;

/// Smaller networks are in the cache anyway.
pub(super) const LARGE: usize = 1 << 14;

impl<P: Simulated> World<'_, P> {
    /// Read what the next few events will need.
    pub(super) fn look_ahead(&self) {
        let batch = self.agenda.batch().filter_map(|event| match event {
            Event::Arrive(transit, msg) => Some((transit.to, Some((*transit, msg)))),
            Event::Request(node, _) | Event::Release(node, _) | Event::Move(node) => {
                Some((*node, None))
            }
            _ => None,
        });
        // First where things are, then the things.
        let mut sum = 0;
        for (node, transit) in batch.clone() {
            sum += self.sites[node.index()].visits as usize;
            sum += self.links.degree(node) + self.monitor.degree(node);
            if let Some((transit, msg)) = transit {
                sum += self.links.waiting_for(transit) as usize;
                sum += if P::carries_fork(msg) { self.monitor.degree(transit.from) } else { 0 };
            }
        }
        for (node, transit) in batch {
            sum += self.glance(node, transit);
        }
        black_box(sum);
    }

    fn glance(&self, node: NodeId, transit: Option<(Transit, &P::Msg)>) -> usize {
        let peer = transit.map_or(NodeId(0), |(transit, _)| transit.from);
        let forked = transit.is_some_and(|(_, msg)| P::carries_fork(msg));
        let process = &self.sites[node.index()].process;
        usize::from(process.knows(peer))
            + usize::from(self.links.is_up(node, peer))
            + usize::from(self.monitor.is_linked(node, peer))
            + usize::from(forked && self.monitor.is_linked(peer, node))
    }
}
