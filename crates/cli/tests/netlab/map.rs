//! Where nodes are and who is in range of whom: [`Map`].

use std::collections::BTreeSet;

use driftlock_sim::dice::{Dice, Sequence, Stream};

use crate::lab::Near;

/// Nodes 1 to n on a square of side 1, always connected.
pub(crate) struct Map {
    at: Vec<(f64, f64)>,
    range: f64,
    dice: Sequence,
}

/// A link has two ends, the first less than the second.
pub(crate) type Links = BTreeSet<(u32, u32)>;

/// Who hears whom, and the links that come of it.
pub(crate) struct Look {
    pub(crate) near: Near,
    pub(crate) links: Links,
}

impl Map {
    /// Nodes strewn at random, each with so many neighbors on average if borders did not count.
    pub(crate) fn new(nodes: u32, neighbors: f64, seed: u64) -> Map {
        let range = (neighbors / (std::f64::consts::PI * f64::from(nodes - 1))).sqrt();
        let dice = Dice::new(seed).sequence(Stream::Motion);
        let mut map = Map { at: Vec::new(), range, dice };
        loop {
            map.at = (0..nodes).map(|_| (map.dice.unit(), map.dice.unit())).collect();
            if is_connected(nodes, &map.links()) {
                return map;
            }
        }
    }

    /// Everybody goes somewhere, half of the range in each direction at most.
    pub(crate) fn go(&mut self) {
        let start = self.at.clone();
        loop {
            for (now, before) in self.at.iter_mut().zip(&start) {
                let mut step = |x: f64| (x + (self.dice.unit() - 0.5) * self.range).clamp(0.0, 1.0);
                *now = (step(before.0), step(before.1));
            }
            if is_connected(self.nodes(), &self.links()) {
                return;
            }
        }
    }

    /// Who hears whom.
    pub(crate) fn look(&self) -> Look {
        let links = self.links();
        let near = links.iter().flat_map(|&(i, j)| [(i, j), (j, i)]).collect();
        Look { near, links }
    }

    /// Who hears whom, where so many pairs of those in range hear each other in one direction only.
    pub(crate) fn look_with_one_way(&mut self, pairs: usize) -> Look {
        let mut look = self.look();
        let mut left = pairs;
        let mut candidates: Vec<(u32, u32)> = look.links.iter().copied().collect();
        while left > 0 && !candidates.is_empty() {
            let k = self.dice.below(candidates.len() as u64) as usize;
            let (i, j) = candidates.swap_remove(k);
            look.links.remove(&(i, j));
            if is_connected(self.nodes(), &look.links) {
                look.near.remove(&if left.is_multiple_of(2) { (i, j) } else { (j, i) });
                left -= 1;
            } else {
                look.links.insert((i, j));
            }
        }
        look
    }

    fn nodes(&self) -> u32 {
        self.at.len() as u32
    }

    fn links(&self) -> Links {
        let is_near = |&(i, j): &(u32, u32)| {
            let ((x, y), (u, v)) = (self.at[i as usize - 1], self.at[j as usize - 1]);
            (x - u) * (x - u) + (y - v) * (y - v) <= self.range * self.range
        };
        let nodes = self.nodes();
        (1..=nodes).flat_map(|i| (i + 1..=nodes).map(move |j| (i, j))).filter(is_near).collect()
    }
}

fn is_connected(nodes: u32, links: &Links) -> bool {
    let mut reached = BTreeSet::from([1]);
    let mut waiting = vec![1];
    while let Some(i) = waiting.pop() {
        let others = links.iter().filter_map(|&(a, b)| match i {
            i if i == a => Some(b),
            i if i == b => Some(a),
            _ => None,
        });
        waiting.extend(others.filter(|&j| reached.insert(j)));
    }
    reached.len() == nodes as usize
}
