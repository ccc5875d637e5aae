//! What became of what was in flight: [`Statement`], [`Flood`], [`Floods`].
//!
//! An end of a broken link freezes: it delivers nothing more and sends nothing more. From then on
//! "I have received `r` messages in epoch `e`" is true for good, so it may travel any way, arrive
//! late and twice, and be heard again by somebody who recorded it. Whoever hears the other end's
//! statement knows the fate of each message. A question is a statement too: it tells what the asker
//! has received, and wants the other end's statement for an answer.
//!
//! Statements travel to the other end directly, in the next handshake, and over other neighbors:
//! every node passes a question or answer on to its links once.

use std::collections::{BTreeSet, VecDeque};

use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

/// Over how many links a question or answer travels at most.
pub const HOPS_MAX: u8 = 32;

/// How many questions and answers a node remembers to have passed on.
const REMEMBERED: usize = 512;

/// What one end says about a frozen incarnation. It is never taken back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// Which incarnation; 0 if there was none.
    pub epoch: u64,
    /// How many messages this end has received in it; none if it does not remember.
    pub received: Option<u64>,
    /// The name of this end's memory: a random number.
    pub from_memory: u64,
    /// The memory of the other end that this end had the incarnation with.
    pub to_memory: u64,
}

/// A statement on its way over others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Flood {
    /// Whose statement.
    pub from: NodeId,
    /// Whom it is for.
    pub to: NodeId,
    /// Counts what `from` has sent this way.
    pub number: u64,
    /// Over how many more links it may travel.
    pub hops: u8,
    /// What it says.
    pub statement: Statement,
    /// Whether `from` wants the statement of `to`.
    pub ask: bool,
}

/// Which of them were here before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Floods {
    seen: BTreeSet<(NodeId, u64, u64)>,
    order: VecDeque<(NodeId, u64, u64)>,
    /// How many were sent from here.
    sent: u64,
}

impl Floods {
    /// Of a node with this start. The numbers of its other starts are others.
    pub(crate) fn of_start(start: u64) -> Self {
        Floods { sent: start, ..Floods::default() }
    }

    /// The number of the next one from here.
    pub(crate) fn number(&mut self) -> u64 {
        self.sent += 1;
        self.sent
    }

    /// Whether this one is here for the first time. The oldest are forgotten.
    pub(crate) fn is_new(&mut self, flood: &Flood) -> bool {
        let name = (flood.from, flood.statement.from_memory, flood.number);
        if !self.seen.insert(name) {
            return false;
        }
        self.order.push_back(name);
        if self.order.len() > REMEMBERED {
            self.order.pop_front().map(|oldest| self.seen.remove(&oldest));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flood(number: u64) -> Flood {
        let statement = Statement { epoch: 1, received: Some(0), from_memory: 1, to_memory: 2 };
        Flood { from: NodeId(1), to: NodeId(2), number, hops: 3, statement, ask: true }
    }

    #[test]
    fn each_is_new_once() {
        let mut floods = Floods::default();
        assert!(floods.is_new(&flood(1)));
        assert!(floods.is_new(&flood(2)));
        assert!(!floods.is_new(&Flood { hops: 1, ..flood(1) }));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut floods = Floods::default();
        assert!((0..10_000).all(|number| floods.is_new(&flood(number))));
        assert_eq!((floods.seen.len(), floods.order.len()), (REMEMBERED, REMEMBERED));
        assert!(!floods.is_new(&flood(9_999)));
    }
}
