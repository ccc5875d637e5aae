//! The heights that direct the links of RL.

use core::fmt;

use driftlock_core::{Level, NodeId};

/// The three-tuple `(h1, h2, i)` of section 4.1, ordered lexicographically. A link leads from its
/// higher to its lower end.
///
/// The numbers are 64 bits wide because `h2` falls by one with every hop of the token: 32 bits
/// would be used up in a month of a thousand hops a second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Height {
    /// Raised by link reversal, copied along with the token.
    pub h1: i64,
    /// Orders the nodes of one `h1`; falls along the path of the token.
    pub h2: i64,
    /// The node whose height this is. Makes all heights different.
    pub id: NodeId,
}

impl Height {
    /// The height `(h1, h2, id)`.
    pub const fn new(h1: i64, h2: i64, id: NodeId) -> Self {
        Height { h1, h2, id }
    }

    /// Show `h1` and `h2`.
    pub(super) fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        each(Level::Shared(0), &mut self.h1);
        each(Level::Shared(1), &mut self.h2);
    }

    /// What the height of `id` becomes when it hears first of the node at `self`.
    pub(super) fn above(self, id: NodeId) -> Self {
        Height { h1: self.h1, h2: self.h2 + 1, id }
    }

    /// What the height of `id` becomes when it takes the token from the node at `self`.
    pub(super) fn below(self, id: NodeId) -> Self {
        Height { h1: self.h1, h2: self.h2 - 1, id }
    }
}

impl fmt::Display for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{},{})", self.h1, self.h2, self.id.0)
    }
}

impl fmt::Debug for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
