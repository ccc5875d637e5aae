//! Two linked nodes, and somebody who hears everything and says anything: a script of frames that
//! are altered, made up, or said again.

use driftlock_fuzz::{Script, fuzz};
use driftlock_link::Output;

use crate::net::{MS, Net, Place, SECOND, address, fast, id, with_node_keys};

/// Two linked nodes with a token, and all that they have said.
fn linked(of_nodes: bool) -> Net {
    let mut net = Net::new(2, 21, if of_nodes { with_node_keys } else { fast });
    net.set(0, 1, true);
    net.tokens = vec![Place::Held(0)];
    net.record = Some(Vec::new());
    net.run_for(600 * MS);
    pass_on(&mut net);
    net
}

/// Send the token to the other, if it is not on its way.
fn pass_on(net: &mut Net) {
    if let Place::Held(i) = net.tokens[0] {
        net.send(i, 1 - i, Some(0));
    }
}

/// What somebody says who has no key.
fn forged(script: &mut Script<'_>, net: &Net) -> Vec<u8> {
    let said = net.record.as_ref().expect("it is recorded");
    let mut frame = said[script.below(said.len())].clone();
    match script.below(6) {
        // Again.
        0 => {}
        // With the header of a frame of this network, and nothing else of it.
        1 => {
            frame.truncate(10);
            frame[1] = 1 + script.below(4) as u8;
            frame[6] = 1 + script.below(3) as u8;
            frame.extend(script.bytes(40));
        }
        _ => script.alter(&mut frame),
    }
    frame
}

/// A node hears it: nothing comes of it, and if it was dropped, once.
fn hear(net: &mut Net, i: usize, frame: &[u8], of_nodes: bool) {
    let is_new = net.record.iter().flatten().all(|said| said != frame);
    let before = net.nodes[i].counters().dropped.all();
    let mut out = Vec::new();
    net.nodes[i].rx(net.now, address(9), frame, &mut out);
    let dropped = net.nodes[i].counters().dropped.all() - before;
    assert!(dropped <= 1, "dropped {dropped} times: {frame:?}");
    // Where each node has its own key, a HELLO that does not list this node proves nothing, and is
    // a hint all the same.
    if is_new && !of_nodes {
        assert_eq!((dropped, &*out), (1, &[][..]), "{frame:?}");
    }
    let is_sent = |output: &Output| matches!(output, Output::Transmit { .. });
    assert!(!is_new || out.iter().all(is_sent), "{frame:?}: {out:?}");
    net.act(i, out);
}

#[test]
fn whatever_is_said_without_a_key_two_nodes_stay_linked() {
    fuzz!(600, &[], |bytes| {
        let mut script = Script::new(bytes);
        let of_nodes = script.below(2) == 1;
        let mut net = linked(of_nodes);
        while !script.is_over() {
            match script.below(16) {
                0 => net.run_for(script.below(50) as u64 * MS),
                1 => pass_on(&mut net),
                k => {
                    let frame = forged(&mut script, &net);
                    hear(&mut net, k % 2, &frame, of_nodes);
                }
            }
        }
        // Hints can be about anybody who is on the list.
        let most = if of_nodes { 7 } else { 1 };
        assert!(net.nodes.iter().all(|node| node.peers().count() <= most));
        net.run_for(3 * SECOND);
        assert!(net.linked(0, 1));
        net.count();
        let before = net.tokens[0];
        pass_on(&mut net);
        net.run_for(100 * MS);
        assert!(matches!((before, net.tokens[0]), (Place::Held(i), Place::Held(j)) if i != j));
        assert!(net.nodes[0].peers().any(|peer| peer.id == id(1)));
    });
}
