//! How a network of LME-2 processes starts.

use alloc::vec::Vec;

use driftlock_core::{Graph, Initial, NodeId, PeerMap, Status};

use super::{Link, Lme2, Rank};
use crate::Variant;

/// What there is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// Which text to follow.
    pub variant: Variant,
    /// Whether nodes that become hungry notify their neighbors. Without that only those who have
    /// eaten lower their priorities, as in the algorithms that the paper improves on.
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub notifies: bool,
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}

impl From<Variant> for Config {
    fn from(variant: Variant) -> Self {
        Config { variant, notifies: true }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config::from(Variant::default())
    }
}

impl Initial for Lme2 {
    type Config = Config;

    /// Of two neighbors the one with the smaller identifier has the fork, and priority. The network
    /// need not be connected.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        graph.nodes().map(|i| Lme2::new(i, graph.neighbors(i), *config)).collect()
    }
}

impl Lme2 {
    pub(super) fn new(i: NodeId, neighbors: &[NodeId], config: Config) -> Self {
        let rank = |j: NodeId| match config.variant {
            Variant::Published if j < i => Rank::Higher,
            Variant::Published => Rank::Lower,
            Variant::Repaired => Rank::Known,
        };
        let record = |&j: &NodeId| (j, Link::new(rank(j), i < j));
        Lme2 {
            i,
            variant: config.variant,
            notifies: config.notifies,
            status: Status::Remainder,
            c: 0,
            link: neighbors.iter().map(record).collect::<PeerMap<_>>(),
        }
    }
}
