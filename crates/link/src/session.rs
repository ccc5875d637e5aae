//! Keys for one incarnation: a Noise handshake, then [`Session`].
//!
//! Where the network has one key, the pattern is `NNpsk0`: whoever has the key. Where each node has
//! a key of its own, it is `KK`: both know each other's. Versions, the name of the network and both
//! ids are bound in. The first message of a handshake can be recorded and sent again, so what it
//! says has to be true for good; the keys that come of it are of no use to whoever does that.

use driftlock_core::NodeId;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState, StatelessTransportState};

use crate::access::Keys;
use crate::dice::Dice;
use crate::frame::VERSION;

/// What sealing adds to a message.
const SEAL: usize = 16;

/// Gives Noise its ephemeral keys: as random as the seed, and the same for the same seed.
struct Seeded([u8; 32]);

impl CryptoResolver for Seeded {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Dice::new(self.0)))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        DefaultResolver.resolve_dh(choice)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

impl Random for Dice {
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), snow::Error> {
        for chunk in bytes.chunks_mut(32) {
            chunk.copy_from_slice(&self.bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// What both ends of a handshake have in common.
pub(crate) struct Party<'a> {
    pub(crate) keys: &'a Keys,
    pub(crate) network: &'a str,
    pub(crate) me: NodeId,
    pub(crate) peer: NodeId,
}

/// A handshake that waits for the other end's half.
pub(crate) struct Handshake(HandshakeState);

impl Party<'_> {
    fn build(&self, seed: [u8; 32]) -> Result<Handshake, snow::Error> {
        let (low, high) = (self.me.min(self.peer), self.me.max(self.peer));
        let mut prologue = vec![VERSION];
        prologue.extend(low.0.to_le_bytes());
        prologue.extend(high.0.to_le_bytes());
        prologue.extend(self.network.as_bytes());
        let pattern = match self.keys {
            Keys::Network { .. } => "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s",
            Keys::Nodes { .. } => "Noise_KK_25519_ChaChaPoly_BLAKE2s",
        };
        let builder = Builder::with_resolver(pattern.parse()?, Box::new(Seeded(seed)));
        let builder = builder.prologue(&prologue)?;
        let builder = match self.keys {
            Keys::Network { psk, .. } => builder.psk(0, psk)?,
            Keys::Nodes { own, peers, .. } => {
                let builder = builder.local_private_key(own)?;
                match peers.get(&self.peer) {
                    Some(pair) => builder.remote_public_key(&pair.public)?,
                    None => builder,
                }
            }
        };
        let state = match self.me < self.peer {
            true => builder.build_initiator()?,
            false => builder.build_responder()?,
        };
        Ok(Handshake(state))
    }

    /// The first half, at the end with the lower id.
    pub(crate) fn begin(&self, seed: [u8; 32], said: &[u8]) -> Option<(Handshake, Vec<u8>)> {
        let mut handshake = self.build(seed).ok()?;
        let message = handshake.write(said)?;
        Some((handshake, message))
    }

    /// The first half came in: what it says.
    pub(crate) fn answer(&self, seed: [u8; 32], message: &[u8]) -> Option<(Handshake, Vec<u8>)> {
        let mut handshake = self.build(seed).ok()?;
        let said = handshake.read(message)?;
        Some((handshake, said))
    }
}

impl Handshake {
    fn write(&mut self, said: &[u8]) -> Option<Vec<u8>> {
        let mut message = vec![0; said.len() + 64];
        let length = self.0.write_message(said, &mut message).ok()?;
        message.truncate(length);
        Some(message)
    }

    /// The other half came in. If it is not good, the handshake goes on waiting.
    pub(crate) fn read(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        let mut said = vec![0; message.len()];
        let length = self.0.read_message(message, &mut said).ok()?;
        said.truncate(length);
        Some(said)
    }

    /// The second half, and the keys.
    pub(crate) fn finish(
        mut self,
        said: &[u8],
        epoch: u64,
        now: u64,
    ) -> Option<(Session, Vec<u8>)> {
        let message = self.write(said)?;
        Some((self.session(epoch, now)?, message))
    }

    /// The keys, if both halves were there.
    pub(crate) fn session(self, epoch: u64, now: u64) -> Option<Session> {
        let &[a, b, c, d, ..] = self.0.get_handshake_hash() else { return None };
        let transport = self.0.into_stateless_transport_mode().ok()?;
        let tag = [a, b, c, d];
        Some(Session { transport, tag, epoch, born: now, nonce: 0, replay: Replay::default() })
    }
}

/// The keys of one incarnation, or of a part of one.
pub(crate) struct Session {
    transport: StatelessTransportState,
    /// By which frames name it.
    pub(crate) tag: [u8; 4],
    pub(crate) epoch: u64,
    born: u64,
    /// Of the next frame.
    nonce: u64,
    replay: Replay,
}

/// What is wrong with a sealed frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    Key,
    Replayed,
}

impl Session {
    /// The nonce and the sealed bytes.
    pub(crate) fn seal(&mut self, clear: &[u8], frame: &mut Vec<u8>) {
        frame.extend(self.tag);
        frame.extend(self.nonce.to_le_bytes());
        let start = frame.len();
        frame.resize(start + clear.len() + SEAL, 0);
        let sealed = self.transport.write_message(self.nonce, clear, &mut frame[start..]);
        debug_assert!(sealed.is_ok(), "a frame is shorter than Noise allows");
        self.nonce += 1;
    }

    /// What was sealed, if it was by the other end, and is here for the first time.
    pub(crate) fn open(&mut self, nonce: u64, sealed: &[u8]) -> Result<Vec<u8>, Broken> {
        if sealed.len() < SEAL || nonce == u64::MAX {
            return Err(Broken::Key);
        }
        if !self.replay.is_new(nonce) {
            return Err(Broken::Replayed);
        }
        let mut clear = vec![0; sealed.len()];
        let length = self.transport.read_message(nonce, sealed, &mut clear);
        clear.truncate(length.map_err(|_| Broken::Key)?);
        self.replay.mark(nonce);
        Ok(clear)
    }

    /// Whether it is time for new keys.
    pub(crate) fn is_old(&self, now: u64, config: &crate::Config) -> bool {
        self.nonce.max(self.replay.next) >= config.rekey_frames
            || now.saturating_sub(self.born) >= config.rekey_after
    }
}

/// Which nonces were seen.
#[derive(Default)]
struct Replay {
    /// One more than the greatest.
    next: u64,
    /// Bit `k` stands for `next - 1 - k`.
    seen: u128,
}

impl Replay {
    fn is_new(&self, nonce: u64) -> bool {
        match (self.next).checked_sub(nonce + 1) {
            None => true,
            Some(age) => age < 128 && self.seen >> age & 1 == 0,
        }
    }

    fn mark(&mut self, nonce: u64) {
        if nonce >= self.next {
            let shift = nonce + 1 - self.next;
            self.seen =
                u32::try_from(shift).ok().and_then(|s| self.seen.checked_shl(s)).unwrap_or(0);
            self.next = nonce + 1;
        }
        self.seen |= 1 << (self.next - 1 - nonce);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Access, public_key};

    fn network(key: u8) -> Keys {
        Keys::new(&Access::NetworkKey([key; 32]), "net")
    }

    fn nodes(own: u8, other: u8) -> Keys {
        let allowed = [(NodeId(other.into()), public_key(&[other; 32]))].into();
        Keys::new(&Access::NodeKeys { own: [own; 32], allowed }, "net")
    }

    fn party(keys: &Keys, me: u32, peer: u32) -> Party<'_> {
        Party { keys, network: "net", me: NodeId(me), peer: NodeId(peer) }
    }

    /// Both ends of a session of nodes 1 and 2.
    fn sessions(low: &Keys, high: &Keys, seed: u8) -> Option<(Session, Session)> {
        let (mut begun, first) = party(low, 1, 2).begin([seed; 32], b"one")?;
        let (asked, said) = party(high, 2, 1).answer([seed + 1; 32], &first)?;
        assert_eq!(said, b"one");
        let (session, second) = asked.finish(b"two", 7, 0)?;
        assert_eq!(begun.read(&second[1..]), None);
        assert_eq!(begun.read(&second).as_deref(), Some(&b"two"[..]));
        Some((begun.session(7, 0)?, session))
    }

    /// Seal, and take the frame apart.
    fn sealed(session: &mut Session, clear: &[u8]) -> (u64, Vec<u8>) {
        let mut frame = Vec::new();
        session.seal(clear, &mut frame);
        assert_eq!(frame[..4], session.tag);
        (u64::from_le_bytes(frame[4..12].try_into().unwrap()), frame[12..].to_vec())
    }

    #[test]
    fn what_one_end_seals_the_other_opens_once() {
        for (low, high) in [(network(1), network(1)), (nodes(1, 2), nodes(2, 1))] {
            let (mut low, mut high) = sessions(&low, &high, 5).unwrap();
            assert_eq!((low.tag, low.epoch), (high.tag, high.epoch));
            let (nonce, frame) = sealed(&mut low, b"hello");
            assert_eq!(low.open(nonce, &frame), Err(Broken::Key), "it is not for this end");
            assert_eq!(high.open(nonce + 1, &frame), Err(Broken::Key));
            for k in 0..frame.len() {
                let mut altered = frame.clone();
                altered[k] ^= 4;
                assert_eq!(high.open(nonce, &altered), Err(Broken::Key));
                assert_eq!(high.open(nonce, &frame[..k]), Err(Broken::Key));
            }
            assert_eq!(high.open(nonce, &frame).as_deref(), Ok(&b"hello"[..]));
            assert_eq!(high.open(nonce, &frame), Err(Broken::Replayed));
            let (nonce, frame) = sealed(&mut high, &[]);
            assert_eq!(low.open(nonce, &frame).as_deref(), Ok(&b""[..]));
            assert_eq!(low.open(u64::MAX, &frame), Err(Broken::Key));
        }
    }

    #[test]
    fn other_keys_names_and_ids_do_not_fit() {
        assert!(sessions(&network(1), &network(2), 5).is_none());
        assert!(sessions(&nodes(1, 2), &nodes(2, 3), 5).is_none());
        let keys = network(1);
        let (_, first) = party(&keys, 1, 2).begin([1; 32], b"").unwrap();
        assert!(party(&keys, 3, 1).answer([2; 32], &first).is_none(), "it was for node 2");
        let other = Party { network: "ten", ..party(&keys, 2, 1) };
        assert!(other.answer([2; 32], &first).is_none());
        assert!(party(&keys, 2, 1).answer([2; 32], &first).is_some());
    }

    #[test]
    fn a_frame_of_one_session_does_not_open_in_another() {
        let keys = network(1);
        let (mut old, _) = sessions(&keys, &keys, 5).unwrap();
        let (_, mut new) = sessions(&keys, &keys, 9).unwrap();
        let (nonce, frame) = sealed(&mut old, b"token");
        assert_ne!(old.tag, new.tag);
        assert_eq!(new.open(nonce, &frame), Err(Broken::Key));
    }

    #[test]
    fn nonces_count_once_and_not_when_they_are_too_old() {
        let mut replay = Replay::default();
        let mut take = |nonce| {
            let is_new = replay.is_new(nonce);
            if is_new {
                replay.mark(nonce);
            }
            is_new
        };
        for (nonce, is_new) in [
            (0, true),
            (0, false),
            (5, true),
            (3, true),
            (3, false),
            (5, false),
            (132, true),
            (4, false),
            (6, true),
            (6, false),
            (10_000, true),
            (9_872, false),
            (9_873, true),
            (1 << 40, true),
            (10_000, false),
        ] {
            assert_eq!(take(nonce), is_new, "{nonce}");
        }
    }
}
