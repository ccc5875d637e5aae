//! How many parts a network falls into while its links change: [`Parts`].

use std::collections::{BTreeSet, VecDeque};

/// A network whose links change, and the number of its parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    neighbors: Vec<BTreeSet<u32>>,
    n_parts: usize,
    /// Who has been seen in the search of this number, by whom.
    seen: Vec<(u64, bool)>,
    search: u64,
}

impl Parts {
    /// Nodes without links.
    pub(crate) fn new(n_nodes: usize) -> Self {
        Parts {
            neighbors: vec![BTreeSet::new(); n_nodes],
            n_parts: n_nodes,
            seen: vec![(0, false); n_nodes],
            search: 0,
        }
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.n_parts
    }

    /// A link comes up that was down.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        self.n_parts -= usize::from(!self.are_connected(a, b));
        self.neighbors[a as usize].insert(b);
        self.neighbors[b as usize].insert(a);
    }

    /// A link goes down that was up.
    pub(crate) fn part(&mut self, a: u32, b: u32) {
        self.neighbors[a as usize].remove(&b);
        self.neighbors[b as usize].remove(&a);
        self.n_parts += usize::from(!self.are_connected(a, b));
    }

    /// Both search for each other, in turns: what matters is the smaller of both parts, or how near
    /// they are.
    fn are_connected(&mut self, a: u32, b: u32) -> bool {
        self.search += 1;
        let mut waiting = [VecDeque::from([a]), VecDeque::from([b])];
        self.seen[a as usize] = (self.search, false);
        self.seen[b as usize] = (self.search, true);
        loop {
            for side in [false, true] {
                let Some(node) = waiting[usize::from(side)].pop_front() else { return false };
                for &next in &self.neighbors[node as usize] {
                    match self.seen[next as usize] {
                        (search, other) if search == self.search && other != side => return true,
                        (search, _) if search == self.search => {}
                        _ => {
                            self.seen[next as usize] = (self.search, side);
                            waiting[usize::from(side)].push_back(next);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use driftlock_fuzz::Dice;

    use super::*;

    /// The parts, counted anew.
    fn counted(n: usize, links: &BTreeSet<(u32, u32)>) -> usize {
        let mut part: Vec<usize> = (0..n).collect();
        for _ in 0..n {
            for &(a, b) in links {
                let least = part[a as usize].min(part[b as usize]);
                (part[a as usize], part[b as usize]) = (least, least);
            }
        }
        part.iter().collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn parts_are_counted_while_links_change() {
        let mut dice = Dice::new(5);
        let mut parts = Parts::new(12);
        let mut links = BTreeSet::new();
        for _ in 0..3000 {
            let (a, b) = (dice.below(12) as u32, dice.below(12) as u32);
            if a == b {
                continue;
            }
            let link = (a.min(b), a.max(b));
            if links.remove(&link) {
                parts.part(a, b);
            } else if links.len() < 14 {
                links.insert(link);
                parts.join(a, b);
            }
            assert_eq!(parts.len(), counted(12, &links));
        }
    }
}
