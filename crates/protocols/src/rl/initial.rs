//! How a network of RL processes starts.

use alloc::vec::Vec;

use driftlock_core::{Cold, Fifo, Graph, Initial, NodeId, PeerMap, Status};

use super::{Height, Link, Rl};
use crate::Variant;

/// How a network of RL processes starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// Which text to follow.
    pub variant: Variant,
    /// `(h1, h2)` of each node. If there are none, `h1` is 0 and `h2` the distance from node 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub heights: Vec<(i64, i64)>,
}

impl From<Variant> for Config {
    fn from(variant: Variant) -> Self {
        Config { variant, heights: Vec::new() }
    }
}

impl Initial for Rl {
    type Config = Config;

    /// Node 0 has the token (section 4.1). If there are no links, everyone starts cold.
    ///
    /// Panics if `graph` is not connected, or if there are heights for some nodes only.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        if graph.n_links() == 0 && graph.n_nodes() > 1 && config.variant == Variant::Repaired {
            return graph.nodes().map(|i| Rl::cold(i, i == NodeId(0), &())).collect();
        }
        let heights = initial_heights(graph, config);
        graph.nodes().map(|i| Rl::new(i, graph.neighbors(i), &heights, config.variant)).collect()
    }
}

impl Rl {
    fn new(i: NodeId, neighbors: &[NodeId], heights: &[Height], variant: Variant) -> Self {
        let height = |j: NodeId| heights[j.index()];
        let record = |&j: &NodeId| (j, Link::new(height(j)));
        let lowest = neighbors.iter().copied().min_by_key(|&j| height(j));
        Rl {
            i,
            variant,
            status: Status::Remainder,
            token_holder: i == NodeId(0),
            my_height: height(i),
            next: if i == NodeId(0) { Some(i) } else { lowest },
            q: Fifo::new(),
            link: neighbors.iter().map(record).collect(),
            forming: PeerMap::new(),
            asked: false,
            raises: 0,
            raises_before: 0,
            cold: false,
        }
    }
}

fn initial_heights(graph: &Graph, config: &Config) -> Vec<Height> {
    if config.heights.is_empty() {
        let distance = |d: Option<u32>| i64::from(d.expect("the initial graph is connected"));
        let distances = graph.distances(NodeId(0)).into_iter().map(distance);
        return graph.nodes().zip(distances).map(|(i, d)| Height::new(0, d, i)).collect();
    }
    assert_eq!(config.heights.len(), graph.n_nodes(), "heights for all nodes or for none");
    graph.nodes().zip(&config.heights).map(|(i, &(h1, h2))| Height::new(h1, h2, i)).collect()
}
