//! How a network of GME processes starts.

use alloc::vec::Vec;

use driftlock_core::{Cold, Graph, Initial, NodeId, PeerMap, Status};

use super::{Gme, Link, Queue};
use crate::Variant;
use crate::rl::Height;

/// How a network of GME processes starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Config {
    /// Which text to follow.
    pub variant: Variant,
    /// How many more subtokens there are in a session once the leader knows of a request for
    /// another resource. If this is none, as in the paper, a session goes on as long as somebody
    /// who wants its resource comes before all others have left, and others may wait for ever.
    /// The published text has no such bound.
    pub session: Option<u32>,
    /// How many units of weight the leader puts into a subtoken, from 1 to 2^62. Whoever gets one
    /// lets in no more than it has units for at once.
    pub units: u64,
}

impl Default for Config {
    /// Sessions are bounded, so that everyone gets in.
    fn default() -> Self {
        Config { variant: Variant::Repaired, session: Some(16), units: 1 << 32 }
    }
}

impl From<Variant> for Config {
    fn from(variant: Variant) -> Self {
        Config { variant, ..Config::default() }
    }
}

impl Config {
    pub(super) fn check(&self) {
        assert!((1..=1 << 62).contains(&self.units), "1 to 2^62 units to a subtoken");
    }
}

impl Initial for Gme {
    type Config = Config;

    /// Node 0 has the token. `h1` is 0 and `h2` the distance from node 0. If there are no links,
    /// everyone starts cold.
    ///
    /// Panics if `graph` is not connected, or if there are too few or too many units.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        config.check();
        if graph.n_links() == 0 && graph.n_nodes() > 1 && config.variant == Variant::Repaired {
            return graph.nodes().map(|i| Gme::cold(i, i == NodeId(0), config)).collect();
        }
        let distance = |d: Option<u32>| i64::from(d.expect("the initial graph is connected"));
        let distances = graph.distances(NodeId(0)).into_iter().map(distance);
        let heights: Vec<Height> =
            graph.nodes().zip(distances).map(|(i, d)| Height::new(0, d, i)).collect();
        graph.nodes().map(|i| Gme::new(i, graph.neighbors(i), &heights, config)).collect()
    }
}

impl Gme {
    fn new(i: NodeId, neighbors: &[NodeId], heights: &[Height], config: &Config) -> Self {
        let height = |j: NodeId| heights[j.index()];
        let lowest = neighbors.iter().copied().min_by_key(|&j| height(j));
        Gme {
            i,
            config: config.clone(),
            status: Status::Remainder,
            leader: i == NodeId(0),
            my_height: height(i),
            next: if i == NodeId(0) { Some(i) } else { lowest },
            q: Queue::default(),
            link: neighbors.iter().map(|&j| (j, Link::new(height(j)))).collect(),
            forming: PeerMap::new(),
            weight: 0,
            buffer: 0,
            sess: None,
            left: 0,
            asked: None,
            raises: 0,
            raises_before: 0,
            cold: false,
        }
    }
}
