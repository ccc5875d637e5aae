//! A toy for a mesh that loses messages and nodes: a node claims an epoch of its own, everyone
//! promises to take no older one, and with the promises of most of all nodes it enters. Who was
//! inside before is deposed. Who has no answer claims again, unless it has lost all its links.

use std::collections::BTreeSet;

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NodeId, Out, Protocol, Status, Ticks, Tokens,
};
use serde::{Deserialize, Serialize};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Fault {
    None,
    /// Two nodes may claim the same epoch.
    SharedEpochs,
    /// A claim is made once.
    Sulks,
    /// Whoever has lost all its links is not told when one comes up.
    Forsaken,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Msg {
    Claim(u64),
    Promise(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Again;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Claimant {
    i: NodeId,
    n: u32,
    fault: Fault,
    status: Status,
    /// No older epoch is taken.
    promised: u64,
    /// The epoch that was claimed last, and who has promised it.
    claimed: u64,
    promises: BTreeSet<NodeId>,
    neighbors: BTreeSet<NodeId>,
}

impl Protocol for Claimant {
    type Msg = Msg;
    type Timer = Again;

    fn step(&mut self, input: Input<Msg, Again>, out: &mut Out<Msg, Again>) {
        match input {
            Input::RequestCs(_) => {
                self.status = Status::Waiting;
                self.claim(out);
            }
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::Recv { from, msg: Msg::Claim(epoch) } => {
                if epoch >= self.promised {
                    self.promised = epoch;
                    out.send(from, Msg::Promise(epoch));
                }
            }
            Input::Recv { from, msg: Msg::Promise(epoch) } => {
                if epoch == self.claimed && self.status == Status::Waiting {
                    self.promises.insert(from);
                    self.enter_if_most_promise(out);
                }
            }
            Input::LinkUp { peer, .. } => {
                let was_alone = self.neighbors.is_empty();
                self.neighbors.insert(peer);
                if was_alone && self.status == Status::Waiting && self.fault != Fault::Forsaken {
                    self.claim(out);
                }
            }
            Input::LinkDown { peer } => {
                self.neighbors.remove(&peer);
            }
            Input::Timer(Again) => self.claim(out),
            Input::Returned { .. } => unreachable!("nothing carries a token"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Claimant {
    fn claim(&mut self, out: &mut Out<Msg, Again>) {
        if self.neighbors.is_empty() && self.n > 1 {
            return;
        }
        let n = u64::from(self.n);
        let own = if self.fault == Fault::SharedEpochs { 0 } else { u64::from(self.i.0) };
        self.claimed = (self.promised / n + 1) * n + own;
        self.promised = self.claimed;
        self.promises = BTreeSet::from([self.i]);
        for j in (0..self.n).map(NodeId).filter(|&j| j != self.i) {
            out.send(j, Msg::Claim(self.claimed));
        }
        if self.fault != Fault::Sulks {
            out.set_timer(Again, Ticks(100_000));
        }
        self.enter_if_most_promise(out);
    }

    fn enter_if_most_promise(&mut self, out: &mut Out<Msg, Again>) {
        if 2 * self.promises.len() > self.n as usize {
            self.status = Status::Critical;
            out.cancel_timer(Again);
            out.enter_cs();
        }
    }
}

impl Initial for Claimant {
    type Config = Fault;

    fn initial(graph: &Graph, fault: &Fault) -> Vec<Self> {
        let claimant = |i: NodeId| Claimant {
            i,
            n: graph.n_nodes() as u32,
            fault: *fault,
            status: Status::Remainder,
            promised: 0,
            claimed: 0,
            promises: BTreeSet::new(),
            neighbors: graph.neighbors(i).iter().copied().collect(),
        };
        graph.nodes().map(claimant).collect()
    }
}

impl Inspect for Claimant {
    const KINDS: &'static [&'static str] = &["Claim", "Promise"];

    fn kind(msg: &Msg) -> usize {
        usize::from(matches!(msg, Msg::Promise(_)))
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.neighbors.contains(&peer)
    }
}

impl Tokens for Claimant {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &Msg) -> u32 {
        0
    }

    fn epoch(&self) -> u64 {
        self.claimed
    }
}

impl Canonical for Claimant {}
