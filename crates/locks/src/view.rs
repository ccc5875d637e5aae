//! What can be seen of a node's locks from outside.

use driftlock_core::{NodeId, Status};

use crate::Client;
use crate::key::{Key, Kind};
use crate::lock::Lock;
use crate::locks::Locks;
use crate::wire::Message;

/// How a lock is doing at this node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockState {
    /// Nobody here wants it.
    Idle,
    /// Somebody here waits for it.
    Waiting,
    /// Somebody here has it.
    Held,
    /// Somebody here waits for it, and there is no way to its token as far as is known.
    Away,
}

/// What can be seen of a lock at this node.
#[derive(Clone, Debug)]
pub struct LockView<'a> {
    /// The lock.
    pub key: &'a Key,
    /// How it is doing.
    pub state: LockState,
    /// How many of its tokens are here.
    pub tokens: u32,
    /// The greatest fence that was heard of here.
    pub fence: u64,
    /// Who waits here, in order.
    pub waiters: Vec<Client>,
    /// Who has it here.
    pub holders: &'a [Client],
    /// Neighbors that ask through this node.
    pub asked_by: Vec<NodeId>,
}

impl Locks {
    /// Whether this node makes the tokens of new names.
    pub fn is_founder(&self) -> bool {
        self.founder
    }

    /// Whether this node is leaving.
    pub fn is_leaving(&self) -> bool {
        self.departure.is_leaving()
    }

    /// How many locks are known here.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether no lock is known here.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The names that are in use for locks of more than one kind.
    pub fn disputed(&self) -> impl Iterator<Item = &str> {
        let keys = self.table.keys().zip(self.table.keys().skip(1));
        keys.filter(|(one, next)| one.name == next.name).map(|(one, _)| one.name.as_str())
    }

    /// The name of the lock that a message is about, if it is about one.
    pub fn name_in(message: &[u8]) -> Option<String> {
        Message::from_bytes(message)?.lock().map(|key| key.name.clone())
    }

    /// All locks that are known here, by name.
    pub fn views(&self) -> impl Iterator<Item = LockView<'_>> {
        self.table.values().map(view)
    }

    /// The locks of this name. There is more than one only if the network disagrees about its kind.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = LockView<'a>> {
        let first = Key { name: name.to_owned(), kind: Kind::Exclusive };
        self.table.range(first..).take_while(move |(key, _)| key.name == name).map(|(_, l)| view(l))
    }
}

fn view(lock: &Lock) -> LockView<'_> {
    let state = if !lock.holders.is_empty() {
        LockState::Held
    } else if lock.waiters.is_empty() {
        LockState::Idle
    } else if lock.process.status() == Status::Waiting && lock.process.misses_token() {
        LockState::Away
    } else {
        LockState::Waiting
    };
    LockView {
        key: &lock.key,
        state,
        tokens: lock.process.tokens(),
        fence: lock.clock,
        waiters: lock.waiters.iter().copied().collect(),
        holders: &lock.holders,
        asked_by: lock.process.asked_by(),
    }
}
