//! Any bytes where frames are read.

use std::sync::LazyLock;

use driftlock_core::NodeId;
use driftlock_fuzz::{Script, fuzz, within};

use crate::FRAME_MAX;
use crate::access::{Access, Keys, keyed_hash, public_key};
use crate::arq::Ack;
use crate::beacon::{Beacon, Entry, Proof};
use crate::clear::{Clear, Data, Offer, Tell};
use crate::frame::{self, HEADER, Hand, Kind, header, mark};
use crate::settle::{Flood, Statement};
use crate::view::Dropped;

/// What reading a frame may take, in bytes: something in proportion to the frame.
fn enough(frame: &[u8]) -> usize {
    1024 + 8 * frame.len()
}

fn statement() -> Statement {
    Statement { epoch: 300, received: Some(7), from_memory: 1 << 60, to_memory: 5 }
}

fn offer() -> Offer {
    let statement = statement();
    Offer { starts: (7, 1 << 50), attempt: 3, statement, moving: true, links: 70_000 }
}

#[test]
fn a_header_is_read_or_one_drop_is_counted() {
    let sealed = [header(Kind::Sealed, mark("net"), NodeId(7)), vec![1, 2, 3]].concat();
    let hello = header(Kind::Hello, mark("net"), NodeId(u32::MAX));
    fuzz!(100_000, &[sealed, hello], |bytes| {
        let mut dropped = Dropped::default();
        let parsed = within(0, || frame::parse(bytes, mark("net"), &mut dropped));
        assert_eq!(dropped.all(), u64::from(parsed.is_none()));
        if let Some((kind, sender, rest)) = parsed {
            assert_eq!([&header(kind, mark("net"), sender), rest].concat(), bytes);
            assert!(bytes.len() <= FRAME_MAX);
        }
    });
}

/// The keys of node 1: of the network, and its own, where it knows nodes 2 and 3.
static KEYS: LazyLock<[Keys; 2]> = LazyLock::new(|| {
    let allowed = [2, 3].map(|id| (NodeId(id.into()), public_key(&[id; 32])));
    let own = Access::NodeKeys { own: [1; 32], allowed: allowed.into() };
    [Access::NetworkKey([1; 32]), own].map(|access| Keys::new(&access, "net"))
});

/// A HELLO whose tag is right, whatever is in it.
fn tagged(body: &[u8], keys: &Keys) -> Vec<u8> {
    [body, &keyed_hash(keys.hello(), &[body])[..16]].concat()
}

#[test]
fn a_hello_is_read_or_refused_even_if_its_tag_is_right() {
    let entries = [1, 2, 3].map(|id| Entry { id: NodeId(id), number: id * 77, lost: id == 3 });
    let (moving, leaving, complete) = (true, false, true);
    let (life, number, interval, entries) = ((1 << 40, 8), 9, 200_000, entries.to_vec());
    let hello = Beacon { life, number, interval, moving, leaving, complete, entries };
    let examples = [0, 1].map(|which| {
        let frame = hello.to_frame(NodeId(2), mark("net"), &KEYS[usize::from(which)]);
        [&[which], &frame[..frame.len() - 16]].concat()
    });
    fuzz!(20_000, &examples, |bytes| {
        let mut script = Script::new(bytes);
        let keys = &KEYS[script.below(2)];
        let frame = tagged(&bytes[bytes.len().min(1)..], keys);
        for from in [1, 2].map(NodeId) {
            let read = || Beacon::of_frame(&frame, from, NodeId(1), keys);
            let proof = within(enough(&frame), read);
            let (Proof::Good(beacon) | Proof::Hint(beacon)) = proof else { continue };
            assert!(HEADER + beacon.entries.len() * 9 < frame.len());
            let again = beacon.to_frame(from, mark("net"), keys);
            assert_eq!(again.len(), frame.len());
            let Proof::Good(same) = Beacon::of_frame(&again, NodeId(1), NodeId(1), keys) else {
                panic!("what was written can be read");
            };
            assert_eq!(same, beacon);
        }
    });
}

#[test]
fn what_a_handshake_says_is_read_or_refused() {
    let said = [Hand::Open(offer()), Hand::Agree(offer(), u64::MAX), Hand::Renew(9)];
    let examples = said.map(Hand::to_bytes);
    fuzz!(100_000, &examples, |bytes| {
        if let Some(said) = within(0, || Hand::of_bytes(bytes)) {
            let written = said.to_bytes();
            assert!(written.len() <= bytes.len());
            assert_eq!(Hand::of_bytes(&written), Some(said));
        }
    });
}

#[test]
fn what_was_sealed_is_read_or_refused() {
    let (ack, epoch, unsure) = (Ack { received: 300, ahead: 5 }, 9, true);
    let data = |message| Clear::Data(Data { epoch, ack, unsure, message });
    let (from, to, statement) = (NodeId(1), NodeId(2), statement());
    let clears = [
        data(None),
        data(Some((u64::MAX, vec![8; 40]))),
        Clear::Tell(Tell { statement, ask: true }),
        Clear::Relay(Flood { from, to, number: 70, hops: 3, statement, ask: false }),
    ];
    let examples = clears.map(frame::to_seal);
    fuzz!(100_000, &examples, |bytes| {
        let Some(clear) = within(bytes.len(), || frame::unsealed(bytes)) else { return };
        let written = frame::to_seal(clear.clone());
        assert!(written.len() <= bytes.len());
        assert_eq!(frame::unsealed(&written), Some(clear));
    });
}
