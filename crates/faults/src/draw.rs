//! Schedules from seeds.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_fuzz::Dice;

use crate::air::Change;
use crate::event::{Ask, Deed, Event, Kind, LOCKS, Step};
use crate::{ALONE_MS, HELLO_MS, Schedule};

/// One in so many networks is a large one.
const LARGE: usize = 50;

/// In one of so many somebody is forgotten.
const FORGETTING: usize = 4;

/// After so long without a word a neighbor is certainly given up.
const SILENCE: u64 = 6 * HELLO_MS;

pub(crate) fn draw(seed: u64) -> Schedule {
    let mut dice = Dice::new(seed);
    let is_large = dice.below(LARGE) == 0;
    let nodes = if is_large { 20 + dice.below(31) } else { 3 + dice.below(6) };
    let links = network(&mut dice, nodes);
    let forgets = dice.below(FORGETTING) == 0;
    let stops_alone = forgets && dice.below(2) == 0;
    // Whoever is to stop by itself is given the time to.
    let more = if stops_alone { 2 * ALONE_MS } else { 0 };
    let healed_at = more + between(&mut dice, 5_000, 7_000);
    let mut drawing = Drawing {
        dice,
        nodes,
        links: links.clone(),
        stops_alone,
        healed_at,
        asks: Vec::new(),
        events: Vec::new(),
        busy_until: vec![0; nodes],
        failed: BTreeSet::new(),
        lost: BTreeMap::new(),
    };
    let (faults, asks) = match is_large {
        true => (20 + drawing.dice.below(10), 60 + drawing.dice.below(40)),
        false => (6 + drawing.dice.below(8), 2 * nodes + drawing.dice.below(2 * nodes)),
    };
    (0..faults).for_each(|_| drawing.fault());
    if forgets {
        drawing.lose_some();
    }
    (0..asks).for_each(|_| drawing.ask());
    drawing.heal();
    drawing.last_asks();
    let Drawing { asks, mut events, .. } = drawing;
    // What happens at the same time keeps its order: all is well before the last ones ask.
    events.sort_by_key(|(at, _)| *at);
    Schedule { seed, nodes, links, stops_alone, asks, events, healed_at }
}

/// A tree whose branches are short, and some links more.
fn network(dice: &mut Dice, nodes: usize) -> Vec<(usize, usize)> {
    let branch = |dice: &mut Dice, i: usize| (i - 1 - dice.below(i.min(3)), i);
    let tree = (1..nodes).map(|i| branch(dice, i));
    let mut links: BTreeSet<(usize, usize)> = tree.collect();
    for _ in 0..dice.below(nodes) {
        let i = 1 + dice.below(nodes - 1);
        links.insert(branch(dice, i));
    }
    links.into_iter().collect()
}

/// From the first to before the second.
fn between(dice: &mut Dice, first: u64, end: u64) -> u64 {
    first + dice.draw() % (end - first)
}

struct Drawing {
    dice: Dice,
    nodes: usize,
    links: Vec<(usize, usize)>,
    stops_alone: bool,
    healed_at: u64,
    asks: Vec<Ask>,
    events: Vec<(u64, Event)>,
    /// Until when something is done to the daemon of a node already.
    busy_until: Vec<u64>,
    /// Whose machine fails.
    failed: BTreeSet<usize>,
    /// Those of them for which that is for good, and when.
    lost: BTreeMap<usize, u64>,
}

impl Drawing {
    /// Something goes wrong at some time, and is well again later.
    fn fault(&mut self) {
        let at = self.between(0, self.healed_at - 500);
        match self.dice.below(16) {
            0..3 => {
                let (a, b) = self.link();
                self.for_a_while(at, Change::Cut(a, b), Change::Heal(a, b));
            }
            3..6 => {
                let (from, to) = self.link();
                self.for_a_while(at, Change::Deafen { from, to }, Change::Heal(from, to));
            }
            6 => {
                let loss = 5 + self.dice.below(36) as u32;
                self.for_a_while(at, Change::Lose(loss), Change::Lose(0));
            }
            7 | 8 => {
                let part = (0..self.nodes).filter(|_| self.dice.below(2) == 0).collect();
                self.for_a_while(at, Change::Split(part), Change::Unite);
            }
            9 => {
                let (a, b) = self.pair();
                self.links.push((a, b));
                self.events.push((at, Event::Air(Change::Meet(a, b))));
            }
            // Whoever stops by itself has to be able to.
            10..12 if self.stops_alone => {}
            10..12 => {
                let node = self.dice.below(self.nodes);
                let long = self.stop();
                self.disturb(node, at, long, (Deed::Stop, Deed::Continue));
            }
            12..15 => {
                let node = self.dice.below(self.nodes);
                // Some are there again before their programs have noticed.
                let most = [100, 2_000][self.dice.below(2)];
                let long = self.between(20, most);
                self.disturb(node, at, long, (Deed::Kill, Deed::Start));
            }
            // The lights go out.
            _ => {
                let long = self.between(20, 1_000);
                (0..self.nodes).for_each(|i| self.disturb(i, at, long, (Deed::Kill, Deed::Start)));
            }
        }
    }

    /// A few nodes, fewer than half, fail or are cut off, and others have them forgotten. Some of
    /// them come back.
    fn lose_some(&mut self) {
        let most = ((self.nodes - 1) / 2).min(3);
        let latest = self.healed_at - if self.stops_alone { 3 * ALONE_MS } else { 1_000 };
        let mut victims = BTreeSet::new();
        for _ in 0..1 + self.dice.below(most) {
            victims.insert(self.dice.below(self.nodes));
        }
        victims.retain(|i| self.busy_until[*i] < latest);
        let others: Vec<usize> = (0..self.nodes).filter(|i| !victims.contains(i)).collect();
        for victim in victims {
            let at = self.between(self.busy_until[victim].max(600), latest);
            let by = others[self.dice.below(others.len())];
            self.busy_until[victim] = u64::MAX;
            self.be_inside(victim, at);
            if self.stops_alone && self.dice.below(3) > 0 {
                self.events.push((at, Event::Air(Change::Isolate(victim))));
            } else {
                self.fail(victim, at);
            }
            let told_at = at + self.between(0, 1_000);
            self.events.push((told_at, Event::Node(by, Deed::Forget(victim))));
        }
    }

    /// The machine of a node fails, perhaps for good.
    fn fail(&mut self, victim: usize, at: u64) {
        self.failed.insert(victim);
        self.events.push((at, Event::Node(victim, Deed::Fail)));
        if self.dice.below(2) == 0 {
            let back_at = self.between(at + 1_000, self.healed_at + 1);
            self.events.push((back_at, Event::Node(victim, Deed::Start)));
        } else {
            self.lost.insert(victim, at);
        }
    }

    /// When something happens to this node, a program of it is to be inside, if it can be had, and
    /// would be for long.
    fn be_inside(&mut self, node: usize, at: u64) {
        let shared: Vec<_> = LOCKS.into_iter().filter(|lock| lock.kind != Kind::Local).collect();
        let lock = shared[self.dice.below(shared.len())];
        let (group, is_stubborn) = (self.dice.below(2) as u8, self.dice.below(2) == 0);
        let hold = 3 * ALONE_MS + self.between(0, 1_000);
        self.begin(Ask { node, lock, group, hold, is_stubborn }, at - 500);
    }

    /// All is well. Those who never failed are in one piece by themselves, for whoever did may be
    /// kept off until they have agreed on that; and with those who come back.
    fn heal(&mut self) {
        let well: Vec<usize> = (0..self.nodes).filter(|i| !self.failed.contains(i)).collect();
        if well.len() < self.nodes {
            let back = self.failed.iter().filter(|i| !self.lost.contains_key(i));
            let pairs = well.windows(2).map(|pair| (pair[0], pair[1]));
            for (a, b) in pairs.chain(back.map(|i| (well[0], *i))) {
                self.events.push((self.healed_at, Event::Air(Change::Meet(a, b))));
            }
        }
        self.events.push((self.healed_at, Event::Air(Change::Calm)));
    }

    /// How long a daemon is stopped: so briefly that nobody notices, or until all have given it up.
    fn stop(&mut self) -> u64 {
        match self.dice.below(2) {
            0 => self.between(20, 3 * HELLO_MS),
            _ => self.between(SILENCE, 4 * SILENCE),
        }
    }

    fn for_a_while(&mut self, at: u64, begin: Change, end: Change) {
        let until = at + self.between(50, 2_500);
        self.events.push((at, Event::Air(begin)));
        self.events.push((until.min(self.healed_at), Event::Air(end)));
    }

    /// Something is done to a daemon and undone, unless something else is at that time.
    fn disturb(&mut self, node: usize, at: u64, long: u64, (begin, end): (Deed, Deed)) {
        let until = (at + long).min(self.healed_at);
        if self.busy_until[node] <= at {
            self.busy_until[node] = until + 1;
            self.events.push((at, Event::Node(node, begin)));
            self.events.push((until, Event::Node(node, end)));
        }
    }

    /// A program asks, and may be killed, be it inside or not.
    fn ask(&mut self) {
        let at = self.between(0, self.healed_at - 200);
        // Half of them for what is exclusive, and most of these for the same.
        let lock = LOCKS[[0, 0, 0, 1, 2, 2, 3, 3, 4][self.dice.below(9)]];
        let (is_stubborn, is_slow) = (self.dice.below(6) == 0, self.dice.below(8) == 0);
        let hold = match is_stubborn || is_slow {
            true => self.between(300, 1_200),
            false => self.between(5, 120),
        };
        let has_failed = |i: &usize| self.lost.get(i).is_some_and(|failed_at| *failed_at <= at);
        let nodes: Vec<usize> = (0..self.nodes).filter(|i| !has_failed(i)).collect();
        let ask = Ask {
            node: nodes[self.dice.below(nodes.len())],
            lock,
            group: self.dice.below(2) as u8,
            hold,
            is_stubborn,
        };
        let number = self.begin(ask, at);
        if self.dice.below(6) == 0 {
            let killed_at = (at + self.between(10, 1_200)).min(self.healed_at);
            self.events.push((killed_at, Event::Program(number, Step::IsKilled)));
        }
    }

    /// When all is well, two ask at every node, and some for each lock.
    fn last_asks(&mut self) {
        let first = self.dice.below(LOCKS.len());
        let left: Vec<usize> = (0..self.nodes).filter(|i| !self.lost.contains_key(i)).collect();
        for number in 0..(2 * left.len()).max(LOCKS.len()) {
            let lock = LOCKS[(first + number) % LOCKS.len()];
            let (node, group) = (left[number / 2 % left.len()], self.dice.below(2) as u8);
            let ask = Ask { node, lock, group, hold: 5, is_stubborn: false };
            self.begin(ask, self.healed_at);
        }
    }

    fn begin(&mut self, ask: Ask, at: u64) -> usize {
        let number = self.asks.len();
        self.asks.push(ask);
        self.events.push((at, Event::Program(number, Step::Asks)));
        number
    }

    /// The ends of a link, in either order.
    fn link(&mut self) -> (usize, usize) {
        let (a, b) = self.links[self.dice.below(self.links.len())];
        if self.dice.below(2) == 0 { (a, b) } else { (b, a) }
    }

    /// Two nodes.
    fn pair(&mut self) -> (usize, usize) {
        let a = self.dice.below(self.nodes);
        (a, (a + 1 + self.dice.below(self.nodes - 1)) % self.nodes)
    }

    fn between(&mut self, first: u64, end: u64) -> u64 {
        between(&mut self.dice, first, end)
    }
}
