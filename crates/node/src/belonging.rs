//! What a node does about who belongs to the network.
//!
//! Two things are spoken of on a link: locks, and the list of members. The first byte of a packet
//! tells them apart. The council decides with whom locks may be spoken of at all.

use driftlock_core::{LinkRole, NodeId};
use driftlock_locks::Up;
use driftlock_roster::{Member, Output};

use crate::engine::{Effect, Engine};

/// The first byte of a packet about locks, and of one about the list.
pub(crate) const LOCKS: u8 = 0;
const ROSTER: u8 = 1;

/// How long a neighbor counts as near, for local locks, while its link is made anew, in
/// microseconds.
const RENEWAL: u64 = 3_000_000;

/// The message about locks in a packet, if it is one.
pub(crate) fn about_locks(packet: &[u8]) -> Option<&[u8]> {
    packet.split_first().filter(|(first, _)| **first == LOCKS).map(|(_, message)| message)
}

impl Engine {
    pub(crate) fn on_link_up(&mut self, now: u64, peer: NodeId, epoch: u64, role: LinkRole) {
        let memory = self.links.memory_of(peer).unwrap_or_default();
        let up = Up { epoch, role, memory };
        self.up.insert(peer, up);
        self.renewing.remove(&peer);
        self.locks.link_up(now, peer, up, &mut self.from_locks);
        self.council.link_up(now, peer, memory, &mut self.from_council);
    }

    /// A packet that is not about locks.
    pub(crate) fn tell_council(&mut self, now: u64, from: NodeId, packet: &[u8]) {
        self.note_doubts();
        let is_read = match packet.split_first() {
            Some((&ROSTER, part)) => self.council.receive(now, from, part, &mut self.from_council),
            _ => false,
        };
        self.meter.garbled += u64::from(!is_read);
    }

    /// Nobody is heard over a link that is in doubt.
    fn note_doubts(&mut self) {
        self.council.set_in_doubt(self.links.in_doubt().map(|(peer, ..)| peer).collect());
    }

    /// Strike off a member that never comes back.
    pub fn forget(&mut self, now: u64, member: Member, effects: &mut Vec<Effect>) {
        self.note_doubts();
        self.council.forget(now, member, &mut self.from_council);
        self.settle(now, effects);
    }

    /// Have the others strike this node off, which has nothing any more.
    pub fn part(&mut self, now: u64, effects: &mut Vec<Effect>) {
        self.council.leave(now, &mut self.from_council);
        self.settle(now, effects);
    }

    /// Whether this node was struck off, and nobody is inside here any more.
    pub fn is_void(&self) -> bool {
        self.locks.is_struck() && !self.locks.has_holders()
    }

    /// What the council wants.
    pub(crate) fn heed_council(&mut self, now: u64, effects: &mut Vec<Effect>) {
        while !self.from_council.is_empty() {
            for wish in core::mem::take(&mut self.from_council) {
                self.heed(now, wish, effects);
            }
        }
    }

    fn heed(&mut self, now: u64, wish: Output, effects: &mut Vec<Effect>) {
        match wish {
            Output::Send(peer, part) => {
                self.send(now, peer, &[&[ROSTER], &part[..]].concat(), false);
            }
            Output::Open(peer) => self.locks.open(now, peer, &mut self.from_locks),
            Output::Adopted { gone, anew } => self.adopt(now, &gone, anew),
            Output::Count => {
                let Some(list) = self.council.roster() else { return };
                let is_left = |memory| list.members.values().any(|listed| listed.memory == memory);
                let report = self.locks.report(is_left);
                self.council.report(now, report, &mut self.from_council);
            }
            Output::Recount(version, reports) => {
                let is_now = self.council.roster().is_some_and(|list| list.version == version);
                if is_now && self.council.is_counting() {
                    let recount = self.locks.recount(now, &reports, &mut self.from_locks);
                    effects.extend(recount.map(Effect::Recounted));
                    self.council.recounted(&mut self.from_council);
                }
            }
            Output::Struck => {
                self.locks.strike_off(&mut self.from_locks);
                self.break_all(now);
                effects.push(Effect::Struck);
            }
            Output::Sure(sure) => self.locks.be_sure(now, sure, &mut self.from_locks),
            Output::Foreign(peer) => drop(self.foreign.insert(peer)),
        }
    }

    /// There is another list.
    fn adopt(&mut self, now: u64, gone: &[Member], anew: bool) {
        for member in gone {
            // At once: what it has sent and what is still to be taken in is void.
            if self.up.get(&member.id).is_some_and(|up| up.memory == member.memory) {
                self.locks.close(now, member.id, &mut self.from_locks);
            }
            self.links.disown(now, member.id, member.memory, &mut self.from_links);
            // What was on its way to it is made anew.
            self.missing.retain(|missing| missing.peer != member.id);
            let is_lost = |output: &driftlock_link::Output| match output {
                driftlock_link::Output::Lost { peer, .. } => *peer == member.id,
                _ => false,
            };
            self.from_links.retain(|output| !is_lost(output));
            self.upward.retain(|output| !is_lost(output));
        }
        if anew {
            self.break_all(now);
        }
        self.locks.begin_epoch(self.council.roster().map_or(0, |list| list.epoch));
    }

    pub(crate) fn on_link_down(&mut self, now: u64, peer: NodeId) {
        self.up.remove(&peer);
        self.foreign.remove(&peer);
        self.council.link_down(peer);
        match self.renewing.contains_key(&peer) {
            true => self.locks.close(now, peer, &mut self.from_locks),
            false => self.locks.link_down(now, peer, &mut self.from_locks),
        }
    }

    /// Those whose link was to be made anew, and was not in time, are not near any more.
    pub(crate) fn tick_renewing(&mut self, now: u64) {
        let late = self.renewing.iter().filter(|(_, until)| **until <= now);
        for peer in late.map(|(peer, _)| *peer).collect::<Vec<_>>() {
            self.renewing.remove(&peer);
            if !self.up.contains_key(&peer) {
                self.locks.link_down(now, peer, &mut self.from_locks);
            }
        }
    }

    fn break_all(&mut self, now: u64) {
        let peers: Vec<NodeId> = self.up.keys().copied().collect();
        for peer in peers {
            self.renewing.insert(peer, now.saturating_add(RENEWAL));
            self.links.give_up(now, peer, &mut self.from_links);
        }
    }
}
