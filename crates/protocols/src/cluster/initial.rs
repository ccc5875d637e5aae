//! How a network starts, and what there is to choose.

use alloc::vec::Vec;

use driftlock_core::{Fifo, Graph, Initial, NodeId, Status, Ticks};

use super::clustering::sorted;
use super::{Cluster, Epoch, Peer};

/// How long to wait, and how often to ask before a node is written off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// After this time a request is sent again.
    pub again: Ticks,
    /// A head with requests that hears nothing of a token for so long begins a new epoch. The time
    /// doubles whenever that was in vain, up to 65,536 times of it: whatever makes an epoch take
    /// long to begin, in the end there is time for it.
    pub lost: Ticks,
    /// A node that has not answered for so long is asked again.
    pub answers: Ticks,
    /// Two heads that are neighbors for so long become one cluster: a head gives up whose lowest
    /// neighbor among the heads is lower than itself, and the same all the time.
    pub contend: Ticks,
    /// How many times more a node is asked before it is written off; never if there is no such
    /// number.
    pub patience: Option<u8>,
}

impl Config {
    /// All time-outs in terms of the longest time a message takes to any node, and of the longest
    /// time that a round takes in which everyone enters.
    ///
    /// A head may be the first of a round and the last of the next, so nothing may be heard of a
    /// token for nearly two. And while one node asks about those that have stopped, the others have
    /// to wait for that, or else they take its epoch for lost, too, before it has begun.
    ///
    /// ```
    /// use driftlock_core::Ticks;
    /// use driftlock_protocols::cluster::Config;
    /// let config = Config::for_delays(Ticks(10), Ticks(500));
    /// assert!(config.answers >= Ticks(20) && config.lost >= Ticks(2 * 500 + 3 * 20));
    /// ```
    pub fn for_delays(message: Ticks, round: Ticks) -> Self {
        let patience = 2;
        let times = |time: Ticks, n: u64| time.0.saturating_mul(n);
        let answers = Ticks(times(message, 2).saturating_add(1));
        let begun = times(answers, u64::from(patience) + 1).saturating_add(times(message, 4));
        Config {
            again: Ticks(round.0.saturating_add(times(message, 4))),
            lost: Ticks(times(round, 2).saturating_add(begun)),
            answers,
            contend: Ticks(times(message, 4)),
            patience: Some(patience),
        }
    }

    /// How long nothing may be heard of a token that was missed so many times in a row.
    pub(super) fn lost(self, missed: u8) -> Ticks {
        Ticks(self.lost.0.saturating_mul(1 << missed.min(16)))
    }
}

impl Default for Config {
    /// For messages that take a thousand ticks.
    fn default() -> Self {
        Config::for_delays(Ticks(1000), Ticks(100_000))
    }
}

/// The clusters of the lowest identifier: who hears no lower head is a head, and everyone else is
/// with the lowest head that it hears. The global token rests at node 0, which is always a head.
impl Initial for Cluster {
    type Config = Config;

    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let heads = clusters(graph);
        let head = |i: NodeId| heads[i.index()];
        let peer = |i: NodeId, j: NodeId| {
            let beside = if head(j) == i { border(graph, &heads, j) } else { Vec::new() };
            (j, Peer { head: Some(head(j)), beside })
        };
        let process = |i: NodeId| Cluster {
            i,
            n: NodeId::at(graph.n_nodes()).0,
            config: *config,
            status: Status::Remainder,
            head: head(i),
            peer: graph.neighbors(i).iter().map(|&j| peer(i, j)).collect(),
            local: None,
            lq: Fifo::new(),
            nlq: Fifo::new(),
            global: None,
            toward: (i != NodeId(0)).then_some(NodeId(0)),
            serving: None,
            promised: Epoch::default(),
            deferred: false,
            calls: Vec::new(),
            inquiry: None,
            missed: 0,
        };
        let mut processes: Vec<Cluster> = graph.nodes().map(process).collect();
        processes.iter_mut().take(1).for_each(Cluster::hold);
        processes
    }
}

/// The head of each node.
pub(super) fn clusters(graph: &Graph) -> Vec<NodeId> {
    let mut heads: Vec<NodeId> = Vec::new();
    for i in graph.nodes() {
        let lower = graph.neighbors(i).iter().copied().filter(|&j| j < i && heads[j.index()] == j);
        heads.push(lower.min().unwrap_or(i));
    }
    heads
}

/// The heads of other clusters that a node hears.
pub(super) fn border(graph: &Graph, heads: &[NodeId], i: NodeId) -> Vec<NodeId> {
    let heard = graph.neighbors(i).iter().map(|j| heads[j.index()]);
    sorted(heard.filter(|&head| head != heads[i.index()]))
}
