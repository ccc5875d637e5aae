//! How everybody hears of everything: whoever hears something new passes it on.
//!
//! Everything that is passed on only ever grows (a vote, a wish, a report), so it may come twice,
//! late, or in any order. What is about another list than this node's is dropped: whoever is
//! behind gets the list first.
//!
//! What everybody has to know goes to all neighbors. Answers, of which there are as many as
//! members, go only to the neighbor that the question came from. If they get lost, whoever asked
//! asks again.

use std::collections::BTreeSet;

use driftlock_core::NodeId;

use crate::council::{Council, Output, say};
use crate::roster::{Roster, Wish};
use crate::wire::{Item, Message, Standing};

impl Council {
    /// Take something in. Says whether it was news, and is to be passed on.
    pub(crate) fn merge(&mut self, item: Item, out: &mut Vec<Output>) -> bool {
        let version = self.roster.as_ref().map(|list| list.version);
        let is_current = |of: u64| version == Some(of);
        match item {
            Item::Roster(next) => {
                if self.is_next(&next) {
                    // It is passed on with what follows from it.
                    self.adopt(next, out);
                }
                false
            }
            Item::Wish(of, wish) if is_current(of) => {
                let is_new = self.wishes.insert(wish);
                if is_new {
                    self.veto(wish, out);
                    self.plan();
                }
                is_new
            }
            Item::Veto(of, wish, by) if is_current(of) => {
                self.own.remove(&wish);
                self.vetoes.insert((wish, by))
            }
            Item::Call(of, number) if is_current(of) => {
                let is_new = self.ballots.called < Some(number);
                self.ballots.called = self.ballots.called.max(Some(number));
                is_new
            }
            Item::Propose(of, number, list) if is_current(of) => {
                let known = self.ballots.proposed.as_ref().map(|(number, _)| *number);
                let is_new = known < Some(number);
                if is_new {
                    self.ballots.proposed = Some((number, list));
                }
                is_new
            }
            Item::Block(of, voter, block) if is_current(of) && voter != self.me.id => {
                self.ballots.learn(voter, block)
            }
            Item::Report(of, by, report) if is_current(of) && self.is_counting() => {
                self.reports.insert(by, report.clone()) != Some(report)
            }
            Item::Pulse(of, from, pulse) if is_current(of) => self.on_pulse(from, pulse, out),
            Item::Recounted(epoch) if self.recounted < epoch => {
                (self.recounted, self.changed) = (epoch, true);
                self.reports.clear();
                self.report = None;
                self.count_at = None;
                true
            }
            _ => false,
        }
    }

    /// Whether this list takes the place of this node's. Who knows none takes the first.
    fn is_next(&self, next: &Roster) -> bool {
        match &self.roster {
            Some(list) => next.charter == list.charter && next.version > list.version,
            None => true,
        }
    }

    /// Nobody is struck off whom somebody hears.
    pub(crate) fn veto(&mut self, wish: Wish, out: &mut Vec<Output>) {
        let Wish::Forget(member, _) = wish else { return };
        let Some(version) = self.roster().map(|list| list.version) else { return };
        let is_heard = self.links.get(&member.id).is_some_and(|link| link.memory == member.memory)
            && !self.in_doubt.contains(&member.id);
        if is_heard || member == self.me {
            let item = Item::Veto(version, wish, self.me.id);
            if self.merge(item.clone(), out) {
                self.pass_on(None, &item, out);
            }
        }
    }

    /// What follows from news: a vote, a proposal, a decision, a recount.
    pub(crate) fn go_on(&mut self, out: &mut Vec<Output>) {
        let Some(list) = self.roster().cloned() else { return };
        if self.mine.is_some_and(|number| self.ballots.called == Some(number)) {
            self.propose(&list, out);
        }
        if self.belongs() && self.ballots.vote(self.me.id) {
            self.changed = true;
            let block = self.ballots.blocks[&self.me.id].clone();
            self.pass_on(None, &Item::Block(list.version, self.me.id, block), out);
            return self.go_on(out);
        }
        let is_by_others = |next: &Roster| next.has(self.me) || !self.is_leaving();
        if let Some(next) = self.ballots.decided(&list).filter(is_by_others) {
            return self.adopt(next, out);
        }
        let first = list.members.keys().next();
        let has_all = || list.members.keys().all(|id| self.reports.contains_key(id));
        let have_stopped = self.count_at.is_none();
        if self.is_counting() && have_stopped && first == Some(&self.me.id) && has_all() {
            let of_members = self.reports.iter().filter(|(id, _)| list.members.contains_key(id));
            let reports = of_members.map(|(_, report)| report.clone()).collect();
            out.push(Output::Recount(list.version, reports));
        }
    }

    /// Propose a list in the ballot that this node has called, as soon as it may, once.
    fn propose(&mut self, list: &Roster, out: &mut Vec<Output>) {
        let Some(number) = self.mine else { return };
        let Some(next) = self.ballots.to_propose(number, list, self.wished()) else { return };
        self.mine = None;
        self.ballots.proposed = Some((number, next.clone()));
        self.pass_on(None, &Item::Propose(list.version, number, next), out);
    }

    /// Note from where a question comes.
    pub(crate) fn remember_way(&mut self, from: NodeId, item: &Item) {
        let version = self.roster.as_ref().map(|list| list.version);
        match item {
            Item::Call(of, number) | Item::Propose(of, number, _) if Some(*of) == version => {
                let proposed = self.ballots.proposed.as_ref().map(|(number, _)| *number);
                if self.ballots.called.max(proposed) < Some(*number) {
                    self.way_to_caller = Some(from);
                }
            }
            Item::Pulse(of, asker, pulse) if Some(*of) == version => {
                self.note_way_to(*asker, pulse, from);
            }
            _ => {}
        }
    }

    /// The neighbors that are to hear of something: all, or those who have asked for it.
    fn ways(&self, item: &Item) -> Option<BTreeSet<NodeId>> {
        match item {
            Item::Block(..) => Some(self.way_to_caller.into_iter().collect()),
            Item::Pulse(_, _, pulse) => self.ways_for(pulse),
            _ => None,
        }
    }

    /// Tell neighbors of this network, or of none, but the one that it is from.
    pub(crate) fn pass_on(&self, from: Option<NodeId>, item: &Item, out: &mut Vec<Output>) {
        let Some(charter) = self.roster().map(|list| list.charter) else { return };
        let ways = self.ways(item);
        let is_meant = |peer: &NodeId| ways.as_ref().is_none_or(|ways| ways.contains(peer));
        let others = self.links.iter().filter(|(peer, _)| Some(**peer) != from && is_meant(peer));
        for (peer, link) in others {
            let same = |standing: Standing| standing.charter == charter;
            if link.standing.is_some_and(|standing| standing.is_none_or(same)) {
                say(*peer, &Message::Item(item.clone()), out);
            }
        }
    }

    /// Tell a neighbor everything that is current.
    pub(crate) fn tell_all_to(&self, peer: NodeId, out: &mut Vec<Output>) {
        let Some(version) = self.roster().map(|list| list.version) else { return };
        let ballots = &self.ballots;
        let mut items: Vec<Item> = Vec::new();
        items.extend((0 < self.recounted).then_some(Item::Recounted(self.recounted)));
        items.extend(self.wishes.iter().map(|wish| Item::Wish(version, *wish)));
        items.extend(self.vetoes.iter().map(|(wish, by)| Item::Veto(version, *wish, *by)));
        items.extend(ballots.called.map(|number| Item::Call(version, number)));
        let proposed = ballots.proposed.clone();
        items.extend(proposed.map(|(number, list)| Item::Propose(version, number, list)));
        let blocks = ballots.blocks.iter();
        items.extend(blocks.map(|(voter, block)| Item::Block(version, *voter, block.clone())));
        let pulses = self.pulses.last.iter();
        items.extend(pulses.map(|(id, pulse)| Item::Pulse(version, *id, pulse.clone())));
        let reports = self.reports.iter();
        items.extend(reports.map(|(by, report)| Item::Report(version, *by, report.clone())));
        for item in items {
            say(peer, &Message::Item(item), out);
        }
    }
}
