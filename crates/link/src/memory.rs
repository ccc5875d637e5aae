//! What outlives a restart: [`Memory`] of all links, [`Remembered`] of one.
//!
//! A restart is a long nap: all links are broken when the node wakes up, and what was in flight is
//! settled as after any other break. For that to be true, a node has to remember, for each link,
//! the last incarnation, how many messages it has received in it, and the kept messages that it
//! has sent and that were not acknowledged. Each change of these has to be written down before
//! anything that comes of it leaves the node:
//!
//! * a link comes up, goes down, or is skipped over;
//! * a kept message is sent: otherwise it could be sent again by somebody else;
//! * a kept message is received: otherwise its sender, once it has the acknowledgment, is the last
//!   who knew of it. Whoever uses the links knows which messages these are.
//!
//! What else was received need not be remembered. "I have received `r`" is then less than the
//! truth, but not about kept messages, and nobody asks about others.

use std::collections::BTreeMap;

use driftlock_core::{LinkRole, NodeId};
use serde::{Deserialize, Serialize};

/// What a node remembers of all its links.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Tells this memory from one that is begun anew: a random number.
    pub name: u64,
    /// No forgotten link had a greater epoch.
    pub forgotten: u64,
    /// The links, by peer.
    pub links: BTreeMap<NodeId, Remembered>,
}

/// What a node remembers of one link.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Remembered {
    /// The name of the other end's memory.
    pub memory: u64,
    /// Of the last incarnation.
    pub epoch: u64,
    /// Which end this was of it.
    pub role: LinkRole,
    /// How many messages were received in it; none if that is forgotten.
    pub received: Option<u64>,
    /// The kept messages that were not acknowledged, with their numbers, in order.
    pub kept: Vec<(u64, Vec<u8>)>,
    /// Kept messages that were never sent.
    pub late: Vec<Vec<u8>>,
}
