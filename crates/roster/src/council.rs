//! One node's part in keeping the list: [`Council`].
//!
//! A link is for talk about the list first. Locks are spoken of once both ends have each other on
//! their lists of the same epoch ([`Output::Open`]). When members are struck off, every link is
//! broken and made anew. So whatever was sent before, and whatever is sent after, cannot cross: no
//! token that is sent by somebody who has struck off a member can get to one who has not. What each
//! one then reports of its dealings with those who are gone is final, and adds up.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;

use crate::ballot::{Ballots, Memory, Number};
use crate::pulse::Pulses;
use crate::roster::{Member, Roster, Wish};
use crate::wire::{Item, Message, Parts, Standing};

/// How long the second on the list leaves it to the first to call a ballot, in microseconds; the
/// third waits twice as long, and so on.
const COURTESY: u64 = 100_000;

/// How long those who hear a member that is to be struck off have to say so.
const OBJECTIONS: u64 = 1_000_000;

/// From the first ballot that comes to nothing to the next; each wait is twice the last.
const AGAIN_FIRST: u64 = 500_000;
const AGAIN_LAST: u64 = 30_000_000;

/// What the council wants done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Send this to a neighbor.
    Send(NodeId, Vec<u8>),
    /// Locks may be spoken of on the link to this neighbor.
    Open(NodeId),
    /// There is another list. These are not on it any more.
    Adopted {
        /// Who was on the last one and is not on this one.
        gone: Vec<Member>,
        /// Whether some of them were struck off: break all links.
        anew: bool,
    },
    /// This node is not on the list any more. What it has is void.
    Struck,
    /// Say what this node has given to and got from those who are not on the list
    /// ([`Council::report`]).
    Count,
    /// These are the reports of all members, by the list of this version: make anew what is
    /// missing, and say so ([`Council::recounted`]).
    Recount(u64, Vec<Vec<u8>>),
    /// This node may use tokens from now on; or may not, and what it runs has to stop.
    Sure(bool),
    /// A neighbor belongs to another network of the same name.
    Foreign(NodeId),
}

/// A neighbor.
#[derive(Debug)]
pub(crate) struct Neighbor {
    pub(crate) memory: u64,
    pub(crate) parts: Parts,
    /// Where it stands, once it has said so.
    pub(crate) standing: Option<Option<Standing>>,
    lease: u64,
    /// Whether it was on the list, and is not any more: it has to begin anew before it joins.
    is_gone: bool,
    /// For which epoch this node and the other have said that they are ready.
    pub(crate) ready: (Option<u64>, Option<u64>),
}

impl Neighbor {
    /// Whether it has said that it is on no list.
    pub(crate) fn is_new(&self) -> bool {
        self.standing.is_some_and(|standing| standing.is_none_or(|standing| !standing.belongs))
    }
}

/// One node's part in keeping the list.
#[derive(Debug)]
pub struct Council {
    pub(crate) me: Member,
    /// The lease that this node would have on a list.
    lease: u64,
    pub(crate) roster: Option<Roster>,
    pub(crate) ballots: Ballots,
    /// The ballot that this node has called and waits for.
    pub(crate) mine: Option<Number>,
    /// From which neighbor the highest ballot came, if not from here: votes go there.
    pub(crate) way_to_caller: Option<NodeId>,
    pub(crate) wishes: BTreeSet<Wish>,
    /// Who hears somebody whom this wish would strike off.
    pub(crate) vetoes: BTreeSet<(Wish, NodeId)>,
    /// What this node itself wishes, until it is so.
    pub(crate) own: BTreeSet<Wish>,
    /// What this node has to say of its dealings with those who were struck off, as it was when the
    /// list of this epoch was adopted.
    pub(crate) report: Option<(u64, Vec<u8>)>,
    pub(crate) reports: BTreeMap<NodeId, Vec<u8>>,
    pub(crate) recounted: u64,
    pub(crate) links: BTreeMap<NodeId, Neighbor>,
    /// Those of them that are not heard any more, though their links are not down yet.
    pub(crate) in_doubt: BTreeSet<NodeId>,
    /// When to call the next ballot, and how long to wait after it.
    pub(crate) next_call: Option<u64>,
    pub(crate) patience: u64,
    pub(crate) pulses: Pulses,
    /// When those who were struck off have stopped for certain.
    pub(crate) count_at: Option<u64>,
    /// After how long of silence to have members with a lease struck off.
    pub(crate) detects: Option<u64>,
    pub(crate) struck: bool,
    pub(crate) changed: bool,
    pub(crate) now: u64,
}

impl Council {
    /// A node with what it remembers. Follows [`Council::wake`].
    pub fn new(me: Member, lease: u64, memory: Memory) -> Council {
        let blocks = match &memory.roster {
            Some(_) => [(me.id, memory.block)].into(),
            None => BTreeMap::new(),
        };
        let struck = memory.roster.as_ref().is_some_and(|list| !list.has(me));
        Council {
            me,
            lease,
            pulses: Pulses::new(memory.starts + 1),
            count_at: None,
            detects: None,
            roster: memory.roster,
            ballots: Ballots { blocks, ..Ballots::default() },
            mine: None,
            way_to_caller: None,
            wishes: BTreeSet::new(),
            vetoes: BTreeSet::new(),
            own: BTreeSet::new(),
            report: memory.report,
            reports: BTreeMap::new(),
            recounted: memory.recounted,
            links: BTreeMap::new(),
            in_doubt: BTreeSet::new(),
            next_call: None,
            patience: AGAIN_FIRST,
            struck,
            // The start is counted.
            changed: true,
            now: 0,
        }
    }

    /// Go on after a start.
    pub fn wake(&mut self, now: u64, out: &mut Vec<Output>) {
        self.now = now;
        if self.struck {
            return out.push(Output::Struck);
        }
        self.begin_pulses(false, out);
        self.wait_for_the_struck();
        self.ask_for_count(out);
    }

    /// Wish that members with a lease are struck off when they were not heard of for so long.
    pub fn detect(&mut self, silence: Option<u64>) {
        self.detects = silence;
    }

    /// What has to be written down, if it has changed, before anything that was put out is sent.
    pub fn take_changed(&mut self) -> Option<Memory> {
        core::mem::take(&mut self.changed).then(|| {
            let block = self.ballots.blocks.get(&self.me.id).cloned().unwrap_or_default();
            // Whoever only passes on what others say begins anew; whoever was struck off may not.
            let roster = self.roster.clone().filter(|_| self.struck || self.belongs());
            let (report, recounted) = (self.report.clone(), self.recounted);
            Memory { roster, block, report, recounted, starts: self.pulses.start }
        })
    }

    /// The list, if this node knows one.
    pub fn roster(&self) -> Option<&Roster> {
        self.roster.as_ref().filter(|_| !self.struck)
    }

    /// A link came up, to a node with this memory.
    pub fn link_up(&mut self, now: u64, peer: NodeId, memory: u64, out: &mut Vec<Output>) {
        self.now = now;
        // Nobody may take it for one that is new.
        if self.struck {
            return;
        }
        let (parts, standing, ready) = Default::default();
        let link = Neighbor { memory, parts, standing, lease: 0, is_gone: false, ready };
        self.links.insert(peer, link);
        let belongs = self.belongs();
        let stand =
            |list: &Roster| Standing { charter: list.charter, version: list.version, belongs };
        let standing = self.roster().map(stand);
        say(peer, &Message::Greeting(standing, self.lease), out);
        self.say_ready(peer, out);
        // There may be somebody new within reach.
        self.patience = AGAIN_FIRST;
        self.plan();
    }

    /// A link went down.
    pub fn link_down(&mut self, peer: NodeId) {
        self.links.remove(&peer);
    }

    /// These are the links that are in doubt: broken, and not down yet.
    pub fn set_in_doubt(&mut self, in_doubt: BTreeSet<NodeId>) {
        self.in_doubt = in_doubt;
    }

    /// A message from a neighbor. Says whether it could be read.
    pub fn receive(&mut self, now: u64, from: NodeId, part: &[u8], out: &mut Vec<Output>) -> bool {
        self.now = now;
        let Some(link) = self.links.get_mut(&from) else { return true };
        match link.parts.take(part) {
            None => !part.is_empty(),
            Some(None) => false,
            Some(Some(_)) if self.struck => true,
            Some(Some(message)) => {
                self.take(from, message, out);
                true
            }
        }
    }

    fn take(&mut self, from: NodeId, message: Message, out: &mut Vec<Output>) {
        match message {
            Message::Greeting(standing, lease) => {
                self.neighbor(from).lease = lease;
                self.on_greeting(from, standing, out);
            }
            Message::Ready(epoch) => {
                self.neighbor(from).ready.1 = Some(epoch);
                self.open_if_ready(from, out);
            }
            Message::Item(item) => {
                self.remember_way(from, &item);
                if self.merge(item.clone(), out) {
                    self.pass_on(Some(from), &item, out);
                    self.go_on(out);
                }
            }
        }
    }

    fn on_greeting(&mut self, from: NodeId, theirs: Option<Standing>, out: &mut Vec<Output>) {
        self.neighbor(from).standing = Some(theirs);
        let Some(list) = self.roster().cloned() else { return };
        match theirs {
            Some(theirs) if theirs.charter != list.charter => {
                return out.push(Output::Foreign(from));
            }
            Some(theirs) if theirs.version >= list.version => self.tell_all_to(from, out),
            _ => {
                say(from, &Message::Item(Item::Roster(list)), out);
                self.tell_all_to(from, out);
            }
        }
        self.sponsor(from, out);
        self.wishes.clone().into_iter().for_each(|wish| self.veto(wish, out));
        self.say_ready(from, out);
        self.go_on(out);
    }

    /// Wish that a neighbor that belongs to nobody may join.
    fn sponsor(&mut self, peer: NodeId, out: &mut Vec<Output>) {
        let Some(list) = self.roster() else { return };
        let link = &self.links[&peer];
        let (member, lease) = (Member { id: peer, memory: link.memory }, link.lease);
        let is_there = !link.is_gone && !self.in_doubt.contains(&peer);
        if is_there && link.is_new() && !list.members.contains_key(&peer) {
            self.wish(Wish::Join(member, lease), out);
        }
    }

    /// Wish something of the next list.
    fn wish(&mut self, wish: Wish, out: &mut Vec<Output>) {
        let Some(version) = self.roster().map(|list| list.version) else { return };
        let item = Item::Wish(version, wish);
        if self.merge(item.clone(), out) {
            self.pass_on(None, &item, out);
        }
    }

    /// This node wishes that a member is struck off.
    pub fn forget(&mut self, now: u64, member: Member, out: &mut Vec<Output>) {
        let is_meant = |wish: &&Wish| matches!(wish, Wish::Forget(m, _) if *m == member);
        // Wishes about one member are in the order of their numbers.
        let last = self.wishes.iter().rfind(is_meant).copied();
        let wish = match last {
            Some(Wish::Forget(_, number)) if self.is_vetoed(last) => {
                Wish::Forget(member, number + 1)
            }
            Some(wish) => wish,
            None => Wish::Forget(member, 1),
        };
        self.insist(now, wish, out);
    }

    /// This node leaves, and has nothing any more.
    pub fn leave(&mut self, now: u64, out: &mut Vec<Output>) {
        self.insist(now, Wish::Leave(self.me), out);
    }

    fn insist(&mut self, now: u64, wish: Wish, out: &mut Vec<Output>) {
        self.now = now;
        self.own.insert(wish);
        self.patience = AGAIN_FIRST;
        self.wish(wish, out);
        self.go_on(out);
    }

    /// Tell a neighbor that it may speak of locks, if it is on the list, once.
    fn say_ready(&mut self, peer: NodeId, out: &mut Vec<Output>) {
        let Some(epoch) = self.roster().map(|list| list.epoch) else { return };
        let link = &self.links[&peer];
        let member = Member { id: peer, memory: link.memory };
        let is_on_list = self.roster().is_some_and(|list| list.has(member));
        if is_on_list && self.is_sure() && link.ready.0.is_none() {
            self.neighbor(peer).ready.0 = Some(epoch);
            say(peer, &Message::Ready(epoch), out);
            self.open_if_ready(peer, out);
        }
    }

    pub(crate) fn say_ready_to_all(&mut self, out: &mut Vec<Output>) {
        let peers: Vec<NodeId> = self.links.keys().copied().collect();
        peers.into_iter().for_each(|peer| self.say_ready(peer, out));
    }

    fn open_if_ready(&mut self, peer: NodeId, out: &mut Vec<Output>) {
        let epoch = self.roster().map(|list| list.epoch);
        let ready = self.links[&peer].ready;
        if ready == (epoch, epoch) && epoch.is_some() {
            out.push(Output::Open(peer));
        }
    }

    /// Whether there is nobody else on the list.
    pub fn is_alone(&self) -> bool {
        self.roster().is_none_or(|list| list.members.len() == 1)
    }

    /// Whether this node is on the list. One that is not, and never was, passes on what others say.
    pub fn belongs(&self) -> bool {
        self.roster().is_some_and(|list| list.has(self.me))
    }

    /// The time.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Output>) {
        self.now = now;
        self.tick_pulses(out);
        self.suspect(out);
        if self.count_at.is_some_and(|at| at <= now) {
            self.count_at = None;
            self.go_on(out);
        }
        if self.next_call.is_some_and(|at| at <= now) {
            self.next_call = None;
            if self.wished().is_some() {
                self.call(out);
            }
        }
    }

    /// When [`Council::tick`] has something to do next.
    pub fn wake_at(&self) -> Option<u64> {
        self.next_call
            .into_iter()
            .chain(self.pulse_at())
            .chain(self.count_at)
            .chain(self.suspect_at())
            .min()
    }

    fn call(&mut self, out: &mut Vec<Output>) {
        let Some(version) = self.roster().map(|list| list.version) else { return };
        let number = self.ballots.call(self.me.id);
        (self.mine, self.way_to_caller) = (Some(number), None);
        self.next_call = Some(self.now.saturating_add(self.patience));
        self.patience = (2 * self.patience).min(AGAIN_LAST);
        self.pass_on(None, &Item::Call(version, number), out);
        self.go_on(out);
    }

    /// See that a ballot is called, if something is wished: by the first on the list at once, by
    /// the others if that does not help.
    pub(crate) fn plan(&mut self) {
        if self.next_call.is_none() && self.wished().is_some() {
            let rank = self.roster().into_iter().flat_map(|list| list.members.keys());
            let rank = rank.take_while(|id| **id != self.me.id).count() as u64;
            let is_strike = |wish: &Wish| matches!(wish, Wish::Forget(..));
            let strikes =
                self.wishes.iter().any(|wish| is_strike(wish) && !self.is_vetoed(Some(*wish)));
            let delay = rank * COURTESY + if strikes { OBJECTIONS } else { 0 };
            self.next_call = Some(self.now.saturating_add(delay));
        }
    }

    /// Whether this node wishes to leave. It votes for that, and leaves it to those who stay to
    /// call the ballot and to see that it is decided: otherwise the first of two, who is enough to
    /// agree, could go with a decision that nobody else has heard of.
    pub(crate) fn is_leaving(&self) -> bool {
        self.own.contains(&Wish::Leave(self.me))
    }

    /// The list that is wished for, if this node has a say and it is another one.
    pub(crate) fn wished(&self) -> Option<Roster> {
        let list = self.roster().filter(|_| self.belongs() && !self.is_leaving())?;
        list.next(self.wishes.iter().filter(|wish| !self.is_vetoed(Some(**wish))))
    }

    fn is_vetoed(&self, wish: Option<Wish>) -> bool {
        self.vetoes.iter().any(|(vetoed, _)| Some(*vetoed) == wish)
    }

    pub(crate) fn neighbor(&mut self, peer: NodeId) -> &mut Neighbor {
        self.links.get_mut(&peer).expect("what comes in comes over a link")
    }

    /// A list that enough have accepted takes the place of the last one.
    pub(crate) fn adopt(&mut self, next: Roster, out: &mut Vec<Output>) {
        let before = self.roster.replace(next);
        let list = self.roster.as_ref().expect("it was put there");
        let was = before.iter().flat_map(|list| &list.members);
        let was = was.map(|(&id, listed)| Member { id, memory: listed.memory });
        let gone: Vec<Member> = was.filter(|member| !list.has(*member)).collect();
        let belonged = before.as_ref().is_some_and(|before| before.has(self.me));
        let another = before.as_ref().is_none_or(|before| before.epoch != list.epoch);
        let anew = belonged && another;
        for member in &gone {
            let link = self.links.get_mut(&member.id).filter(|link| link.memory == member.memory);
            link.into_iter().for_each(|link| link.is_gone = true);
        }
        self.ballots = Ballots::default();
        (self.mine, self.next_call, self.patience) = (None, None, AGAIN_FIRST);
        self.way_to_caller = None;
        self.changed = true;
        self.wishes.clear();
        self.vetoes.clear();
        self.reports.clear();
        let list = list.clone();
        self.pass_on(None, &Item::Roster(list.clone()), out);
        self.struck = belonged && !list.has(self.me);
        if self.struck {
            self.count_at = None;
            self.pulses.end();
            return out.push(Output::Struck);
        }
        self.own.retain(|wish| list.has(wish.member()));
        if another || self.count_at.is_none() {
            self.wait_for_the_struck();
        }
        self.own.clone().into_iter().for_each(|wish| self.wish(wish, out));
        let joined = !belonged && self.belongs();
        self.begin_pulses(joined, out);
        let peers: Vec<NodeId> = self.links.keys().copied().collect();
        peers.into_iter().for_each(|peer| self.sponsor(peer, out));
        if !anew {
            self.say_ready_to_all(out);
        }
        // After what was said: links may break now.
        out.push(Output::Adopted { gone, anew });
        self.ask_for_count(out);
    }
}

pub(crate) fn say(peer: NodeId, message: &Message, out: &mut Vec<Output>) {
    out.extend(message.to_parts().into_iter().map(|part| Output::Send(peer, part)));
}
