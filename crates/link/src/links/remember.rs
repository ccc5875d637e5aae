//! What has to be written down, as seen from outside.

use driftlock_core::{LinkRole, NodeId};

use super::Links;
use crate::Remembered;
use crate::link::Link;

impl Links {
    /// The links of which something has to be remembered that has changed since the last call,
    /// and what: nothing of those that were forgotten.
    pub fn take_changed(&mut self) -> Vec<(NodeId, Option<Remembered>)> {
        let mut changed = self.machine.take_changed();
        changed.append(&mut self.dropped);
        changed.into_iter().map(|peer| (peer, self.machine.to_remember(peer))).collect()
    }

    /// What has to be remembered of a link.
    pub fn to_remember(&self, peer: NodeId) -> Option<Remembered> {
        self.machine.to_remember(peer)
    }

    /// No forgotten link had a greater epoch.
    pub fn forgotten(&self) -> u64 {
        self.machine.forgotten()
    }

    /// The name of the memory of the other end of a link.
    pub fn memory_of(&self, peer: NodeId) -> Option<u64> {
        self.machine.link(peer).map(Link::peer_memory)
    }

    /// The epochs and roles of links that are in doubt: those above have not been told that these
    /// are down.
    pub fn in_doubt(&self) -> impl Iterator<Item = (NodeId, u64, LinkRole)> {
        let links = self.machine.links().filter(|(_, link)| link.is_in_doubt());
        links.filter_map(|(peer, link)| Some((peer, link.epoch(), link.role()?)))
    }
}
