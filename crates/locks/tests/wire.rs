//! Bytes from outside: any of them are read or refused.

use driftlock_core::{LinkRole, NodeId, ResourceId};
use driftlock_locks::{Kind, Limits, Locks, Output, Request, Ticket, Up};

use crate::network::{key, make};
use crate::storms::Dice;

fn node() -> Locks {
    let mut node = Locks::new(NodeId(1), true, make, Limits { locks: 50, clients: 10 });
    node.link_up(0, NodeId(2), Up { epoch: 1, role: LinkRole::Static, memory: 7 }, &mut Vec::new());
    node.open(0, NodeId(2), &mut Vec::new());
    node
}

#[test]
fn messages_have_these_bytes() {
    let mut out = Vec::new();
    let (ticket, key) = (Ticket(1), key("pad", Kind::Permits(300)));
    let resource = ResourceId(0);
    node().acquire(0, Request { ticket, key, resource, deadline: None, lease: None }, &mut out);
    let sent = out.iter().filter_map(|output| match output {
        Output::Send { message, .. } => Some(message.as_slice()),
        _ => None,
    });
    let name = [3, b'p', b'a', b'd', 1, 0xac, 2];
    let open = [&[0][..], &name].concat();
    // The clock, and a LinkInfo of KRL: what follows is the protocol's.
    let step = [&[2][..], &name, &[0]].concat();
    let sent: Vec<&[u8]> = sent.collect();
    assert_eq!(sent[0], open);
    assert!(sent[1].starts_with(&step), "{:?}", sent[1]);
}

#[test]
fn a_message_from_whom_there_is_no_link_is_ignored() {
    let mut out = Vec::new();
    node().receive(0, NodeId(3), &[5], &mut out);
    assert_eq!(out, [Output::Garbled]);
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut dice = Dice::new(1);
    let mut refused = 0;
    let mut node = node();
    for _ in 0..200_000 {
        let bytes: Vec<u8> = (0..dice.below(12)).map(|_| dice.below(256) as u8).collect();
        // A protocol's message out of place would be a neighbor's breach of contract, and only
        // members can send one; what is tried here is everything before that.
        if bytes.first() == Some(&2) {
            continue;
        }
        let mut out = Vec::new();
        node.receive(0, NodeId(2), &bytes, &mut out);
        refused += usize::from(out.contains(&Output::Garbled));
    }
    assert!(100_000 < refused, "{refused}");
    assert!(node.len() <= 50);
}
