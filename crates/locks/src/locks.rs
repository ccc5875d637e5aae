//! All locks of one node: [`Locks`].

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::{LinkRole, NodeId, ResourceId};

use crate::key::{Key, Kind};
use crate::leave::{Asking, Departure};
use crate::lock::{Around, Client, Lock, Up};
use crate::memory::Notes;
use crate::process::Process;
use crate::wire::Message;
use crate::{Loss, Output, Ticket};

/// How the process of a lock is made: its kind, the node, and whether the node makes its tokens.
pub type Make = fn(Kind, NodeId, bool) -> Box<dyn Process>;

/// How much a node takes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Locks that it knows.
    pub locks: usize,
    /// Clients that wait or are inside.
    pub clients: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { locks: 100_000, clients: 10_000 }
    }
}

/// Why a request was not granted. Nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The name is that of a lock of another kind.
    Kind(Kind),
    /// It was not free at once.
    Busy,
    /// The time was up.
    Timeout,
    /// The node is leaving.
    Leaving,
    /// There are as many locks or clients as the node takes on.
    TooMany,
}

/// All locks of one node.
pub struct Locks {
    pub(crate) me: NodeId,
    pub(crate) founder: bool,
    make: Make,
    limits: Limits,
    recorded: bool,
    pub(crate) links: BTreeMap<NodeId, Up>,
    pub(crate) table: BTreeMap<Key, Lock>,
    /// Locks for which news of links cannot wait.
    awake: BTreeSet<Key>,
    /// Locks whose tokens were made by founders before this one.
    pub(crate) minted: BTreeSet<Key>,
    /// Which lock a ticket is for, and until when it waits.
    pub(crate) tickets: BTreeMap<Ticket, (Key, Option<u64>)>,
    deadlines: BTreeSet<(u64, Ticket)>,
    /// When locks that talk in vain have their next turn; a turn may be over when it comes.
    turns: BTreeSet<(u64, Key)>,
    pub(crate) departure: Departure,
    /// No fence is greater than what is written down, and none is less than what was.
    pub(crate) ceiling: u64,
    pub(crate) floor: u64,
    pub(crate) notes: Notes,
}

impl Locks {
    /// A node without links and locks.
    pub fn new(me: NodeId, founder: bool, make: Make, limits: Limits) -> Locks {
        Locks {
            me,
            founder,
            make,
            limits,
            recorded: false,
            links: BTreeMap::new(),
            table: BTreeMap::new(),
            awake: BTreeSet::new(),
            minted: BTreeSet::new(),
            tickets: BTreeMap::new(),
            deadlines: BTreeSet::new(),
            turns: BTreeSet::new(),
            departure: Departure::default(),
            ceiling: 0,
            floor: 0,
            notes: Notes::default(),
        }
    }

    /// Say every step that is taken from now on ([`Output::Step`]).
    pub fn record(&mut self) {
        self.recorded = true;
    }

    /// A client asks for a lock, until `deadline` at the most. A deadline that is not in the future
    /// asks for what can be had at once.
    pub fn acquire(
        &mut self,
        now: u64,
        ticket: Ticket,
        key: &Key,
        resource: ResourceId,
        deadline: Option<u64>,
        out: &mut Vec<Output>,
    ) {
        if let Err(refusal) = self.admit(key) {
            out.push(Output::Refused(ticket, refusal));
            return;
        }
        let at_once = deadline.is_some_and(|deadline| deadline <= now);
        if self.departure.holds_back(key, &self.table) {
            if at_once {
                out.push(Output::Refused(ticket, Refusal::Busy));
                return;
            }
            self.deadlines.extend(deadline.map(|deadline| (deadline, ticket)));
            let key = key.clone();
            self.departure.hold_back_request(Asking { ticket, key, resource, deadline });
            return;
        }
        let client = Client { ticket, resource, since: now, fence: 0, joined: false };
        if at_once && !self.with(now, key, out, |lock, around| lock.would_enter(resource, around)) {
            out.push(Output::Refused(ticket, Refusal::Busy));
            return;
        }
        self.tickets.insert(ticket, (key.clone(), deadline));
        if let Some(deadline) = deadline.filter(|_| !at_once) {
            self.deadlines.insert((deadline, ticket));
        }
        let before = out.len();
        self.with(now, key, out, |lock, around| lock.acquire(client, around));
        self.note_grants(before, out);
    }

    /// Whoever waits with this ticket does not any more. Says whether it did.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        let Some((key, deadline)) = self.tickets.get(&ticket).cloned() else {
            return self.departure.withdraw(ticket);
        };
        let lock = self.table.get_mut(&key).expect("tickets are for locks that there are");
        let withdrawn = lock.withdraw(ticket);
        if withdrawn {
            self.tickets.remove(&ticket);
            self.settle_awake(&key);
            if let Some(deadline) = deadline {
                self.deadlines.remove(&(deadline, ticket));
            }
        }
        withdrawn
    }

    /// Whoever is inside with this ticket has left. Says whether it was inside.
    pub fn release(&mut self, now: u64, ticket: Ticket, out: &mut Vec<Output>) -> bool {
        let Some((key, _)) = self.tickets.get(&ticket).cloned() else { return false };
        let before = out.len();
        let released = self.with(now, &key, out, |lock, around| lock.release(ticket, around));
        if released {
            self.tickets.remove(&ticket);
            self.note_grants(before, out);
            self.go_on_leaving(now, out);
        }
        released
    }

    /// A link came up.
    pub fn link_up(
        &mut self,
        now: u64,
        peer: NodeId,
        epoch: u64,
        role: LinkRole,
        out: &mut Vec<Output>,
    ) {
        self.links.insert(peer, Up { epoch, role });
        self.tell_awake(now, out);
        self.go_on_leaving(now, out);
    }

    /// A link went down. Everything that comes back has come back before ([`Locks::take_back`]).
    pub fn link_down(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        self.links.remove(&peer);
        self.heir_is_gone(now, peer, out);
        self.tell_awake(now, out);
        self.go_on_leaving(now, out);
    }

    /// A message from a neighbor to which a link is up.
    pub fn receive(&mut self, now: u64, from: NodeId, bytes: &[u8], out: &mut Vec<Output>) {
        let Some(message) = Message::from_bytes(bytes).filter(|_| self.links.contains_key(&from))
        else {
            out.push(Output::Garbled);
            return;
        };
        let before = out.len();
        self.take(now, from, message, out);
        self.note_grants(before, out);
        self.go_on_leaving(now, out);
    }

    pub(crate) fn take(&mut self, now: u64, from: NodeId, message: Message, out: &mut Vec<Output>) {
        match message {
            Message::Open(ref key) | Message::Wake(ref key) | Message::Step { ref key, .. }
                if self.departure.holds_back(key, &self.table) =>
            {
                self.departure.hold_back(from, message);
            }
            Message::Open(ref key) | Message::Wake(ref key) | Message::Step { ref key, .. }
                if !self.may_know(key) =>
            {
                // A lock too many: its other processes go without the one here.
                out.push(Output::Garbled);
            }
            Message::Open(key) => {
                self.with(now, &key, out, |lock, around| lock.open(from, around));
            }
            Message::Wake(key) => {
                self.with(now, &key, out, |lock, around| lock.update(around));
            }
            Message::Step { key, clock, body } => {
                self.with(now, &key, out, |lock, around| lock.receive(from, clock, body, around));
            }
            Message::Heir(keys, last) => self.on_heir(from, keys, last, out),
            Message::Known(keys, last) => self.on_known(now, from, keys, last, out),
            Message::Found => self.on_found(now, from, out),
        }
    }

    /// What was sent to a neighbor did not arrive; the link goes down next.
    pub fn take_back(&mut self, now: u64, to: NodeId, bytes: &[u8], out: &mut Vec<Output>) {
        let before = out.len();
        match Message::from_bytes(bytes) {
            Some(Message::Step { key, body, .. }) => {
                self.with(now, &key, out, |lock, around| lock.take_back(to, &body, around));
            }
            Some(Message::Found) => {
                self.founder = true;
                self.notes.on_founder();
            }
            _ => {}
        }
        self.note_grants(before, out);
    }

    /// What the time brings: requests that have waited long enough.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some(&(deadline, ticket)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            self.deadlines.remove(&(deadline, ticket));
            if self.withdraw(ticket) {
                out.push(Output::Refused(ticket, Refusal::Timeout));
            }
        }
        while let Some((turn, key)) = self.turns.first().filter(|(at, _)| *at <= now).cloned() {
            self.turns.remove(&(turn, key.clone()));
            let before = out.len();
            self.with(now, &key, out, |lock, around| lock.go_on(around));
            self.note_grants(before, out);
        }
    }

    /// When [`Locks::tick`] has something to do next.
    pub fn wake_at(&self) -> Option<u64> {
        let deadline = self.deadlines.first().map(|&(at, _)| at);
        let turn = self.turns.first().map(|&(at, _)| at);
        deadline.into_iter().chain(turn).min()
    }

    /// Whether the name can be had as a lock of this kind.
    fn admit(&self, key: &Key) -> Result<(), Refusal> {
        if self.departure.is_leaving() {
            return Err(Refusal::Leaving);
        }
        if let Some(other) = self.kinds_of(&key.name).find(|kind| *kind != key.kind) {
            return Err(Refusal::Kind(other));
        }
        let clients = self.tickets.len() + self.departure.n_asking();
        if self.limits.clients <= clients || !self.may_know(key) {
            return Err(Refusal::TooMany);
        }
        Ok(())
    }

    /// Under which kinds this name is known here.
    pub(crate) fn kinds_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Kind> + 'a {
        let first = Key { name: name.to_owned(), kind: Kind::Exclusive };
        self.table.range(first..).take_while(move |(key, _)| key.name == name).map(|(k, _)| k.kind)
    }

    /// Whether the lock is known or can be.
    fn may_know(&self, key: &Key) -> bool {
        self.table.contains_key(key) || self.table.len() < self.limits.locks
    }

    /// Do something with a lock, which is created if this is the first that is heard of it.
    pub(crate) fn with<T>(
        &mut self,
        now: u64,
        key: &Key,
        out: &mut Vec<Output>,
        action: impl FnOnce(&mut Lock, &mut Around<'_>) -> T,
    ) -> T {
        if !self.table.contains_key(key) && self.create(key) {
            self.tell_heir(key, out);
        }
        let lock = self.table.get_mut(key).expect("it was there or was put there");
        let answer = action(lock, &mut Around { now, links: &self.links, out });
        if core::mem::take(&mut lock.changed) {
            self.notes.on_lock(key);
        }
        lock.heard.drain(..).for_each(|from| self.notes.on_heard(from));
        let clock = lock.clock;
        if let Some(turn) = lock.pace.turn() {
            self.turns.insert((turn, key.clone()));
        }
        self.settle_awake(key);
        self.raise_ceiling(clock);
        answer
    }

    /// Get to know a lock. Says whether tokens were made for it.
    pub(crate) fn create(&mut self, key: &Key) -> bool {
        let founder = self.founder && !self.minted.contains(key);
        let mut process = (self.make)(key.kind, self.me, founder);
        if self.recorded {
            process.keep_records();
        }
        let mut lock = Lock::new(key.clone(), process);
        lock.clock = self.floor;
        self.table.insert(key.clone(), lock);
        founder
    }

    fn settle_awake(&mut self, key: &Key) {
        if self.table[key].is_idle() {
            self.awake.remove(key);
        } else if !self.awake.contains(key) {
            self.awake.insert(key.clone());
        }
    }

    fn tell_awake(&mut self, now: u64, out: &mut Vec<Output>) {
        let before = out.len();
        let awake: Vec<Key> = self.awake.iter().cloned().collect();
        for key in &awake {
            self.with(now, key, out, |lock, around| lock.update(around));
        }
        self.note_grants(before, out);
    }

    /// Whoever was granted does not time out any more.
    fn note_grants(&mut self, before: usize, out: &[Output]) {
        for output in &out[before..] {
            let Output::Granted { ticket, .. } = output else { continue };
            if let Some((_, deadline)) = self.tickets.get_mut(ticket)
                && let Some(deadline) = deadline.take()
            {
                self.deadlines.remove(&(deadline, *ticket));
            }
        }
    }

    /// All clients that wait are refused, and those inside are told to stop if that is wanted.
    pub(crate) fn refuse_all(&mut self, dismiss: bool, out: &mut Vec<Output>) {
        let tickets: Vec<Ticket> = self.tickets.keys().copied().collect();
        for ticket in tickets {
            if self.withdraw(ticket) {
                out.push(Output::Refused(ticket, Refusal::Leaving));
            } else if dismiss {
                out.push(Output::Lost(ticket, Loss::Leaving));
            }
        }
    }
}
