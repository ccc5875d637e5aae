//! Doorways (section 3): asynchronous, synchronous, double, and double with a return path.
//!
//! A doorway keeps those out who come late: if a node has crossed it and a neighbor, knowing so,
//! comes to its entry, the neighbor does not cross before the node has exited. The paper describes
//! doorways and leaves out their code; this is a reconstruction.
//!
//! Whoever crosses or exits tells all its neighbors, so everyone knows where each neighbor was last
//! heard to be ([`Passage`]). A *synchronous* doorway is crossed when all neighbors are outside at
//! the same time, an *asynchronous* one when each has been outside at some time since the entry
//! began. Behind a synchronous doorway nobody comes late, but who waits for it may be overtaken for
//! ever; behind an asynchronous one it is the other way round. So the *double doorway* is a
//! synchronous one within an asynchronous one:
//!
//! ```text
//! entry: AD, then SD    exit: SD, then AD    return path: exit SD, then the entry of SD again
//! ```
//!
//! What the code behind a doorway does is not known here. The node composes them; the messages of
//! this module are its own ([`Notice`]).

use core::fmt;

use driftlock_core::{NodeId, Out};

/// The four doorways of Algorithm 1 (Figure 3): a double one around the recoloring module, and one
/// around the fork collection module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Doorway {
    /// `AD^r`, asynchronous.
    AdR,
    /// `SD^r`, synchronous.
    SdR,
    /// `AD^f`, asynchronous.
    AdF,
    /// `SD^f`, synchronous.
    SdF,
}

impl Doorway {
    const ALL: [Doorway; 4] = [Doorway::AdR, Doorway::SdR, Doorway::AdF, Doorway::SdF];

    /// The entry begins: no neighbor was found outside yet.
    pub fn begin<'p>(neighbors: impl Iterator<Item = &'p mut Passage>) {
        neighbors.for_each(|passage| passage.seen = false);
    }

    /// Whether the doorway can be crossed now. This has to be asked after every event while a node
    /// is at the entry, or an asynchronous doorway misses who was outside between two events.
    pub fn opens<'p>(self, neighbors: impl Iterator<Item = &'p mut Passage>) -> bool {
        let mut opens = true;
        for passage in neighbors {
            let outside = !passage.behind.contains(self);
            passage.seen |= outside;
            opens &= if self.is_synchronous() { outside } else { passage.seen };
        }
        opens
    }

    fn is_synchronous(self) -> bool {
        matches!(self, Doorway::SdR | Doorway::SdF)
    }
}

/// A set of doorways.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Doors(u8);

impl Doors {
    /// None of them.
    pub const NONE: Doors = Doors(0);
    /// All of them.
    pub const ALL: Doors = Doors(0b1111);
    /// The double doorway of the recoloring module.
    pub const R: Doors = Doors(0b0011);
    /// The double doorway of the fork collection module.
    pub const F: Doors = Doors(0b1100);

    /// Whether `doorway` is one of them.
    #[inline]
    pub fn contains(self, doorway: Doorway) -> bool {
        self.0 & (1 << doorway as u8) != 0
    }

    fn and(self, other: Doors) -> Doors {
        Doors(self.0 & other.0)
    }

    fn without(self, other: Doors) -> Doors {
        Doors(self.0 & !other.0)
    }
}

impl From<Doorway> for Doors {
    fn from(doorway: Doorway) -> Self {
        Doors(1 << doorway as u8)
    }
}

impl fmt::Debug for Doors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Doorway::ALL.into_iter().filter(|&doorway| self.contains(doorway));
        f.debug_set().entries(all).finish()
    }
}

/// What a node tells its neighbors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Notice {
    /// The sender has crossed this doorway.
    Cross(Doorway),
    /// The sender has exited these.
    Exit(Doors),
}

/// Where a neighbor is: `L[j]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Passage {
    /// The doorways it is behind, as far as known.
    pub behind: Doors,
    /// Whether it was found outside since the entry of the doorway began at which this node is.
    pub seen: bool,
}

impl Passage {
    /// A neighbor that is behind these doorways.
    pub fn behind(behind: Doors) -> Self {
        Passage { behind, seen: false }
    }

    /// The neighbor has told something.
    pub fn hear(&mut self, notice: Notice) {
        match notice {
            Notice::Cross(doorway) => self.behind.0 |= Doors::from(doorway).0,
            Notice::Exit(doors) => self.behind = self.behind.without(doors),
        }
    }
}

/// The doorways that a node is behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place(Doors);

impl Place {
    /// The doorways that the node is behind.
    #[inline]
    pub fn doors(self) -> Doors {
        self.0
    }

    /// Whether the node is behind `doorway`.
    #[inline]
    pub fn is_behind(self, doorway: Doorway) -> bool {
        self.0.contains(doorway)
    }

    /// The entry of `doorway` is done.
    pub fn cross<M: From<Notice>>(
        &mut self,
        doorway: Doorway,
        neighbors: impl Iterator<Item = NodeId>,
        out: &mut Out<M>,
    ) {
        self.0.0 |= Doors::from(doorway).0;
        neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));
    }

    /// Exit those of `doors` that the node is behind, if any.
    pub fn exit<M: From<Notice>>(
        &mut self,
        doors: Doors,
        neighbors: impl Iterator<Item = NodeId>,
        out: &mut Out<M>,
    ) {
        let left = self.0.and(doors);
        if left != Doors::NONE {
            self.0 = self.0.without(left);
            neighbors.for_each(|j| out.send(j, Notice::Exit(left)));
        }
    }
}
