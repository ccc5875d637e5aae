//! Chandy and Misra's philosophers: no two neighbors at once, over fixed links.
//!
//! K. M. Chandy, J. Misra: *The Drinking Philosophers Problem*. ACM Transactions on Programming
//! Languages and Systems 6(4), 1984: its hygienic solution of the dining philosophers problem. It
//! is the classic that Attiya, Kogan and Welch (2008, section 1) have their link reversal from.
//!
//! # Idea
//!
//! There is a fork for each link, clean or dirty, and a request token that is used to ask for it.
//! Who has all its forks eats, and eating makes forks dirty. A dirty fork that is asked for is
//! cleaned and given away, unless its holder eats; a clean one is kept until its holder has eaten.
//! So who has eaten goes after all its neighbors, and the order of neighbors never has a circle.
//! One node that stops can hold up everybody.
//!
//! # Model
//!
//! Links never change. Messages between neighbors are neither lost nor overtaken: a request sent
//! right after the fork must not arrive before it. This code ignores notices of links.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | thinking, hungry, eating | `Remainder`, `Waiting`, `Critical` |
//! | `fork(f)`, `dirty(f)`, `reqf(f)` | `link[j].fork`, `link[j].dirty`, `link[j].reqf` |
//! | rules R1 to R4 | `request_forks`, `release_forks`, `on_req`, `on_fork` |
//!
//! # Where this departs from the paper
//!
//! Nowhere that is known. Initially the end with the smaller identifier has the fork, which is
//! dirty, and the other end has the request token.

use alloc::vec::Vec;

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Output, PeerMap, Protocol,
    Status, Tokens,
};

/// The two messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The request token: the sender wants the fork.
    Req,
    /// The fork, clean.
    Fork,
}

/// What a node has of the link to a neighbor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Link {
    /// The fork.
    fork: bool,
    /// Whether the fork is here and dirty.
    dirty: bool,
    /// The request token.
    reqf: bool,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChandyMisra {
    status: Status,
    link: PeerMap<Link>,
}

impl Protocol for ChandyMisra {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(),
            Input::ReleaseCs => self.on_release_cs(),
            Input::Recv { from: j, msg: Msg::Req } => self.on_req(j),
            Input::Recv { from: j, msg: Msg::Fork } => self.on_fork(j),
            Input::LinkUp { .. } | Input::LinkDown { .. } => {}
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("nothing here carries a token or weight"),
        }
        self.proceed(out);
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events; `proceed` follows each of them.
impl ChandyMisra {
    fn on_request_cs(&mut self) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
    }

    fn on_release_cs(&mut self) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
    }

    /// R3, receiving a request token.
    fn on_req(&mut self, j: NodeId) {
        self.link[j].reqf = true;
    }

    /// R4, receiving a fork: it is clean.
    fn on_fork(&mut self, j: NodeId) {
        let link = &mut self.link[j];
        (link.fork, link.dirty) = (true, false);
    }
}

/// The procedures.
impl ChandyMisra {
    /// Carry out what the rules allow. Who has all forks and need not give one away eats.
    fn proceed(&mut self, out: &mut Out<Msg>) {
        if self.status == Status::Critical {
            return;
        }
        self.release_forks(out);
        if self.status == Status::Remainder {
            return;
        }
        if self.link.iter().all(|(_, link)| link.fork) {
            self.status = Status::Critical;
            self.link.iter_mut().for_each(|(_, link)| link.dirty = true);
            out.enter_cs();
        } else {
            self.request_forks(out);
        }
    }

    /// R2, releasing a fork: it is dirty and asked for, and its holder does not eat.
    fn release_forks(&mut self, out: &mut Out<Msg>) {
        for (j, link) in self.link.iter_mut().filter(|(_, link)| link.dirty && link.reqf) {
            (link.fork, link.dirty) = (false, false);
            out.send(j, Msg::Fork);
        }
    }

    /// R1, requesting a fork: a hungry node lacks it and has the request token.
    fn request_forks(&mut self, out: &mut Out<Msg>) {
        for (j, link) in self.link.iter_mut().filter(|(_, link)| !link.fork && link.reqf) {
            link.reqf = false;
            out.send(j, Msg::Req);
        }
    }
}

impl Initial for ChandyMisra {
    type Config = ();

    /// Of two neighbors the one with the smaller identifier has the fork, and goes last. The
    /// network need not be connected.
    fn initial(graph: &Graph, (): &()) -> Vec<Self> {
        let process = |i: NodeId| {
            let record = |&j: &NodeId| (j, Link { fork: i < j, dirty: i < j, reqf: j < i });
            let link = graph.neighbors(i).iter().map(record).collect();
            ChandyMisra { status: Status::Remainder, link }
        };
        graph.nodes().map(process).collect()
    }
}

/// What may be seen from outside.
impl ChandyMisra {
    /// Whether this node has the fork that it shares with `j`, and it is dirty.
    pub fn is_dirty(&self, j: NodeId) -> bool {
        self.link.get(j).is_some_and(|link| link.dirty)
    }

    /// Whether this node has the request token for the fork that it shares with `j`.
    pub fn has_request_token(&self, j: NodeId) -> bool {
        self.link.get(j).is_some_and(|link| link.reqf)
    }
}

impl Inspect for ChandyMisra {
    const KINDS: &'static [&'static str] = &["Req", "Fork"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Req => 0,
            Msg::Fork => 1,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.link.contains(peer)
    }

    #[inline]
    fn glance(&self) -> u32 {
        self.link.glance()
    }

    fn lines(_: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match output {
            Output::Send { msg: Msg::Req, .. } => "R1, requesting a fork",
            Output::Send { msg: Msg::Fork, .. } => "R2, releasing a fork",
            Output::EnterCs => "has all forks",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

/// There are no tokens, but a fork for each link.
impl Tokens for ChandyMisra {
    const FORKS: bool = true;

    #[inline]
    fn held(&self) -> u32 {
        0
    }

    #[inline]
    fn carried(_: &Msg) -> u32 {
        0
    }

    #[inline]
    fn has_fork(&self, peer: NodeId) -> bool {
        self.link.get(peer).is_some_and(|link| link.fork)
    }

    #[inline]
    fn carries_fork(msg: &Msg) -> bool {
        *msg == Msg::Fork
    }
}

/// There are no numbers.
impl Canonical for ChandyMisra {}
