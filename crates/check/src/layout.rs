//! Where things are in a row: [`Layout`].

use driftlock_core::{Graph, NodeId};

/// More nodes than this have more states than any machine has memory.
pub const NODES_MAX: usize = 8;

/// A state is a row of numbers: first the environment, then each node, then what each node wakes up
/// as if it is killed, where nodes write down what they are, then each channel. What a number
/// stands for is in the pools.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) n: usize,
    /// Whether nodes write down what they are.
    pub(crate) saves: bool,
    /// All pairs of nodes, the smaller one first. A set of links is a number with a bit for each.
    pub(crate) pairs: Vec<(u8, u8)>,
    /// For each pair of nodes in both orders, which of `pairs` it is.
    pair_of: Vec<u8>,
    /// The ends of each channel, in the order of the row.
    pub(crate) channels: Vec<(u8, u8)>,
}

/// A set of links, a bit for each pair.
pub(crate) type Links = u32;

/// A set of ends of links, a bit for each channel that starts there.
pub(crate) type Ends = u64;

impl Layout {
    pub(crate) fn new(n: usize, saves: bool) -> Self {
        let all = || (0..n as u8).flat_map(move |a| (0..n as u8).map(move |b| (a, b)));
        let pairs: Vec<(u8, u8)> = all().filter(|(a, b)| a < b).collect();
        let which = |(a, b): (u8, u8)| {
            let pair = (a.min(b), a.max(b));
            pairs.iter().position(|&other| other == pair).unwrap_or(0) as u8
        };
        let pair_of = all().map(which).collect();
        Layout { n, saves, pair_of, channels: all().filter(|(a, b)| a != b).collect(), pairs }
    }

    /// How long a row is.
    pub(crate) fn width(&self) -> usize {
        self.left() + self.channels.len()
    }

    /// How much of a row is the environment and the nodes; channels follow.
    pub(crate) fn left(&self) -> usize {
        1 + self.n * (1 + usize::from(self.saves))
    }

    /// Where it is what `node` wakes up as.
    #[inline]
    pub(crate) fn saved(&self, node: u8) -> usize {
        1 + self.n + usize::from(node)
    }

    /// Where the channel from `from` to `to` is.
    #[inline]
    pub(crate) fn channel(&self, from: usize, to: usize) -> usize {
        self.left() + from * (self.n - 1) + to - usize::from(to > from)
    }

    /// The bit of the link between `a` and `b`.
    #[inline]
    pub(crate) fn link(&self, a: usize, b: usize) -> Links {
        1 << self.pair_of[a * self.n + b]
    }

    /// The bit of the end of `node` of its link with `peer`.
    #[inline]
    pub(crate) fn end(&self, node: u8, peer: u8) -> Ends {
        1 << (self.channel(node.into(), peer.into()) - self.left())
    }

    /// The ends of links that `node` can have.
    pub(crate) fn ends_at(&self, node: u8) -> Ends {
        let ends = self.channels.iter().filter(|(end, _)| *end == node);
        ends.fold(0, |ends, &(end, peer)| ends | self.end(end, peer))
    }

    /// The other ends of these links.
    pub(crate) fn ends_towards(&self, node: u8) -> Ends {
        let ends = self.channels.iter().filter(|(_, peer)| *peer == node);
        ends.fold(0, |ends, &(end, peer)| ends | self.end(end, peer))
    }

    /// The links that `node` can have.
    pub(crate) fn links_at(&self, node: usize) -> Links {
        let others = (0..self.n).filter(|&other| other != node);
        others.fold(0, |links, other| links | self.link(node, other))
    }

    /// The links of `graph`.
    pub(crate) fn links_of(&self, graph: &Graph) -> Links {
        graph.links().fold(0, |links, (a, b)| links | self.link(a.index(), b.index()))
    }

    /// Whether a path of `links` joins `a` and `b`.
    pub(crate) fn joined(&self, links: Links, a: usize, b: usize) -> bool {
        self.reached(links, a) & (1 << b) != 0
    }

    /// Whether `links` connect all nodes.
    pub(crate) fn connected(&self, links: Links) -> bool {
        self.reached(links, 0).count_ones() as usize == self.n
    }

    /// The nodes that `links` join with `from`, a bit for each.
    pub(crate) fn reached(&self, links: Links, from: usize) -> u32 {
        self.within(links, from, self.n as u32)
    }

    /// The nodes that are no farther than `most` of `links` from `from`, a bit for each.
    pub(crate) fn within(&self, links: Links, from: usize, most: u32) -> u32 {
        let mut near = 1_u32 << from;
        for _ in 0..most.min(self.n as u32) {
            let around =
                self.pairs.iter().enumerate().filter(|(k, (a, b))| {
                    links & (1 << k) != 0 && near & ((1 << a) | (1 << b)) != 0
                });
            near |= around.fold(0, |ends, (_, (a, b))| ends | (1 << a) | (1 << b));
        }
        near
    }
}

/// The node at a place.
pub(crate) fn node(place: impl Into<u32>) -> NodeId {
    NodeId(place.into())
}
