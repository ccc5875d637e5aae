//! Who may join: [`Access`].

use std::collections::BTreeMap;

use driftlock_core::NodeId;

/// What a node shows to be let in, and whom it lets in.
#[derive(Clone, PartialEq, Eq)]
pub enum Access {
    /// Whoever has the key of the network.
    NetworkKey([u8; 32]),
    /// Whoever is on the list and has the key that goes with its id.
    NodeKeys {
        /// The secret X25519 key of this node.
        own: [u8; 32],
        /// The public X25519 keys of the others.
        allowed: BTreeMap<NodeId, [u8; 32]>,
    },
}
