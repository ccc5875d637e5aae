//! How a network of KRL processes starts.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use driftlock_core::{Cold, Fifo, Graph, Initial, NodeId, PeerMap, Status};

use super::{Height, Krl, Link, Load, Settings};
use crate::Variant;

/// What becomes of a token that nobody asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Forwarding {
    /// It stays: KRL.
    #[default]
    Never,
    /// It moves on all the time: KRLF.
    Always,
    /// It moves on while there is something to do: KRLA.
    Adaptive,
}

/// How a network of KRL processes starts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// Which text to follow.
    pub variant: Variant,
    /// k: how many tokens there are. The nodes 0 to k − 1 have one each.
    pub tokens: u32,
    /// What becomes of idle tokens.
    pub forwarding: Forwarding,
    /// Whether nodes find out that no token is within reach (D10). The published text does not.
    pub detects: bool,
    /// `(h1, h2)` of each node. If there are none, `h1` is 0 and `h2` the distance from the nearest
    /// token, and who has a token and nobody above it lowers itself.
    #[cfg_attr(feature = "serde", serde(default))]
    pub heights: Vec<(i64, i64)>,
}

impl Config {
    /// `tokens` tokens, handled as `variant` and `forwarding` say.
    pub fn new(variant: Variant, tokens: u32, forwarding: Forwarding) -> Self {
        let detects = variant == Variant::Repaired;
        Config { variant, tokens, forwarding, detects, heights: Vec::new() }
    }

    fn is_holder(&self, i: NodeId) -> bool {
        i.0 < self.tokens
    }
}

impl Initial for Krl {
    type Config = Config;

    /// The nodes 0 to k − 1 have a token each (section 4.1). If there are no links, everyone starts
    /// cold, and node 0 has all of them.
    ///
    /// Panics if `graph` is not connected, if there are heights for some nodes only, or if there is
    /// not a node for each token, and a token.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let n = graph.n_nodes();
        assert!((1..=n).contains(&(config.tokens as usize)), "from 1 to {n} tokens");
        if graph.n_links() == 0 && graph.n_nodes() > 1 && config.detects {
            let settings = Settings { tokens: config.tokens, forwarding: config.forwarding };
            return graph.nodes().map(|i| Krl::cold(i, i == NodeId(0), &settings)).collect();
        }
        let heights = initial_heights(graph, config);
        graph.nodes().map(|i| Krl::new(i, graph.neighbors(i), &heights, config)).collect()
    }
}

impl Krl {
    fn new(i: NodeId, neighbors: &[NodeId], heights: &[Height], config: &Config) -> Self {
        let height = |j: NodeId| heights[j.index()];
        let record = |&j: &NodeId| (j, Link { holds: config.is_holder(j), ..Link::new(height(j)) });
        let lowest = neighbors.iter().copied().min_by_key(|&j| height(j));
        Krl {
            i,
            variant: config.variant,
            forwarding: config.forwarding,
            detects: config.detects,
            status: Status::Remainder,
            total_tokens: config.tokens,
            num_tokens: u32::from(config.is_holder(i)),
            my_height: height(i),
            next: if config.is_holder(i) { Some(i) } else { lowest },
            q: Fifo::new(),
            link: neighbors.iter().map(record).collect(),
            forming: PeerMap::new(),
            asked: false,
            raises: 0,
            raises_before: 0,
            lowered: false,
            clock: heights.iter().map(|height| height.level.h1).max().unwrap_or(0),
            load: Load::default(),
        }
    }
}

fn initial_heights(graph: &Graph, config: &Config) -> Vec<Height> {
    if config.heights.is_empty() {
        let distances = distances(graph, config).into_iter();
        let heights = graph.nodes().zip(distances).map(|(i, d)| Height::new(0, d, i));
        return let_requests_reach(graph, config, heights.collect());
    }
    assert_eq!(config.heights.len(), graph.n_nodes(), "heights for all nodes or for none");
    graph.nodes().zip(&config.heights).map(|(i, &(h1, h2))| Height::new(h1, h2, i)).collect()
}

/// How far each node is from the nearest token.
fn distances(graph: &Graph, config: &Config) -> Vec<i64> {
    let mut distances = alloc::vec![i64::MAX; graph.n_nodes()];
    let mut todo: VecDeque<NodeId> = graph.nodes().filter(|&i| config.is_holder(i)).collect();
    todo.iter().for_each(|i| distances[i.index()] = 0);
    while let Some(i) = todo.pop_front() {
        let next = distances[i.index()] + 1;
        for &j in graph.neighbors(i) {
            if distances[j.index()] == i64::MAX {
                distances[j.index()] = next;
                todo.push_back(j);
            }
        }
    }
    assert!(distances.iter().all(|&d| d < i64::MAX), "the initial graph is connected");
    distances
}

/// Who has a token and nobody above it lowers itself (LowerHeight), if a neighbor has none.
fn let_requests_reach(graph: &Graph, config: &Config, mut heights: Vec<Height>) -> Vec<Height> {
    let out_of_reach = |heights: &[Height], i: NodeId| {
        let around = || graph.neighbors(i).iter();
        let asking = around().any(|&j| !config.is_holder(j));
        asking && around().all(|j| heights[j.index()] < heights[i.index()])
    };
    let holders = || graph.nodes().filter(|&i| config.is_holder(i));
    while let Some(i) = holders().find(|&i| out_of_reach(&heights, i)) {
        let around = || graph.neighbors(i).iter().map(|j| heights[j.index()]);
        let h1 = around().map(|height| height.level.h1).max().unwrap_or(0) - 1;
        let s = around().filter(|height| height.level.h1 == h1).map(|height| height.h2).max();
        let h2 = s.map_or(heights[i.index()].h2, |h2| h2 + 1);
        heights[i.index()] = Height::new(h1, h2, i);
    }
    heights
}
