//! How a node leaves: what it holds goes to neighbors, and so does being the founder.
//!
//! Tokens are handed on lock by lock. Being the founder is handed on in three messages, because of
//! names that not everybody has heard of. The founder tells its heir which names it has made tokens
//! for ([`Message::Heir`]). From then on the heir gets to know no new name; what it hears of such
//! waits. It answers which other names it knows already ([`Message::Known`]). The founder makes
//! tokens for these, and says [`Message::Found`]. If it hears of a new name meanwhile, it makes
//! tokens for it and tells the heir. Once it has said `Found`, it gets to know no new name either,
//! until it hears that this has arrived, or has not: then it is what it was. So no name goes
//! without tokens, and none gets them twice.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;

use crate::key::Key;
use crate::lock::Lock;
use crate::locks::{FOUNDING, Locks};
use crate::request::Request;
use crate::wire::{Message, in_parts};
use crate::{Loss, Output, Refusal, Ticket};

/// Where a node is in leaving, and in taking over from one that leaves.
#[derive(Default)]
pub(crate) struct Departure {
    leaving: bool,
    /// Who was told that it is the heir.
    heir: Option<NodeId>,
    /// Who was told that it is the founder, and may not have heard it.
    pub(crate) handed: Option<NodeId>,
    /// From whom this node takes over.
    heir_of: Option<NodeId>,
    /// The names that the founder has made tokens for, as far as told.
    named: BTreeSet<Key>,
    /// What came meanwhile about names that are not known here.
    waiting: Vec<(NodeId, Message)>,
    /// Requests for names that are not known here.
    asking: Vec<Request>,
}

impl Departure {
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving
    }

    pub(crate) fn is_heir(&self) -> bool {
        self.heir_of.is_some()
    }

    /// Whether news of this lock have to wait until this node is the founder, or is not: not if
    /// its tokens are made already.
    pub(crate) fn holds_back(&self, key: &Key, table: &BTreeMap<Key, Lock>) -> bool {
        let is_open = self.is_heir() || self.handed.is_some();
        is_open && !table.contains_key(key) && !self.named.contains(key)
    }

    pub(crate) fn hold_back(&mut self, from: NodeId, message: Message) {
        self.waiting.push((from, message));
    }

    pub(crate) fn hold_back_request(&mut self, request: Request) {
        self.asking.push(request);
    }

    pub(crate) fn n_asking(&self) -> usize {
        self.asking.len()
    }

    pub(crate) fn withdraw(&mut self, ticket: Ticket) -> bool {
        let before = self.asking.len();
        self.asking.retain(|asking| asking.ticket != ticket);
        self.asking.len() < before
    }
}

impl Locks {
    /// Leave the network. Whoever waits is refused; whoever is inside may finish, or has to stop
    /// now (`dismiss`). The node can go when it is [clear](Locks::is_clear).
    pub fn leave(&mut self, now: u64, dismiss: bool, out: &mut Vec<Output>) {
        self.departure.leaving = true;
        self.dismiss_all(Refusal::Leaving, dismiss.then_some(Loss::Leaving), out);
        self.go_on_leaving(now, out);
    }

    /// Whether nothing is here that the network would miss.
    pub fn is_clear(&self) -> bool {
        !self.founder
            && self.table.values().all(|lock| lock.process.tokens() == 0 && lock.is_free())
    }

    pub(crate) fn go_on_leaving(&mut self, now: u64, out: &mut Vec<Output>) {
        if !self.departure.leaving {
            return;
        }
        let Some(&heir) = self.links.keys().next() else { return };
        let holds = |lock: &Lock| lock.is_free() && 0 < lock.process.tokens();
        let keys = self.table.iter().filter(|(_, lock)| holds(lock)).map(|(key, _)| key.clone());
        for key in keys.collect::<Vec<Key>>() {
            self.with(now, &key, out, |lock, around| lock.hand_on(heir, around));
        }
        if self.founder && self.departure.heir.is_none() {
            self.departure.heir = Some(heir);
            let minted: BTreeSet<&Key> = self.minted.iter().chain(self.table.keys()).collect();
            for (keys, last) in in_parts(minted.into_iter()) {
                say(heir, &Message::Heir(keys, last), out);
            }
        }
    }

    /// At the heir: the founder leaves.
    pub(crate) fn on_heir(
        &mut self,
        from: NodeId,
        keys: Vec<Key>,
        last: bool,
        out: &mut Vec<Output>,
    ) {
        // Another one may have said so before, and died: then it may have forgotten these names.
        if self.departure.heir_of.replace(from) != Some(from) {
            self.departure.named.clear();
        }
        self.departure.named.extend(keys);
        if last {
            let named = &self.departure.named;
            let others = self.table.keys().filter(|key| !named.contains(*key));
            for (keys, last) in in_parts(others) {
                say(from, &Message::Known(keys, last), out);
            }
        }
    }

    /// At the founder: the heir knows these names too.
    pub(crate) fn on_known(
        &mut self,
        now: u64,
        from: NodeId,
        keys: Vec<Key>,
        last: bool,
        out: &mut Vec<Output>,
    ) {
        if self.departure.handed == Some(from) {
            self.departure.handed = None;
            self.catch_up(now, out);
        }
        if self.departure.heir != Some(from) || !self.founder {
            return;
        }
        for key in &keys {
            if !self.table.contains_key(key) {
                self.create(key);
            }
            self.with(now, key, out, |lock, around| lock.update(around));
        }
        if last {
            self.founder = false;
            self.departure.handed = Some(from);
            self.founding.give(self.links[&from].memory, FOUNDING);
            self.notes.on_founder();
            out.push(Output::Send { peer: from, message: Message::Found.to_bytes(), keep: true });
        }
    }

    /// At the founder: tokens were made for a name of which the heir may not know.
    pub(crate) fn tell_heir(&self, key: &Key, out: &mut Vec<Output>) {
        if let Some(heir) = self.departure.heir {
            say(heir, &Message::Heir(vec![key.clone()], false), out);
        }
    }

    /// At the heir: it is the founder.
    pub(crate) fn on_found(&mut self, now: u64, from: NodeId, out: &mut Vec<Output>) {
        self.founder = true;
        self.founding.get(self.links[&from].memory, FOUNDING);
        self.notes.on_founder();
        self.notes.on_heard(from);
        let named = core::mem::take(&mut self.departure.named);
        self.minted.extend(named);
        // Their tokens are made as well, and after a restart this node may not know them.
        self.minted.extend(self.table.keys().cloned());
        self.departure.heir_of = None;
        say(from, &Message::Known(Vec::new(), true), out);
        self.catch_up(now, out);
    }

    /// A token came for a name that is not known here. It cannot wait or be refused, and what came
    /// before it is first.
    pub(crate) fn let_in_news(&mut self, now: u64, key: &Key, out: &mut Vec<Output>) {
        self.create(key);
        let waiting = core::mem::take(&mut self.departure.waiting);
        let (now_known, rest) = waiting.into_iter().partition(|(_, news)| news.lock() == Some(key));
        self.departure.waiting = rest;
        for (from, message) in now_known {
            self.take(now, from, message, out);
        }
    }

    /// A link went down, and with it perhaps what was under way between a founder and its heir.
    pub(crate) fn heir_is_gone(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        self.departure.waiting.retain(|(from, _)| *from != peer);
        if self.departure.heir == Some(peer) {
            self.departure.heir = None;
        }
        // It has arrived, or it has come back by now.
        if self.departure.handed == Some(peer) {
            self.departure.handed = None;
            self.catch_up(now, out);
        }
        if self.departure.heir_of == Some(peer) {
            self.departure.heir_of = None;
            self.departure.named.clear();
            self.catch_up(now, out);
        }
    }

    /// Go on with what had to wait.
    fn catch_up(&mut self, now: u64, out: &mut Vec<Output>) {
        let before = out.len();
        for (from, message) in core::mem::take(&mut self.departure.waiting) {
            if self.hears(from, &message) {
                self.take(now, from, message, out);
            }
        }
        self.note_grants(now, before, out);
        for request in core::mem::take(&mut self.departure.asking) {
            if let Some(due) = request.deadline {
                self.deadlines.remove(&(due, request.ticket));
            }
            self.acquire(now, request, out);
        }
    }
}

fn say(peer: NodeId, message: &Message, out: &mut Vec<Output>) {
    out.push(Output::Send { peer, message: message.to_bytes(), keep: false });
}
