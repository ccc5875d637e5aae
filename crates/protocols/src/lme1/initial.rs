//! How a network of LME-1 starts.

use alloc::vec::Vec;

use driftlock_core::{Graph, Initial, NodeId};

use super::doorway::{Doors, Place};
use super::family::Rounds;
use super::{Link, Lme1, Phase};
use crate::Variant;

/// How a network of these processes starts, and what there is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// Which text to follow.
    pub variant: Variant,
    /// Where colors are from.
    pub coloring: Coloring,
}

/// Where colors are from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Coloring {
    /// Algorithm 1a: the greedy coloring of those who recolor together, in the order of their
    /// identifiers. The paper has each node collect the whole subgraph first and run that on it. A
    /// node's color then depends on those with smaller identifiers alone, and the same colors come
    /// out if it waits for these (D8): in as many rounds at most, with smaller messages, and nobody
    /// can have another view of the subgraph because a link went down while it was collected.
    #[default]
    Greedy,
    /// Algorithm 1b: Linial's coloring, with the sets of [`family`](super::family).
    Linial {
        /// How many identifiers there may be; all are smaller. 0 is as many as there are nodes.
        n: u32,
        /// How many neighbors a node may have. If one has more it still gets a legal color, from a
        /// range that is larger. 0 is as many as a node has at most in the initial network.
        degree: u32,
    },
    /// The algorithm of M. Choy and A. K. Singh (*Efficient Fault-Tolerant Algorithms for
    /// Distributed Resource Allocation*, ACM Transactions on Programming Languages and Systems
    /// 17(3), 1995), as far as it can be told from this paper: a legal coloring is given and stays,
    /// and there is no recoloring. For networks that do not move.
    Given,
}

impl Initial for Lme1 {
    type Config = Config;

    /// Of two neighbors the one with the smaller identifier has the fork. Nobody has a color,
    /// unless colors are given: then each node has the smallest that no neighbor with a smaller
    /// identifier has. The network need not be connected.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let coloring = config.coloring.on(graph);
        let rounds = match coloring {
            Coloring::Linial { n, degree } => Rounds::new(n, degree),
            Coloring::Greedy | Coloring::Given => Rounds::default(),
        };
        let given = coloring == Coloring::Given;
        let colors = if given { colored(graph) } else { Vec::new() };
        let color = |i: NodeId| colors.get(i.index()).copied();
        let link = |i: NodeId, j: NodeId| Link { color: color(j), ..Link::new(i < j, Doors::NONE) };
        let process = |i: NodeId| Lme1 {
            i,
            variant: config.variant,
            coloring,
            rounds,
            phase: Phase::Thinking,
            moved: !given,
            place: Place::default(),
            color: color(i),
            link: graph.neighbors(i).iter().map(|&j| (j, link(i, j))).collect(),
            session: 0,
            recoloring: None,
        };
        graph.nodes().map(process).collect()
    }
}

impl Coloring {
    /// With what was left open as it is in this network.
    fn on(self, graph: &Graph) -> Self {
        let or = |number: u32, there: usize| match number {
            0 => u32::try_from(there).unwrap_or(u32::MAX),
            _ => number,
        };
        let Coloring::Linial { n, degree } = self else { return self };
        let most = graph.nodes().map(|i| graph.neighbors(i).len()).max().unwrap_or(0);
        Coloring::Linial { n: or(n, graph.n_nodes()), degree: or(degree, most) }
    }
}

/// The greedy coloring in the order of the identifiers.
fn colored(graph: &Graph) -> Vec<i32> {
    let mut colors: Vec<i32> = Vec::with_capacity(graph.n_nodes());
    for i in graph.nodes() {
        let taken = |color: i32| {
            let before = graph.neighbors(i).iter().filter(|&&j| j < i);
            before.map(|j| colors[j.index()]).any(|other| other == color)
        };
        let color = (0..).find(|&color| !taken(color));
        colors.extend(color);
    }
    colors
}
