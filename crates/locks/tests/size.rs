//! How much memory locks take that nobody uses any more.

use std::collections::BTreeSet;

use driftlock_fuzz::{Dice, kept_by};
use driftlock_locks::{Key, Kind};

use crate::network::{Network, key};

const NODES: usize = 12;
const NAMES: usize = 40;

fn names() -> Vec<Key> {
    let kinds = [Kind::Exclusive, Kind::Permits(3), Kind::Group, Kind::Local];
    (0..NAMES).map(|i| key(&format!("name {i}"), kinds[i % 4])).collect()
}

/// Everybody has four neighbors.
fn links(dice: &mut Dice) -> BTreeSet<(usize, usize)> {
    let mut ring: Vec<usize> = (0..NODES).collect();
    (1..NODES).for_each(|i| ring.swap(i, dice.below(i + 1)));
    let next = |i: usize, step: usize| (ring[i], ring[(i + step) % NODES]);
    let links = (0..NODES).flat_map(|i| [next(i, 1), next(i, 2)]);
    links.map(|(a, b)| (a.min(b), a.max(b))).collect()
}

/// The bytes of a lock at a node after so many moves, on average.
fn bytes_after(moves: usize) -> i64 {
    let mut dice = Dice::new(7);
    let mut network = Network::new(NODES);
    let mut now = links(&mut dice);
    now.iter().for_each(|&(a, b)| network.link(a, b));
    network.run();
    for name in &names() {
        for node in 0..NODES {
            network.acquire(node, name, 0);
        }
        network.run_out();
    }
    for _ in 0..moves {
        let then = links(&mut dice);
        then.difference(&now).for_each(|&(a, b)| network.link(a, b));
        network.run();
        now.difference(&then).for_each(|&(a, b)| network.cut(a, b));
        network.run();
        now = then;
        for name in &names() {
            network.acquire(dice.below(NODES), name, 0);
        }
        network.run_out();
    }
    let (_, kept) = kept_by(|| network.nodes.clear());
    -kept / (NODES * NAMES) as i64
}

/// What grows as nodes meet are the ledgers: an entry for each other node with which more went one
/// way than the other.
#[test]
fn a_lock_that_nobody_uses_takes_little() {
    let sizes = [0, 20, 100].map(bytes_after);
    assert!(sizes[0] < 2000, "{sizes:?}");
    let ledger = 50 * (NODES as i64 - 1);
    assert!(sizes.iter().all(|size| *size < sizes[0] + ledger), "{sizes:?}");
}
