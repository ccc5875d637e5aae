//! A few nodes and an emulated radio: who hears whom, losses, delays, tokens that are passed on.

use core::net::{Ipv4Addr, SocketAddr};
use std::collections::BTreeMap;

use driftlock_core::{LinkRole, NodeId};
use driftlock_link::{Access, Config, Links, Output, PeerState, To};

pub(crate) const MS: u64 = 1_000;
pub(crate) const SECOND: u64 = 1_000_000;

pub(crate) fn id(i: usize) -> NodeId {
    NodeId::at(i + 1)
}

pub(crate) fn address(i: usize) -> SocketAddr {
    (Ipv4Addr::new(10, 0, 0, i as u8), 7000).into()
}

/// Where a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Held(usize),
    Sent(usize, usize),
    /// Its receiver has forgotten whether it has it.
    Unknown,
}

/// A small generator (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.draw() % n
    }
}

/// The nodes and what is between them.
pub(crate) struct Net {
    pub(crate) now: u64,
    pub(crate) nodes: Vec<Links>,
    /// `hears[i][j]`: frames of j reach i.
    pub(crate) hears: Vec<Vec<bool>>,
    /// In a thousand frames.
    pub(crate) losses: u64,
    pub(crate) delay: (u64, u64),
    pub(crate) dice: Dice,
    pub(crate) tokens: Vec<Place>,
    /// Who is up, as told: epoch and role.
    pub(crate) up: BTreeMap<(usize, usize), (u64, LinkRole)>,
    epochs: BTreeMap<(usize, usize), u64>,
    /// The last message delivered from one to the other in this epoch.
    delivered: BTreeMap<(usize, usize), u64>,
    numbers: u64,
    air: BTreeMap<(u64, u64), (usize, usize, Vec<u8>)>,
    order: u64,
    pub(crate) conflicts: usize,
    /// Every output of every node, folded together.
    pub(crate) print: u64,
    make: fn(usize) -> (Config, Access),
    /// When each node wants to be called.
    wakes: Vec<u64>,
    /// All frames, if wanted.
    pub(crate) record: Option<Vec<Vec<u8>>>,
}

impl Net {
    /// `n` nodes that do not hear each other.
    pub(crate) fn new(n: usize, seed: u64, make: fn(usize) -> (Config, Access)) -> Self {
        let mut net = Net {
            now: 0,
            nodes: Vec::new(),
            hears: vec![vec![false; n]; n],
            losses: 0,
            delay: (50, 300),
            dice: Dice(seed),
            tokens: Vec::new(),
            up: BTreeMap::new(),
            epochs: BTreeMap::new(),
            delivered: BTreeMap::new(),
            numbers: 0,
            air: BTreeMap::new(),
            order: 0,
            conflicts: 0,
            print: 0,
            make,
            wakes: vec![0; n],
            record: None,
        };
        for i in 0..n {
            let node = net.node(i);
            net.nodes.push(node);
        }
        net
    }

    fn node(&mut self, i: usize) -> Links {
        let (config, access) = (self.make)(i);
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.dice.draw().to_le_bytes());
        Links::new(id(i), config, access, seed, self.now)
    }

    /// Start a node anew. It has forgotten everything, tokens too.
    pub(crate) fn restart(&mut self, i: usize) {
        self.nodes[i] = self.node(i);
        self.wakes[i] = self.now;
        self.up.retain(|(at, _), _| *at != i);
    }

    /// Let both hear each other, or not.
    pub(crate) fn set(&mut self, i: usize, j: usize, hears: bool) {
        self.hears[i][j] = hears;
        self.hears[j][i] = hears;
    }

    pub(crate) fn set_all(&mut self, hears: bool) {
        for i in 0..self.nodes.len() {
            for j in 0..i {
                self.set(i, j, hears);
            }
        }
    }

    /// Let time pass until nothing is left to do before `end`.
    pub(crate) fn run_until(&mut self, end: u64) {
        loop {
            let arrival = self.air.keys().next().map_or(u64::MAX, |(at, _)| *at);
            let wakes = self.wakes.iter().copied().enumerate();
            let (i, wake) = wakes.min_by_key(|(_, at)| *at).expect("some nodes");
            let next = arrival.min(wake).max(self.now);
            if next > end {
                break;
            }
            self.now = next;
            let mut out = Vec::new();
            if arrival <= wake {
                let Some((_, (from, to, frame))) = self.air.pop_first() else { break };
                self.nodes[to].rx(self.now, address(from), &frame, &mut out);
                self.act(to, out);
            } else {
                self.nodes[i].tick(self.now, &mut out);
                assert!(self.nodes[i].wake_at() > self.now, "node {i} would never sleep");
                self.act(i, out);
            }
        }
        self.now = end;
    }

    pub(crate) fn run_for(&mut self, time: u64) {
        self.run_until(self.now + time);
    }

    /// Do what node `i` says, and see that it may.
    pub(crate) fn act(&mut self, i: usize, out: Vec<Output>) {
        self.wakes[i] = self.nodes[i].wake_at();
        for output in out {
            self.fold(i, &output);
            match output {
                Output::Transmit { to, frame } => self.transmit(i, to, &frame),
                Output::LinkUp { peer, epoch, role } => {
                    self.on_up(i, peer.index() - 1, epoch, role)
                }
                Output::LinkDown { peer, epoch } => {
                    let was = self.up.remove(&(i, peer.index() - 1));
                    assert_eq!(was.map(|(epoch, _)| epoch), Some(epoch), "down without up");
                }
                Output::Deliver { peer, message } => self.on_message(i, peer.index() - 1, &message),
                Output::Returned { peer, message } => {
                    let j = peer.index() - 1;
                    assert!(self.up.contains_key(&(i, j)), "returned while down");
                    let token = token(&message).expect("only tokens are kept");
                    assert_eq!(self.tokens[token], Place::Sent(i, j), "a token is doubled");
                    self.tokens[token] = Place::Held(i);
                }
                Output::Lost { peer, message } => {
                    let token = token(&message).expect("only tokens are kept");
                    assert_eq!(self.tokens[token], Place::Sent(i, peer.index() - 1));
                    self.tokens[token] = Place::Unknown;
                }
                Output::Conflict { .. } => self.conflicts += 1,
            }
        }
    }

    fn fold(&mut self, i: usize, output: &Output) {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.print, i, self.now, format!("{output:?}")).hash(&mut hasher);
        self.print = hasher.finish();
    }

    fn on_up(&mut self, i: usize, j: usize, epoch: u64, role: LinkRole) {
        let before = self.epochs.insert((i, j), epoch).unwrap_or(0);
        assert!(epoch > before, "the epoch of {i} with {j} does not grow");
        if let Some(&(theirs, other)) = self.up.get(&(j, i)) {
            assert!(theirs >= epoch, "{j} has not closed {theirs}, and {i} is up in {epoch}");
            assert!(theirs > epoch || other != role, "both are {role:?}");
        }
        let was = self.up.insert((i, j), (epoch, role));
        assert_eq!(was, None, "up twice");
        self.delivered.insert((i, j), 0);
    }

    fn on_message(&mut self, i: usize, j: usize, message: &[u8]) {
        assert!(self.up.contains_key(&(i, j)), "delivered while down");
        let number = u64::from_le_bytes(message[..8].try_into().expect("8 bytes"));
        let last = self.delivered.insert((i, j), number).unwrap_or(0);
        assert!(number > last, "delivered out of order or twice");
        if let Some(token) = token(message) {
            assert_eq!(self.tokens[token], Place::Sent(j, i), "a token is doubled");
            self.tokens[token] = Place::Held(i);
        }
    }

    fn transmit(&mut self, i: usize, to: To, frame: &[u8]) {
        assert!(frame.len() <= driftlock_link::FRAME_MAX);
        if let Some(record) = &mut self.record {
            record.push(frame.to_vec());
        }
        for j in 0..self.nodes.len() {
            let is_meant = match to {
                To::All => j != i,
                To::One(to) => to == address(j),
            };
            let is_lost = self.losses > 0 && self.dice.below(1000) < self.losses;
            if is_meant && self.hears[j][i] && !is_lost {
                let (least, most) = self.delay;
                let at = self.now + least + self.dice.below(most - least + 1);
                self.order += 1;
                self.air.insert((at, self.order), (i, j, frame.to_vec()));
            }
        }
    }

    /// Send a message from one to the other, if the link is up.
    pub(crate) fn send(&mut self, i: usize, j: usize, token: Option<usize>) -> bool {
        if !self.up.contains_key(&(i, j)) {
            return false;
        }
        self.numbers += 1;
        let mut message = self.numbers.to_le_bytes().to_vec();
        message.extend(token.map(|token| token as u8));
        if let Some(token) = token {
            assert_eq!(self.tokens[token], Place::Held(i));
            self.tokens[token] = Place::Sent(i, j);
        }
        let mut out = Vec::new();
        let sent = self.nodes[i].send(self.now, id(j), &message, token.is_some(), &mut out);
        sent.expect("the link is up and the queue is not full");
        self.act(i, out);
        true
    }

    /// Every token is with its holder, or with its sender, waiting or in doubt.
    pub(crate) fn count(&self) {
        for (i, node) in self.nodes.iter().enumerate() {
            for peer in node.peers() {
                let j = peer.id.index() - 1;
                let sent = self.tokens.iter().filter(|&&place| place == Place::Sent(i, j)).count();
                let waiting = peer.queued + peer.unacknowledged;
                assert!(sent <= waiting, "a token is lost between {i} and {j}");
                assert!(peer.state == PeerState::InDoubt || peer.in_doubt == 0);
            }
        }
    }

    /// Whether the two have a link, and agree.
    pub(crate) fn linked(&self, i: usize, j: usize) -> bool {
        let [a, b] = [(i, j), (j, i)].map(|pair| self.up.get(&pair));
        matches!((a, b), (Some((e, r)), Some((f, s))) if e == f && r != s)
    }

    pub(crate) fn unlinked(&self, i: usize, j: usize) -> bool {
        !self.up.contains_key(&(i, j)) && !self.up.contains_key(&(j, i))
    }
}

fn token(message: &[u8]) -> Option<usize> {
    message.get(8).map(|&token| token.into())
}

/// HELLOs every 200 ms, with the key of a network.
pub(crate) fn fast(_: usize) -> (Config, Access) {
    let config = Config { hello_every: 200 * MS, ..Config::new("test") };
    (config, Access::NetworkKey([7; 32]))
}

/// The same, with keys of nodes.
pub(crate) fn with_node_keys(i: usize) -> (Config, Access) {
    let key = |i: usize| [i as u8 + 1; 32];
    let others = (0..8).filter(|&j| j != i);
    let allowed = others.map(|j| (id(j), driftlock_link::public_key(&key(j)))).collect();
    (fast(i).0, Access::NodeKeys { own: key(i), allowed })
}
