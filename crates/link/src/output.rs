//! What comes out of [`Links`](crate::Links).

use core::net::SocketAddr;

use driftlock_core::{LinkRole, NodeId};

/// Where a frame goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// To whoever hears it.
    All,
    /// To one address.
    One(SocketAddr),
}

/// One thing to do, or one thing that happened. For each peer in this order: `LinkUp`, any number
/// of `Deliver`, then `Returned` or `Lost` for what did not arrive, then `LinkDown`; and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Put a frame on the air.
    Transmit {
        /// Where to.
        to: To,
        /// At most [`FRAME_MAX`](crate::FRAME_MAX) bytes.
        frame: Vec<u8>,
    },
    /// A link came up. The other end has had its `LinkDown` of every earlier epoch.
    LinkUp {
        /// The other end.
        peer: NodeId,
        /// Grows with every incarnation of this link, and is the same at both ends.
        epoch: u64,
        /// Which end this is; the other end is told the opposite.
        role: LinkRole,
    },
    /// A link went down, and what became of every kept message is known.
    LinkDown {
        /// The other end.
        peer: NodeId,
        /// The incarnation that is over.
        epoch: u64,
    },
    /// A message arrived; in the order they were sent, each once.
    Deliver {
        /// The sender.
        peer: NodeId,
        /// The message.
        message: Vec<u8>,
    },
    /// A kept message did not arrive and never will. The `LinkDown` follows.
    Returned {
        /// The peer it was for.
        peer: NodeId,
        /// The message.
        message: Vec<u8>,
    },
    /// The peer has forgotten whether a kept message arrived: it lost its memory. The `LinkDown`
    /// follows.
    Lost {
        /// The peer it was for.
        peer: NodeId,
        /// The message.
        message: Vec<u8>,
    },
    /// Another node with this node's id is heard. Neither links with the other.
    Conflict {
        /// The id of both.
        id: NodeId,
        /// Where the other is.
        address: SocketAddr,
    },
}

/// Why a message was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SendError {
    /// No `LinkUp` was reported since the last `LinkDown`.
    #[error("no link to {0} is up")]
    NotUp(NodeId),
    /// See [`MESSAGE_MAX`](crate::MESSAGE_MAX).
    #[error("a message of {length} bytes, over {max}", max = crate::MESSAGE_MAX)]
    TooLong {
        /// Of the message.
        length: usize,
    },
    /// Too much waits for this peer; see [`Config::queue`](crate::Config::queue).
    #[error("{0} messages wait for {1} already")]
    Full(usize, NodeId),
}
