//! The heights that direct the links of KRL, and the reference levels in them.

use core::fmt;

use driftlock_core::{Level as Kind, NodeId};

/// What comes first in a height: `h1`, and what D10 adds around it.
///
/// A level with an origin was made by that node when it lost its last way down. It is a search:
/// it spreads over all who have no other way down, is reflected where there is nobody left, and if
/// its origin gets it back from all sides, there is no token in this part of the network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// Whether the search of this level has found no token. Higher than all others.
    pub missing: bool,
    /// `h1` of the paper; of a search, when it began, by a logical clock.
    pub h1: i64,
    /// Who began the search, if it is one.
    pub origin: Option<NodeId>,
    /// Whether the search is on its way back.
    pub reflected: bool,
}

impl Level {
    /// The level of the paper.
    pub const fn plain(h1: i64) -> Self {
        Level { missing: false, h1, origin: None, reflected: false }
    }

    /// Which search it belongs to, found without a token or still under way.
    pub(super) fn search(self) -> (i64, Option<NodeId>) {
        (self.h1, self.origin)
    }
}

/// The three-tuple `(h1, h2, i)` of section 4.1, ordered lexicographically. A link leads from its
/// higher to its lower end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Height {
    /// `h1`: raised and lowered by link reversal, copied along with a token.
    pub level: Level,
    /// Orders the nodes of one level; falls along the path of a token.
    pub h2: i64,
    /// The node whose height this is. Makes all heights different.
    pub id: NodeId,
}

impl Height {
    /// The height `(h1, h2, id)`.
    pub const fn new(h1: i64, h2: i64, id: NodeId) -> Self {
        Height { level: Level::plain(h1), h2, id }
    }

    /// What the height of `id` becomes when it takes a token from the node at `self`.
    pub(super) fn below(self, id: NodeId) -> Self {
        Height { level: self.level, h2: self.h2 - 1, id }
    }

    /// What the height of `id` becomes when it joins the node at `self` from above.
    pub(super) fn above(self, id: NodeId) -> Self {
        Height { level: self.level, h2: self.h2 + 1, id }
    }

    /// Show `h1` and `h2`. Those of a search begin at 0.
    pub(super) fn levels(&mut self, each: &mut dyn FnMut(Kind, &mut i64)) {
        each(Kind::Shared(0), &mut self.level.h1);
        if self.level.origin.is_none() {
            each(Kind::Shared(1), &mut self.h2);
        }
    }
}

impl fmt::Display for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Height { level: Level { missing, h1, origin, reflected }, h2, id } = self;
        let state = match (missing, reflected) {
            (true, _) => "!",
            (false, true) => "'",
            (false, false) => "",
        };
        match origin {
            None => write!(f, "({h1},{h2},{})", id.0),
            Some(origin) => write!(f, "({h1}@{}{state},{h2},{})", origin.0, id.0),
        }
    }
}

impl fmt::Debug for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
