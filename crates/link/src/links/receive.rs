//! What comes in: from any bytes to what a peer said.

use core::net::SocketAddr;

use driftlock_core::NodeId;

use super::{Links, party};
use crate::Output;
use crate::beacon::{Beacon, Proof};
use crate::clear::Clear;
use crate::frame::{self, Hand, Kind};
use crate::link::Link;
use crate::machine::Acts;
use crate::secure::Opened;
use crate::session::Broken;

/// Between two reports of a twin.
const CONFLICT_EVERY: u64 = 5_000_000;

impl Links {
    pub(super) fn on_hello(
        &mut self,
        now: u64,
        who: (NodeId, SocketAddr),
        frame: &[u8],
        out: &mut Vec<Output>,
    ) {
        let dropped = &mut self.counters.dropped;
        if who.0 != self.me && !self.keys.admit(who.0) {
            dropped.stranger += 1;
            return;
        }
        let (beacon, is_proved) = match Beacon::of_frame(frame, who.0, self.me, &self.keys) {
            Proof::Good(beacon) => (beacon, true),
            Proof::Hint(beacon) => (beacon, false),
            Proof::Bad => return dropped.key += 1,
            Proof::Malformed => return dropped.malformed += 1,
        };
        if who.0 == self.me {
            self.on_twin(now, beacon.life.1, who.1, out);
            return;
        }
        let rest = (self.me, &mut self.dice, dropped);
        let change = self.neighbors.on_beacon(now, who, (&beacon, is_proved), rest);
        let address = self.neighbors.get(who.0).map(|neighbor| neighbor.address);
        if let (Some(peer), Some(address)) = (self.peers.get_mut(&who.0), address) {
            (peer.address, peer.heard_at) = (Some(address), now);
        }
        if let Some(change) = change {
            self.on_change(now, change, out);
        }
    }

    /// A HELLO with this node's id: its own, or of a twin.
    fn on_twin(&mut self, now: u64, start: u64, address: SocketAddr, out: &mut Vec<Output>) {
        if start == self.life.1 {
            return;
        }
        self.counters.dropped.conflict += 1;
        if now >= self.conflict_at {
            self.conflict_at = now + CONFLICT_EVERY;
            out.push(Output::Conflict { id: self.me, address });
        }
    }

    // Handshakes and sealed frames.

    pub(super) fn on_init(
        &mut self,
        now: u64,
        sender: NodeId,
        message: &[u8],
        out: &mut Vec<Output>,
    ) {
        let Some(link) = self.machine.link(sender) else { return };
        let Some(peer) = self.peers.get_mut(&sender) else { return };
        if sender > self.me || !link.is_heard() {
            return self.counters.dropped.stale += 1;
        }
        let (epoch, is_up) = (link.epoch(), link.is_up());
        if let Some((second, renews)) = peer.secure.answer_to(message)
            && (renews || link.is_pending())
        {
            let second = second.to_vec();
            return self.transmit_hand(Kind::Resp, sender, &second, out);
        }
        let seed = self.dice.bytes();
        let party = party(&self.keys, &self.config, self.me, sender);
        let Some((handshake, said)) = party.answer(seed, message) else {
            return self.counters.dropped.key += 1;
        };
        match Hand::of_bytes(&said) {
            Some(Hand::Open(offer)) => {
                let mut acts = Acts::new();
                self.asked = Some((handshake, message.to_vec()));
                self.machine.rx(sender, Clear::Init(offer), &mut acts);
                self.carry_out(now, Some(sender), acts, out);
                if self.asked.take().is_some() {
                    self.counters.dropped.stale += 1;
                }
            }
            Some(Hand::Renew(renewed)) if is_up && renewed == epoch => {
                self.asked = Some((handshake, message.to_vec()));
                self.answer(now, sender, Hand::Renew(epoch), epoch, out);
            }
            _ => self.counters.dropped.stale += 1,
        }
    }

    pub(super) fn on_resp(
        &mut self,
        now: u64,
        sender: NodeId,
        message: &[u8],
        out: &mut Vec<Output>,
    ) {
        let Some(peer) = self.peers.get_mut(&sender) else { return };
        let before = peer.secure.current.as_ref().map(|session| session.tag);
        let agreed = peer.secure.finish(message, now);
        if peer.secure.current.as_ref().map(|session| session.tag) == before {
            return self.counters.dropped.key += 1;
        }
        self.counters.sessions += 1;
        let mut acts = Acts::new();
        match agreed {
            Some((answer, epoch)) => {
                self.machine.rx(sender, Clear::Resp(answer, epoch), &mut acts);
            }
            // New keys: the other end uses them once it sees them used.
            None => self.machine.acknowledge(sender, &mut acts),
        }
        self.carry_out(now, Some(sender), acts, out);
    }

    pub(super) fn on_sealed(
        &mut self,
        now: u64,
        (sender, address): (NodeId, SocketAddr),
        rest: &[u8],
        out: &mut Vec<Output>,
    ) {
        let dropped = &mut self.counters.dropped;
        let parts = rest.split_first_chunk::<4>();
        let parts = parts.and_then(|(tag, rest)| Some((*tag, rest.split_first_chunk::<8>()?)));
        let Some((tag, (nonce, sealed))) = parts else { return dropped.malformed += 1 };
        let is_pending = self.machine.link(sender).is_some_and(Link::is_pending);
        let Some(peer) = self.peers.get_mut(&sender) else { return };
        let nonce = u64::from_le_bytes(*nonce);
        let Opened { clear, epoch, is_first } =
            match peer.secure.open(tag, nonce, sealed, is_pending) {
                None => return dropped.session += 1,
                Some(Err(Broken::Key)) => return dropped.key += 1,
                Some(Err(Broken::Replayed)) => return dropped.replayed += 1,
                Some(Ok(opened)) => opened,
            };
        (peer.address, peer.heard_at) = (Some(address), now);
        self.counters.sessions += u64::from(is_first);
        let dropped = &mut self.counters.dropped;
        let Some(clear) = frame::unsealed(&clear) else { return dropped.malformed += 1 };
        self.on_clear(now, sender, clear, epoch, out);
    }

    fn on_clear(
        &mut self,
        now: u64,
        sender: NodeId,
        clear: Clear,
        epoch: u64,
        out: &mut Vec<Output>,
    ) {
        let Some(peer) = self.peers.get_mut(&sender) else { return };
        if let Clear::Data(data) = &clear {
            if data.epoch != epoch {
                return self.counters.dropped.stale += 1;
            }
            if let Some((number, _)) = &data.message {
                let arq = self.machine.link(sender).and_then(Link::arq);
                let is_old = arq.is_some_and(|arq| *number <= arq.received());
                self.counters.duplicates += u64::from(is_old);
                peer.pace.on_message();
            }
        }
        let mut acts = Acts::new();
        let news = self.machine.rx(sender, clear, &mut acts);
        if news > 0 {
            let acked = self.machine.link(sender).and_then(Link::arq).map(|arq| arq.acked());
            peer.pace.on_progress(now, acked.unwrap_or(u64::MAX));
            self.neighbors.alive(now, sender);
        }
        self.carry_out(now, Some(sender), acts, out);
    }
}
