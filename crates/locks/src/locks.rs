//! All locks of one node: [`Locks`].

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;

use crate::key::{Key, Kind};
use crate::leave::Departure;
use crate::ledger::{Amount, Ledger};
use crate::lock::{Around, Client, Lock, Up};
use crate::memory::Notes;
use crate::process::Process;
use crate::request::{Request, Taken};
use crate::wire::Message;
use crate::{Loss, Output, Ticket};

/// How the process of a lock is made: its kind, the node, and whether the node makes its tokens.
pub type Make = fn(Kind, NodeId, bool) -> Box<dyn Process>;

/// Being the founder.
pub(crate) const FOUNDING: Amount = Amount { tokens: 1, weight: 0 };

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
    /// The network has struck off the node, which begins anew.
    Struck,
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
    /// All links that are up. Local locks are about these.
    pub(crate) near: BTreeMap<NodeId, Up>,
    /// Those to members of the network. Tokens go over these.
    pub(crate) links: BTreeMap<NodeId, Up>,
    pub(crate) table: BTreeMap<Key, Lock>,
    /// Locks for which news of links cannot wait.
    awake: BTreeSet<Key>,
    /// Locks whose tokens were made by founders before this one.
    pub(crate) minted: BTreeSet<Key>,
    /// Who waits or is inside.
    pub(crate) tickets: BTreeMap<Ticket, Taken>,
    /// When time is up for whom: to wait, or to be inside.
    pub(crate) deadlines: BTreeSet<(u64, Ticket)>,
    /// When locks that talk in vain have their next turn; a turn may be over when it comes.
    turns: BTreeSet<(u64, Key)>,
    pub(crate) departure: Departure,
    /// Being the founder, as a token: where it was made, whence it came and where it went.
    pub(crate) founding: Ledger,
    /// Whether this node may use tokens, as it may until somebody says otherwise.
    pub(crate) sure: bool,
    /// Whether this node was struck off, and nothing here counts any more.
    pub(crate) struck: bool,
    /// No fence is greater than what is written down, and none is less than what was.
    pub(crate) ceiling: u64,
    pub(crate) floor: u64,
    pub(crate) notes: Notes,
}

impl Locks {
    /// A node without links and locks.
    pub fn new(me: NodeId, founder: bool, make: Make, limits: Limits) -> Locks {
        let mut founding = Ledger::default();
        if founder {
            founding.make(FOUNDING);
        }
        Locks {
            me,
            founder,
            founding,
            sure: true,
            struck: false,
            make,
            limits,
            recorded: false,
            near: BTreeMap::new(),
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

    /// A client asks for a lock.
    pub fn acquire(&mut self, now: u64, request: Request, out: &mut Vec<Output>) {
        if let Err(refusal) = self.admit(&request.key) {
            out.push(Output::Refused(request.ticket, refusal));
            return;
        }
        let at_once = request.deadline.is_some_and(|deadline| deadline <= now);
        if self.departure.holds_back(&request.key, &self.table) {
            if at_once {
                out.push(Output::Refused(request.ticket, Refusal::Busy));
                return;
            }
            let due = request.deadline;
            self.deadlines.extend(due.map(|due| (due, request.ticket)));
            self.departure.hold_back_request(request);
            return;
        }
        let Request { ticket, key, resource, deadline, lease } = request;
        if at_once && !self.with(now, &key, out, |lock, around| lock.would_enter(resource, around))
        {
            out.push(Output::Refused(ticket, Refusal::Busy));
            return;
        }
        let due = deadline.filter(|_| !at_once);
        self.deadlines.extend(due.map(|due| (due, ticket)));
        self.tickets.insert(ticket, Taken { key: key.clone(), due, lease });
        let client = Client { ticket, resource, since: now, fence: 0, joined: false, told: false };
        let before = out.len();
        self.with(now, &key, out, |lock, around| lock.acquire(client, around));
        self.note_grants(now, before, out);
    }

    /// Whoever waits with this ticket does not any more. Says whether it did.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        let Some(taken) = self.tickets.get(&ticket) else {
            return self.departure.withdraw(ticket);
        };
        let lock = self.table.get_mut(&taken.key).expect("tickets are for locks that there are");
        let withdrawn = lock.withdraw(ticket);
        if withdrawn {
            let key = taken.key.clone();
            self.forget(ticket);
            self.settle_awake(&key);
        }
        withdrawn
    }

    fn forget(&mut self, ticket: Ticket) {
        if let Some(due) = self.tickets.remove(&ticket).and_then(|taken| taken.due) {
            self.deadlines.remove(&(due, ticket));
        }
    }

    /// Whoever is inside with this ticket has left. Says whether it was inside.
    pub fn release(&mut self, now: u64, ticket: Ticket, out: &mut Vec<Output>) -> bool {
        let Some(key) = self.tickets.get(&ticket).map(|taken| taken.key.clone()) else {
            return false;
        };
        let before = out.len();
        let released = self.with(now, &key, out, |lock, around| lock.release(ticket, around));
        if released {
            self.forget(ticket);
            self.note_grants(now, before, out);
            self.go_on_leaving(now, out);
        }
        released
    }

    /// A link came up, to whomever. Until it is [open](Locks::open), only local locks hear of it.
    pub fn link_up(&mut self, now: u64, peer: NodeId, up: Up, out: &mut Vec<Output>) {
        self.near.insert(peer, up);
        self.tell_awake(now, out);
    }

    /// A link that is up leads to a member of the network: tokens may go over it.
    pub fn open(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        let Some(up) = self.near.get(&peer) else { return };
        self.links.insert(peer, *up);
        self.tell_awake(now, out);
        self.go_on_leaving(now, out);
    }

    /// A link went down. Everything that comes back has come back before ([`Locks::take_back`]).
    pub fn link_down(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        self.near.remove(&peer);
        self.close(now, peer, out);
    }

    /// A link went down, or does not lead to a member any more. The peer is as near as before: a
    /// local lock waits until the link is up again, or is said to be [down](Locks::link_down).
    pub fn close(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        self.links.remove(&peer);
        self.heir_is_gone(now, peer, out);
        self.tell_awake(now, out);
        self.go_on_leaving(now, out);
    }

    /// A message from a neighbor to which a link is up.
    pub fn receive(&mut self, now: u64, from: NodeId, bytes: &[u8], out: &mut Vec<Output>) {
        let message = Message::from_bytes(bytes);
        let Some(message) = message.filter(|message| self.hears(from, message)) else {
            out.push(Output::Garbled);
            return;
        };
        let before = out.len();
        self.take(now, from, message, out);
        self.note_grants(now, before, out);
        self.go_on_leaving(now, out);
    }

    /// Whether this neighbor may say this.
    pub(crate) fn hears(&self, from: NodeId, message: &Message) -> bool {
        let links = if message.is_local() { &self.near } else { &self.links };
        links.contains_key(&from)
    }

    pub(crate) fn take(&mut self, now: u64, from: NodeId, message: Message, out: &mut Vec<Output>) {
        if let Message::Step { key, body, .. } = &message
            && !self.table.contains_key(key)
            && (self.make)(key.kind, self.me, false).would_be_missed(body)
        {
            self.let_in_news(now, key, out);
        }
        if message.lock().is_some_and(|key| self.departure.holds_back(key, &self.table)) {
            return self.departure.hold_back(from, message);
        }
        if message.lock().is_some_and(|key| !self.may_know(key)) {
            // A lock too many: its other processes go without the one here.
            return out.push(Output::Garbled);
        }
        match message {
            Message::Open(key) => {
                self.with(now, &key, out, |lock, around| lock.open(from, around));
            }
            Message::Wake(key) => {
                self.with(now, &key, out, |lock, around| lock.update(around));
            }
            Message::Step { key, clock, body } => {
                self.with(now, &key, out, |lock, around| lock.receive(from, clock, body, around));
            }
            Message::Note(key, ceiling) => {
                // It is written down before the answer leaves.
                self.raise_ceiling(ceiling);
                self.with(now, &key, out, |lock, around| lock.note(from, ceiling, around));
            }
            Message::Noted(key, ceiling) => {
                self.with(now, &key, out, |lock, around| lock.on_noted(from, ceiling, around));
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
                if let Some(up) = self.links.get(&to) {
                    self.founding.get(up.memory, FOUNDING);
                }
                self.founder = true;
                self.notes.on_founder();
            }
            _ => {}
        }
        self.note_grants(now, before, out);
    }

    /// What the time brings: requests that have waited long enough, leases that end.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some(&(deadline, ticket)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            self.deadlines.remove(&(deadline, ticket));
            if self.withdraw(ticket) {
                out.push(Output::Refused(ticket, Refusal::Timeout));
            } else {
                self.tell(ticket, Loss::Lease, out);
            }
        }
        while let Some((turn, key)) = self.turns.first().filter(|(at, _)| *at <= now).cloned() {
            self.turns.remove(&(turn, key.clone()));
            let before = out.len();
            self.with(now, &key, out, |lock, around| lock.go_on(around));
            self.note_grants(now, before, out);
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
        if self.struck {
            return Err(Refusal::Struck);
        }
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
        let links = if key.kind == Kind::Local { &self.near } else { &self.links };
        let answer = action(lock, &mut Around { now, sure: self.sure, links, out });
        if core::mem::take(&mut lock.changed) {
            self.notes.on_lock(key);
        }
        let heard = core::mem::take(&mut lock.heard);
        heard.into_iter().for_each(|from| self.notes.on_heard(from));
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
        let tokens = i64::from(lock.process.tokens());
        lock.ledger.make(Amount { tokens, weight: 0 });
        self.table.insert(key.clone(), lock);
        // Local locks have forks, which are made anew with each link.
        if founder && key.kind != Kind::Local {
            self.notes.on_lock(key);
        }
        founder
    }

    fn settle_awake(&mut self, key: &Key) {
        let lock = self.table.get_mut(key).expect("it is known");
        if lock.is_idle() {
            lock.rest();
            self.awake.remove(key);
        } else if !self.awake.contains(key) {
            self.awake.insert(key.clone());
        }
    }

    pub(crate) fn tell_awake(&mut self, now: u64, out: &mut Vec<Output>) {
        let before = out.len();
        let awake: Vec<Key> = self.awake.iter().cloned().collect();
        for key in &awake {
            self.with(now, key, out, |lock, around| lock.update(around));
        }
        self.note_grants(now, before, out);
    }

    /// Whoever was granted waits no longer, and its lease begins.
    pub(crate) fn note_grants(&mut self, now: u64, before: usize, out: &[Output]) {
        for output in &out[before..] {
            let Output::Granted { ticket, .. } = *output else { continue };
            let Some(taken) = self.tickets.get_mut(&ticket) else { continue };
            let end = taken.lease.map(|lease| now.saturating_add(lease));
            if let Some(due) = core::mem::replace(&mut taken.due, end) {
                self.deadlines.remove(&(due, ticket));
            }
            self.deadlines.extend(end.map(|end| (end, ticket)));
        }
    }

    /// Tell whoever is inside with this ticket that it has to leave.
    fn tell(&mut self, ticket: Ticket, loss: Loss, out: &mut Vec<Output>) {
        let lock = self.tickets.get(&ticket).and_then(|taken| self.table.get_mut(&taken.key));
        if let Some(lock) = lock {
            lock.tell(|holder| holder.ticket == ticket, loss, out);
        }
    }

    /// All clients that wait are refused, and those inside are told to stop if that is wanted.
    pub(crate) fn dismiss_all(
        &mut self,
        refusal: Refusal,
        loss: Option<Loss>,
        out: &mut Vec<Output>,
    ) {
        let tickets: Vec<Ticket> = self.tickets.keys().copied().collect();
        for ticket in tickets {
            if self.withdraw(ticket) {
                out.push(Output::Refused(ticket, refusal.clone()));
            } else if let Some(loss) = loss {
                self.tell(ticket, loss, out);
            }
        }
    }
}
