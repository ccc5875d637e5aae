//! How many parts a network falls into while its links change: [`Parts`].

use std::collections::BTreeSet;

/// A network whose links change, its parts, and how large they are.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    neighbors: Vec<BTreeSet<u32>>,
    /// The part of each node, by a number that is free again when the part is gone.
    part_of: Vec<u32>,
    sizes: Vec<usize>,
    free: Vec<u32>,
    /// Who has been seen in the search of this number, by whom.
    seen: Vec<(u64, bool)>,
    search: u64,
    /// The part with more than half of all nodes, if there is one.
    majority: Option<u32>,
}

impl Parts {
    /// Nodes without links.
    pub(crate) fn new(n_nodes: usize) -> Self {
        Parts {
            neighbors: vec![BTreeSet::new(); n_nodes],
            part_of: (0..).take(n_nodes).collect(),
            sizes: vec![1; n_nodes],
            free: Vec::new(),
            seen: vec![(0, false); n_nodes],
            search: 0,
            majority: (n_nodes == 1).then_some(0),
        }
    }

    /// How many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len() - self.free.len()
    }

    /// Whether there is a part with more than half of all nodes.
    pub(crate) fn has_majority(&self) -> bool {
        self.majority.is_some()
    }

    /// A link comes up that was down.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        if let Some(nodes) = self.apart(a, b) {
            let gone = self.part_of[nodes[0] as usize];
            let other = if nodes[0] == a { b } else { a };
            let into = self.part_of[other as usize];
            self.sizes[gone as usize] = 0;
            self.free.push(gone);
            self.give(&nodes, into);
            if self.is_majority(into) {
                self.majority = Some(into);
            }
        }
        self.neighbors[a as usize].insert(b);
        self.neighbors[b as usize].insert(a);
    }

    /// A link goes down that was up.
    pub(crate) fn part(&mut self, a: u32, b: u32) {
        self.neighbors[a as usize].remove(&b);
        self.neighbors[b as usize].remove(&a);
        if let Some(nodes) = self.apart(a, b) {
            let old = self.part_of[a as usize];
            let new = self.free.pop().expect("two nodes share a part, so that a number is free");
            self.sizes[old as usize] -= nodes.len();
            self.sizes[new as usize] = 0;
            self.give(&nodes, new);
            if self.majority == Some(old) {
                self.majority = [old, new].into_iter().find(|&part| self.is_majority(part));
            }
        }
    }

    /// These nodes are in that part from now on.
    fn give(&mut self, nodes: &[u32], part: u32) {
        self.sizes[part as usize] += nodes.len();
        for &node in nodes {
            self.part_of[node as usize] = part;
        }
    }

    fn is_majority(&self, part: u32) -> bool {
        2 * self.sizes[part as usize] > self.neighbors.len()
    }

    /// All who are linked to one of both by some way, with that one first, if there is no way to
    /// the other. Both search for each other, in turns: what matters is the smaller of both parts,
    /// or how near they are.
    fn apart(&mut self, a: u32, b: u32) -> Option<Vec<u32>> {
        self.search += 1;
        let mut found = [vec![a], vec![b]];
        let mut n_done = [0, 0];
        self.seen[a as usize] = (self.search, false);
        self.seen[b as usize] = (self.search, true);
        loop {
            for side in [false, true] {
                let k = usize::from(side);
                let Some(&node) = found[k].get(n_done[k]) else {
                    return Some(std::mem::take(&mut found[k]));
                };
                n_done[k] += 1;
                for &next in &self.neighbors[node as usize] {
                    match self.seen[next as usize] {
                        (search, other) if search == self.search && other != side => return None,
                        (search, _) if search == self.search => {}
                        _ => {
                            self.seen[next as usize] = (self.search, side);
                            found[k].push(next);
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

    /// The parts, counted anew, and whether one of them has more than half of all nodes.
    fn counted(n: usize, links: &BTreeSet<(u32, u32)>) -> (usize, bool) {
        let mut part: Vec<usize> = (0..n).collect();
        for _ in 0..n {
            for &(a, b) in links {
                let least = part[a as usize].min(part[b as usize]);
                (part[a as usize], part[b as usize]) = (least, least);
            }
        }
        let parts: BTreeSet<usize> = part.iter().copied().collect();
        let size = |one: &usize| part.iter().filter(|other| *other == one).count();
        (parts.len(), parts.iter().any(|one| 2 * size(one) > n))
    }

    #[test]
    fn parts_are_counted_while_links_change() {
        let mut dice = Dice::new(5);
        let mut parts = Parts::new(12);
        let mut links = BTreeSet::new();
        let mut n_majorities = 0;
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
            n_majorities += usize::from(parts.has_majority());
            assert_eq!((parts.len(), parts.has_majority()), counted(12, &links));
        }
        assert!((500..2900).contains(&n_majorities), "{n_majorities}");
    }
}
