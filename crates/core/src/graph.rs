//! Who is linked to whom: [`Graph`]; and whether two nodes stay joined: [`Search`].

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use crate::NodeId;

/// An undirected graph without loops or double links.
///
/// ```
/// use driftlock_core::{Graph, NodeId};
/// let mut line = Graph::new(3);
/// line.link(NodeId(0), NodeId(1));
/// line.link(NodeId(1), NodeId(2));
/// assert!(line.is_connected());
/// assert_eq!(line.distances(NodeId(0)), [Some(0), Some(1), Some(2)]);
/// assert_eq!(line.tree(NodeId(0)), [None, Some(NodeId(0)), Some(NodeId(1))]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// For each node its neighbors in order.
    neighbors: Vec<Vec<NodeId>>,
    n_links: usize,
}

impl Graph {
    /// `n` nodes and no link.
    pub fn new(n: usize) -> Self {
        Graph { neighbors: vec![Vec::new(); n], n_links: 0 }
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.neighbors.len()
    }

    /// How many links there are.
    pub fn n_links(&self) -> usize {
        self.n_links
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.neighbors.len()).map(NodeId::at)
    }

    /// All links, each once, the smaller end first, in order.
    pub fn links(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.nodes().flat_map(|a| {
            self.neighbors(a).iter().copied().filter(move |&b| a < b).map(move |b| (a, b))
        })
    }

    /// The neighbors of `node`, in order.
    pub fn neighbors(&self, node: NodeId) -> &[NodeId] {
        &self.neighbors[node.index()]
    }

    /// Whether `a` and `b` are linked.
    pub fn has(&self, a: NodeId, b: NodeId) -> bool {
        self.neighbors(a).binary_search(&b).is_ok()
    }

    /// Link `a` and `b`. Returns whether they were not linked before.
    ///
    /// Panics if they are the same node.
    pub fn link(&mut self, a: NodeId, b: NodeId) -> bool {
        assert_ne!(a, b, "a node has no link to itself");
        let Err(place) = self.neighbors[a.index()].binary_search(&b) else { return false };
        self.neighbors[a.index()].insert(place, b);
        let place = self.neighbors[b.index()].partition_point(|&c| c < a);
        self.neighbors[b.index()].insert(place, a);
        self.n_links += 1;
        true
    }

    /// Take the link between `a` and `b` away. Returns whether there was one.
    pub fn unlink(&mut self, a: NodeId, b: NodeId) -> bool {
        let Ok(place) = self.neighbors[a.index()].binary_search(&b) else { return false };
        self.neighbors[a.index()].remove(place);
        let place = self.neighbors[b.index()].partition_point(|&c| c < a);
        self.neighbors[b.index()].remove(place);
        self.n_links -= 1;
        true
    }

    /// For each node its distance in links from `root`, if there is a path.
    pub fn distances(&self, root: NodeId) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.n_nodes()];
        distance[root.index()] = Some(0);
        for (parent, child) in self.breadth_first(root) {
            distance[child.index()] = distance[parent.index()].map(|d| d + 1);
        }
        distance
    }

    /// The breadth-first tree from `root`: for each node its parent. `root` and what cannot be
    /// reached from it have none.
    pub fn tree(&self, root: NodeId) -> Vec<Option<NodeId>> {
        let mut parent = vec![None; self.n_nodes()];
        for (above, below) in self.breadth_first(root) {
            parent[below.index()] = Some(above);
        }
        parent
    }

    /// Whether there is a path between any two nodes.
    pub fn is_connected(&self) -> bool {
        self.n_nodes() == 0 || self.breadth_first(NodeId(0)).len() + 1 == self.n_nodes()
    }

    /// The links of the breadth-first tree from `root` as (parent, child), nearest first.
    fn breadth_first(&self, root: NodeId) -> Vec<(NodeId, NodeId)> {
        let mut seen = vec![false; self.n_nodes()];
        seen[root.index()] = true;
        let mut found = Vec::new();
        let mut queue = VecDeque::from([root]);
        while let Some(above) = queue.pop_front() {
            for &below in self.neighbors(above) {
                if !seen[below.index()] {
                    seen[below.index()] = true;
                    found.push((above, below));
                    queue.push_back(below);
                }
            }
        }
        found
    }
}

/// A breadth-first search from two nodes at once, with memory that is used again.
///
/// The two sides take turns, so the cost is that of the smaller side or of the place where they
/// meet: in a network with short detours it does not depend on the network's size.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// For each node the number of the search that saw it, times two, plus the side.
    seen: Vec<u64>,
    round: u64,
    sides: [VecDeque<NodeId>; 2],
}

impl Search {
    /// A search in a graph of `n` nodes.
    pub fn new(n: usize) -> Self {
        Search { seen: vec![0; n], round: 0, sides: [VecDeque::new(), VecDeque::new()] }
    }

    /// Whether this search is for a graph of no nodes.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Whether a path joins `a` and `b`. `visit(node, see)` has to call `see` for each neighbor of
    /// `node` that the path may use.
    ///
    /// ```
    /// use driftlock_core::graph::Search;
    /// use driftlock_core::{Graph, NodeId};
    /// let mut ring = Graph::new(5);
    /// for k in 0..5 {
    ///     ring.link(NodeId(k), NodeId((k + 1) % 5));
    /// }
    /// ring.unlink(NodeId(0), NodeId(1));
    /// let mut search = Search::new(5);
    /// let walk = |graph: &Graph, node, see: &mut dyn FnMut(NodeId)| {
    ///     graph.neighbors(node).iter().for_each(|&next| see(next));
    /// };
    /// assert!(search.joined(NodeId(0), NodeId(1), |node, see| walk(&ring, node, see)));
    /// ring.unlink(NodeId(3), NodeId(4));
    /// assert!(!search.joined(NodeId(0), NodeId(1), |node, see| walk(&ring, node, see)));
    /// ```
    pub fn joined(
        &mut self,
        a: NodeId,
        b: NodeId,
        mut visit: impl FnMut(NodeId, &mut dyn FnMut(NodeId)),
    ) -> bool {
        if a == b {
            return true;
        }
        self.round += 1;
        for (side, root) in [a, b].into_iter().enumerate() {
            self.sides[side].clear();
            self.sides[side].push_back(root);
            self.seen[root.index()] = self.mark(side);
        }
        loop {
            for side in [0, 1] {
                let Some(node) = self.sides[side].pop_front() else { return false };
                let (mine, theirs) = (self.mark(side), self.mark(1 - side));
                let (seen, queue) = (&mut self.seen, &mut self.sides[side]);
                let mut met = false;
                visit(node, &mut |next| {
                    let mark = &mut seen[next.index()];
                    met |= *mark == theirs;
                    if *mark != mine && *mark != theirs {
                        *mark = mine;
                        queue.push_back(next);
                    }
                });
                if met {
                    return true;
                }
            }
        }
    }

    fn mark(&self, side: usize) -> u64 {
        2 * self.round + side as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_kept_in_both_directions() {
        let mut graph = Graph::new(4);
        assert!(graph.link(NodeId(3), NodeId(1)));
        assert!(!graph.link(NodeId(1), NodeId(3)));
        assert!(graph.has(NodeId(1), NodeId(3)));
        assert_eq!(graph.links().collect::<Vec<_>>(), [(NodeId(1), NodeId(3))]);
        assert!(!graph.is_connected());
        assert!(graph.unlink(NodeId(1), NodeId(3)));
        assert!(!graph.unlink(NodeId(1), NodeId(3)));
        assert_eq!(graph.n_links(), 0);
    }

    #[test]
    fn a_graph_of_one_node_is_connected() {
        assert!(Graph::new(1).is_connected());
    }

    #[test]
    fn search_agrees_with_breadth_first_on_all_graphs_of_four_nodes() {
        let pairs: Vec<(NodeId, NodeId)> =
            (0..4).flat_map(|a| (a + 1..4).map(move |b| (NodeId(a), NodeId(b)))).collect();
        let mut search = Search::new(4);
        for choice in 0u32..1 << pairs.len() {
            let mut graph = Graph::new(4);
            for (k, &(a, b)) in pairs.iter().enumerate() {
                if choice & (1 << k) != 0 {
                    graph.link(a, b);
                }
            }
            for &(a, b) in &pairs {
                let joined = search.joined(a, b, |node, see| {
                    graph.neighbors(node).iter().for_each(|&next| see(next));
                });
                assert_eq!(joined, graph.distances(a)[b.index()].is_some());
            }
        }
    }
}
