//! Any bytes where frames of the local API are read, at either side.

use driftlock_fuzz::{Script, fuzz, within};

use crate::frame::{Decoder, LONGEST, encode};
use crate::wire::{Acquire, Answer, Done, Event, Incoming, Kind, Lost, Op, Reason, Request};

/// What reading text takes: the text again, and as much for each of a few fields.
fn enough(bytes: &[u8]) -> usize {
    2048 + 16 * bytes.len()
}

#[test]
fn frames_come_out_whole_whatever_is_between_them() {
    fuzz!(20_000, &[], |bytes| {
        let mut script = Script::new(bytes);
        let (mut decoder, mut come, mut found) = (Decoder::default(), Vec::new(), Vec::new());
        while !script.is_over() {
            let mut piece = match script.below(3) {
                0 => script.bytes(9).to_vec(),
                _ => encode(&script.byte()).expect("it is short"),
            };
            if script.below(8) == 0 {
                script.alter(&mut piece);
            }
            come.extend_from_slice(&piece);
            decoder.push(&piece);
            let frames = core::iter::from_fn(|| match decoder.next_frame() {
                Ok(frame) => frame.map(<[u8]>::to_vec),
                Err(too_long) => {
                    assert!(LONGEST < too_long.0);
                    None
                }
            });
            for frame in frames {
                found.extend((frame.len() as u32).to_be_bytes());
                found.extend(frame);
            }
        }
        assert!(come.starts_with(&found), "frames are what came, in order");
    });
}

#[test]
fn a_length_takes_no_memory() {
    for length in [0, 1, LONGEST as u32, LONGEST as u32 + 1, u32::MAX] {
        within(64, || {
            let mut decoder = Decoder::default();
            decoder.push(&length.to_be_bytes());
            assert_eq!(decoder.next_frame().is_err(), LONGEST < length as usize);
        });
    }
}

#[test]
fn a_request_is_read_or_refused() {
    let (wait_ms, lease, keeper) = (Some(7), None, Some(99));
    let acquire =
        |kind| Op::Acquire(Acquire { name: "pad-3".into(), kind, wait_ms, lease, keeper });
    let ops = [
        acquire(Kind::Exclusive),
        acquire(Kind::Permits(3)),
        acquire(Kind::Group("north".into())),
        Op::Cancel(1),
        Op::Release(u64::MAX),
        Op::Locks(Some("a".into())),
        Op::Queue("a".into()),
        Op::Moving(true),
        Op::Status,
    ];
    let text = |op| serde_json::to_vec(&Request { id: 5, op }).expect("it is text");
    fuzz!(50_000, &ops.map(text), |bytes| {
        match within(enough(bytes), || Request::parse(bytes)) {
            Ok(request) => {
                let written = serde_json::to_vec(&request).expect("it is text");
                assert_eq!(Request::parse(&written), Ok(request));
            }
            Err(bad) => assert!(!bad.refusal.message.is_empty()),
        }
    });
}

#[test]
fn what_a_node_says_is_read_or_refused() {
    let lost = Lost { grant: 3, reason: Reason::Demoted, message: "a neighbor".into() };
    let hello = br#"{"driftlock": {"api": 1, "version": "0", "node": 3, "network": "a"}}"#;
    let examples = [
        hello.to_vec(),
        serde_json::to_vec(&Answer { id: 7, result: Ok(Done {}) }).expect("it is text"),
        serde_json::to_vec(&Event::Lost(lost)).expect("it is text"),
        br#"{"error": {"code": "denied", "message": "user 1001"}}"#.to_vec(),
    ];
    fuzz!(50_000, &examples, |bytes| {
        let read = within(enough(bytes), || Incoming::parse(bytes));
        if let Ok(Incoming::Answer(_, Ok(raw))) = read {
            assert!(raw.get().len() <= bytes.len());
        }
    });
}
