//! Links over an emulated radio: what is promised holds whatever the radio does.

use crate::net::{Dice, MS, Net, Place, SECOND, fast, id, with_node_keys};

/// Nodes come and go out of each other's range, in one direction or both, frames get lost and late,
/// and tokens are passed on all the while. In the end the radio is good again.
fn storm(
    seed: u64,
    n: usize,
    make: fn(usize) -> (driftlock_link::Config, driftlock_link::Access),
) -> Net {
    let mut net = Net::new(n, seed, make);
    let mut dice = Dice(seed ^ 0xabc);
    net.tokens = (0..n).map(Place::Held).collect();
    net.set_all(true);
    net.losses = dice.below(200);
    net.delay = (100, 100 + dice.below(20 * MS));
    for _ in 0..600 {
        net.run_for(dice.below(60 * MS));
        let (i, j) = (dice.below(n as u64) as usize, dice.below(n as u64) as usize);
        if i != j {
            match dice.below(12) {
                0 => net.set(i, j, false),
                1 => net.hears[i][j] = false,
                2..4 => net.set(i, j, true),
                4..6 => drop(net.send(i, j, None)),
                _ => {
                    let token = net.tokens.iter().position(|&place| place == Place::Held(i));
                    token.map(|token| net.send(i, j, Some(token)));
                }
            }
        }
        net.count();
    }
    net.set_all(true);
    net.losses = 0;
    net.delay = (100, 300);
    net.run_for(15 * SECOND);
    net
}

fn settled(net: &Net) {
    let n = net.nodes.len();
    for i in 0..n {
        assert!((0..n).filter(|&j| j != i).all(|j| net.linked(i, j)), "node {i} has all links");
        assert!(net.nodes[i].peers().all(|peer| peer.in_doubt + peer.unacknowledged == 0));
        assert_eq!(net.nodes[i].counters().lost, 0);
    }
    assert!(net.tokens.iter().all(|place| matches!(place, Place::Held(_))), "{:?}", net.tokens);
}

#[test]
fn tokens_survive_a_storm() {
    let mut doubts = 0;
    let mut returned = 0;
    for seed in 0..12 {
        let net = storm(seed, 2 + seed as usize % 4, fast);
        settled(&net);
        doubts += net.nodes.iter().map(|node| node.counters().doubts).sum::<u64>();
        returned += net.nodes.iter().map(|node| node.counters().returned).sum::<u64>();
    }
    assert!(doubts > 50 && returned > 20 && returned < doubts * 2, "{doubts} {returned}");
}

#[test]
fn tokens_survive_a_storm_with_keys_of_nodes() {
    for seed in 100..104 {
        settled(&storm(seed, 4, with_node_keys));
    }
}

#[test]
fn a_run_can_be_run_again() {
    let print = |seed| storm(seed, 3, fast).print;
    assert_eq!(print(5), print(5));
    assert_ne!(print(5), print(6));
}

#[test]
fn views_are_right_within_three_quarters_of_a_second() {
    for seed in 0..40 {
        let mut net = Net::new(2, seed, fast);
        net.run_for(SECOND + seed * 17 * MS);
        net.set(0, 1, true);
        net.run_for(750 * MS);
        assert!(net.linked(0, 1), "up, seed {seed}");
        net.run_for(SECOND + seed * 13 * MS);
        net.set(0, 1, false);
        net.run_for(750 * MS);
        assert!(net.unlinked(0, 1), "down, seed {seed}");
        net.set(0, 1, true);
        net.run_for(2 * SECOND + seed * 11 * MS);
        net.hears[seed as usize % 2][1 - seed as usize % 2] = false;
        net.run_for(750 * MS);
        assert!(net.unlinked(0, 1), "one way, seed {seed}");
        net.set(0, 1, true);
        net.run_for(750 * MS);
        assert!(net.linked(0, 1), "healed, seed {seed}");
    }
}

#[test]
fn one_way_is_no_link() {
    let mut net = Net::new(2, 3, fast);
    net.hears[0][1] = true;
    net.run_for(5 * SECOND);
    assert!(net.up.is_empty());
    let states: Vec<_> = net.nodes[0].peers().map(|peer| peer.state).collect();
    assert_eq!(states, [driftlock_link::PeerState::OneWay]);
    assert_eq!(net.nodes[1].peers().count(), 0);
}

#[test]
fn doubt_is_settled_over_a_third_node() {
    let mut net = Net::new(4, 9, fast);
    // 0 - 1, and a detour 0 - 2 - 3 - 1.
    for (i, j) in [(0, 1), (0, 2), (2, 3), (3, 1)] {
        net.set(i, j, true);
    }
    net.tokens = vec![Place::Held(0); 2];
    net.run_for(2 * SECOND);
    // The first arrives and its acknowledgment does not; the second does not arrive.
    net.hears[0][1] = false;
    net.send(0, 1, Some(0));
    net.run_for(20 * MS);
    assert_eq!(net.tokens[0], Place::Held(1));
    net.hears[1][0] = false;
    net.send(0, 1, Some(1));
    net.run_for(SECOND);
    assert_eq!(net.tokens, [Place::Held(1), Place::Held(0)]);
    assert!(net.unlinked(0, 1));
    assert_eq!(net.nodes[0].counters().doubts, 1);
}

#[test]
fn a_link_that_is_given_up_comes_up_anew() {
    let mut net = Net::new(2, 11, fast);
    net.set(0, 1, true);
    net.tokens = vec![Place::Held(0), Place::Held(1)];
    net.run_for(SECOND);
    let (before, _) = net.up[&(0, 1)];
    for i in 0..2 {
        net.send(0, 1, Some(0));
        net.send(1, 0, Some(1));
        let mut out = Vec::new();
        net.nodes[i].give_up(net.now, id(1 - i), &mut out);
        net.act(i, out);
        net.run_for(200 * MS);
        assert!(net.tokens.iter().all(|place| matches!(place, Place::Held(_))));
        // Wherever they are now, each node has one again.
        net.tokens = vec![Place::Held(0), Place::Held(1)];
        assert!(net.linked(0, 1) && net.up[&(0, 1)].0 > before + i as u64);
    }
    assert_eq!(net.nodes.iter().map(|node| node.counters().doubts).sum::<u64>(), 2);
}

#[test]
fn doubt_lasts_while_there_is_no_way() {
    let mut net = Net::new(2, 11, fast);
    net.set(0, 1, true);
    net.tokens = vec![Place::Held(0)];
    net.run_for(SECOND);
    net.set(0, 1, false);
    net.send(0, 1, Some(0));
    net.run_for(60 * SECOND);
    assert_eq!(net.tokens, [Place::Sent(0, 1)]);
    let doubt: Vec<_> = net.nodes[0].peers().map(|peer| (peer.state, peer.in_doubt)).collect();
    assert_eq!(doubt, [(driftlock_link::PeerState::InDoubt, 1)]);
    let doubts: Vec<_> = net.nodes[0].doubts().map(|(peer, _)| peer).collect();
    assert_eq!(doubts, [id(1)]);
    net.set(0, 1, true);
    net.run_for(SECOND);
    assert_eq!(net.tokens, [Place::Held(0)]);
    assert!(net.linked(0, 1));
}
