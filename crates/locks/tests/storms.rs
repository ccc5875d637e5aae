//! Random walks: everything at once, then peace, then everybody has to be served.

use driftlock_locks::{Key, Kind};

use crate::network::{Network, key};

/// A generator of numbers that tests can do with (Knuth's MMIX).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.below(from.len())].clone())
    }
}

pub(crate) fn keys() -> Vec<Key> {
    vec![
        key("pad", Kind::Exclusive),
        key("channel", Kind::Permits(2)),
        key("cell", Kind::Group),
        key("crossing", Kind::Local),
    ]
}

/// One thing that may happen.
pub(crate) fn happen(network: &mut Network, dice: &mut Dice, keys: &[Key]) {
    let n = network.nodes.len();
    network.now += 1;
    match dice.below(20) {
        0..=9 => {
            if let Some(end) = dice.pick(&network.arriving()) {
                network.deliver(end);
            }
        }
        10..=12 => {
            if let Some(end) = dice.pick(&network.news()) {
                network.tell(end);
            }
        }
        13 | 14 => {
            let key = dice.pick(keys).expect("there are locks");
            let group = if key.kind == Kind::Group { dice.below(3) as u64 } else { 0 };
            network.acquire(dice.below(n), &key, group);
        }
        15 | 16 => {
            let inside: Vec<_> = network.inside.keys().copied().collect();
            if let Some(ticket) = dice.pick(&inside) {
                network.release(ticket);
            }
        }
        17 => {
            let waiting: Vec<_> = network.wishes.keys().copied().collect();
            if let Some(ticket) = dice.pick(&waiting).filter(|_| dice.below(4) == 0) {
                network.withdraw(ticket);
            }
        }
        _ => {
            let (a, b) = (dice.below(n), dice.below(n));
            if network.up.contains_key(&(a.min(b), a.max(b))) {
                network.cut(a, b);
            } else if a != b && network.is_closed(a, b) {
                network.link(a, b);
            }
        }
    }
}

fn storm(seed: u64) -> Network {
    storm_in(Network::new(2 + Dice::new(seed).below(5)), seed)
}

pub(crate) fn storm_in(mut network: Network, seed: u64) -> Network {
    let mut dice = Dice::new(seed);
    let keys = keys();
    for _ in 0..600 {
        happen(&mut network, &mut dice, &keys);
    }
    for i in 1..network.nodes.len() {
        while !network.up.contains_key(&(i - 1, i)) && !network.is_closed(i - 1, i) {
            let ends = [(i - 1, i), (i, i - 1)];
            let end = ends.into_iter().find(|end| network.news().contains(end));
            network.tell(end.expect("a broken link can be settled"));
        }
        if !network.up.contains_key(&(i - 1, i)) {
            network.link(i - 1, i);
        }
    }
    network.run_out();
    assert!(network.wishes.is_empty(), "seed {seed}: not served: {:?}", network.wishes);
    network
}

#[test]
fn nothing_is_lost_and_nobody_doubled_whatever_the_links_do() {
    let (mut grants, mut returned) = (0, 0);
    for seed in 0..2000 {
        let network = storm(seed);
        grants += network.grants;
        returned += network.returned;
    }
    assert!(50_000 < grants && 500 < returned, "{grants} grants, {returned} came back");
}
