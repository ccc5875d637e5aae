//! Which nodes are joined, as links are added: [`Parts`].

/// The parts of a network to which links are added.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// Each node points towards the first of its part.
    towards: Vec<u32>,
}

impl Parts {
    /// Nodes without links.
    pub(super) fn new(n_nodes: usize) -> Self {
        Parts { towards: (0..n_nodes as u32).collect() }
    }

    /// The first node of the part of `node`.
    pub(super) fn first(&mut self, node: u32) -> u32 {
        let mut node = node;
        while self.towards[node as usize] != node {
            let next = self.towards[node as usize];
            self.towards[node as usize] = self.towards[next as usize];
            node = next;
        }
        node
    }

    /// Join two nodes. Returns whether they were not joined before.
    pub(super) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.towards[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Whether each node is in the part that has the most of those that count; of several the one
    /// with the first node.
    pub(super) fn greatest(&mut self, counts: &[bool]) -> Vec<bool> {
        let n = self.towards.len();
        let firsts: Vec<u32> = (0..n as u32).map(|node| self.first(node)).collect();
        let mut sizes = vec![0usize; n];
        for (&first, _) in firsts.iter().zip(counts).filter(|(_, counts)| **counts) {
            sizes[first as usize] += 1;
        }
        let most = sizes.iter().copied().max().unwrap_or(0);
        let part = sizes.iter().position(|&size| size == most).unwrap_or(0);
        firsts
            .iter()
            .zip(counts)
            .map(|(&first, &counts)| counts && first as usize == part)
            .collect()
    }
}
