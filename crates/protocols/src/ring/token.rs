//! The token, and the way it takes: [`Token`].

use alloc::vec::Vec;
use core::fmt;

use driftlock_core::NodeId;

/// The token. Who has it and is in the critical section is alone there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Token {
    /// Which round this is.
    pub round: i64,
    /// The coordinator of the next round; of this one, as long as the token rests.
    pub next: NodeId,
    /// Those who have had it in this round, by their identifiers. None, as long as it rests.
    pub visited: Vec<Visit>,
}

/// A node that has had the token in this round.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// The neighbors it had then (D2).
    pub neighbors: Vec<NodeId>,
}

impl Token {
    /// Whether nobody has had it in this round.
    pub(super) fn rests(&self) -> bool {
        self.visited.is_empty()
    }

    /// `i` has it now.
    pub(super) fn visit(&mut self, i: NodeId, neighbors: &[NodeId]) {
        let place = self.visited.partition_point(|visit| visit.node < i);
        self.visited.insert(place, Visit { node: i, neighbors: neighbors.to_vec() });
    }

    /// Of `n` nodes, the one that is nearest to `i` of those who have not had it in this round; of
    /// several, the one with the smallest identifier. None, if all have had it. `i` has.
    ///
    /// Take a shortest path from `i` to a nearest such node: all nodes on it but the last have had
    /// the token, or they would be nearer, so the token has every link of that path. And it has no
    /// others, so nothing is found nearer than it is; in a network that stands still, that is.
    pub(super) fn nearest(&self, i: NodeId, n: u32) -> Option<NodeId> {
        let mut reached = alloc::vec![false; n as usize];
        reached[i.index()] = true;
        let mut around = alloc::vec![i];
        while !around.is_empty() {
            let mut farther = Vec::new();
            for &j in around.iter().flat_map(|&visited| self.neighbors(visited)) {
                if !core::mem::replace(&mut reached[j.index()], true) {
                    farther.push(j);
                }
            }
            // D2
            let nearest = farther.iter().copied().filter(|&j| !self.has_visited(j)).min();
            if nearest.is_some() {
                return nearest;
            }
            around = farther;
        }
        // Links have changed since, and no way is known: anyone will do.
        (0..n).map(NodeId).find(|&j| !self.has_visited(j))
    }

    /// Whether `j` has had it in this round.
    pub(super) fn has_visited(&self, j: NodeId) -> bool {
        self.find(j).is_some()
    }

    /// The neighbors that `j` had when it had the token; none, if it has not had it.
    fn neighbors(&self, j: NodeId) -> &[NodeId] {
        self.find(j).map_or(&[], |visit| &visit.neighbors)
    }

    fn find(&self, j: NodeId) -> Option<&Visit> {
        let place = self.visited.binary_search_by_key(&j, |visit| visit.node);
        place.ok().map(|place| &self.visited[place])
    }
}

/// The round, who coordinates the next one, and who has had it.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, next {}, visited", self.round, self.next)?;
        self.visited.iter().try_for_each(|visit| write!(f, " {}", visit.node))
    }
}
