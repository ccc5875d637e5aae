//! Raymond's other algorithm: up to `k` nodes at once, by permission.
//!
//! K. Raymond: *A Distributed Algorithm for Multiple Entries to a Critical Section*. Information
//! Processing Letters 30(4), 1989. With `k = 1` it is the algorithm of G. Ricart and A. K.
//! Agrawala: *An Optimal Algorithm for Mutual Exclusion in Computer Networks*. Communications of
//! the ACM 24(1), 1981.
//!
//! # Idea
//!
//! Who wants to enter asks everyone and enters when all but `k - 1` have replied. Requests have
//! timestamps; who is inside, or waits with an older request, defers its replies until it leaves.
//! So of `k + 1` nodes the one with the latest request lacks the replies of `k` others. Since a
//! node need not wait for everyone, replies may still be missing when it leaves and asks again:
//! what is missing is counted for each node, and a reply says how many requests it answers.
//!
//! # Model
//!
//! Everyone knows everyone, and messages between any two nodes arrive, in any order. Over links
//! that move, that is the medium's business; this code sees no links and ignores notices of them.
//!
//! # Names
//!
//! | Ricart and Agrawala, Raymond | here |
//! |---|---|
//! | own sequence number, of the request that waits | `waiting_since` |
//! | highest sequence number seen | `highest` |
//! | replies that are missing, of each node | `missing[j]` |
//! | replies that are deferred, to each node | `deferred[j]` |
//!
//! # Where this departs from the paper
//!
//! Nowhere that is known.

use alloc::vec::Vec;

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, Level, NoTimer, NodeId, Out, Output, PeerMap,
    Protocol, Status, Tokens,
};

/// The two messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender wants to enter, since this time.
    Request(i64),
    /// The sender does not mind; so many requests are answered.
    Reply(u32),
}

/// What a node keeps of another node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Peer {
    /// How many requests of this node it has not replied to.
    missing: u32,
    /// How many of its requests this node has not replied to.
    deferred: u32,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RaymondK {
    i: NodeId,
    /// How many may be inside.
    k: u32,
    status: Status,
    waiting_since: Option<i64>,
    highest: i64,
    peer: PeerMap<Peer>,
}

impl Protocol for RaymondK {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg: Msg::Request(since) } => self.on_request(j, since, out),
            Input::Recv { from: j, msg: Msg::Reply(count) } => self.on_reply(j, count, out),
            Input::LinkUp { .. } | Input::LinkDown { .. } => {}
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("what is routed is not returned"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events.
impl RaymondK {
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
        self.highest += 1;
        self.waiting_since = Some(self.highest);
        for (j, peer) in self.peer.iter_mut() {
            peer.missing += 1;
            out.send(j, Msg::Request(self.highest));
        }
        self.enter_if_allowed(out);
    }

    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
        for (j, peer) in self.peer.iter_mut().filter(|(_, peer)| peer.deferred > 0) {
            out.send(j, Msg::Reply(core::mem::take(&mut peer.deferred)));
        }
    }

    fn on_request(&mut self, j: NodeId, since: i64, out: &mut Out<Msg>) {
        self.highest = self.highest.max(since);
        if self.goes_before(j, since) {
            self.peer[j].deferred += 1;
        } else {
            out.send(j, Msg::Reply(1));
        }
    }

    fn on_reply(&mut self, j: NodeId, count: u32, out: &mut Out<Msg>) {
        let peer = &mut self.peer[j];
        peer.missing = peer.missing.checked_sub(count).expect("only requests are replied to");
        self.enter_if_allowed(out);
    }
}

/// The procedure and the expressions.
impl RaymondK {
    /// Enter if no more than `k - 1` have not replied to all requests of this node.
    fn enter_if_allowed(&mut self, out: &mut Out<Msg>) {
        if self.status == Status::Waiting && self.silent() < self.k {
            self.status = Status::Critical;
            self.waiting_since = None;
            out.enter_cs();
        }
    }

    /// How many nodes have not replied to all requests of this node.
    fn silent(&self) -> u32 {
        self.peer.iter().map(|(_, peer)| u32::from(peer.missing > 0)).sum()
    }

    /// Whether this node is inside, or asked before `j` did.
    fn goes_before(&self, j: NodeId, since: i64) -> bool {
        let asked_before = self.waiting_since.is_some_and(|mine| (mine, self.i) < (since, j));
        self.status == Status::Critical || asked_before
    }
}

/// How a network of these processes starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Config {
    /// `k`: how many may be inside at once, at least 1.
    pub tokens: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { tokens: 1 }
    }
}

impl Initial for RaymondK {
    type Config = Config;

    /// The links of `graph` do not matter.
    ///
    /// Panics if nobody may ever be inside.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        assert!(config.tokens > 0, "at least one node may be inside");
        let others = |i: NodeId| graph.nodes().filter(move |&j| j != i);
        let process = |i: NodeId| RaymondK {
            i,
            k: config.tokens,
            status: Status::Remainder,
            waiting_since: None,
            highest: 0,
            peer: others(i).map(|j| (j, Peer::default())).collect(),
        };
        graph.nodes().map(process).collect()
    }
}

impl Inspect for RaymondK {
    const KINDS: &'static [&'static str] = &["Request", "Reply"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request(_) => 0,
            Msg::Reply(_) => 1,
        }
    }

    /// Over a medium that routes, everyone is within reach.
    fn knows(&self, _: NodeId) -> bool {
        true
    }

    fn lines(input: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match (input, output) {
            (_, Output::Send { msg: Msg::Request(_), .. }) => "ask everyone",
            (Input::ReleaseCs, Output::Send { .. }) => "replies that were deferred",
            (_, Output::Send { .. }) => "a reply at once",
            (_, Output::EnterCs) => "all but k - 1 have replied",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

/// There are no tokens: permissions are replies, and these are made as needed.
impl Tokens for RaymondK {
    #[inline]
    fn held(&self) -> u32 {
        0
    }

    #[inline]
    fn carried(_: &Msg) -> u32 {
        0
    }
}

/// Timestamps are only compared, and a new one is one above the highest that was seen.
impl Canonical for RaymondK {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        each(Level::Shared(0), &mut self.highest);
        if let Some(since) = &mut self.waiting_since {
            each(Level::Shared(0), since);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        if let Msg::Request(since) = msg {
            each(Level::Shared(0), since);
        }
    }
}
