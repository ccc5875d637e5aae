//! All links of one node: [`Links`], the machine with HELLOs, keys and time around it.

mod receive;
mod remember;

use core::net::SocketAddr;
use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;

use crate::access::{Access, Keys};
use crate::beacon::{Beacon, entries_max};
use crate::clear::Clear;
use crate::dice::Dice;
use crate::frame::{self, Hand, Kind};
use crate::hello::{Change, Neighbors};
use crate::link::{Act, Link};
use crate::machine::{Acts, Machine};
use crate::pace::{Due, Pace};
use crate::secure::Secure;
use crate::session::{Handshake, Party};
use crate::{Config, Counters, MESSAGE_MAX, Memory, Output, PeerState, PeerView, SendError, To};

/// How long a node that leaves tells the others that links are over.
const LINGER: u64 = 300_000;

/// What this node keeps about another beside the state of the link.
struct Peer {
    /// Where it was heard last, if it was.
    address: Option<SocketAddr>,
    pace: Pace,
    secure: Secure,
    /// When it was heard last.
    heard_at: u64,
}

impl Peer {
    fn new(address: Option<SocketAddr>, now: u64) -> Self {
        Peer { address, pace: Pace::default(), secure: Secure::default(), heard_at: now }
    }
}

/// All links of one node.
pub struct Links {
    me: NodeId,
    /// The name of the memory, and the start.
    life: (u64, u64),
    network: [u8; 4],
    moving: bool,
    config: Config,
    keys: Keys,
    dice: Dice,
    machine: Machine,
    neighbors: Neighbors,
    peers: BTreeMap<NodeId, Peer>,
    /// Peers that were forgotten since somebody asked.
    dropped: Vec<NodeId>,
    counters: Counters,
    /// When a twin may be reported again.
    conflict_at: u64,
    /// When a node that leaves is gone.
    gone_at: Option<u64>,
    is_gone: bool,
    /// A handshake whose first half is being considered.
    asked: Option<(Handshake, Vec<u8>)>,
}

impl Links {
    /// A node that has heard nobody yet and remembers nothing. Of the `seed` come the keys of its
    /// sessions: outside of tests it has to be random.
    pub fn new(me: NodeId, config: Config, access: Access, seed: [u8; 32], now: u64) -> Self {
        let name = Dice::new(seed).draw();
        Links::awake(me, config, access, seed, now, &Memory { name, ..Memory::default() })
    }

    /// A node that has heard nobody yet, and remembers its links from before.
    pub fn awake(
        me: NodeId,
        config: Config,
        access: Access,
        seed: [u8; 32],
        now: u64,
        memory: &Memory,
    ) -> Self {
        let mut dice = Dice::new(seed);
        let keys = Keys::new(&access, &config.network);
        // Half of all numbers, so that one can count on from there.
        let start = dice.draw() >> 1;
        let mut machine = Machine::new(me, memory, start, config.window as u64);
        machine.set_moving(config.moving);
        let in_doubt = machine.links().filter(|(_, link)| link.is_in_doubt());
        let peers = in_doubt.map(|(peer, _)| (peer, Peer::new(None, now))).collect();
        let mut links = Links {
            me,
            life: (memory.name, start),
            network: frame::mark(&config.network),
            moving: config.moving,
            machine,
            neighbors: Neighbors::new(&config, entries_max(&keys), &mut dice, now),
            config,
            keys,
            dice,
            peers,
            dropped: Vec::new(),
            counters: Counters::default(),
            conflict_at: 0,
            gone_at: None,
            is_gone: false,
            asked: None,
        };
        let in_doubt: Vec<NodeId> = links.peers.keys().copied().collect();
        in_doubt.into_iter().for_each(|peer| links.plan(now, peer));
        links
    }

    /// A frame came in. It may be any bytes.
    pub fn rx(&mut self, now: u64, from: SocketAddr, frame: &[u8], out: &mut Vec<Output>) {
        self.counters.frames_heard += 1;
        self.counters.bytes_heard += frame.len() as u64;
        let dropped = &mut self.counters.dropped;
        let Some((kind, sender, rest)) = frame::parse(frame, self.network, dropped) else { return };
        if self.is_gone {
            return;
        }
        let who = (sender, from);
        match kind {
            Kind::Hello => self.on_hello(now, who, frame, out),
            _ if sender == self.me => dropped.conflict += 1,
            _ if !self.keys.admit(sender) => dropped.stranger += 1,
            _ if !self.peers.contains_key(&sender) => dropped.session += 1,
            Kind::Init => self.on_init(now, sender, rest, out),
            Kind::Resp => self.on_resp(now, sender, rest, out),
            Kind::Sealed => self.on_sealed(now, who, rest, out),
        }
        self.leave_when_settled(now);
    }

    /// Time has passed. To be called at [`wake_at`](Self::wake_at) or later; earlier does no harm.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Output>) {
        if self.is_gone {
            return;
        }
        for change in self.neighbors.tick(now, &mut self.dice) {
            self.on_change(now, change, out);
        }
        if self.neighbors.is_due(now) {
            self.say_hello(now, false, out);
        }
        let peers: Vec<NodeId> = self.peers.keys().copied().collect();
        for peer in peers {
            // A bound, so that nothing can keep this from ending.
            for _ in 0..8 {
                if !self.tick_peer(now, peer, out) {
                    break;
                }
            }
        }
        if self.gone_at.is_some_and(|at| now >= at) {
            self.say_hello(now, true, out);
            self.neighbors.stop();
            self.is_gone = true;
        }
        self.leave_when_settled(now);
    }

    /// When [`tick`](Self::tick) is due. Changes with every call.
    pub fn wake_at(&self) -> u64 {
        if self.is_gone {
            return u64::MAX;
        }
        let first = self.neighbors.wake_at().min(self.gone_at.unwrap_or(u64::MAX));
        self.peers.values().map(|peer| peer.pace.wake_at()).fold(first, u64::min)
    }

    /// Send `message` to a peer whose `LinkUp` was reported and whose `LinkDown` was not. If
    /// `keep`, it comes back as [`Output::Returned`] when it does not arrive, and it is never
    /// refused for want of room: there are not more of these than tokens. While the link is in
    /// doubt, it waits if it is to be kept, and is dropped otherwise.
    pub fn send(
        &mut self,
        now: u64,
        peer: NodeId,
        message: &[u8],
        keep: bool,
        out: &mut Vec<Output>,
    ) -> Result<(), SendError> {
        let link = self.machine.link(peer);
        let arq = link.and_then(Link::arq).ok_or(SendError::NotUp(peer))?;
        if message.len() > MESSAGE_MAX {
            return Err(SendError::TooLong { length: message.len() });
        }
        let waiting = arq.waiting() - (arq.sent() - arq.acked()) as usize;
        if waiting >= self.config.queue && !keep {
            return Err(SendError::Full(waiting, peer));
        }
        let mut acts = Acts::new();
        self.machine.send(peer, message, keep, &mut acts);
        self.carry_out(now, Some(peer), acts, out);
        Ok(())
    }

    /// Take the link to `peer` for broken, because too much waits for it.
    pub fn give_up(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        let mut acts = Acts::new();
        self.break_off(peer, &mut acts, Machine::give_up);
        self.carry_out(now, Some(peer), acts, out);
    }

    /// What became of what was sent to `peer`, with this memory, does not matter any more: it is
    /// [lost](Output::Lost), and if a link is up, it goes down.
    pub fn disown(&mut self, now: u64, peer: NodeId, memory: u64, out: &mut Vec<Output>) {
        let mut acts = Acts::new();
        self.machine.disown(peer, memory, &mut acts);
        self.carry_out(now, Some(peer), acts, out);
    }

    /// Kept messages that nobody knows the fate of, and for whom they are.
    pub fn doubts(&self) -> impl Iterator<Item = (NodeId, &[u8])> {
        let links = self.machine.links().filter(|(_, link)| link.is_in_doubt());
        links.flat_map(|(peer, link)| {
            let kept = link.arq().into_iter().flat_map(|arq| arq.kept_after(arq.acked()));
            kept.map(move |message| (peer, message))
        })
    }

    /// Say goodbye: what waits is still sent, then the links go down, and no new one comes up.
    /// The time has to go on until [`is_settled`](Self::is_settled).
    pub fn close(&mut self, now: u64, out: &mut Vec<Output>) {
        let mut acts = Acts::new();
        self.machine.close(&mut acts);
        self.carry_out(now, None, acts, out);
        self.leave_when_settled(now);
    }

    /// Whether this node has said goodbye to everybody, and nothing is in doubt.
    pub fn is_settled(&self) -> bool {
        self.is_gone
    }

    /// Whether this node moves. Links that come up later have roles accordingly.
    pub fn set_moving(&mut self, moving: bool) {
        self.moving = moving;
        self.machine.set_moving(moving);
    }

    /// Everybody who is heard, or with whom something is not settled, by id.
    pub fn peers(&self) -> impl Iterator<Item = PeerView> {
        let open = self.machine.links().filter(|(_, link)| link.arq().is_some());
        let ids: BTreeSet<NodeId> =
            self.neighbors.iter().map(|(id, _)| id).chain(open.map(|(id, _)| id)).collect();
        ids.into_iter().map(|id| self.view(id))
    }

    /// How often what happened since the start.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn view(&self, id: NodeId) -> PeerView {
        let (link, peer) = (self.machine.link(id), self.peers.get(&id));
        let neighbor = self.neighbors.get(id);
        let arq = link.and_then(Link::arq);
        let under_way = arq.map_or(0, |arq| (arq.sent() - arq.acked()) as usize);
        let is_in_doubt = link.is_some_and(Link::is_in_doubt);
        let address = neighbor.map(|neighbor| neighbor.address);
        PeerView {
            id,
            address: address.or(peer.and_then(|peer| peer.address)),
            state: match neighbor {
                _ if is_in_doubt => PeerState::InDoubt,
                _ if arq.is_some() => PeerState::Up,
                Some(neighbor) if neighbor.both => PeerState::Handshake,
                Some(neighbor) if !neighbor.is_lost() => PeerState::OneWay,
                _ => PeerState::Silent,
            },
            epoch: link.map_or(0, Link::epoch),
            role: link.and_then(Link::role),
            rtt: peer.and_then(|peer| peer.pace.rtt),
            queued: arq.map_or(0, |arq| arq.waiting() - under_way),
            unacknowledged: under_way,
            in_doubt: if is_in_doubt { arq.map_or(0, |arq| arq.kept()) } else { 0 },
        }
    }

    // What HELLOs say.

    fn on_change(&mut self, now: u64, change: Change, out: &mut Vec<Output>) {
        let mut acts = Acts::new();
        let peer = match change {
            Change::Heard(peer, life) => {
                let Some(neighbor) = self.neighbors.get(peer) else { return };
                let address = neighbor.address;
                if !self.peers.contains_key(&peer) && !self.make_room() {
                    self.counters.dropped.crowded += 1;
                    return;
                }
                self.peers.entry(peer).or_insert_with(|| Peer::new(None, now)).address =
                    Some(address);
                self.machine.heard(peer, life, &mut acts);
                peer
            }
            Change::Silent(peer) => {
                self.break_off(peer, &mut acts, Machine::silent);
                peer
            }
        };
        self.carry_out(now, Some(peer), acts, out);
    }

    /// Let a link break, one way or the other.
    fn break_off(
        &mut self,
        peer: NodeId,
        acts: &mut Acts,
        how: fn(&mut Machine, NodeId, &mut Acts),
    ) {
        let was_up = self.machine.link(peer).is_some_and(Link::is_up);
        how(&mut self.machine, peer, acts);
        let is_in_doubt = self.machine.link(peer).is_some_and(Link::is_in_doubt);
        self.counters.doubts += u64::from(was_up && is_in_doubt);
    }

    /// Forget the peer that has been silent for longest, if there are too many.
    fn make_room(&mut self) -> bool {
        if self.peers.len() < 2 * self.config.peers {
            return true;
        }
        let is_over = |id: &NodeId| {
            let is_heard = self.machine.link(*id).is_some_and(Link::is_heard);
            self.machine.is_closed(*id) && !is_heard
        };
        let silent = self.peers.iter().filter(|(id, _)| is_over(id));
        let oldest = silent.min_by_key(|(id, peer)| (peer.heard_at, **id)).map(|(id, _)| *id);
        if let Some(oldest) = oldest {
            self.machine.forget(oldest);
            self.dropped.push(oldest);
            self.peers.remove(&oldest);
        }
        oldest.is_some()
    }

    fn say_hello(&mut self, now: u64, leaving: bool, out: &mut Vec<Output>) {
        let beacon = self.neighbors.beacon(now, self.life, self.moving, &mut self.dice);
        let beacon = Beacon { leaving, ..beacon };
        let frame = beacon.to_frame(self.me, self.network, &self.keys);
        self.neighbors.set_length(frame.len());
        self.counters.hellos_sent += 1;
        transmit(To::All, frame, &mut self.counters, out);
        // Sessions grow old without anything happening.
        let peers: Vec<NodeId> = self.peers.keys().copied().collect();
        for peer in peers {
            self.plan(now, peer);
        }
    }

    /// A node that says goodbye tells the others so for a while after its last link is down.
    fn leave_when_settled(&mut self, now: u64) {
        if self.machine.is_closing() && self.machine.is_settled() {
            self.gone_at.get_or_insert(now + LINGER);
        }
    }

    // What comes of it.

    /// Do one thing that is due at a link; whether there was one.
    fn tick_peer(&mut self, now: u64, id: NodeId, out: &mut Vec<Output>) -> bool {
        let Some(peer) = self.peers.get_mut(&id) else { return false };
        let Some(due) = peer.pace.due(now, &self.config) else { return false };
        let mut acts = Acts::new();
        match due {
            Due::Resend => {
                self.machine.resend(id, &mut acts);
                self.counters.retransmissions += 1;
            }
            Due::GiveUp => self.break_off(id, &mut acts, Machine::give_up),
            Due::Acknowledge => self.machine.acknowledge(id, &mut acts),
            Due::Knock if self.renews(now, id) => self.renew(id, out),
            Due::Knock => self.machine.knock(id, &mut acts),
            Due::Ask => self.machine.ask(id, &mut acts),
        }
        self.carry_out(now, Some(id), acts, out);
        true
    }

    /// Whether it is this end's turn to ask for new keys of a link.
    fn renews(&self, now: u64, id: NodeId) -> bool {
        let is_up = self.machine.link(id).is_some_and(Link::is_up);
        let session = self.peers.get(&id).and_then(|peer| peer.secure.current.as_ref());
        is_up && self.me < id && session.is_some_and(|session| session.is_old(now, &self.config))
    }

    fn renew(&mut self, id: NodeId, out: &mut Vec<Output>) {
        let epoch = self.machine.link(id).map_or(0, Link::epoch);
        self.begin(id, Hand::Renew(epoch), out);
    }

    fn begin(&mut self, to: NodeId, said: Hand, out: &mut Vec<Output>) {
        let seed = self.dice.bytes();
        let party = party(&self.keys, &self.config, self.me, to);
        let Some(peer) = self.peers.get_mut(&to) else { return };
        if let Some(message) = peer.secure.begin(&party, seed, said) {
            let message = message.to_vec();
            self.transmit_hand(Kind::Init, to, &message, out);
        }
    }

    /// Answer the handshake that is being considered.
    fn answer(&mut self, now: u64, to: NodeId, said: Hand, epoch: u64, out: &mut Vec<Output>) {
        let (Some(asked), Some(peer)) = (self.asked.take(), self.peers.get_mut(&to)) else {
            return;
        };
        if let Some(second) = peer.secure.answer(asked, said, epoch, now) {
            let second = second.to_vec();
            self.transmit_hand(Kind::Resp, to, &second, out);
        }
    }

    fn carry_out(&mut self, now: u64, who: Option<NodeId>, acts: Acts, out: &mut Vec<Output>) {
        let mut touched: BTreeSet<NodeId> = who.into_iter().collect();
        for (peer, act) in acts {
            touched.insert(peer);
            match act {
                Act::Send(Clear::Init(offer)) => self.begin(peer, Hand::Open(offer), out),
                Act::Send(Clear::Resp(answer, epoch)) => {
                    self.answer(now, peer, Hand::Agree(answer, epoch), epoch, out);
                }
                Act::Send(clear) => self.seal(now, peer, clear, out),
                Act::Up(epoch, role) => {
                    self.counters.ups += 1;
                    out.push(Output::LinkUp { peer, epoch, role });
                }
                Act::Down(epoch) => {
                    self.counters.downs += 1;
                    out.push(Output::LinkDown { peer, epoch });
                }
                Act::Deliver(message) => out.push(Output::Deliver { peer, message }),
                Act::Returned(message) => {
                    self.counters.returned += 1;
                    out.push(Output::Returned { peer, message });
                }
                Act::Lost(message) => {
                    self.counters.lost += 1;
                    out.push(Output::Lost { peer, message });
                }
            }
        }
        for peer in touched {
            self.plan(now, peer);
        }
    }

    fn seal(&mut self, now: u64, to: NodeId, clear: Clear, out: &mut Vec<Output>) {
        let Some(peer) = self.peers.get_mut(&to) else { return };
        let (Some(session), Some(address)) = (peer.secure.current.as_mut(), peer.address) else {
            return;
        };
        match &clear {
            Clear::Data(data) => {
                data.message.iter().for_each(|(number, _)| peer.pace.on_sent(now, *number));
            }
            Clear::Relay(flood) if flood.from != self.me => self.counters.relayed += 1,
            Clear::Relay(flood) if flood.ask => self.counters.questions += 1,
            _ => {}
        }
        let mut frame = frame::header(Kind::Sealed, self.network, self.me);
        session.seal(&frame::to_seal(clear), &mut frame);
        transmit(To::One(address), frame, &mut self.counters, out);
    }

    fn transmit_hand(&mut self, kind: Kind, to: NodeId, message: &[u8], out: &mut Vec<Output>) {
        let Some(address) = self.peers.get(&to).and_then(|peer| peer.address) else { return };
        let mut frame = frame::header(kind, self.network, self.me);
        frame.extend(message);
        transmit(To::One(address), frame, &mut self.counters, out);
    }

    fn plan(&mut self, now: u64, id: NodeId) {
        let renews = self.renews(now, id);
        if let (Some(link), Some(peer)) = (self.machine.link(id), self.peers.get_mut(&id)) {
            peer.pace.plan(now, link, renews, &self.config);
        }
    }
}

fn party<'a>(keys: &'a Keys, config: &'a Config, me: NodeId, peer: NodeId) -> Party<'a> {
    Party { keys, network: &config.network, me, peer }
}

fn transmit(to: To, frame: Vec<u8>, counters: &mut Counters, out: &mut Vec<Output>) {
    counters.frames_sent += 1;
    counters.bytes_sent += frame.len() as u64;
    out.push(Output::Transmit { to, frame });
}
