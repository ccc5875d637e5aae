//! What a node has written down is enough to go on from, and to find everybody inside again.

use driftlock_locks::Memory;

use crate::network::Network;
use crate::storms::{Dice, happen, keys};

/// Write down what has changed at each node, as they do before anything of it leaves them.
fn write_down(network: &mut Network, memories: &mut [Memory]) {
    for (node, memory) in network.nodes.iter_mut().zip(memories) {
        if let Some((change, _)) = node.take_change() {
            memory.apply(change);
        }
    }
}

#[test]
fn whoever_is_inside_is_found_there_after_a_restart_at_any_moment() {
    let keys = keys();
    let (mut restarts, mut inside) = (0, 0);
    for seed in 0..1000 {
        let mut dice = Dice::new(seed);
        let n = 2 + dice.below(4);
        let mut network = Network::new(n);
        let mut memories: Vec<Memory> = (0..n).map(|i| Memory::new(i == 0)).collect();
        for step in 0..600 {
            happen(&mut network, &mut dice, &keys);
            write_down(&mut network, &mut memories);
            let i = dice.below(n);
            if network.is_alone(i) && dice.below(4) == 0 {
                restarts += 1;
                inside += network.inside.values().filter(|inside| inside.node == i).count();
                let all_found = network.restart(i, &memories[i]);
                assert!(all_found, "seed {seed}, step {step}, node {i}");
                write_down(&mut network, &mut memories);
            }
        }
    }
    assert!(1000 < restarts && 1000 < inside, "{restarts} restarts, {inside} inside");
}
