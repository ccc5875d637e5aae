//! Who, what and how long: [`NodeId`], [`ResourceId`], [`Ticks`].

use core::fmt;

/// A node, and the process that runs on it. The papers need a total order and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(pub u32);

impl NodeId {
    /// The node's place in a vector with one entry per node.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The node whose place in such a vector is `index`.
    ///
    /// Panics if there are more nodes than identifiers.
    #[inline]
    pub fn at(index: usize) -> Self {
        NodeId(u32::try_from(index).expect("at most 2^32 nodes"))
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// What a request is for. Protocols with a single resource ignore it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResourceId(pub u64);

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// A length of time. How long a tick is, is the driver's business.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticks(pub u64);
