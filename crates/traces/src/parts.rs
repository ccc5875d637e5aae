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
    /// How often a neighbor was looked at, in all: what this costs, which a test bounds.
    n_looks: u64,
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
            n_looks: 0,
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
        let parts = [a, b].map(|node| self.part_of[node as usize]);
        let apart = if parts[0] == parts[1] { None } else { self.apart(a, b) };
        if let Some(nodes) = apart {
            let gone = self.part_of[nodes[0] as usize];
            let into = if gone == parts[0] { parts[1] } else { parts[0] };
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
        let apart = if self.share_a_neighbor(a, b) { None } else { self.apart(a, b) };
        if let Some(nodes) = apart {
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

    /// Whether there is a way of two links, as mostly where nodes have many.
    fn share_a_neighbor(&mut self, a: u32, b: u32) -> bool {
        let [one, two] = [a, b].map(|node| &self.neighbors[node as usize]);
        let (few, many) = if one.len() <= two.len() { (one, two) } else { (two, one) };
        let mut n_looks = 0;
        let shared = few.iter().inspect(|_| n_looks += 1).any(|node| many.contains(node));
        self.n_looks += n_looks;
        shared
    }

    /// All who are linked to one of both by some way, with that one first, if there is no way to
    /// the other. Both search for each other, a neighbor at a time in turns: what matters is how
    /// many links the smaller of both parts has, or how near they are.
    fn apart(&mut self, a: u32, b: u32) -> Option<Vec<u32>> {
        self.search += 1;
        let (search, neighbors) = (self.search, &self.neighbors);
        let mut found = [vec![a], vec![b]];
        let mut n_done = [1, 1];
        let mut looks = [a, b].map(|node| neighbors[node as usize].iter());
        self.seen[a as usize] = (search, false);
        self.seen[b as usize] = (search, true);
        loop {
            for side in [false, true] {
                let k = usize::from(side);
                let Some(&next) = looks[k].next() else {
                    let Some(&node) = found[k].get(n_done[k]) else {
                        return Some(std::mem::take(&mut found[k]));
                    };
                    n_done[k] += 1;
                    looks[k] = neighbors[node as usize].iter();
                    continue;
                };
                self.n_looks += 1;
                match self.seen[next as usize] {
                    (last, other) if last == search && other != side => return None,
                    (last, _) if last == search => {}
                    _ => {
                        self.seen[next as usize] = (search, side);
                        found[k].push(next);
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

    /// Where everybody hears everybody a change costs a look or two, not as many as there are
    /// neighbors.
    #[test]
    fn a_crowd_is_no_work() {
        const N: u32 = 300;
        let pairs = || (0..N).flat_map(|a| (a + 1..N).map(move |b| (a, b)));
        let mut parts = Parts::new(N as usize);
        pairs().for_each(|(a, b)| parts.join(a, b));
        assert_eq!((parts.len(), parts.has_majority()), (1, true));
        let n_pairs = u64::from(N * (N - 1) / 2);
        assert!(parts.n_looks <= 2 * n_pairs, "{}", parts.n_looks);
        parts.n_looks = 0;
        pairs().for_each(|(a, b)| parts.part(a, b));
        assert_eq!((parts.len(), parts.has_majority()), (N as usize, false));
        assert!(parts.n_looks <= 2 * n_pairs, "{}", parts.n_looks);
        // A node that comes and goes is looked at, and not all whom it meets.
        (1..N).for_each(|b| parts.join(0, b));
        parts.n_looks = 0;
        for _ in 0..100 {
            parts.part(0, N - 1);
            parts.join(0, N - 1);
        }
        assert!(parts.n_looks <= 1000, "{}", parts.n_looks);
    }
}
