//! Who is heard, and by whom this node is heard: [`Neighbors`].
//!
//! The conventions are those of RFC 6130 (who was lost is listed as lost for a while) and of Babel
//! (HELLOs are numbered, announce their interval, and a neighbor is judged by the last few).
//!
//! * Both hear each other if two of the last three HELLOs of a neighbor list a recent HELLO of this
//!   node. A recording of an old HELLO lists an old number and proves nothing.
//! * They do not any more if three HELLOs in a row are missing, if the neighbor says that it has
//!   lost this node, if it does not list this node twice in a row, or if what it lists is too old.
//! * Who hears somebody new, or loses somebody, says so soon, and not only when its time has come.
//! * An id belongs to the start that has proved to be there, until that is silent.

use core::net::SocketAddr;
use std::collections::{BTreeMap, VecDeque};

use driftlock_core::NodeId;

use crate::beacon::{Beacon, Entry};
use crate::dice::Dice;
use crate::view::Dropped;

/// How many of this node's HELLOs it remembers the time of.
const SENT_MAX: usize = 32;
/// In how many HELLOs somebody is listed as lost.
const LOST_TIMES: u8 = 3;
/// How many HELLOs are sent out of turn for a new neighbor.
const EXTRAS: u8 = 4;
/// What a frame costs beside its bytes: headers of IP and UDP.
const OVERHEAD: u64 = 48;

/// What changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Both hear each other; the memory and the start of the other.
    Heard(NodeId, (u64, u64)),
    /// They do not.
    Silent(NodeId),
}

/// Somebody whose HELLOs were heard.
#[derive(Clone, Debug)]
pub(crate) struct Neighbor {
    pub(crate) address: SocketAddr,
    pub(crate) life: (u64, u64),
    /// Of its last HELLO.
    number: u32,
    interval: u64,
    heard_at: u64,
    /// When the latest HELLO of this node was sent that it has proved to have heard.
    proved: Option<u64>,
    /// Which of its last HELLOs listed this node, the last one in bit 0.
    history: u8,
    /// How many of its last HELLOs did not list this node.
    absent: u8,
    pub(crate) both: bool,
    /// How often it is still to be listed as lost.
    lost: u8,
    extras: u8,
}

impl Neighbor {
    /// Whether it is only still listed because it was lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost > 0
    }
}

/// Everybody who is heard.
pub(crate) struct Neighbors {
    every: u64,
    budget: u64,
    max: usize,
    entries_max: usize,
    number: u32,
    sent: VecDeque<(u32, u64)>,
    sent_at: u64,
    /// When the next HELLO is due.
    next_at: u64,
    /// The length of the last one.
    length: u64,
    table: BTreeMap<NodeId, Neighbor>,
    /// Where a list that is too long for one HELLO goes on.
    from: NodeId,
}

impl Neighbors {
    /// The first HELLO is due soon.
    pub(crate) fn new(
        config: &crate::Config,
        entries_max: usize,
        dice: &mut Dice,
        now: u64,
    ) -> Self {
        Neighbors {
            every: config.hello_every,
            budget: config.hello_budget.max(1),
            max: config.peers,
            entries_max,
            number: dice.draw() as u32,
            sent: VecDeque::new(),
            sent_at: 0,
            next_at: now + dice.below(config.hello_every / 10),
            length: 0,
            table: BTreeMap::new(),
            from: NodeId(0),
        }
    }

    /// How long until the next HELLO: longer, if many are heard.
    pub(crate) fn interval(&self) -> u64 {
        let n = self.table.len() as u64 + 1;
        self.every.max(n * (self.length + OVERHEAD) * 1_000_000 / self.budget)
    }

    /// Three HELLOs that come as late as they may.
    fn hold(interval: u64) -> u64 {
        interval * 33 / 10
    }

    /// After which age a HELLO of this node that somebody lists proves nothing.
    fn stale(&self, neighbor: &Neighbor) -> u64 {
        Self::hold(self.interval()) + neighbor.interval * 22 / 10
    }

    /// A HELLO came in: with a proof, or as a hint.
    pub(crate) fn on_beacon(
        &mut self,
        now: u64,
        (from, address): (NodeId, SocketAddr),
        (beacon, is_proved): (&Beacon, bool),
        (me, dice, dropped): (NodeId, &mut Dice, &mut Dropped),
    ) -> Option<Change> {
        if !self.accepts(now, from, beacon, is_proved, dropped) {
            return None;
        }
        let interval = u64::from(beacon.interval).clamp(1_000, 3_600_000_000);
        let neighbor = self.table.entry(from).or_insert_with(|| Neighbor {
            address,
            life: beacon.life,
            number: beacon.number.wrapping_sub(1),
            interval,
            heard_at: now,
            proved: None,
            history: 0,
            absent: 0,
            both: false,
            lost: 0,
            extras: EXTRAS,
        });
        let gap = beacon.number.wrapping_sub(neighbor.number);
        neighbor.history = neighbor.history.checked_shl(gap).unwrap_or(0);
        (neighbor.number, neighbor.interval, neighbor.address) = (beacon.number, interval, address);
        (neighbor.heard_at, neighbor.lost) = (now, 0);
        let was = neighbor.both;
        if beacon.leaving {
            self.table.remove(&from);
            return was.then_some(Change::Silent(from));
        }
        let entry = beacon.entries.iter().find(|entry| entry.id == me);
        self.judge(now, from, entry, beacon.complete && is_proved);
        let neighbor = self.table.get_mut(&from)?;
        if !was && neighbor.extras > 0 {
            neighbor.extras -= 1;
            self.soon(now, dice);
        }
        let neighbor = self.table.get(&from)?;
        match (was, neighbor.both) {
            (false, true) => Some(Change::Heard(from, neighbor.life)),
            (true, false) => Some(Change::Silent(from)),
            _ => None,
        }
    }

    /// Whether a HELLO counts. Forgets who was there before, if that is over.
    fn accepts(
        &mut self,
        now: u64,
        from: NodeId,
        beacon: &Beacon,
        is_proved: bool,
        dropped: &mut Dropped,
    ) -> bool {
        let Some(neighbor) = self.table.get(&from) else {
            let has_room = self.table.len() < self.max;
            dropped.crowded += u64::from(!has_room);
            return has_room;
        };
        let is_there = neighbor.proved.is_some()
            && (neighbor.both || now < neighbor.heard_at + Self::hold(neighbor.interval));
        let is_newer = (beacon.number.wrapping_sub(neighbor.number) as i32) > 0;
        if !is_there && (neighbor.life != beacon.life || !is_newer) {
            self.table.remove(&from);
        } else if neighbor.life != beacon.life {
            dropped.conflict += 1;
            return false;
        } else if !is_newer {
            dropped.replayed += 1;
            return false;
        } else if !is_proved {
            return !is_there;
        }
        true
    }

    /// What a HELLO that did, or did not, list this node means.
    fn judge(&mut self, now: u64, from: NodeId, entry: Option<&Entry>, is_complete: bool) {
        let sent = entry.and_then(|entry| {
            let sent = self.sent.iter().find(|(number, _)| *number == entry.number);
            sent.map(|(_, at)| *at)
        });
        let Some(neighbor) = self.table.get(&from) else { return };
        let stale = self.stale(neighbor);
        let Some(neighbor) = self.table.get_mut(&from) else { return };
        match entry {
            Some(entry) if entry.lost => (neighbor.both, neighbor.history) = (false, 0),
            Some(_) if sent.is_some_and(|at| now < at + stale) => {
                neighbor.history |= 1;
                neighbor.absent = 0;
                neighbor.proved = neighbor.proved.max(sent);
            }
            Some(_) => {}
            None if is_complete => {
                neighbor.absent = neighbor.absent.saturating_add(1);
                if neighbor.absent >= 2 {
                    (neighbor.both, neighbor.history) = (false, 0);
                }
            }
            None => {}
        }
        neighbor.both |= (neighbor.history & 0b111).count_ones() >= 2;
    }

    /// A peer has acknowledged something: both hear each other.
    pub(crate) fn alive(&mut self, now: u64, peer: NodeId) {
        if let Some(neighbor) = self.table.get_mut(&peer).filter(|neighbor| neighbor.both) {
            (neighbor.heard_at, neighbor.proved) = (now, Some(now));
            neighbor.absent = 0;
        }
    }

    /// When somebody may have become silent.
    fn silent_at(&self, neighbor: &Neighbor) -> u64 {
        let heard = neighbor.heard_at + Self::hold(neighbor.interval);
        match neighbor.both {
            true => heard.min(neighbor.proved.unwrap_or(0) + self.stale(neighbor)),
            false => heard,
        }
    }

    /// Who has become silent.
    pub(crate) fn tick(&mut self, now: u64, dice: &mut Dice) -> Vec<Change> {
        let late = self.table.iter().filter(|(_, n)| n.lost == 0 && now >= self.silent_at(n));
        let late: Vec<NodeId> = late.map(|(id, _)| *id).collect();
        let mut changes = Vec::new();
        for id in late {
            let Some(neighbor) = self.table.get_mut(&id) else { continue };
            if neighbor.both {
                changes.push(Change::Silent(id));
            }
            (neighbor.both, neighbor.history) = (false, 0);
            if now >= neighbor.heard_at + Self::hold(neighbor.interval) {
                neighbor.lost = LOST_TIMES;
                neighbor.extras = EXTRAS;
                self.soon(now, dice);
            }
        }
        changes
    }

    /// Let the next HELLO come soon, but not too many in a row, and fewer where many are heard.
    fn soon(&mut self, now: u64, dice: &mut Dice) {
        let at = now + dice.below(self.every / 20);
        let apart = self.every / 10 + (self.interval() - self.every) / 2;
        self.next_at = self.next_at.min(at.max(self.sent_at + apart));
    }

    /// When [`tick`](Self::tick) or a HELLO is due.
    pub(crate) fn wake_at(&self) -> u64 {
        let here = self.table.values().filter(|neighbor| neighbor.lost == 0);
        here.map(|neighbor| self.silent_at(neighbor)).fold(self.next_at, u64::min)
    }

    /// Whether a HELLO is due.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        now >= self.next_at
    }

    /// The next HELLO. Its length has to be told afterwards.
    pub(crate) fn beacon(
        &mut self,
        now: u64,
        life: (u64, u64),
        moving: bool,
        dice: &mut Dice,
    ) -> Beacon {
        self.number = self.number.wrapping_add(1);
        self.sent.push_back((self.number, now));
        if self.sent.len() > SENT_MAX {
            self.sent.pop_front();
        }
        let interval = self.interval();
        self.sent_at = now;
        self.next_at = now + interval * 9 / 10 + dice.below(interval / 5);
        let entries = self.entries();
        for entry in entries.iter().filter(|entry| entry.lost) {
            if let Some(neighbor) = self.table.get_mut(&entry.id) {
                neighbor.lost -= 1;
                if neighbor.lost == 0 {
                    self.table.remove(&entry.id);
                }
            }
        }
        Beacon {
            life,
            number: self.number,
            interval: u32::try_from(interval).unwrap_or(u32::MAX),
            moving,
            leaving: false,
            complete: self.table.len() <= self.entries_max,
            entries,
        }
    }

    /// As many as there is room for, and the next ones the next time.
    fn entries(&mut self) -> Vec<Entry> {
        let entry = |(id, neighbor): (&NodeId, &Neighbor)| Entry {
            id: *id,
            number: neighbor.number,
            lost: neighbor.lost > 0,
        };
        let start = if self.table.len() <= self.entries_max { NodeId(0) } else { self.from };
        let round = self.table.range(start..).chain(self.table.range(..start));
        let entries: Vec<Entry> = round.take(self.entries_max).map(entry).collect();
        self.from = entries.last().map_or(NodeId(0), |last| NodeId(last.id.0.wrapping_add(1)));
        entries
    }

    /// How long the last HELLO was.
    pub(crate) fn set_length(&mut self, length: usize) {
        self.length = length as u64;
    }

    /// There will be no more HELLOs.
    pub(crate) fn stop(&mut self) {
        self.next_at = u64::MAX;
        self.table.clear();
    }

    pub(crate) fn get(&self, id: NodeId) -> Option<&Neighbor> {
        self.table.get(&id)
    }

    /// Everybody, by id.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeId, &Neighbor)> {
        self.table.iter().map(|(id, neighbor)| (*id, neighbor))
    }
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use super::*;

    const ME: NodeId = NodeId(1);
    const YOU: NodeId = NodeId(2);
    const EVERY: u64 = 200_000;

    /// One node, and what it is told by another.
    struct Ear {
        neighbors: Neighbors,
        dice: Dice,
        dropped: Dropped,
    }

    fn ear() -> Ear {
        let config = crate::Config { hello_every: EVERY, ..crate::Config::new("net") };
        let mut dice = Dice::new([1; 32]);
        let neighbors = Neighbors::new(&config, 100, &mut dice, 0);
        Ear { neighbors, dice, dropped: Dropped::default() }
    }

    impl Ear {
        /// Send a HELLO; its number.
        fn say(&mut self, now: u64) -> u32 {
            self.neighbors.beacon(now, (6, 10), false, &mut self.dice).number
        }

        /// Hear HELLO `number` of a start of the other, that lists what is said.
        fn hear(&mut self, now: u64, (start, number): (u64, u32), said: Said) -> Option<Change> {
            let (id, interval, life) = (ME, EVERY as u32, (7, start));
            let entries = match said {
                Said::Nothing => vec![],
                Said::Heard(number) => vec![Entry { id, number, lost: false }],
                Said::Lost => vec![Entry { id, number: 0, lost: true }],
            };
            let (moving, leaving, complete) = (false, false, true);
            let beacon = Beacon { life, number, interval, moving, leaving, complete, entries };
            let from = (YOU, (Ipv4Addr::LOCALHOST, 1).into());
            let rest = (ME, &mut self.dice, &mut self.dropped);
            self.neighbors.on_beacon(now, from, (&beacon, true), rest)
        }
    }

    enum Said {
        Nothing,
        Heard(u32),
        Lost,
    }

    /// A node that is heard both ways at time 0.
    fn linked() -> Ear {
        let mut ear = ear();
        let number = ear.say(0);
        assert_eq!(ear.hear(0, (20, 1), Said::Heard(number)), None, "once is not enough");
        assert_eq!(ear.hear(0, (20, 2), Said::Heard(number)), Some(Change::Heard(YOU, (7, 20))));
        ear
    }

    #[test]
    fn two_of_three_make_a_neighbor() {
        let mut ear = ear();
        let number = ear.say(0);
        assert_eq!(ear.hear(0, (20, 1), Said::Heard(number)), None);
        assert_eq!(ear.hear(0, (20, 4), Said::Heard(number)), None, "two were missed");
        assert_eq!(ear.hear(0, (20, 6), Said::Heard(number)), Some(Change::Heard(YOU, (7, 20))));
        assert_eq!(ear.hear(0, (20, 6), Said::Lost), None, "heard before");
        assert_eq!(ear.dropped.replayed, 1);
    }

    #[test]
    fn numbers_that_were_not_sent_or_are_old_prove_nothing() {
        let mut ear = ear();
        let number = ear.say(0);
        for k in 1..9 {
            assert_eq!(ear.hear(0, (20, k), Said::Heard(number.wrapping_add(1))), None);
        }
        for k in 9..20 {
            assert_eq!(ear.hear(10 * EVERY, (20, k), Said::Heard(number)), None);
        }
    }

    #[test]
    fn three_missing_are_silence_and_two_are_not() {
        let mut ear = linked();
        assert_eq!(ear.neighbors.tick(3 * EVERY, &mut ear.dice), []);
        let silent = EVERY * 33 / 10;
        assert!(silent < 750_000, "or the view would be wrong for too long");
        assert_eq!(ear.neighbors.tick(silent, &mut ear.dice), [Change::Silent(YOU)]);
        // The other is told so, soon and three times.
        assert!(ear.neighbors.wake_at() <= silent + EVERY / 20);
        for lost in [true, true, true, false] {
            let beacon = ear.neighbors.beacon(silent, (6, 10), false, &mut ear.dice);
            assert_eq!(beacon.entries.iter().any(|entry| entry.lost), lost);
        }
    }

    #[test]
    fn who_has_lost_this_node_or_does_not_list_it_twice_is_silent() {
        let mut ear = linked();
        assert_eq!(ear.hear(1, (20, 3), Said::Lost), Some(Change::Silent(YOU)));
        let mut ear = linked();
        assert_eq!(ear.hear(1, (20, 3), Said::Nothing), None);
        assert_eq!(ear.hear(2, (20, 4), Said::Nothing), Some(Change::Silent(YOU)));
    }

    #[test]
    fn who_lists_the_same_old_number_is_silent_after_a_while() {
        let mut ear = linked();
        let number = ear.say(1);
        for k in 1..6 {
            ear.hear(k.into(), (20, 2 + k), Said::Heard(number));
            let at = u64::from(k) * EVERY;
            ear.hear(at, (20, 10 + k), Said::Heard(number));
            assert_eq!(ear.neighbors.tick(at, &mut ear.dice), [], "{k}");
        }
        let late = EVERY * 55 / 10 + 1;
        assert_eq!(ear.neighbors.tick(late, &mut ear.dice), [Change::Silent(YOU)]);
    }

    #[test]
    fn what_is_acknowledged_is_a_sign_of_life() {
        let mut ear = linked();
        ear.neighbors.alive(3 * EVERY, YOU);
        assert_eq!(ear.neighbors.tick(6 * EVERY, &mut ear.dice), []);
        assert_eq!(ear.neighbors.tick(7 * EVERY, &mut ear.dice), [Change::Silent(YOU)]);
    }

    #[test]
    fn another_start_is_refused_until_the_first_is_silent() {
        let mut ear = linked();
        assert_eq!(ear.hear(1, (21, 1), Said::Nothing), None);
        assert_eq!(ear.dropped.conflict, 1);
        let later = 4 * EVERY;
        assert_eq!(ear.neighbors.tick(later, &mut ear.dice), [Change::Silent(YOU)]);
        let number = ear.say(later);
        assert_eq!(ear.hear(later, (21, 1), Said::Heard(number)), None);
        let heard = ear.hear(later, (21, 2), Said::Heard(number));
        assert_eq!(heard, Some(Change::Heard(YOU, (7, 21))));
        assert_eq!(ear.dropped.conflict, 1);
    }

    #[test]
    fn somebody_new_is_answered_soon_but_not_for_ever() {
        let mut ear = ear();
        let mut now = EVERY;
        let mut soon = 0;
        for number in 1..20 {
            now += EVERY;
            ear.say(now - EVERY / 2);
            let before = ear.neighbors.next_at;
            ear.hear(now, (20, number), Said::Nothing);
            soon += u8::from(ear.neighbors.next_at < before);
        }
        assert_eq!(soon, EXTRAS);
    }

    #[test]
    fn a_list_that_is_too_long_goes_round() {
        let mut ear = ear();
        ear.neighbors.entries_max = 3;
        for k in 0..7 {
            let address = (Ipv4Addr::LOCALHOST, 1).into();
            let (life, number, interval) = ((1, 1), 1, EVERY as u32);
            let (moving, leaving, complete, entries) = (false, false, true, vec![]);
            let beacon = Beacon { life, number, interval, moving, leaving, complete, entries };
            let rest = (ME, &mut ear.dice, &mut ear.dropped);
            ear.neighbors.on_beacon(0, (NodeId(10 + k), address), (&beacon, true), rest);
        }
        let mut listed = Vec::new();
        for _ in 0..7 {
            let beacon = ear.neighbors.beacon(0, (6, 10), false, &mut ear.dice);
            assert!(!beacon.complete && beacon.entries.len() == 3);
            listed.extend(beacon.entries.iter().map(|entry| entry.id.0));
        }
        assert!((10..17).all(|id| listed.iter().filter(|&&other| other == id).count() == 3));
    }
}
