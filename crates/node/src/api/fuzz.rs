//! Any bytes from programs, and from the hub of an emulated radio.

use driftlock_client::wire::{Kind as Asked, Op, Request};
use driftlock_fuzz::fuzz;
use driftlock_link::To;
use driftlock_locks::{Key, Kind};

use super::lock_of;
use crate::radio::{HEADER, envelope, unwrap_envelope};

#[test]
fn what_programs_ask_for_is_a_lock_or_refused() {
    let asked = [
        r#"{"id": 1, "op": "acquire", "name": "pad-3", "wait_ms": 18446744073709551615}"#,
        r#"{"id": 1, "op": "acquire", "name": "a\u0007b", "kind": "local"}"#,
        r#"{"id": 2, "op": "acquire", "name": "c", "kind": "permits", "permits": 3}"#,
        r#"{"id": 3, "op": "acquire", "name": "d", "kind": "group", "group": "north"}"#,
    ];
    let examples = asked.map(|text| text.as_bytes().to_vec());
    fuzz!(50_000, &examples, |bytes| {
        let Ok(Request { op: Op::Acquire(asked), .. }) = Request::parse(bytes) else { return };
        match lock_of(&asked) {
            Ok((key, _, group)) => {
                assert_eq!(Key::new(&asked.name, key.kind).as_ref(), Ok(&key));
                let named =
                    matches!(&asked.kind, Asked::Group(name) if Some(name) == group.as_ref());
                assert_eq!(key.kind == Kind::Group, named);
            }
            Err(bad) => assert!(!bad.to_string().is_empty()),
        }
    });
}

#[test]
fn an_envelope_has_an_address_and_a_frame_or_is_none() {
    let address = "127.0.0.1:4711".parse().expect("an address");
    fuzz!(50_000, &[envelope(To::One(address), b"frame")], |bytes| {
        match unwrap_envelope(bytes) {
            Some((from, frame)) => assert_eq!(envelope(To::One(from), frame), bytes),
            None => assert!(bytes.len() < HEADER),
        }
    });
}
