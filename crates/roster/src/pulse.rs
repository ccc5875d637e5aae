//! Who is sure to be on the list.
//!
//! A node that was away may have been struck off without knowing. So a node that was started uses
//! no token before enough of those on its list have said that they hear it, and would not strike it
//! off: a quorum of them has somebody in common with every quorum that could.
//!
//! A node that is cut off cannot know either. If it is told to stop when it is alone for too long
//! (its lease), it is sure for that long after it spoke last to a quorum that heard it. Whoever
//! makes anew what it had waits for longer than that. Clocks need not agree for this; they have to
//! run at about the same speed.
//!
//! All of this is told by pulses, which are passed on like everything else. A pulse says which
//! pulses of others its sender has heard; so one of each member is enough to answer all.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

use crate::council::{Council, Output};
use crate::roster::{Member, Wish};
use crate::wire::Item;

/// The number of a pulse: of which start of its sender, and which one.
pub(crate) type Beat = (u64, u64);

/// How long a node that was started is ready to wait for answers, in microseconds.
const SOON: u64 = 20_000;

/// From one question that is not answered to the next; each wait is twice the last.
const AGAIN_FIRST: u64 = 1_000_000;
const AGAIN_LAST: u64 = 30_000_000;

/// How many pulses of its own a node remembers the times of.
const REMEMBERED: usize = 64;

/// What a member says from time to time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Pulse {
    beat: Beat,
    /// The last pulse that its sender wants an answer to, and how soon.
    ask: Option<(Beat, u64)>,
    /// The last pulse of each member that its sender has heard, and would not strike off.
    heard: BTreeMap<NodeId, Beat>,
}

impl Pulse {
    /// Whether this is the one that its sender wants an answer to.
    fn is_question(&self) -> bool {
        self.ask.is_some_and(|(beat, _)| beat == self.beat)
    }
}

/// How sure a node is to be on the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sure {
    /// It has not been heard by a quorum, or not lately.
    No,
    /// Until then.
    Until(u64),
    /// As long as nobody says otherwise.
    Yes,
}

/// What a node knows of pulses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pulses {
    /// How often this node was started.
    pub(crate) start: u64,
    count: u64,
    /// When its last pulses were sent.
    sent: BTreeMap<Beat, u64>,
    pub(crate) last: BTreeMap<NodeId, Pulse>,
    /// From which neighbor the last question of each member came.
    ways: BTreeMap<NodeId, NodeId>,
    /// How long to wait before asking again.
    again: u64,
    /// When each member was heard of last, by this node's clock.
    pub(crate) heard_at: BTreeMap<NodeId, u64>,
    /// The last one that this node wants an answer to, and how soon.
    ask: Option<(Beat, u64)>,
    /// When to answer others, and when to ask again.
    due: Option<u64>,
    ask_at: Option<u64>,
    pub(crate) sure: Sure,
}

impl Pulses {
    pub(crate) fn new(start: u64) -> Pulses {
        Pulses {
            start,
            count: 0,
            sent: BTreeMap::new(),
            last: BTreeMap::new(),
            ways: BTreeMap::new(),
            again: AGAIN_FIRST,
            heard_at: BTreeMap::new(),
            ask: None,
            due: None,
            ask_at: None,
            sure: Sure::No,
        }
    }

    /// Nobody is to hear of this node any more.
    pub(crate) fn end(&mut self) {
        (self.due, self.ask_at, self.sure) = (None, None, Sure::No);
    }

    fn be_due(&mut self, at: u64) {
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }
}

impl Council {
    /// How long this node may use tokens without being heard; none if for ever.
    fn lease(&self) -> Option<u64> {
        let listed = self.roster().and_then(|list| list.members.get(&self.me.id));
        listed.map(|listed| listed.lease).filter(|lease| 0 < *lease)
    }

    /// Whether this node may use tokens: it is sure to be on the list.
    pub fn is_sure(&self) -> bool {
        self.belongs() && self.pulses.sure != Sure::No
    }

    /// Whether this node was sure, and has not been heard for so long that it may not be any more:
    /// tell it the time before anything else.
    pub fn is_overdue(&self, now: u64) -> bool {
        matches!(self.pulses.sure, Sure::Until(end) if end <= now)
    }

    /// There is another list, or this node was started.
    pub(crate) fn begin_pulses(&mut self, joined: bool, out: &mut Vec<Output>) {
        self.pulses.last.clear();
        self.pulses.ways.clear();
        self.pulses.again = AGAIN_FIRST;
        let now = self.now;
        let members: Vec<NodeId> =
            self.roster().into_iter().flat_map(|list| list.members.keys().copied()).collect();
        self.pulses.heard_at.retain(|id, _| members.contains(id));
        for id in members {
            self.pulses.heard_at.entry(id).or_insert(now);
        }
        if joined {
            // The list that this node is on is a new one.
            self.be_sure(Some(now), out);
        }
        if self.belongs() && (self.lease().is_some() || self.pulses.sure == Sure::No) {
            self.ask(out);
        }
    }

    /// Want to be heard.
    fn ask(&mut self, out: &mut Vec<Output>) {
        let lease = self.lease();
        let soon = (self.pulses.sure == Sure::No).then_some(SOON);
        let within = soon.or(lease.map(|lease| lease / 8)).unwrap_or(SOON);
        self.pulses.ask = Some(((self.pulses.start, self.pulses.count + 1), within));
        let again = lease.map_or(u64::MAX, |lease| lease / 4).min(self.pulses.again);
        self.pulses.again = (2 * self.pulses.again).min(AGAIN_LAST);
        let pause = if soon.is_some() { Some(again) } else { lease.map(|lease| lease / 4) };
        self.pulses.ask_at = pause.map(|pause| self.now.saturating_add(pause));
        self.send_pulse(out);
    }

    /// A quorum has heard this node at that time.
    fn be_sure(&mut self, heard: Option<u64>, out: &mut Vec<Output>) {
        let Some(heard) = heard else { return };
        let before = self.pulses.sure;
        let now = match self.lease().map(|lease| heard.saturating_add(lease)) {
            None => Sure::Yes,
            Some(end) if end <= self.now => return,
            Some(end) => Sure::Until(end),
        };
        self.pulses.sure = before.max(now);
        if before == Sure::No {
            self.pulses.again = AGAIN_FIRST;
            if now == Sure::Yes {
                (self.pulses.ask, self.pulses.ask_at) = (None, None);
            }
            out.push(Output::Sure(true));
            self.say_ready_to_all(out);
        }
    }

    /// Send a pulse, if one is due, and see whether this node is still sure.
    pub(crate) fn tick_pulses(&mut self, out: &mut Vec<Output>) {
        let is_due = |at: Option<u64>| at.is_some_and(|at| at <= self.now);
        match (is_due(self.pulses.ask_at), is_due(self.pulses.due)) {
            (true, _) if self.belongs() => self.ask(out),
            (_, true) if self.belongs() => self.send_pulse(out),
            _ => {}
        }
        if self.is_overdue(self.now) {
            self.pulses.sure = Sure::No;
            out.push(Output::Sure(false));
        }
    }

    /// When the next of these is due.
    pub(crate) fn pulse_at(&self) -> Option<u64> {
        let end = match self.pulses.sure {
            Sure::Until(end) => Some(end),
            Sure::No | Sure::Yes => None,
        };
        self.pulses.due.into_iter().chain(self.pulses.ask_at).chain(end).min()
    }

    /// Members with a lease that were silent for too long, and when the next one will have been.
    fn suspects(&self) -> impl Iterator<Item = (Member, u64)> {
        let silence = self.detects.filter(|_| self.is_sure());
        let members = self.roster().into_iter().flat_map(|list| &list.members);
        let leased = members.filter(|(id, listed)| 0 < listed.lease && **id != self.me.id);
        leased.filter_map(move |(id, listed)| {
            let last = self.pulses.heard_at.get(id).copied().unwrap_or(self.now);
            let at = last.saturating_add(silence?.max(listed.lease));
            Some((Member { id: *id, memory: listed.memory }, at))
        })
    }

    /// When the next member will have been silent for too long.
    pub(crate) fn suspect_at(&self) -> Option<u64> {
        self.suspects().map(|(_, at)| at).filter(|at| self.now < *at).min()
    }

    /// Wish that whoever was silent for too long is struck off.
    pub(crate) fn suspect(&mut self, out: &mut Vec<Output>) {
        let late: Vec<Member> =
            self.suspects().filter(|(_, at)| *at <= self.now).map(|(member, _)| member).collect();
        for member in late {
            let is_wished = |wish: &Wish| matches!(wish, Wish::Forget(m, _) if *m == member);
            if !self.own.iter().any(is_wished) {
                self.forget(self.now, member, out);
            }
        }
    }

    fn send_pulse(&mut self, out: &mut Vec<Output>) {
        let Some(list) = self.roster().cloned() else { return };
        self.pulses.count += 1;
        let beat = (self.pulses.start, self.pulses.count);
        self.pulses.sent.insert(beat, self.now);
        while REMEMBERED < self.pulses.sent.len() {
            self.pulses.sent.pop_first();
        }
        self.pulses.due = None;
        let block = self.ballots.blocks.get(&self.me.id);
        let accepted = block.and_then(|block| block.accepted.as_ref()).map(|(_, list)| list);
        let keeps =
            |id: &NodeId| accepted.is_none_or(|next| next.members.get(id) == list.members.get(id));
        let last = self.pulses.last.iter();
        let heard = last.filter(|(id, _)| keeps(id)).map(|(id, pulse)| (*id, pulse.beat));
        let pulse = Pulse { beat, ask: self.pulses.ask, heard: heard.collect() };
        self.pulses.last.insert(self.me.id, pulse.clone());
        self.pass_on(None, &Item::Pulse(list.version, self.me.id, pulse), out);
        self.count_heard(out);
    }

    /// A question of a member comes from this neighbor.
    pub(crate) fn note_way_to(&mut self, asker: NodeId, pulse: &Pulse, from: NodeId) {
        let known = self.pulses.last.get(&asker).map(|pulse| pulse.beat);
        if pulse.is_question() && known < Some(pulse.beat) {
            self.pulses.ways.insert(asker, from);
        }
    }

    /// The neighbors over which those have asked whom this pulse answers; all, if it asks itself.
    pub(crate) fn ways_for(&self, pulse: &Pulse) -> Option<BTreeSet<NodeId>> {
        let is_answered = |asker: &NodeId| {
            let ask = self.pulses.last.get(asker).and_then(|asked| asked.ask);
            ask.is_some_and(|(beat, _)| pulse.heard.get(asker) >= Some(&beat))
        };
        let ways = self.pulses.ways.iter().filter(|(asker, _)| is_answered(asker));
        (!pulse.is_question()).then(|| ways.map(|(_, way)| *way).collect())
    }

    /// A pulse of a member. Says whether it was news.
    pub(crate) fn on_pulse(&mut self, from: NodeId, pulse: Pulse, out: &mut Vec<Output>) -> bool {
        let listed = self.roster().is_some_and(|list| list.members.contains_key(&from));
        let known = self.pulses.last.get(&from).map(|pulse| pulse.beat);
        if !listed || from == self.me.id || Some(pulse.beat) <= known {
            return false;
        }
        self.pulses.heard_at.insert(from, self.now);
        let own = self.pulses.last.get(&self.me.id);
        let answered = own.and_then(|own| own.heard.get(&from));
        if let Some((ask, within)) = pulse.ask
            && answered < Some(&ask)
            && self.belongs()
        {
            self.pulses.be_due(self.now.saturating_add(within));
        }
        self.pulses.last.insert(from, pulse);
        self.count_heard(out);
        true
    }

    /// See which of this node's pulses a quorum has heard.
    fn count_heard(&mut self, out: &mut Vec<Output>) {
        let Some(list) = self.roster().filter(|_| self.belongs()) else { return };
        let me = self.me.id;
        let heard = |beat: Beat| -> BTreeSet<NodeId> {
            let has = |pulse: &Pulse| pulse.heard.get(&me).is_some_and(|last| beat <= *last);
            let others = self.pulses.last.iter().filter(|(_, pulse)| has(pulse)).map(|(id, _)| *id);
            others.chain([me]).collect()
        };
        let last = self.pulses.sent.iter().rev().find(|(beat, _)| list.is_quorum(&heard(**beat)));
        let at = last.map(|(_, at)| *at);
        self.be_sure(at, out);
    }
}
