//! What two ends tell each other, before it is sealed: [`Clear`].

use serde::{Deserialize, Serialize};

use crate::arq::Ack;
use crate::settle::{Flood, Statement};

/// One frame between two ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Clear {
    /// Let us have a link: the first half of a handshake.
    Init(Offer),
    /// Yes: the second half.
    Resp(Offer, u64),
    /// A message, or an acknowledgment alone.
    Data(Data),
    /// A statement about the link it travels on.
    Tell(Tell),
    /// A statement about another link.
    Relay(Flood),
}

/// What an end says in a handshake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The starts of the end that says this and of the end that it says it to.
    pub starts: (u64, u64),
    /// Which handshake of these two starts.
    pub attempt: u64,
    /// How the last incarnation ended.
    pub statement: Statement,
    /// Whether the end moves.
    pub moving: bool,
    /// How many links of the end are up.
    pub links: u32,
}

/// A message of an incarnation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Data {
    /// Which incarnation.
    pub epoch: u64,
    /// What the sender of this frame has received.
    pub ack: Ack,
    /// Whether the sender does not know yet that the other end is up, and wants to hear.
    pub unsure: bool,
    /// The number of the message, and the message.
    pub message: Option<(u64, Vec<u8>)>,
}

/// A statement that goes to the other end itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Tell {
    /// What it says.
    pub statement: Statement,
    /// Whether the other end's statement is wanted.
    pub ask: bool,
}
