//! What outlives a restart of a node: [`Memory`], and [`Change`]s of it.
//!
//! A change of links and the change of locks that it comes with are one: a token that has left a
//! lock is in a message of a link, and nobody may ever see one without the other.

use driftlock_core::NodeId;
use driftlock_roster::Member;
use serde::{Deserialize, Serialize};

/// What a node remembers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Of its links.
    pub links: driftlock_link::Memory,
    /// Of its locks.
    pub locks: driftlock_locks::Memory,
    /// Of who belongs to the network.
    pub roster: driftlock_roster::Memory,
}

/// What has changed, to be written down before anything that comes of it leaves the node.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Change {
    /// Links, as they are to be remembered, or to be forgotten.
    pub(crate) links: Vec<(NodeId, Option<driftlock_link::Remembered>)>,
    pub(crate) forgotten: u64,
    pub(crate) locks: Option<driftlock_locks::Change>,
    pub(crate) roster: Option<driftlock_roster::Memory>,
}

impl Memory {
    /// Of a node that begins: its memory has this name, it founds the network or not, and it may
    /// use tokens for so long (microseconds) without being heard, or for ever (0).
    pub fn new(id: NodeId, name: u64, founder: bool, lease: u64) -> Memory {
        let links = driftlock_link::Memory { name, ..Default::default() };
        let locks = driftlock_locks::Memory::new(founder);
        let roster = match founder {
            true => driftlock_roster::Memory::found(Member { id, memory: name }, lease),
            false => driftlock_roster::Memory::default(),
        };
        Memory { links, locks, roster }
    }

    /// Who the node with this memory is.
    pub fn member(&self, id: NodeId) -> Member {
        Member { id, memory: self.links.name }
    }

    /// Take in a change.
    pub fn apply(&mut self, change: Change) {
        self.links.forgotten = change.forgotten;
        for (peer, link) in change.links {
            match link {
                Some(link) => drop(self.links.links.insert(peer, link)),
                None => drop(self.links.links.remove(&peer)),
            }
        }
        if let Some(locks) = change.locks {
            self.locks.apply(locks);
        }
        if let Some(roster) = change.roster {
            self.roster = roster;
        }
    }
}
