//! What can happen: [`Event`].

use crate::air::Change;

/// A lock that programs ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    /// Its name.
    pub name: &'static str,
    /// Who excludes whom.
    pub kind: Kind,
}

/// Who excludes whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One is inside.
    Exclusive,
    /// So many are inside.
    Permits(u32),
    /// One of two groups is inside.
    Group,
    /// Of neighbors, one is inside.
    Local,
}

/// All locks that there are.
pub const LOCKS: [Lock; 5] = [
    Lock { name: "pad", kind: Kind::Exclusive },
    Lock { name: "dock", kind: Kind::Exclusive },
    Lock { name: "camera", kind: Kind::Permits(2) },
    Lock { name: "channel", kind: Kind::Group },
    Lock { name: "crossing", kind: Kind::Local },
];

/// What a program wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// At which node it runs.
    pub node: usize,
    /// What it asks for.
    pub lock: Lock,
    /// Of which group it is, 0 or 1.
    pub group: u8,
    /// How long it is inside, in milliseconds.
    pub hold: u64,
    /// Whether it finishes what it does when it is told to stop, and so may outlive its node.
    pub is_stubborn: bool,
}

/// Something that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Who hears whom changes.
    Air(Change),
    /// Something is done to the daemon of a node.
    Node(usize, Deed),
    /// Something about a program, by the number of what it asks for.
    Program(usize, Step),
}

/// What is done to a daemon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// It is stopped (SIGSTOP).
    Stop,
    /// It goes on (SIGCONT).
    Continue,
    /// It is killed (SIGKILL). Programs that wait there ask again once it serves; those that are
    /// inside are told to stop.
    Kill,
    /// It is started again, with what it remembers. One that is to be forgotten is kept off until
    /// it is.
    Start,
    /// The whole machine fails: the daemon is killed, and so is every program there.
    Fail,
    /// It is told to have this node forgotten, again and again until it is so.
    Forget(usize),
}

/// What a program does, or what is done to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It asks: at once, or as soon as its node serves.
    Asks,
    /// It is killed, unless it has ended.
    IsKilled,
}
