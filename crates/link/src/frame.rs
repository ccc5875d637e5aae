//! The bytes on the air.
//!
//! ```text
//! every frame   version 1 | kind 1 | network 4 | sender 4 | ..
//! HELLO         .. | memory 8 | start 8 | number 4 | interval 4 | flags 1 | entries 1 | entry..
//!               | tag 16
//! handshake     .. | a Noise message
//! sealed        .. | session 4 | nonce 8 | a Noise message
//! ```
//!
//! All numbers are little-endian. Of a frame from whoever it may be, nothing is read but this.

use blake2::Blake2s256;
use blake2::digest::Digest;
use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

use crate::arq::Ack;
use crate::clear::{Clear, Data, Offer, Tell};
use crate::settle::Flood;
use crate::view::Dropped;

/// Of the format. Frames of another are dropped.
pub const VERSION: u8 = 1;

/// The length of what every frame starts with.
pub(crate) const HEADER: usize = 10;

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Hello = 1,
    Init = 2,
    Resp = 3,
    Sealed = 4,
}

/// The mark of a network: the start of the hash of its name.
pub(crate) fn mark(network: &str) -> [u8; 4] {
    let [a, b, c, d, ..] = <[u8; 32]>::from(Blake2s256::digest(network.as_bytes()));
    [a, b, c, d]
}

/// The start of a frame.
pub(crate) fn header(kind: Kind, network: [u8; 4], sender: NodeId) -> Vec<u8> {
    let mut frame = Vec::with_capacity(256);
    frame.extend([VERSION, kind as u8]);
    frame.extend(network);
    frame.extend(sender.0.to_le_bytes());
    frame
}

/// What kind of frame it is, from whom, and the rest. What is dropped is counted.
pub(crate) fn parse<'a>(
    frame: &'a [u8],
    network: [u8; 4],
    dropped: &mut Dropped,
) -> Option<(Kind, NodeId, &'a [u8])> {
    let Some((&[version, kind, m0, m1, m2, m3, s0, s1, s2, s3], rest)) = frame.split_first_chunk()
    else {
        dropped.malformed += 1;
        return None;
    };
    let kind = match kind {
        _ if version != VERSION => {
            dropped.version += 1;
            return None;
        }
        _ if [m0, m1, m2, m3] != network => {
            dropped.network += 1;
            return None;
        }
        1 => Kind::Hello,
        2 => Kind::Init,
        3 => Kind::Resp,
        4 => Kind::Sealed,
        _ => {
            dropped.malformed += 1;
            return None;
        }
    };
    if frame.len() > crate::FRAME_MAX {
        dropped.malformed += 1;
        return None;
    }
    Some((kind, NodeId(u32::from_le_bytes([s0, s1, s2, s3])), rest))
}

/// What is said in a handshake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Hand {
    /// For a new incarnation.
    Open(Offer),
    /// Agreed, with its epoch.
    Agree(Offer, u64),
    /// A new key for this epoch; both ends say so.
    Renew(u64),
}

impl Hand {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        postcard::to_allocvec(&self).unwrap_or_default()
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (said, rest) = postcard::take_from_bytes(bytes).ok()?;
        rest.is_empty().then_some(said)
    }
}

/// What is in a sealed frame, but for the message, which follows it.
#[derive(Serialize, Deserialize)]
enum Sealed {
    Data { epoch: u64, ack: Ack, unsure: bool, number: Option<u64> },
    Tell(Tell),
    Relay(Flood),
}

/// What to seal. Handshakes are not sealed.
pub(crate) fn to_seal(clear: Clear) -> Vec<u8> {
    let (sealed, message) = match clear {
        Clear::Data(Data { epoch, ack, unsure, message }) => {
            let (number, message) = message.unzip();
            (Sealed::Data { epoch, ack, unsure, number }, message.unwrap_or_default())
        }
        Clear::Tell(tell) => (Sealed::Tell(tell), Vec::new()),
        Clear::Relay(flood) => (Sealed::Relay(flood), Vec::new()),
        Clear::Init(_) | Clear::Resp(..) => return Vec::new(),
    };
    let mut bytes = postcard::to_allocvec(&sealed).unwrap_or_default();
    bytes.extend(message);
    bytes
}

/// What was sealed.
pub(crate) fn unsealed(bytes: &[u8]) -> Option<Clear> {
    let (sealed, rest) = postcard::take_from_bytes(bytes).ok()?;
    Some(match sealed {
        Sealed::Data { epoch, ack, unsure, number } => {
            let message = number.map(|number| (number, rest.to_vec()));
            Clear::Data(Data { epoch, ack, unsure, message })
        }
        Sealed::Tell(tell) => Clear::Tell(tell),
        Sealed::Relay(flood) => Clear::Relay(flood),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_dropped_for_the_first_thing_that_is_wrong() {
        let good = [header(Kind::Sealed, mark("a"), NodeId(7)), vec![1, 2]].concat();
        let mut dropped = Dropped::default();
        let parsed = parse(&good, mark("a"), &mut dropped);
        assert_eq!(parsed, Some((Kind::Sealed, NodeId(7), &[1, 2][..])));
        assert_eq!(dropped, Dropped::default());
        assert_eq!(parse(&good, mark("b"), &mut dropped), None);
        for (k, byte) in [(0, 9), (1, 0), (1, 9), (2, good[2] ^ 1)] {
            let mut bad = good.clone();
            bad[k] = byte;
            assert_eq!(parse(&bad, mark("a"), &mut dropped), None);
        }
        assert_eq!(parse(&good[..9], mark("a"), &mut dropped), None);
        let long = [good, vec![0; crate::FRAME_MAX]].concat();
        assert_eq!(parse(&long, mark("a"), &mut dropped), None);
        let Dropped { malformed, version, network, .. } = dropped;
        assert_eq!((malformed, version, network), (4, 1, 2));
    }

    #[test]
    fn what_was_sealed_comes_out() {
        let ack = Ack { received: 300, ahead: 5 };
        for message in [None, Some((2, vec![])), Some((1 << 40, vec![7; 1100]))] {
            let clear = Clear::Data(Data { epoch: 9, ack, unsure: true, message });
            assert_eq!(unsealed(&to_seal(clear.clone())), Some(clear));
        }
        assert_eq!(unsealed(&[9, 9]), None);
    }
}
