//! The execution conditions of the system model, asked of the driver itself.
//!
//! These are the conditions on links and messages of section 3 of Walter, Welch and Vaidya (2001).
//! They are judged from the records a driver keeps of each link; a driver that mixed up its records
//! would be found by a replay, which rebuilds all channels from the journal alone.

use driftlock_core::NodeId;

use crate::{Broken, Promise, Rules};

/// A message as it arrives at the end of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Whether the link is up.
    pub up: bool,
    /// The number the message was given when it was sent. Numbers count the messages of a
    /// direction and are never used again, not even if the link goes down and comes up.
    pub number: u32,
    /// The number that is due.
    pub expected: u32,
}

/// Each message sent is received once, in order, on a link that was up all the time between.
#[inline]
pub(crate) fn delivery(from: NodeId, to: NodeId, delivery: Delivery) -> Result<(), Broken> {
    let Delivery { up, number, expected } = delivery;
    if up && number == expected { Ok(()) } else { misdelivered(from, to, delivery) }
}

#[cold]
fn misdelivered(from: NodeId, to: NodeId, delivery: Delivery) -> Result<(), Broken> {
    let Delivery { up, number, expected } = delivery;
    let what = if up {
        format!("message {number} from {from} to {to} came where {expected} was due")
    } else {
        format!("a message from {from} to {to} arrived on a link that is down")
    };
    Err(Broken { promise: Promise::Model, nodes: vec![from, to], what })
}

/// A link as it goes down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Downfall {
    /// Messages in transit on it, both ways.
    pub in_transit: u32,
    /// Whether its ends are still joined by a path without it.
    pub joined: bool,
}

/// Nothing is in transit on a link that goes down, and the network stays connected, unless the
/// rules allow that.
pub(crate) fn down(a: NodeId, b: NodeId, fall: Downfall, rules: Rules) -> Result<(), Broken> {
    let what = if fall.in_transit != 0 && !rules.lossy {
        format!("the link {a}-{b} went down with {} messages in transit", fall.in_transit)
    } else if !fall.joined && !rules.partitions {
        format!("the link {a}-{b} went down and left its ends disconnected")
    } else {
        return Ok(());
    };
    Err(Broken { promise: Promise::Model, nodes: vec![a, b], what })
}

/// Only a link that is down comes up.
pub(crate) fn up(a: NodeId, b: NodeId, was_up: bool) -> Result<(), Broken> {
    if !was_up {
        return Ok(());
    }
    let what = format!("the link {a}-{b} came up twice");
    Err(Broken { promise: Promise::Model, nodes: vec![a, b], what })
}
