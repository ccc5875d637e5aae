//! The same networks, explored in the plainest way there is: a set of whole states and a queue.
//!
//! Nothing here is shared with the checker but the protocols. It knows requests, releases,
//! deliveries and link changes, and does nothing clever but to
//! shift levels, without which most networks would be infinite.

use driftlock_core::{
    Canonical, Graph, Initial, Input, Level, LinkRole, NodeId, Out, Output, ResourceId, Status,
};
use std::collections::BTreeMap;

/// A whole network.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Plain<P: Initial> {
    pub(crate) processes: Vec<P>,
    /// From each node to each, the oldest message first.
    pub(crate) channels: Vec<Vec<Vec<P::Msg>>>,
    pub(crate) links: Vec<Vec<bool>>,
    pub(crate) requests: Vec<u8>,
    pub(crate) changes: u8,
    /// Whether the network may fall apart.
    pub(crate) apart: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Happens {
    Deliver(usize, usize),
    Release(usize),
    Request(usize),
    Toggle(usize, usize),
}

impl<P: Initial + Canonical> Plain<P> {
    pub(crate) fn new(graph: &Graph, config: &P::Config, requests: u8, changes: u8) -> Self {
        let n = graph.n_nodes();
        let linked = |a, b| a != b && graph.has(NodeId::at(a), NodeId::at(b));
        let mut network = Plain {
            processes: P::initial(graph, config),
            channels: vec![vec![Vec::new(); n]; n],
            links: (0..n).map(|a| (0..n).map(|b| linked(a, b)).collect()).collect(),
            requests: vec![requests; n],
            changes,
            apart: false,
        };
        network.bring_down();
        network
    }

    pub(crate) fn possible(&self) -> Vec<Happens> {
        let n = self.processes.len();
        let pairs = || (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        let mut possible = Vec::new();
        possible.extend(
            pairs()
                .filter(|&(a, b)| !self.channels[a][b].is_empty())
                .map(|(a, b)| Happens::Deliver(a, b)),
        );
        for i in 0..n {
            match self.processes[i].status() {
                Status::Critical => possible.push(Happens::Release(i)),
                Status::Remainder if self.requests[i] > 0 => possible.push(Happens::Request(i)),
                _ => {}
            }
        }
        let changeable = pairs().filter(|&(a, b)| a < b && self.changes > 0 && self.may(a, b));
        possible.extend(changeable.map(|(a, b)| Happens::Toggle(a, b)));
        possible
    }

    /// Whether the link may change: come up, or go down idle and unneeded.
    fn may(&self, a: usize, b: usize) -> bool {
        if !self.links[a][b] {
            return true;
        }
        let n = self.processes.len();
        let mut rest = Graph::new(n);
        for (c, d) in (0..n).flat_map(|c| (c + 1..n).map(move |d| (c, d))) {
            if self.links[c][d] && (c, d) != (a, b) {
                rest.link(NodeId::at(c), NodeId::at(d));
            }
        }
        let idle = self.channels[a][b].is_empty() && self.channels[b][a].is_empty();
        idle && (self.apart || rest.is_connected())
    }

    pub(crate) fn after(&self, happens: Happens) -> Self {
        let mut next = self.clone();
        match happens {
            Happens::Deliver(from, to) => {
                let msg = next.channels[from][to].remove(0);
                next.step(to, Input::Recv { from: NodeId::at(from), msg });
            }
            Happens::Release(i) => next.step(i, Input::ReleaseCs),
            Happens::Request(i) => {
                next.requests[i] -= 1;
                next.step(i, Input::RequestCs(ResourceId(0)));
            }
            Happens::Toggle(a, b) => {
                next.changes -= 1;
                let up = !next.links[a][b];
                (next.links[a][b], next.links[b][a]) = (up, up);
                for (i, peer, role) in [(a, b, LinkRole::Static), (b, a, LinkRole::Moving)] {
                    let peer = NodeId::at(peer);
                    next.step(
                        i,
                        if up { Input::LinkUp { peer, role } } else { Input::LinkDown { peer } },
                    );
                }
            }
        }
        next.bring_down();
        next
    }

    fn step(&mut self, i: usize, input: Input<P::Msg, P::Timer>) {
        let mut out = Out::new();
        self.processes[i].step(input, &mut out);
        self.processes[i].forget();
        for output in out.drain() {
            if let Output::Send { to, msg } = output {
                self.channels[i][to.index()].push(msg);
            }
        }
    }

    /// Shift all levels so that the lowest of each kind is 0.
    fn bring_down(&mut self) {
        let mut lowest: BTreeMap<Kind, i64> = BTreeMap::new();
        self.levels(&mut |kind, below, level| {
            let low = lowest.entry(kind).or_insert(i64::MAX);
            *low = if below { *low } else { (*low).min(*level) };
        });
        self.levels(&mut |kind, below, level| {
            *level -= lowest[&kind];
            *level = if below { (*level).max(0) } else { *level };
        });
    }

    /// Show all levels, each with its kind and with whether it matters only above the others.
    fn levels(&mut self, each: &mut dyn FnMut(Kind, bool, &mut i64)) {
        for process in &mut self.processes {
            process.levels(&mut |level, number| {
                each(kind(level, 0, 0), matches!(level, Level::Below(_)), number);
            });
        }
        for (from, channels) in self.channels.iter_mut().enumerate() {
            for (to, channel) in channels.iter_mut().enumerate() {
                for message in channel {
                    P::levels_in(message, &mut |level, number| {
                        each(kind(level, from, to), false, number);
                    });
                }
            }
        }
    }
}

/// A kind of level: shared by all, or about a node.
type Kind = (bool, usize);

fn kind(level: Level, from: usize, to: usize) -> Kind {
    match level {
        Level::Shared(kind) => (true, usize::from(kind)),
        Level::Of(node) | Level::Below(node) => (false, node.index()),
        Level::Sender => (false, from),
        Level::Receiver => (false, to),
    }
}
