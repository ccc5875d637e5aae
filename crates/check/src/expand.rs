//! What can happen next: [`Expander`].

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use driftlock_core::Status;

use crate::batch::{Batch, Fate, Move, Successor};
use crate::channels::EMPTY;
use crate::environment::{Event, Facts};
use crate::layout::Links;
use crate::levels::{StateRange, of_channel};
use crate::memo::{Key, Memo, Miss};
use crate::numbers;
use crate::restarts::UNSAVED;
use crate::setup::Connectivity;
use crate::site::Checked;

/// Find the successors of the states in `rows`, which are one after the other.
///
/// What is looked up is shared by all who expand; now and then one of them finds something new.
pub(crate) fn expand_all<P: Checked>(memo: &RwLock<Memo<P>>, rows: &[u32], batch: &mut Batch) {
    batch.clear();
    let mut known = read(memo);
    let width = known.layout.width();
    for row in rows.chunks_exact(width) {
        let before = (batch.rows.len(), batch.successors.len(), batch.stuck.len());
        loop {
            let expander = Expander::new(&known, row, batch);
            let Err(miss) = expander.expand() else { break };
            batch.rows.truncate(before.0);
            batch.successors.truncate(before.1);
            batch.stuck.truncate(before.2);
            drop(known);
            memo.write().unwrap_or_else(PoisonError::into_inner).fill(miss);
            known = read(memo);
        }
        batch.ends.push(batch.successors.len() as u32);
    }
}

pub(crate) fn read<P: Checked>(memo: &RwLock<Memo<P>>) -> RwLockReadGuard<'_, Memo<P>> {
    memo.read().unwrap_or_else(PoisonError::into_inner)
}

/// Finds the successors of one state.
pub(crate) struct Expander<'e, P: Checked> {
    pub(crate) memo: &'e Memo<P>,
    pub(crate) row: &'e [u32],
    pub(crate) environment: Facts,
    batch: &'e mut Batch,
}

/// The row of the initial state, brought to the form of all others.
pub(crate) fn initial<P: Checked>(memo: &mut Memo<P>, row: &mut [u32]) {
    loop {
        let mut copy = row.to_vec();
        let brought = Expander::new(memo, row, &mut Batch::default()).bring_down(&mut copy);
        match brought {
            Ok(_) => return row.copy_from_slice(&copy),
            Err(miss) => memo.fill(miss),
        }
    }
}

/// What happened on the way to a successor.
#[derive(Clone, Copy, Default)]
pub(crate) struct Way {
    entered: u8,
    pub(crate) broken: bool,
}

impl<'e, P: Checked> Expander<'e, P> {
    fn new(memo: &'e Memo<P>, row: &'e [u32], batch: &'e mut Batch) -> Self {
        Expander { memo, row, environment: *memo.environment(row[0]), batch }
    }

    /// All successors, always in the same order.
    fn expand(mut self) -> Result<(), Miss> {
        let before = self.batch.successors.len();
        self.deliveries()?;
        if self.memo.setup.rules.settled {
            self.notices(true)?;
        }
        let arrivals = self.batch.successors.len() > before;
        self.releases()?;
        let busy = self.batch.successors.len() > before;
        if !busy {
            self.timers(false)?;
        }
        let at_rest = self.batch.successors.len() == before;
        let as_promised = match at_rest {
            true => self.memo.settled(self.row),
            false => arrivals || !busy || self.memo.entered_together(self.row),
        };
        if !as_promised {
            self.batch.stuck.push(self.batch.ends.len() as u32);
        }
        self.requests()?;
        if self.memo.setup.rules.settled {
            self.notices(false)?;
            self.settled_changes()?;
            self.restarts()?;
        } else if self.environment.changes {
            self.link_changes()?;
        }
        if busy && self.environment.timeouts {
            self.timers(true)?;
        }
        self.faults()
    }

    fn deliveries(&mut self) -> Result<(), Miss> {
        for (from, to, channel) in self.busy_channels() {
            if !self.memo.arrives(self.row, from, to) {
                continue;
            }
            let content = self.memo.channels.get(channel);
            let (message, rest) = (content.first, content.rest);
            self.successor(Move::Deliver { from, to }, |this, row| {
                row[this.memo.layout.channel(from.into(), to.into())] = rest;
                this.step(row, to, Key::Recv { from, message })
            })?;
        }
        Ok(())
    }

    fn releases(&mut self) -> Result<(), Miss> {
        for (i, site) in self.sites() {
            let facts = self.memo.site(site);
            if facts.section == Status::Critical && !facts.crashed {
                self.successor(Move::Release(i), |this, row| this.step(row, i, Key::Release))?;
            }
        }
        Ok(())
    }

    fn timers(&mut self, early: bool) -> Result<(), Miss> {
        for (i, site) in self.sites() {
            let facts = self.memo.site(site);
            let timers = if facts.crashed { 0 } else { facts.timers };
            for timer in 0..timers {
                let by = match early {
                    true => Move::Timeout { node: i, timer },
                    false => Move::Due { node: i, timer },
                };
                self.successor(by, |this, row| {
                    if early {
                        row[0] = this.memo.after(row[0], Event::Timeout)?;
                    }
                    this.step(row, i, Key::Timer(timer))
                })?;
            }
        }
        Ok(())
    }

    fn requests(&mut self) -> Result<(), Miss> {
        for (i, site) in self.sites() {
            let facts = self.memo.site(site);
            let may = self.environment.may_ask & (1 << i) != 0 && !facts.crashed;
            if !may || facts.section != Status::Remainder {
                continue;
            }
            for resource in 0..self.memo.setup.resources {
                self.successor(Move::Request { node: i, resource }, |this, row| {
                    row[0] = this.memo.after(row[0], Event::Request(i))?;
                    this.step(row, i, Key::Request(resource))
                })?;
            }
        }
        Ok(())
    }

    fn link_changes(&mut self) -> Result<(), Miss> {
        let links = self.environment.links;
        let removable = self.removable();
        let cut_off = self.memo.setup.cuts_off();
        let pairs = &self.memo.layout.pairs;
        for (k, &(a, b)) in pairs.iter().enumerate() {
            let [a_stopped, b_stopped] = [a, b].map(|i| self.facts(self.row, i).crashed);
            // Nodes that have stopped do not move; nor do links to them come up again that went
            // down when they did.
            if (a_stopped && b_stopped) || (cut_off && (a_stopped || b_stopped)) {
                continue;
            }
            if links & (1 << k) == 0 {
                self.link_up(k as u8, a, b)?;
            } else if removable & (1 << k) != 0 && self.may_go_down(a, b) {
                self.successor(Move::LinkDown { a, b }, |this, row| {
                    let channel = |from: u8, to: u8| {
                        this.memo.layout.channel(usize::from(from), usize::from(to))
                    };
                    let carries = !this.memo.setup.medium.routes();
                    let idle = row[channel(a, b)] | row[channel(b, a)] == EMPTY;
                    let event = if idle || !carries { Event::Toggle } else { Event::Break };
                    row[0] = this.memo.after(row[0], event(k as u8))?;
                    if carries {
                        (row[channel(a, b)], row[channel(b, a)]) = (EMPTY, EMPTY);
                    }
                    let first = this.step(row, a, Key::LinkDown { peer: b })?;
                    Ok(first.then(this.step(row, b, Key::LinkDown { peer: a })?))
                })?;
            }
        }
        Ok(())
    }

    /// Either end may be the one that moved, unless it has stopped. If that makes no difference, it
    /// is one successor.
    fn link_up(&mut self, k: u8, a: u8, b: u8) -> Result<(), Miss> {
        let before = self.batch.successors.len();
        for moving in [a, b] {
            if self.facts(self.row, moving).crashed {
                continue;
            }
            let by = Move::LinkUp { a, b, moving };
            self.successor(by, |this, row| {
                row[0] = this.memo.after(row[0], Event::Toggle(k))?;
                let up = |peer, moving| Key::LinkUp { peer, moving };
                let first = this.step(row, a, up(b, moving == a))?;
                Ok(first.then(this.step(row, b, up(a, moving == b))?))
            })?;
        }
        if self.batch.successors.len() < before + 2 {
            return Ok(());
        }
        let width = self.row.len();
        let (before, last) = self.batch.rows.split_at(self.batch.rows.len() - width);
        let same_fate = match &self.batch.successors[..] {
            [.., one, other] => one.fate == other.fate,
            _ => false,
        };
        if same_fate && before.ends_with(last) {
            self.batch.rows.truncate(before.len());
            self.batch.successors.pop();
        }
        Ok(())
    }

    fn faults(&mut self) -> Result<(), Miss> {
        let Facts { losses, duplications, crashes, .. } = self.environment;
        if !(losses || duplications || crashes) {
            return Ok(());
        }
        for (from, to, channel) in self.busy_channels() {
            let content = self.memo.channels.get(channel);
            let (message, rest) = (content.first, content.rest);
            if losses {
                self.successor(Move::Lose { from, to }, |this, row| {
                    row[0] = this.memo.after(row[0], Event::Loss)?;
                    row[this.memo.layout.channel(from.into(), to.into())] = rest;
                    Ok(Way::default())
                })?;
            }
            if duplications {
                self.successor(Move::Duplicate { from, to }, |this, row| {
                    row[0] = this.memo.after(row[0], Event::Duplication)?;
                    this.step(row, to, Key::Recv { from, message })
                })?;
            }
        }
        for (i, site) in self.sites().filter(|_| crashes) {
            if !self.memo.site(site).crashed {
                self.successor(Move::Crash(i), |this, row| this.crash(row, i))?;
            }
        }
        Ok(())
    }

    /// A node stops. If that takes its links down, its neighbors are told, one after the other.
    fn crash(&self, row: &mut [u32], i: u8) -> Result<Way, Miss> {
        let layout = &self.memo.layout;
        row[0] = self.memo.after(row[0], Event::Crash(i))?;
        let fallen = self.environment.links & !self.memo.environment(row[0]).links;
        let others = || (0..layout.n as u8).filter(|&j| j != i);
        let carried = !self.memo.setup.medium.routes();
        let was_linked = |j: u8| fallen & layout.link(i.into(), j.into()) != 0;
        for j in others() {
            row[layout.channel(j.into(), i.into())] = EMPTY;
            if carried && was_linked(j) {
                row[layout.channel(i.into(), j.into())] = EMPTY;
            }
        }
        let mut way = self.step(row, i, Key::Crash)?;
        for j in others().filter(|&j| was_linked(j)) {
            way = way.then(self.step(row, j, Key::LinkDown { peer: i })?);
        }
        Ok(way)
    }

    pub(crate) fn sites(&self) -> impl Iterator<Item = (u8, u32)> + use<'e, P> {
        (0..).zip(self.row[1..=self.memo.layout.n].iter().copied())
    }

    /// The channels with something in them: ends and content.
    fn busy_channels(&self) -> impl Iterator<Item = (u8, u8, u32)> + use<'e, P> {
        let first = self.memo.layout.left();
        let channels = self.memo.layout.channels.iter().zip(&self.row[first..]);
        channels
            .filter(|&(_, &channel)| channel != EMPTY)
            .map(|(&(from, to), &channel)| (from, to, channel))
    }

    /// The links that are not needed to keep the network connected.
    pub(crate) fn removable(&self) -> Links {
        let layout = &self.memo.layout;
        let links = self.environment.links;
        match self.memo.setup.connectivity {
            Connectivity::Physical => self.environment.removable,
            Connectivity::Partitions => links,
            Connectivity::Known => {
                let knows = |i: u8, j: u8| self.facts(self.row, i).knows & (1 << j) != 0;
                let both = |&(k, (a, b)): &(usize, (u8, u8))| {
                    links & (1 << k) != 0 && knows(a, b) && knows(b, a)
                };
                let pairs = || layout.pairs.iter().copied().enumerate();
                let known = pairs().filter(both).fold(0, |known, (k, _)| known | 1 << k);
                let spare = pairs().filter(|&(k, (a, b))| {
                    layout.joined(known & !(1 << k), usize::from(a), usize::from(b))
                });
                spare.fold(0, |spare, (k, _)| spare | 1 << k)
            }
        }
    }

    fn may_go_down(&self, a: u8, b: u8) -> bool {
        let content = |from: u8, to: u8| {
            self.row[self.memo.layout.channel(usize::from(from), usize::from(to))]
        };
        let setup = &self.memo.setup;
        let idle = || content(a, b) == EMPTY && content(b, a) == EMPTY;
        setup.rules.lossy || setup.medium.routes() || idle()
    }

    #[inline]
    pub(crate) fn facts(&self, row: &[u32], i: u8) -> &'e crate::site::Facts {
        self.memo.site(row[1 + usize::from(i)])
    }

    /// Let something happen, and judge what has become of the network.
    #[inline]
    pub(crate) fn successor(
        &mut self,
        by: Move,
        happen: impl FnOnce(&Self, &mut [u32]) -> Result<Way, Miss>,
    ) -> Result<(), Miss> {
        let start = self.batch.rows.len();
        let mut rows = std::mem::take(&mut self.batch.rows);
        rows.extend_from_slice(self.row);
        let row = &mut rows[start..];
        let judged = happen(self, row).and_then(|way| {
            let broken = way.broken || !self.memo.holds(row);
            let fate = if broken { Fate::Broken } else { self.bring_down(row)? };
            Ok((way, fate))
        });
        let hash = numbers::hash(row);
        self.batch.rows = rows;
        let (Way { entered, .. }, fate) = judged?;
        self.batch.successors.push(Successor { hash, by, fate, entered });
        Ok(())
    }

    /// A step of a process.
    #[inline]
    pub(crate) fn step(&self, row: &mut [u32], i: u8, key: Key) -> Result<Way, Miss> {
        if self.facts(row, i).crashed {
            return Ok(Way::default());
        }
        let effect = self.memo.step(row[1 + usize::from(i)], key)?;
        row[1 + usize::from(i)] = effect.site;
        if self.memo.layout.saves {
            self.outdate(row, i, effect)?;
        }
        let mut way = Way { entered: u8::from(effect.entered) << i, broken: effect.broken };
        let layout = &self.memo.layout;
        for &(to, message) in &effect.sent {
            let (from, to) = (usize::from(i), usize::from(to));
            let reachable = to < layout.n && to != from && self.memo.can_send(row, i, to as u8);
            if !reachable {
                way.broken = true;
            } else if !self.facts(row, to as u8).crashed
                && !self.memo.vanishes(row, i, to as u8, message)
            {
                let channel = &mut row[layout.channel(from, to)];
                *channel = self.memo.send(*channel, message)?;
            }
        }
        Ok(way)
    }

    /// Bring the lowest level of each kind to 0.
    #[inline]
    fn bring_down(&self, row: &mut [u32]) -> Result<Fate, Miss> {
        let layout = &self.memo.layout;
        let (left, right) = row.split_at_mut(layout.left());
        let ends = |k: usize| {
            let (from, to) = layout.channels[k];
            (usize::from(from), usize::from(to))
        };
        let mut range = StateRange::EMPTY;
        for &site in left[1..].iter().filter(|site| **site != UNSAVED) {
            range.join(&self.memo.site(site).levels);
        }
        for (k, &channel) in right.iter().enumerate().filter(|(_, channel)| **channel != EMPTY) {
            let (from, to) = ends(k);
            range.join_channel(&self.memo.channels.get(channel).levels, from, to);
        }
        if self.memo.setup.spread.is_some_and(|spread| range.spread() > spread) {
            return Ok(Fate::Cut);
        }
        let Some(shift) = range.shift() else { return Ok(Fate::Kept) };
        for site in left[1..].iter_mut().filter(|site| **site != UNSAVED) {
            *site = self.memo.shift_site(*site, shift)?;
        }
        for (k, channel) in right.iter_mut().enumerate().filter(|(_, channel)| **channel != EMPTY) {
            let (from, to) = ends(k);
            *channel = self.memo.shift_channel(*channel, of_channel(&shift, from, to))?;
        }
        Ok(Fate::Kept)
    }
}

impl Way {
    pub(crate) fn then(self, other: Way) -> Way {
        Way { entered: self.entered | other.entered, broken: self.broken || other.broken }
    }
}
