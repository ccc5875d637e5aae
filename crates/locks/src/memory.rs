//! What outlives a restart: [`Memory`] of all locks, [`Remembered`] of one, and [`Change`]s of it.
//!
//! A restart is a long nap during which all links broke and all clients left. So the process of a
//! lock is written down whenever a token, or a share of one, was made, came, went or came back,
//! before anything that follows from it leaves the node. Everything else may be forgotten, because
//! it is about links that are gone, or about clients that are: whoever waited waits no more, and
//! whoever was inside is dead, or is brought back by [`Locks::hold`] until it is.
//!
//! Fences must not go back. What is written down is a number that none of them has reached; after a
//! restart, all of them start from there. So it has to be written down again only after many
//! entries.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::{NodeId, ResourceId, Status};
use serde::{Deserialize, Serialize};

use crate::key::Key;
use crate::ledger::Ledger;
use crate::lock::{Around, Client, Lock, Up};
use crate::locks::{Limits, Locks, Make};
use crate::process::Event;
use crate::request::Taken;
use crate::{Output, Ticket};

/// How many entries there are room for when the number that no fence has reached is written down.
const ROOM: u64 = 1 << 16;

/// What a node remembers of all its locks.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Whether it makes the tokens of new names.
    pub founder: bool,
    /// Whom it has told that it is the founder, and may not have heard it.
    pub handed: Option<NodeId>,
    /// The names whose tokens were made by founders before it.
    pub minted: BTreeSet<Key>,
    /// No fence was greater.
    pub ceiling: u64,
    /// Whence being the founder came here, and where it went.
    pub(crate) founding: Option<Ledger>,
    /// The locks of which it has or had a token.
    pub locks: BTreeMap<Key, Remembered>,
}

/// What a node remembers of one lock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Remembered {
    /// The process.
    process: Vec<u8>,
    /// The links that the process was told of, with their epochs.
    known: BTreeMap<NodeId, u64>,
    /// What the process was asked for last.
    wanted: ResourceId,
    ledger: Ledger,
}

/// What has changed in a [`Memory`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Change {
    founder: bool,
    handed: Option<NodeId>,
    ceiling: u64,
    founding: Ledger,
    /// If there are new ones, all of them.
    minted: Option<BTreeSet<Key>>,
    locks: Vec<(Key, Remembered)>,
}

impl Memory {
    /// Of a node that begins, as the founder or not.
    pub fn new(founder: bool) -> Memory {
        Memory { founder, ..Memory::default() }
    }

    /// Take in a change.
    pub fn apply(&mut self, change: Change) {
        (self.founder, self.handed) = (change.founder, change.handed);
        self.ceiling = change.ceiling;
        self.founding = Some(change.founding);
        self.minted = change.minted.unwrap_or(core::mem::take(&mut self.minted));
        self.locks.extend(change.locks);
    }
}

/// What was written down does not make sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the state of the lock {0} cannot be read")]
pub struct BadMemory(pub Key);

/// What is to be written down.
#[derive(Default)]
pub(crate) struct Notes {
    locks: BTreeSet<Key>,
    /// From whom what must not get lost was received.
    heard: BTreeSet<NodeId>,
    founder: bool,
    minted: bool,
    raised: bool,
}

impl Notes {
    pub(crate) fn on_founder(&mut self) {
        (self.founder, self.minted) = (true, true);
    }

    pub(crate) fn on_heard(&mut self, from: NodeId) {
        self.heard.insert(from);
    }

    pub(crate) fn on_lock(&mut self, key: &Key) {
        self.locks.insert(key.clone());
    }
}

impl Lock {
    pub(crate) fn note_down(&mut self) -> Remembered {
        self.remembered = (self.wanted, self.process.status());
        Remembered {
            process: self.process.save(),
            known: self.known.clone(),
            wanted: self.wanted,
            ledger: self.ledger.clone(),
        }
    }

    fn remember(&mut self, memory: &Remembered) -> bool {
        self.known = memory.known.clone();
        self.ledger = memory.ledger.clone();
        let is_read = self.process.restore(&memory.process).is_ok();
        self.wanted = memory.wanted;
        self.remembered = (self.wanted, self.process.status());
        is_read
    }

    /// Somebody has been inside since before a restart.
    fn hold(&mut self, client: Client, around: &mut Around<'_>) -> bool {
        match self.process.status() {
            Status::Critical if self.wanted == client.resource => self.holders.push(client),
            Status::Remainder => {
                self.waiters.push_back(client);
                self.wanted = client.resource;
                self.step(Event::Request(client.resource), around);
                self.waiters.clear();
            }
            Status::Critical | Status::Waiting => {}
        }
        self.holders.iter().any(|holder| holder.ticket == client.ticket)
    }
}

impl Locks {
    /// A node without links, with the locks that it remembers. Follows [`Locks::hold`] for each
    /// who is still inside, and then [`Locks::wake`].
    pub fn awake(
        me: NodeId,
        make: Make,
        limits: Limits,
        memory: &Memory,
    ) -> Result<Locks, BadMemory> {
        let mut locks = Locks::new(me, memory.founder, make, limits);
        locks.minted = memory.minted.clone();
        locks.departure.handed = memory.handed;
        if let Some(founding) = &memory.founding {
            locks.founding = founding.clone();
        }
        (locks.ceiling, locks.floor) = (memory.ceiling, memory.ceiling);
        for (key, remembered) in &memory.locks {
            let mut lock = Lock::new(key.clone(), make(key.kind, me, false));
            lock.clock = locks.floor;
            if !lock.remember(remembered) {
                return Err(BadMemory(key.clone()));
            }
            locks.table.insert(key.clone(), lock);
        }
        Ok(locks)
    }

    /// Whoever was granted this before a restart is still inside. Says whether that can be.
    pub fn hold(
        &mut self,
        now: u64,
        ticket: Ticket,
        key: &Key,
        resource: ResourceId,
        fence: u64,
    ) -> bool {
        let client = Client { ticket, resource, since: now, fence, joined: false, told: false };
        // It was granted when this node was sure to be a member.
        let sure = core::mem::replace(&mut self.sure, true);
        let held = self.with(now, key, &mut Vec::new(), |lock, around| lock.hold(client, around));
        self.sure = sure;
        if held {
            // Whose session is over has heard that it has to stop: no lease is left to end.
            self.tickets.insert(ticket, Taken { key: key.clone(), due: None, lease: None });
        }
        held
    }

    /// Go on after a restart. All links are down but those that are in doubt.
    pub fn wake(
        &mut self,
        now: u64,
        in_doubt: impl Iterator<Item = (NodeId, Up)>,
        out: &mut Vec<Output>,
    ) {
        self.near.extend(in_doubt);
        self.links.clone_from(&self.near);
        if self.departure.handed.is_some_and(|heir| !self.links.contains_key(&heir)) {
            self.departure.handed = None;
        }
        let keys: Vec<Key> = self.table.keys().cloned().collect();
        for key in &keys {
            self.with(now, key, out, |lock, around| lock.update(around));
        }
    }

    /// What has changed that has to be written down, if anything has, and from which neighbors it
    /// was received.
    pub fn take_change(&mut self) -> Option<(Change, BTreeSet<NodeId>)> {
        let notes = core::mem::take(&mut self.notes);
        if notes.locks.is_empty() && notes.heard.is_empty() && !notes.founder && !notes.raised {
            return None;
        }
        let mut locks = Vec::new();
        for key in notes.locks {
            let lock = self.table.get_mut(&key).expect("locks are never forgotten");
            locks.push((key, lock.note_down()));
        }
        let (founder, handed, ceiling) = (self.founder, self.departure.handed, self.ceiling);
        let minted = notes.minted.then(|| self.minted.clone());
        let founding = self.founding.clone();
        Some((Change { founder, handed, ceiling, founding, minted, locks }, notes.heard))
    }

    /// No fence here was greater, nor one of a neighbor that has died.
    pub fn ceiling(&self) -> u64 {
        self.ceiling
    }

    /// See that no fence is greater than what is written down.
    pub(crate) fn raise_ceiling(&mut self, clock: u64) {
        if self.ceiling < clock {
            self.ceiling = clock.saturating_add(ROOM);
            self.notes.raised = true;
        }
    }
}
