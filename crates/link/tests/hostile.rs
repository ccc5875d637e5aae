//! Nodes that should not be there, frames that should not be, and nodes that come and go.

use crate::net::{Dice, MS, Net, Place, SECOND, address, fast, id, with_node_keys};
use driftlock_core::NodeId;
use driftlock_link::{Access, Config, Links, Output, PeerState, SendError, To};

/// Two nodes that hear each other but differ in something.
fn strangers(make: fn(usize) -> (Config, Access)) -> Net {
    let mut net = Net::new(2, 1, make);
    net.set(0, 1, true);
    net.run_for(5 * SECOND);
    assert!(net.up.is_empty());
    net
}

#[test]
fn another_key_of_the_network_is_dropped() {
    let net = strangers(|i| (fast(i).0, Access::NetworkKey([i as u8; 32])));
    for node in &net.nodes {
        assert_eq!(node.peers().count(), 0);
        assert!(node.counters().dropped.key > 20);
    }
}

#[test]
fn another_network_is_dropped() {
    let net = strangers(|i| {
        let (config, access) = fast(i);
        (Config { network: format!("net {i}"), ..config }, access)
    });
    for node in &net.nodes {
        assert_eq!(node.peers().count(), 0);
        assert!(node.counters().dropped.network > 20);
    }
}

#[test]
fn who_is_not_on_the_list_is_dropped() {
    let net = strangers(|i| match i {
        0 => (fast(i).0, Access::NodeKeys { own: [1; 32], allowed: [].into() }),
        _ => with_node_keys(i),
    });
    assert!(net.nodes[0].counters().dropped.stranger > 20);
}

#[test]
fn who_has_another_key_than_the_list_says_is_dropped() {
    let net = strangers(|i| match (i, with_node_keys(i)) {
        (0, (config, Access::NodeKeys { allowed, .. })) => {
            (config, Access::NodeKeys { own: [99; 32], allowed })
        }
        (_, other) => other,
    });
    assert!(net.nodes[1].counters().dropped.key > 5);
}

#[test]
fn two_nodes_with_one_id_are_told_and_do_not_link() {
    for make in [fast, with_node_keys] {
        let mut net = Net::new(2, 1, make);
        let (config, access) = make(0);
        let mut twin = Links::new(id(0), config, access, [9; 32], 0);
        net.set(0, 1, true);
        net.run_for(SECOND);
        let first = net.up[&(1, 0)];
        // The twin is heard by both, every 100 ms.
        let mut now = net.now;
        for _ in 0..100 {
            now += 100 * MS;
            net.run_until(now);
            let mut out = Vec::new();
            twin.tick(now, &mut out);
            for output in out {
                let Output::Transmit { frame, .. } = output else { continue };
                for i in 0..2 {
                    let mut out = Vec::new();
                    net.nodes[i].rx(now, address(7), &frame, &mut out);
                    net.act(i, out);
                }
            }
        }
        // Once in five seconds.
        assert_eq!(net.conflicts, 2);
        assert_eq!(net.up[&(1, 0)], first, "the first of them keeps its link");
        assert!(net.nodes[0].counters().dropped.conflict > 10);
        if make(0).1 == fast(0).1 {
            assert!(net.nodes[1].counters().dropped.conflict > 10);
        }
    }
}

#[test]
fn who_was_started_anew_is_linked_anew() {
    for make in [fast, with_node_keys] {
        let mut net = Net::new(2, 5, make);
        net.set(0, 1, true);
        net.tokens = vec![Place::Held(0), Place::Held(0)];
        net.run_for(SECOND);
        net.send(0, 1, Some(0));
        net.run_for(100 * MS);
        // The second is under way when the receiver is started anew.
        net.set(0, 1, false);
        net.send(0, 1, Some(1));
        net.restart(1);
        net.set(0, 1, true);
        net.run_for(3 * SECOND);
        assert_eq!(net.tokens[1], Place::Unknown);
        assert_eq!(net.nodes[0].counters().lost, 1);
        assert!(net.linked(0, 1));
    }
}

#[test]
fn who_leaves_says_goodbye() {
    let mut net = Net::new(3, 5, fast);
    net.set_all(true);
    net.tokens = vec![Place::Held(0), Place::Held(1)];
    net.run_for(SECOND);
    net.send(0, 1, Some(0));
    net.send(1, 0, Some(1));
    let mut out = Vec::new();
    net.nodes[0].close(net.now, &mut out);
    net.act(0, out);
    assert!(!net.nodes[0].is_settled());
    net.run_for(20 * MS);
    assert!(net.unlinked(0, 2) && net.unlinked(0, 1), "at once, and not after three HELLOs");
    net.run_for(SECOND);
    assert!(net.nodes[0].is_settled());
    assert_eq!(net.nodes[0].wake_at(), u64::MAX);
    assert!(net.unlinked(0, 1) && net.linked(1, 2));
    assert_eq!(net.tokens[0], Place::Held(1));
    assert!(matches!(net.tokens[1], Place::Held(_)));
    assert_eq!(net.nodes[1].peers().count(), 1);
}

#[test]
fn keys_are_renewed_while_the_link_stays_up() {
    let mut net = Net::new(2, 5, |i| {
        let (config, access) = with_node_keys(i);
        (Config { rekey_frames: 50, rekey_after: 30 * SECOND, ..config }, access)
    });
    net.set(0, 1, true);
    net.tokens = vec![Place::Held(0)];
    net.run_for(SECOND);
    for k in 0..1000 {
        net.send(k % 2, 1 - k % 2, Some(0));
        net.run_for(3 * MS);
    }
    assert_eq!(net.tokens, [Place::Held(0)]);
    let frames = net.nodes[0].counters().sessions;
    assert!((10..=41).contains(&frames), "{frames} sessions");
    net.run_for(300 * SECOND);
    let hours = net.nodes[0].counters().sessions - frames;
    assert!((9..=11).contains(&hours), "{hours} sessions");
    assert_eq!((net.nodes[0].counters().ups, net.nodes[1].counters().downs), (1, 0));
}

#[test]
fn too_long_too_many_and_to_nobody_are_refused() {
    let mut net = Net::new(2, 5, |i| (Config { queue: 100, ..fast(i).0 }, fast(i).1));
    let mut out = Vec::new();
    let sent = net.nodes[0].send(0, id(1), &[], false, &mut out);
    assert_eq!(sent, Err(SendError::NotUp(id(1))));
    assert_eq!(sent.unwrap_err().to_string(), "no link to n2 is up");
    net.set(0, 1, true);
    net.run_for(SECOND);
    let node = &mut net.nodes[0];
    let sent = node.send(SECOND, id(1), &[0; 1101], false, &mut out);
    assert_eq!(sent, Err(SendError::TooLong { length: 1101 }));
    for k in 0..100 + 32 {
        node.send(SECOND, id(1), &[0; 1100], k % 2 == 0, &mut out).unwrap();
    }
    let sent = node.send(SECOND, id(1), &[0; 1100], false, &mut out);
    assert_eq!(sent, Err(SendError::Full(100, id(1))));
    let sent = node.send(SECOND, id(1), &[0; 1100], true, &mut out);
    assert_eq!(sent, Ok(()), "what is kept is always taken");
    assert_eq!(out.len(), 32, "the window");
    assert!(out.iter().all(|output| match output {
        Output::Transmit { to: To::One(to), frame } => *to == address(1) && frame.len() <= 1200,
        _ => false,
    }));
}

#[test]
fn there_are_never_too_many_peers() {
    let make = |i| (Config { peers: 4, ..fast(i).0 }, fast(i).1);
    let mut net = Net::new(12, 8, make);
    // One node meets all others, three at a time.
    for round in 0..12 {
        for i in 1..12 {
            net.set(0, i, (i + round) % 11 < 3);
        }
        net.run_for(3 * SECOND);
        assert!(net.nodes[0].peers().count() <= 4);
        for i in 1..12 {
            assert_eq!(net.linked(0, i), (i + round) % 11 < 3, "{i} in round {round}");
        }
    }
    // And all at once.
    net.set_all(true);
    net.run_for(5 * SECOND);
    assert!(net.nodes[0].peers().count() <= 4);
    assert!(net.nodes[0].counters().dropped.crowded > 0);
}

/// All frames that two linked nodes send to each other while they pass a token.
fn recorded(make: fn(usize) -> (Config, Access)) -> (Net, Vec<Vec<u8>>) {
    let mut net = Net::new(2, 21, make);
    net.set(0, 1, true);
    net.tokens = vec![Place::Held(0)];
    net.record = Some(Vec::new());
    net.run_for(SECOND);
    for k in 0..20 {
        net.send(k % 2, 1 - k % 2, Some(0));
        net.run_for(10 * MS);
    }
    let frames = net.record.take().expect("they were recorded");
    assert!(frames.len() > 40);
    (net, frames)
}

#[test]
fn recorded_frames_change_nothing() {
    for make in [fast, with_node_keys] {
        let (mut net, frames) = recorded(make);
        let up = net.up.clone();
        for frame in &frames {
            for i in 0..2 {
                let mut out = Vec::new();
                net.nodes[i].rx(net.now, address(9), frame, &mut out);
                net.act(i, Vec::new());
                out.retain(|output| !matches!(output, Output::Transmit { .. }));
                assert_eq!(out, [], "{frame:?}");
            }
        }
        assert!(net.nodes.iter().all(|node| node.counters().dropped.replayed > 20));
        net.run_for(5 * SECOND);
        assert_eq!(net.up, up);
        // Nor after the link is down, or when another is up.
        for hears in [false, true] {
            net.set(0, 1, hears);
            net.run_for(2 * SECOND);
            let up = net.up.clone();
            for frame in frames.iter().chain(&frames) {
                for i in 0..2 {
                    let mut out = Vec::new();
                    net.nodes[i].rx(net.now, address(9), frame, &mut out);
                    net.act(i, out);
                }
            }
            assert_eq!(net.up, up);
            assert_eq!(net.linked(0, 1), hears);
        }
    }
}

#[test]
fn altered_frames_are_dropped() {
    for make in [fast, with_node_keys] {
        let (mut net, frames) = recorded(make);
        let mut dice = Dice(4);
        let before = net.nodes[0].counters().clone();
        for k in 0..150_000 {
            let mut frame = frames[dice.below(frames.len() as u64) as usize].clone();
            let place = dice.below(frame.len() as u64) as usize;
            match k % 4 {
                0 => frame.truncate(place),
                1 => frame.insert(place, dice.draw() as u8),
                _ => frame[place] ^= 1 << dice.below(8),
            }
            for i in 0..2 {
                let mut out = Vec::new();
                net.nodes[i].rx(net.now, address(9), &frame, &mut out);
                out.retain(|output| !matches!(output, Output::Transmit { .. }));
                assert_eq!(out, [], "{frame:?}");
            }
        }
        let (dropped, before) = (&net.nodes[0].counters().dropped, &before.dropped);
        assert!(dropped.key > before.key + 10_000);
        assert!(dropped.version > before.version && dropped.network > before.network);
        assert!(dropped.malformed > before.malformed);
    }
}

#[test]
fn any_bytes_do_no_harm() {
    let (mut net, frames) = recorded(fast);
    let mut dice = Dice(6);
    for k in 0..300_000 {
        let mut frame: Vec<u8> = (0..dice.below(80)).map(|_| dice.draw() as u8).collect();
        // Most of them look like frames of this network.
        if k % 8 != 0 && frame.len() >= 10 {
            frame[..6].copy_from_slice(&frames[0][..6]);
            frame[1] = 1 + dice.below(4) as u8;
            frame[6..10].copy_from_slice(&id(dice.below(3) as usize).0.to_le_bytes());
        }
        let mut out = Vec::new();
        net.nodes[0].rx(net.now, address(9), &frame, &mut out);
        assert_eq!(out, []);
    }
    let dropped = &net.nodes[0].counters().dropped;
    assert!(dropped.malformed > 1000 && dropped.key > 1000 && dropped.session > 1000);
}

#[test]
fn a_message_takes_one_frame_and_one_acknowledgment() {
    let (mut net, _) = recorded(fast);
    let before = [0, 1].map(|i| net.nodes[i].counters().frames_sent);
    let hellos = [0, 1].map(|i| net.nodes[i].counters().hellos_sent);
    net.delay = (100, 100);
    net.run_for(MS);
    net.send(0, 1, Some(0));
    net.run_for(100);
    assert_eq!(net.tokens, [Place::Held(1)], "delivered at once");
    net.run_for(20 * MS);
    let sent = |i: usize| {
        let counters = net.nodes[i].counters();
        counters.frames_sent - before[i] - (counters.hellos_sent - hellos[i])
    };
    assert_eq!([sent(0), sent(1)], [1, 1]);
    let peer = net.nodes[0].peers().next().unwrap();
    assert_eq!((peer.state, peer.unacknowledged, peer.id), (PeerState::Up, 0, NodeId(2)));
    assert!(peer.rtt.is_some_and(|rtt| rtt < 3 * MS), "{peer:?}");
}

#[test]
fn beacons_stay_within_their_budget() {
    let mut net = Net::new(60, 3, |i| {
        (Config { hello_budget: 10_000, ..fast(i).0 }, Access::NetworkKey([1; 32]))
    });
    net.set_all(true);
    net.run_for(20 * SECOND);
    let hellos = |net: &Net| net.nodes.iter().map(|n| n.counters().hellos_sent).sum::<u64>();
    let before = hellos(&net);
    net.run_for(60 * SECOND);
    // A HELLO that lists 59 others has 44 + 59 * 9 bytes.
    let bytes = (hellos(&net) - before) * (44 + 59 * 9 + 48) / 60;
    assert!((8_000..11_000).contains(&bytes), "{bytes} bytes per second");
    assert!((1..60).all(|i| net.linked(0, i)), "and everybody is linked");
}

#[test]
fn links_may_be_moved_to_another_thread() {
    let (config, access) = fast(0);
    let node = Links::new(id(0), config, access, [0; 32], 0);
    let wake = std::thread::spawn(move || node.wake_at()).join().expect("it does not panic");
    assert!(wake < 20 * MS);
}

#[test]
fn who_leaves_in_the_middle_of_a_handshake_does_not_link() {
    for step in 0..200 {
        let mut net = Net::new(2, 5, fast);
        net.set(0, 1, true);
        net.delay = (5 * MS, 5 * MS);
        net.run_for(step * MS);
        let mut out = Vec::new();
        let i = step as usize % 2;
        net.nodes[i].close(net.now, &mut out);
        net.act(i, out);
        let ups = net.nodes[i].counters().ups;
        net.run_for(2 * SECOND);
        assert!(net.nodes[i].is_settled());
        assert_eq!(net.nodes[i].counters().ups, ups, "none comes up");
        assert!(net.unlinked(0, 1));
    }
}
