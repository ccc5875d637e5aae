//! Links whose ends are told of changes one by one, and what comes back over them.

use crate::batch::Move;
use crate::channels::{BAR, EMPTY};
use crate::environment::{Event, Told};
use crate::expand::{Expander, Way};
use crate::layout::Ends;
use crate::memo::{Key, Memo, Miss};
use crate::site::Checked;

impl<P: Checked> Memo<P> {
    pub(crate) fn told(&self, row: &[u32]) -> Told {
        self.environment(row[0]).told
    }

    fn content(&self, row: &[u32], from: u8, to: u8) -> u32 {
        row[self.layout.channel(from.into(), to.into())]
    }

    /// Whether `from` may send to `to`.
    #[inline]
    pub(crate) fn can_send(&self, row: &[u32], from: u8, to: u8) -> bool {
        let environment = self.environment(row[0]);
        match self.setup.rules.settled {
            true => environment.told.open & self.layout.end(from, to) != 0,
            false => {
                let link = self.layout.link(from.into(), to.into());
                self.setup.medium.routes() || environment.links & link != 0
            }
        }
    }

    /// Whether what is in transit from `from` to `to` can arrive.
    #[inline]
    pub(crate) fn arrives(&self, row: &[u32], from: u8, to: u8) -> bool {
        if !self.setup.rules.settled {
            return true;
        }
        let Told { open, frozen, .. } = self.told(row);
        let reaches = open & !frozen & self.layout.end(to, from) != 0;
        reaches && self.channels.get(self.content(row, from, to)).first != BAR
    }

    /// Whether what is sent now is lost at once.
    #[inline]
    pub(crate) fn vanishes(&self, row: &[u32], from: u8, to: u8, message: u32) -> bool {
        let gone = || {
            self.told(row).is_dead(self.layout.end(to, from))
                || self.channels.get(self.content(row, from, to)).barred
        };
        self.setup.rules.settled && gone() && !self.channels.is_kept(message)
    }

    /// Whether something comes back to `i` if its link to `j` goes down.
    fn comes_back(&self, row: &[u32], i: u8, j: u8) -> bool {
        self.channels.messages(self.content(row, i, j)).any(|msg| self.channels.is_kept(msg))
    }

    /// Whether `i` has to be told of its link to `j`, in the end. Who is at rest need not be told
    /// of a link that went down, and what comes back does so when there is a way to ask.
    pub(crate) fn must_tell(&self, row: &[u32], i: u8, j: u8) -> bool {
        let environment = self.environment(row[0]);
        let end = self.layout.end(i, j);
        let at_rest = || self.site(row[1 + usize::from(i)]).at_rest;
        let wants_to_know = || self.comes_back(row, i, j) || !at_rest();
        let down = || self.is_untold(row, i, j) && wants_to_know() && !self.is_in_doubt(row, i, j);
        environment.told.due & end != 0 || down()
    }

    /// Whether something would come back to `i` if there were a way to ask.
    fn is_in_doubt(&self, row: &[u32], i: u8, j: u8) -> bool {
        let links = self.environment(row[0]).links;
        self.comes_back(row, i, j) && !self.layout.joined(links, i.into(), j.into())
    }

    /// Whether `i` was not told that its link to `j` went down.
    fn is_untold(&self, row: &[u32], i: u8, j: u8) -> bool {
        let environment = self.environment(row[0]);
        let down = environment.links & self.layout.link(i.into(), j.into()) == 0;
        down && environment.told.open & self.layout.end(i, j) != 0
    }

    /// To whom what is in transit goes: back, if nothing reaches `to` any more.
    pub(crate) fn heading(&self, row: &[u32], from: u8, to: u8) -> u8 {
        let back = self.setup.rules.settled && self.told(row).is_dead(self.layout.end(to, from));
        if back { from } else { to }
    }

    /// Those who need not know whether there is a token in their part of the network, for someone
    /// there was not told that a link went down.
    pub(crate) fn excused(&self, row: &[u32]) -> u8 {
        self.parts_with(row, |i, j| self.is_untold(row, i, j))
    }

    /// Those who are owed nothing, for someone in their part does not know whether what it sent
    /// arrived, and nobody there can say.
    pub(crate) fn doubtful(&self, row: &[u32]) -> u8 {
        self.parts_with(row, |i, j| self.is_untold(row, i, j) && self.is_in_doubt(row, i, j))
    }

    /// The parts of the network with such ends of links, a bit for each node.
    fn parts_with(&self, row: &[u32], such: impl Fn(u8, u8) -> bool) -> u8 {
        let parts = self.environment(row[0]).parts;
        let ends =
            self.layout.channels.iter().filter(|&&(i, j)| self.setup.rules.settled && such(i, j));
        ends.fold(0, |nodes, &(i, _)| nodes | parts[usize::from(i)])
    }
}

impl<P: Checked> Expander<'_, P> {
    /// Ends of links are told what the others were told before: those that have to be, or those
    /// that need not.
    pub(crate) fn notices(&mut self, must: bool) -> Result<(), Miss> {
        let memo = self.memo;
        let Told { open, due, .. } = self.environment.told;
        for &(node, peer) in memo.layout.channels.iter() {
            let end: Ends = memo.layout.end(node, peer);
            let pending =
                due & end != 0 || (open & end != 0 && memo.is_untold(self.row, node, peer));
            if pending && memo.must_tell(self.row, node, peer) == must {
                self.successor(Move::Tell { node, peer }, |this, row| match due & end != 0 {
                    true => this.meet(row, Event::Met(node, peer), node, peer),
                    false => this.part(row, node, peer),
                })?;
            }
        }
        Ok(())
    }

    /// Links come up or break, and one end is told.
    pub(crate) fn settled_changes(&mut self) -> Result<(), Miss> {
        let memo = self.memo;
        let Told { open, due, coming, .. } = self.environment.told;
        let removable = self.removable();
        for (k, &(a, b)) in memo.layout.pairs.iter().enumerate() {
            let (link, ends) = (1 << k, memo.layout.end(a, b) | memo.layout.end(b, a));
            let is_coming = coming & link != 0 && self.environment.more;
            for (node, peer) in [(a, b), (b, a)] {
                if (open | due) & ends == 0 && (is_coming || self.environment.changes) {
                    self.meetings(node, peer)?;
                }
                let is_open = open & memo.layout.end(node, peer) != 0;
                if is_open && removable & link != 0 && self.environment.changes {
                    self.successor(Move::Part { node, peer }, |this, row| {
                        this.part(row, node, peer)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Which end moved matters only where there are forks.
    fn meetings(&mut self, node: u8, peer: u8) -> Result<(), Miss> {
        for moved in [false, true].into_iter().take(if P::FORKS { 2 } else { 1 }) {
            self.successor(Move::Meet { node, peer, moved }, |this, row| {
                this.meet(row, Event::Meet(node, peer, moved), node, peer)
            })?;
        }
        Ok(())
    }

    fn meet(&self, row: &mut [u32], event: Event, i: u8, j: u8) -> Result<Way, Miss> {
        let moving = match event {
            Event::Meet(.., moved) => moved,
            _ => self.memo.told(row).moved & self.memo.layout.end(i, j) != 0,
        };
        row[0] = self.memo.after(row[0], event)?;
        self.step(row, i, Key::LinkUp { peer: j, moving })
    }

    /// The end of `i` is told that its link to `j` is down, after what would be missed has come
    /// back. What is in transit towards `i` is lost, but for what would be missed.
    fn part(&self, row: &mut [u32], i: u8, j: u8) -> Result<Way, Miss> {
        let memo = self.memo;
        let mut way = Way::default();
        let sent = memo.layout.channel(i.into(), j.into());
        while memo.comes_back(row, i, j) {
            row[0] = memo.after(row[0], Event::Freeze(i, j))?;
            let kept = self.kept(row[sent])?;
            let content = memo.channels.get(kept);
            row[sent] = content.rest;
            way = way.then(self.step(row, i, Key::Returned { to: j, message: content.first })?);
        }
        let was_due = memo.told(row).due & memo.layout.end(j, i) != 0;
        row[0] = memo.after(row[0], Event::Part(i, j))?;
        if was_due {
            row[sent] = EMPTY;
        }
        let towards = memo.layout.channel(j.into(), i.into());
        row[towards] = self.kept(row[towards])?;
        Ok(way.then(self.step(row, i, Key::LinkDown { peer: j })?))
    }

    /// What would be missed of what is in a channel.
    pub(crate) fn kept(&self, channel: u32) -> Result<u32, Miss> {
        let messages = self.memo.channels.messages(channel);
        let mut kept = messages.filter(|&msg| self.memo.channels.is_kept(msg));
        kept.try_fold(EMPTY, |kept, msg| self.memo.send(kept, msg))
    }
}
