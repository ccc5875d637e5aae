//! Successors, on their way from those who find them to the one who keeps them: [`Batch`].

/// One move of the network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Move {
    Deliver {
        from: u8,
        to: u8,
    },
    Release(u8),
    /// A timer goes off because nothing else is going on.
    Due {
        node: u8,
        timer: u8,
    },
    Request {
        node: u8,
        resource: u8,
    },
    LinkDown {
        a: u8,
        b: u8,
    },
    LinkUp {
        a: u8,
        b: u8,
        moving: u8,
    },
    /// A timer goes off while other things are going on.
    Timeout {
        node: u8,
        timer: u8,
    },
    Lose {
        from: u8,
        to: u8,
    },
    Duplicate {
        from: u8,
        to: u8,
    },
    Crash(u8),
    /// A link comes up, and this node is told first; whether that one moved.
    Meet {
        node: u8,
        peer: u8,
        moved: bool,
    },
    /// A link breaks, and this node is told first.
    Part {
        node: u8,
        peer: u8,
    },
    /// This node is told of what the other end of its link was told before.
    Tell {
        node: u8,
        peer: u8,
    },
    /// This is what the node wakes up as if it is killed.
    Save(u8),
    /// This node is killed, and wakes up; whether its application outlives that inside, and has
    /// to be let in again.
    Restart {
        node: u8,
        inside: bool,
    },
}

impl Move {
    /// Whether it happens even when the environment keeps still.
    pub(crate) fn is_calm(self) -> bool {
        use Move::{Deliver, Due, Release, Tell};
        matches!(self, Deliver { .. } | Release(_) | Due { .. } | Tell { .. })
    }
}

/// Whether a successor is one to go on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Kept,
    /// A promise is broken in it.
    Broken,
    /// Its levels are too far apart.
    Cut,
}

/// A successor. Its row is at the same place among the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor {
    pub(crate) hash: u32,
    pub(crate) by: Move,
    pub(crate) fate: Fate,
    /// The nodes that entered, a bit for each.
    pub(crate) entered: u8,
}

/// The successors of some states.
#[derive(Default)]
pub(crate) struct Batch {
    /// One row after the other.
    pub(crate) rows: Vec<u32>,
    pub(crate) successors: Vec<Successor>,
    /// For each state, how many successors there are up to its last.
    pub(crate) ends: Vec<u32>,
    /// States at rest that are not as they should be then; places among the states.
    pub(crate) stuck: Vec<u32>,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.successors.clear();
        self.ends.clear();
        self.stuck.clear();
    }
}
