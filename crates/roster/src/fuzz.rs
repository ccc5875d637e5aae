//! Any bytes where messages about the list are read.

use driftlock_core::NodeId;
use driftlock_fuzz::{Script, fuzz, within};

use crate::ballot::Memory;
use crate::council::{Council, Output};
use crate::roster::Member;
use crate::wire::{Message, Parts};

fn member(i: usize) -> Member {
    Member { id: NodeId::at(i), memory: 100 + i as u64 }
}

/// A founder and two others, in a line, when they have agreed; and all that they have said.
fn talk() -> (Vec<Council>, Vec<Vec<u8>>) {
    const LEASE: u64 = 5_000_000;
    let found = Memory::found(member(0), LEASE);
    let memories = [found, Memory::default(), Memory::default()];
    let councils = memories.into_iter().enumerate();
    let mut councils: Vec<Council> =
        councils.map(|(i, memory)| Council::new(member(i), LEASE, memory)).collect();
    let mut out: Vec<Vec<Output>> = vec![Vec::new(); 3];
    for i in 0..3 {
        councils[i].wake(0, &mut out[i]);
    }
    for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
        councils[a].link_up(0, NodeId::at(b), member(b).memory, &mut out[a]);
    }
    let mut said = Vec::new();
    for tick in 0..40 {
        while let Some(i) = (0..3).find(|&i| !out[i].is_empty()) {
            for output in core::mem::take(&mut out[i]) {
                match output {
                    Output::Send(to, part) => {
                        said.push(part.clone());
                        let j = to.0 as usize;
                        councils[j].receive(tick * 100_000, NodeId::at(i), &part, &mut out[j]);
                    }
                    Output::Count => {
                        councils[i].report(tick * 100_000, vec![1, 2, 3], &mut out[i]);
                    }
                    _ => {}
                }
            }
        }
        if tick == 20 {
            councils[2].leave(tick * 100_000, &mut out[2]);
        }
        for i in 0..3 {
            councils[i].tick(tick * 100_000, &mut out[i]);
        }
    }
    (councils, said)
}

#[test]
fn a_message_is_read_or_refused() {
    fuzz!(60_000, &talk().1, |bytes| {
        // A member has 32 bytes here, and more around it, and can have 3 as a message.
        let read = || Parts::default().take(bytes);
        let Some(Some(message)) = within(1024 + 256 * bytes.len(), read) else { return };
        let mut again = Parts::default();
        let parts = message.to_parts();
        let taken: Vec<_> = parts.iter().map(|part| again.take(part)).collect();
        assert_eq!(taken.last(), Some(&Some(Some(message))));
        assert!(taken[..taken.len() - 1].iter().all(Option::is_none));
    });
}

/// Whether this is what somebody who has the key would have said: then it may do anything.
fn is_sensible(parts: &[Vec<u8>]) -> bool {
    let mut taken = Parts::default();
    parts.iter().any(|part| matches!(taken.take(part), Some(Some(Message::Item(_)))))
}

#[test]
fn whatever_a_neighbor_says_a_node_goes_on() {
    fuzz!(2_000, &[], |bytes| {
        let (mut councils, said) = talk();
        assert_eq!(councils[0].roster().map(|list| list.members.len()), Some(2), "one has left");
        let mut script = Script::new(bytes);
        let mut now = 10_000_000;
        while !script.is_over() {
            let mut part = match script.below(4) {
                0 => script.bytes(12).to_vec(),
                _ => said[script.below(said.len())].clone(),
            };
            script.alter(&mut part);
            now += 1000 * u64::from(script.byte());
            let mut out = Vec::new();
            councils[0].receive(now, NodeId(1), &part, &mut out);
            councils[0].tick(now, &mut out);
            let struck = out.contains(&Output::Struck);
            assert!(!struck || is_sensible(&[part]), "{out:?}");
        }
    });
}
