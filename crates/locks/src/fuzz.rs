//! Any bytes where messages about locks are read.

use core::fmt::Debug;

use driftlock_core::{LinkRole, NodeId, ResourceId};
use driftlock_fuzz::{Script, fuzz, within};
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::Message;
use crate::{Key, Kind, Limits, Locks, Of, Output, Process, Request, Ticket, Up};

fn make(kind: Kind, me: NodeId, founder: bool) -> Box<dyn Process> {
    let krl = |tokens, forwarding| Of::<Krl>::cold(me, founder, &Settings { tokens, forwarding });
    match kind {
        Kind::Exclusive => krl(1, Forwarding::Never),
        Kind::Permits(k) => krl(k, Forwarding::Adaptive),
        Kind::Group => Of::<Gme>::cold(me, founder, &gme::Config::default()),
        Kind::Local => Of::<Lme2>::cold(me, founder, &lme2::Config::default()),
    }
}

/// Two nodes that have asked for a lock of each kind, and all that they have said.
fn talk() -> ([Locks; 2], Vec<Vec<u8>>) {
    let limits = Limits { locks: 50, clients: 10 };
    let mut nodes = [0, 1].map(|i| Locks::new(NodeId::at(i), i == 0, make, limits));
    let (mut said, mut out) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (i, role) in [LinkRole::Static, LinkRole::Moving].into_iter().enumerate() {
        nodes[i].link_up(0, NodeId::at(1 - i), Up { epoch: 1, role, memory: 7 }, &mut out[i]);
        nodes[i].open(0, NodeId::at(1 - i), &mut out[i]);
    }
    let kinds = [Kind::Exclusive, Kind::Permits(2), Kind::Group, Kind::Local];
    for (k, kind) in (0..).zip(kinds) {
        let key = Key::new(kind.name(), kind).expect("a name");
        let (ticket, resource, deadline, lease) = (Ticket(k), ResourceId(3), None, None);
        let request = Request { ticket, key, resource, deadline, lease };
        nodes[1].acquire(0, request, &mut out[1]);
    }
    while let Some(i) = (0..2).find(|&i| !out[i].is_empty()) {
        for output in core::mem::take(&mut out[i]) {
            if let Output::Send { message, .. } = output {
                nodes[1 - i].receive(0, NodeId::at(i), &message, &mut out[1 - i]);
                said.push(message);
            }
        }
    }
    let key = Key::new("heir", Kind::Local).expect("a name");
    said.push(Message::Heir(vec![key.clone(), key.clone()], true).to_bytes());
    said.push(Message::Known(vec![key], false).to_bytes());
    said.push(Message::Found.to_bytes());
    (nodes, said)
}

/// Whether this is a message of a protocol: what it says is up to the member that has said it.
fn is_said_by_a_member(message: &Message) -> bool {
    let Message::Step { key, body, .. } = message else { return false };
    match key.kind {
        Kind::Exclusive | Kind::Permits(_) => postcard::from_bytes::<krl::Msg>(body).is_ok(),
        Kind::Group => postcard::from_bytes::<gme::Msg>(body).is_ok(),
        Kind::Local => postcard::from_bytes::<lme2::Msg>(body).is_ok(),
    }
}

#[test]
fn a_message_is_read_or_refused() {
    fuzz!(100_000, &talk().1, |bytes| {
        // A key has 32 bytes here and can have 3 as a message.
        let read = || Message::from_bytes(bytes);
        let Some(message) = within(256 + 64 * bytes.len(), read) else { return };
        let written = message.to_bytes();
        assert!(written.len() <= bytes.len());
        assert_eq!(Message::from_bytes(&written), Some(message));
    });
}

/// A message of a protocol: read, written and read again it is the same.
fn read<M: Serialize + DeserializeOwned + PartialEq + Debug>(body: &[u8]) {
    let read = || postcard::from_bytes::<M>(body);
    let Ok(message) = within(256 + 64 * body.len(), read) else { return };
    let written = postcard::to_allocvec(&message).expect("messages can be written down");
    assert!(written.len() <= body.len());
    assert_eq!(postcard::from_bytes(&written), Ok(message));
}

#[test]
fn a_message_of_a_protocol_is_read_or_refused() {
    let bodies = talk().1.into_iter().filter_map(|bytes| match Message::from_bytes(&bytes) {
        Some(Message::Step { body, .. }) => Some(body),
        _ => None,
    });
    fuzz!(100_000, &bodies.collect::<Vec<_>>(), |bytes| {
        read::<krl::Msg>(bytes);
        read::<gme::Msg>(bytes);
        read::<lme2::Msg>(bytes);
    });
}

#[test]
fn what_is_no_message_changes_nothing() {
    fuzz!(2000, &[], |bytes| {
        let (mut nodes, said) = talk();
        let mut script = Script::new(bytes);
        while !script.is_over() {
            let mut message = match script.below(4) {
                0 => script.bytes(12).to_vec(),
                _ => said[script.below(said.len())].clone(),
            };
            script.alter(&mut message);
            let read = Message::from_bytes(&message);
            if read.as_ref().is_some_and(is_said_by_a_member) {
                continue;
            }
            let (i, mut out) = (script.below(2), Vec::new());
            nodes[i].receive(0, NodeId::at(1 - i), &message, &mut out);
            let garbled = out.iter().filter(|output| **output == Output::Garbled).count();
            assert!(garbled <= 1, "{out:?}");
            if read.is_none() {
                assert_eq!(out, [Output::Garbled]);
            }
            let granted = |output: &Output| matches!(output, Output::Granted { .. });
            assert!(!out.iter().any(granted), "{message:?} lets somebody in");
        }
        assert!(nodes.iter().all(|node| node.len() <= 50));
    });
}
