//! Nodes, a radio that is made up, and the time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use driftlock_core::{NodeId, ResourceId};
use driftlock_link::{Access, Config, Links, PeerState, To};
use driftlock_locks::{Key, Kind, Limits, Locks, Loss, Of, Process, Recount, Request, Ticket};
use driftlock_node::engine::{Effect, Engine};
use driftlock_node::memory::Memory;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_roster::{Council, Member};

use crate::book::{Book, Inside};
use crate::clocks::Clocks;

/// A generator of numbers that tests can do with (Knuth's MMIX).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % n
    }
}

fn make(kind: Kind, me: NodeId, founder: bool) -> Box<dyn Process> {
    let krl = |tokens, forwarding| Of::<Krl>::cold(me, founder, &Settings { tokens, forwarding });
    match kind {
        Kind::Exclusive => krl(1, Forwarding::Never),
        Kind::Permits(k) => krl(k, Forwarding::Adaptive),
        Kind::Group => Of::<Gme>::cold(me, founder, &gme::Config::default()),
        Kind::Local => Of::<Lme2>::cold(me, founder, &lme2::Config::default()),
    }
}

pub(crate) struct Air {
    pub(crate) nodes: Vec<Engine>,
    /// What each node has written down.
    memories: Vec<Memory>,
    /// This node is killed after so many more effects.
    doomed: Option<(usize, u64)>,
    lease: u64,
    seed: u64,
    starts: u16,
    hello: u64,
    pub(crate) now: u64,
    /// Who hears whom: from, to.
    pub(crate) hears: BTreeSet<(usize, usize)>,
    /// Of a hundred frames so many are lost.
    pub(crate) loss: u64,
    /// Of a hundred frames so many come late, after others, and so many come twice.
    pub(crate) disorder: u64,
    /// Who is heard only to be there: all that these say to those, beyond HELLOs and handshakes,
    /// is lost.
    pub(crate) mute: BTreeSet<(usize, usize)>,
    /// What was said last, for whoever would say it again.
    pub(crate) overheard: VecDeque<Vec<u8>>,
    pub(crate) clocks: Clocks,
    flying: BTreeMap<(u64, u64), (usize, usize, Vec<u8>)>,
    frames: u64,
    dice: Dice,
    tickets: u64,
    pub(crate) book: Book,
    pub(crate) refused: Vec<Ticket>,
    /// When whom was told what.
    pub(crate) losses: Vec<(u64, Ticket, Loss)>,
    /// Who does not run.
    pub(crate) dead: BTreeSet<usize>,
    /// How often each node has begun anew.
    lives: Vec<u64>,
    /// What was made anew.
    pub(crate) recounts: Vec<Recount>,
    /// Who was struck off, and has heard it.
    pub(crate) struck: BTreeSet<usize>,
    /// How often what became of a token had to be settled, and it came back.
    pub(crate) returned: u64,
}

/// The time between HELLOs, in microseconds, where nothing else is said.
pub(crate) const HELLO: u64 = 200_000;

/// How many frames somebody keeps to say them again.
const OVERHEARD: usize = 2000;

/// The kind of frames that carry messages and acknowledgments.
const SEALED: u8 = 4;

impl Air {
    /// So many nodes that hear nobody; the first one is the founder.
    pub(crate) fn new(n: usize, seed: u64) -> Air {
        Air::with(n, seed, HELLO, 0)
    }

    /// The same with another time between HELLOs, where nodes stop by themselves when they were
    /// alone for so long; or never, if that is 0.
    pub(crate) fn with(n: usize, seed: u64, hello: u64, lease: u64) -> Air {
        let memories: Vec<Memory> = (0..n).map(|i| new_memory(i, 0, lease)).collect();
        let node = |i: usize| awake(i, (hello, lease), random(i, seed, 0), 0, &memories[i]);
        let mut air = Air {
            lease,
            nodes: (0..n).map(node).collect(),
            memories: memories.clone(),
            doomed: None,
            seed,
            starts: 0,
            hello,
            now: 0,
            hears: BTreeSet::new(),
            loss: 0,
            disorder: 0,
            mute: BTreeSet::new(),
            overheard: VecDeque::new(),
            clocks: Clocks::new(n),
            flying: BTreeMap::new(),
            frames: 0,
            dice: Dice::new(seed),
            tickets: 0,
            book: Book::new(n),
            refused: Vec::new(),
            losses: Vec::new(),
            dead: BTreeSet::new(),
            lives: vec![0; n],
            recounts: Vec::new(),
            struck: BTreeSet::new(),
            returned: 0,
        };
        (0..n).for_each(|i| air.at(i, |engine, now, effects| engine.wake(now, effects)));
        air
    }

    /// The node as it wakes up.
    fn awake(&self, i: usize) -> Engine {
        let random = random(i, self.seed, self.starts);
        awake(i, (self.hello, self.lease), random, self.now, &self.memories[i])
    }

    /// The same in a line, whose links are up.
    pub(crate) fn line(n: usize, seed: u64) -> Air {
        let mut air = Air::new(n, seed);
        (1..n).for_each(|i| air.meet(i - 1, i));
        air.run(3 * HELLO);
        air
    }

    pub(crate) fn meet(&mut self, a: usize, b: usize) {
        self.hears.extend([(a, b), (b, a)]);
    }

    pub(crate) fn part(&mut self, a: usize, b: usize) {
        self.hears.remove(&(a, b));
        self.hears.remove(&(b, a));
    }

    /// Whether the link is up as this node sees it.
    pub(crate) fn sees(&self, a: usize, b: usize) -> bool {
        let id = NodeId::at(b);
        self.nodes[a].links.peers().any(|peer| peer.id == id && peer.state == PeerState::Up)
    }

    pub(crate) fn acquire(&mut self, node: usize, key: &Key, resource: u64) -> Ticket {
        self.acquire_for(node, key, resource, None)
    }

    pub(crate) fn acquire_for(
        &mut self,
        node: usize,
        key: &Key,
        resource: u64,
        lease: Option<u64>,
    ) -> Ticket {
        self.tickets += 1;
        let (ticket, resource) = (Ticket(self.tickets), ResourceId(resource));
        self.book.ask(ticket, Inside { node, key: key.clone(), resource });
        let request = Request { ticket, key: key.clone(), resource, deadline: None, lease };
        self.at(node, |engine, now, effects| engine.acquire(now, request, effects));
        ticket
    }

    pub(crate) fn release(&mut self, ticket: Ticket) {
        let leaving = self.book.leave(ticket);
        let release = |engine: &mut Engine, now, effects: &mut Vec<Effect>| {
            engine.release(now, ticket, effects)
        };
        assert!(self.at(leaving.node, release), "{ticket:?} was inside");
        self.book.left(ticket, leaving);
    }

    /// A program that waits does not any more.
    pub(crate) fn withdraw(&mut self, ticket: Ticket) {
        let asked = self.book.asked.remove(&ticket).expect("whoever withdraws has asked");
        assert!(self.nodes[asked.node].withdraw(ticket), "{ticket:?} waited");
    }

    /// Kill a node, now or in the midst of what it does after so many more effects, and start it
    /// again.
    pub(crate) fn doom(&mut self, i: usize, effects: u64) {
        self.doomed = Some((i, effects));
    }

    /// Kill nobody.
    pub(crate) fn spare(&mut self) {
        self.doomed = None;
    }

    /// What a node has written down is gone.
    pub(crate) fn wipe(&mut self, i: usize) {
        self.memories[i] = new_memory(i, 0, self.lease);
    }

    /// A node was killed. Those who were inside there are `dead`, or are found inside.
    pub(crate) fn restart(&mut self, i: usize, dead: bool) {
        self.doomed = None;
        self.starts += 1;
        self.returned += self.nodes[i].links.counters().returned;
        self.nodes[i] = self.awake(i);
        self.book.asked.retain(|_, asked| asked.node != i);
        let here = self.book.inside.iter().filter(|(_, inside)| inside.node == i);
        let here: Vec<_> = here.map(|(ticket, inside)| (*ticket, inside.clone())).collect();
        for (ticket, Inside { key, resource, .. }) in here {
            if dead {
                self.book.leave(ticket);
            } else {
                let held = self.nodes[i].locks.hold(self.now, ticket, &key, resource, 1);
                assert!(held, "{ticket:?} is inside of {key}");
            }
        }
        self.at(i, |engine, now, effects| engine.wake(now, effects));
    }

    pub(crate) fn at<T>(
        &mut self,
        i: usize,
        action: impl FnOnce(&mut Engine, u64, &mut Vec<Effect>) -> T,
    ) -> T {
        assert!(!self.dead.contains(&i), "node {i} does not run");
        let mut effects = Vec::new();
        let time = self.clocks.time(i, self.now);
        let answer = action(&mut self.nodes[i], time, &mut effects);
        for effect in effects {
            match &mut self.doomed {
                Some((doomed, 0)) if *doomed == i => {
                    let dead = self.dice.below(2) == 0;
                    self.restart(i, dead);
                    break;
                }
                Some((doomed, left)) if *doomed == i => *left -= 1,
                _ => {}
            }
            self.carry_out(i, effect);
        }
        self.begin_anew(i);
        answer
    }

    /// A node that was struck off forgets everything once nobody is inside there.
    fn begin_anew(&mut self, i: usize) {
        if self.nodes[i].is_void() {
            self.lives[i] += 1;
            self.starts += 1;
            self.struck.remove(&i);
            self.memories[i] = new_memory(i, self.lives[i], self.lease);
            self.memories[i].locks.ceiling = self.nodes[i].locks.ceiling();
            self.nodes[i] = self.awake(i);
            self.at(i, |engine, now, effects| engine.wake(now, effects));
        }
    }

    /// Kill a node, and all programs there. It is not started again for now.
    pub(crate) fn kill(&mut self, i: usize) {
        self.restart(i, true);
        self.dead.insert(i);
        self.flying.retain(|_, (from, _, _)| *from != i);
    }

    /// Start a node that was killed, with the memory that it had.
    pub(crate) fn revive(&mut self, i: usize) {
        self.dead.remove(&i);
        self.restart(i, true);
    }

    /// Start a node that was killed, without its memory.
    pub(crate) fn lose_memory(&mut self, i: usize) {
        self.lives[i] += 1;
        self.memories[i] = new_memory(i, self.lives[i], self.lease);
        self.revive(i);
    }

    /// Strike a node off, as this one sees it.
    pub(crate) fn forget(&mut self, by: usize, i: usize) {
        let list = self.nodes[by].council.roster().expect("it knows a list");
        let id = NodeId::at(i);
        if let Some(listed) = list.members.get(&id) {
            let member = Member { id, memory: listed.memory };
            self.at(by, |engine, now, effects| engine.forget(now, member, effects));
        }
    }

    /// Whether all who live know each other, and are enough to agree without this one.
    pub(crate) fn is_settled_without(&self, i: usize) -> bool {
        let live: Vec<usize> = (0..self.nodes.len()).filter(|j| !self.dead.contains(j)).collect();
        let ids = live.iter().filter(|&&j| j != i).map(|&j| NodeId::at(j)).collect();
        live.iter().all(|&by| {
            let list = self.nodes[by].council.roster();
            let is_quorum = list.is_some_and(|list| list.is_quorum(&ids));
            is_quorum && live.iter().all(|&j| self.is_member(j, by))
        })
    }

    /// Whether a node is on the list of another.
    pub(crate) fn is_member(&self, i: usize, by: usize) -> bool {
        let list = self.nodes[by].council.roster();
        let memory = self.memories[i].links.name;
        list.is_some_and(|list| list.has(Member { id: NodeId::at(i), memory }))
    }

    fn carry_out(&mut self, i: usize, effect: Effect) {
        match effect {
            Effect::Save(change) => self.memories[i].apply(*change),
            Effect::Transmit { to, frame } => self.transmit(i, to, &frame),
            Effect::Granted { ticket, fence } => {
                let nodes = &self.nodes;
                let sees = |a: usize, b: usize| {
                    let id = NodeId::at(b);
                    let mut peers = nodes[a].links.peers();
                    peers.any(|peer| peer.id == id && peer.state == PeerState::Up)
                };
                self.book.enter(ticket, fence, |a, b| sees(a, b) && sees(b, a));
            }
            Effect::Refused(ticket, _) => {
                self.book.asked.remove(&ticket);
                self.refused.push(ticket);
            }
            Effect::Lost(ticket, loss) => {
                self.book.told.insert(ticket);
                self.losses.push((self.now, ticket, loss));
            }
            Effect::Step(_) => {}
            Effect::Recounted(recount) => {
                assert!(recount.doubled.is_empty(), "too many tokens: {recount:?}");
                self.recounts.push(recount);
            }
            Effect::Struck => drop(self.struck.insert(i)),
            Effect::Conflict(id, address) => panic!("{id} is at {address} too"),
        }
    }

    fn transmit(&mut self, i: usize, to: To, frame: &[u8]) {
        if self.overheard.len() == OVERHEARD {
            self.overheard.pop_front();
        }
        self.overheard.push_back(frame.to_vec());
        for j in 0..self.nodes.len() {
            let meant = to == To::All || to == To::One(address(j));
            let is_mute = frame[1] == SEALED && self.mute.contains(&(i, j));
            let heard = meant && !is_mute && self.hears.contains(&(i, j));
            if !heard || self.dice.below(100) < self.loss {
                continue;
            }
            let copies = 1 + u64::from(self.chance(self.disorder));
            for _ in 0..copies {
                let late = if self.chance(self.disorder) { 20_000 } else { 800 };
                let at = self.now + 200 + self.dice.below(late);
                self.frames += 1;
                self.flying.insert((at, self.frames), (i, j, frame.to_vec()));
            }
        }
    }

    /// Whether something happens that does so many times in a hundred. What never does takes no
    /// number from the dice.
    fn chance(&mut self, percent: u64) -> bool {
        0 < percent && self.dice.below(100) < percent
    }

    /// A node hears what none of the others has said.
    pub(crate) fn hear(&mut self, j: usize, bytes: &[u8]) {
        self.at(j, |engine, now, effects| engine.frame(now, address(99), bytes, effects));
    }

    /// Let so much time pass.
    pub(crate) fn run(&mut self, micros: u64) {
        let until = self.now + micros;
        loop {
            let due = (0..self.nodes.len()).map(|i| self.due(i)).min().unwrap_or(u64::MAX);
            let frame = self.flying.first_key_value().map_or(u64::MAX, |(&(at, _), _)| at);
            let next = due.min(frame).max(self.now);
            if until < next {
                self.now = until;
                return;
            }
            self.now = next;
            if frame <= due {
                let (_, (i, j, bytes)) = self.flying.pop_first().expect("it was seen");
                if self.hears.contains(&(i, j)) {
                    self.arrive(i, j, bytes);
                }
            } else {
                let late = (0..self.nodes.len()).filter(|&i| self.due(i) <= next);
                for i in late.collect::<Vec<_>>() {
                    self.at(i, |engine, now, effects| engine.tick(now, effects));
                }
            }
        }
    }

    /// When a node wants to be called, if it can be.
    fn due(&self, i: usize) -> u64 {
        if self.dead.contains(&i) {
            return u64::MAX;
        }
        self.clocks.due(i, self.nodes[i].wake_at(), self.now)
    }

    fn arrive(&mut self, i: usize, j: usize, bytes: Vec<u8>) {
        if self.dead.contains(&j) {
            return;
        }
        if let Some(bytes) = self.clocks.take(i, j, bytes) {
            self.at(j, |engine, now, effects| engine.frame(now, address(i), &bytes, effects));
        }
    }

    /// A node that was stopped goes on: what came meanwhile is there all at once.
    pub(crate) fn go_on(&mut self, j: usize) {
        for (i, bytes) in self.clocks.go_on(j) {
            self.arrive(i, j, bytes);
        }
    }

    /// Let whoever is inside leave, until nobody waits or the time is up.
    pub(crate) fn run_out(&mut self, micros: u64) {
        let until = self.now + micros;
        while self.now < until && !(self.book.asked.is_empty() && self.book.inside.is_empty()) {
            self.run(2_000);
            let inside: Vec<Ticket> = self.book.inside.keys().copied().collect();
            inside.into_iter().for_each(|ticket| self.release(ticket));
        }
        let returned = self.nodes.iter().map(|node| node.links.counters().returned);
        self.returned += returned.sum::<u64>();
    }
}

/// What a node draws its keys from: something else at each start.
fn random(i: usize, seed: u64, start: u16) -> [u8; 32] {
    let mut random = [i as u8; 32];
    random[..8].copy_from_slice(&seed.to_le_bytes());
    let [low, high] = start.to_le_bytes();
    random[8] = low;
    random[9] ^= high;
    random
}

/// A node that wakes up with a memory.
fn awake(
    i: usize,
    (hello, lease): (u64, u64),
    random: [u8; 32],
    now: u64,
    memory: &Memory,
) -> Engine {
    let config = Config { hello_every: hello, ..Config::new("test") };
    let (id, access) = (NodeId::at(i), Access::NetworkKey([7; 32]));
    let links = Links::awake(id, config, access, random, now, &memory.links);
    let locks = Locks::awake(id, make, Limits::default(), &memory.locks);
    let locks = locks.expect("what was written down can be read");
    let council = Council::new(memory.member(id), lease, memory.roster.clone());
    let mut engine = Engine::new(links, locks, council);
    engine.remember();
    engine
}

/// The memory of a node that begins for the first time, or so many times after that.
fn new_memory(i: usize, lives: u64, lease: u64) -> Memory {
    Memory::new(NodeId::at(i), 100 + i as u64 + 1000 * lives, i == 0 && lives == 0, lease)
}

fn address(i: usize) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 1000 + i as u16))
}
