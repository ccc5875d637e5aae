//! Raymond's algorithm: one privilege over a fixed tree.
//!
//! K. Raymond: *A Tree-Based Algorithm for Distributed Mutual Exclusion*. ACM Transactions on
//! Computer Systems 7(1), 1989. Over a medium that routes, this is the RR that Walter, Welch and
//! Vaidya (2001, section 6) compare RL with.
//!
//! # Idea
//!
//! The nodes form a tree in which everyone knows the direction of the privilege, `HOLDER`. A node
//! asks in that direction for itself or for a neighbor that has asked it, once, and remembers whom
//! to serve in a queue. The privilege goes back along the queues and turns the pointers around.
//!
//! # Model
//!
//! The tree never changes. Messages between tree neighbors are neither lost nor overtaken: a
//! request sent right after the privilege must not arrive before it. Over links that move, that is
//! the medium's business; this code sees no links and ignores notices of them.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `HOLDER` (`self` or a neighbor) | `holder` (`i` or a neighbor) |
//! | `USING` | `status == Critical` |
//! | `REQUEST_Q` | `request_q` |
//! | `ASKED` | `asked` |
//! | ASSIGN_PRIVILEGE, MAKE_REQUEST | `assign_privilege`, `make_request` |
//!
//! # Where this departs from the paper
//!
//! Nowhere. Recovery of failed nodes (section 5 of the paper) is not part of it.

use alloc::vec::Vec;

use driftlock_core::{
    Canonical, Fifo, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Output, Protocol,
    Status, Tokens,
};

/// The two messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender, or a node behind it, wants the privilege.
    Request,
    /// The privilege.
    Privilege,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Raymond {
    i: NodeId,
    status: Status,
    holder: NodeId,
    asked: bool,
    request_q: Fifo,
}

impl Protocol for Raymond {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(),
            Input::ReleaseCs => self.on_release_cs(),
            Input::Recv { from: j, msg: Msg::Request } => self.request_q.enqueue(j),
            Input::Recv { from: _, msg: Msg::Privilege } => self.holder = self.i,
            Input::LinkUp { .. } | Input::LinkDown { .. } => {}
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("what is routed is not returned"),
        }
        self.assign_privilege(out);
        self.make_request(out);
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events; both procedures follow each of them.
impl Raymond {
    fn on_request_cs(&mut self) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
        self.request_q.enqueue(self.i);
    }

    fn on_release_cs(&mut self) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
    }
}

/// The procedures.
impl Raymond {
    /// ASSIGN_PRIVILEGE: who has the privilege and does not use it serves the head of the queue.
    fn assign_privilege(&mut self, out: &mut Out<Msg>) {
        if self.holder != self.i || self.status == Status::Critical {
            return;
        }
        let Some(head) = self.request_q.dequeue() else { return };
        self.holder = head;
        self.asked = false;
        if head == self.i {
            self.status = Status::Critical;
            out.enter_cs();
        } else {
            out.send(head, Msg::Privilege);
        }
    }

    /// MAKE_REQUEST: who has somebody to serve and has not asked yet, asks.
    fn make_request(&mut self, out: &mut Out<Msg>) {
        if self.holder != self.i && !self.request_q.is_empty() && !self.asked {
            self.asked = true;
            out.send(self.holder, Msg::Request);
        }
    }
}

impl Initial for Raymond {
    type Config = ();

    /// The tree is the breadth-first tree of `graph` from node 0, which has the privilege.
    ///
    /// Panics if `graph` is not connected.
    fn initial(graph: &Graph, _: &()) -> Vec<Self> {
        assert!(graph.is_connected(), "the initial graph is connected");
        let process = |(i, parent): (NodeId, Option<NodeId>)| Raymond {
            i,
            status: Status::Remainder,
            holder: parent.unwrap_or(i),
            asked: false,
            request_q: Fifo::new(),
        };
        graph.nodes().zip(graph.tree(NodeId(0))).map(process).collect()
    }
}

/// What may be seen from outside.
impl Raymond {
    /// `HOLDER`.
    pub fn holder(&self) -> NodeId {
        self.holder
    }
}

impl Inspect for Raymond {
    const KINDS: &'static [&'static str] = &["Request", "Privilege"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request => 0,
            Msg::Privilege => 1,
        }
    }

    /// Over a medium that routes, everyone is within reach.
    fn knows(&self, _: NodeId) -> bool {
        true
    }

    fn lines(_: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match output {
            Output::Send { msg: Msg::Request, .. } => "MAKE_REQUEST",
            Output::Send { msg: Msg::Privilege, .. } | Output::EnterCs => "ASSIGN_PRIVILEGE",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

impl Tokens for Raymond {
    #[inline]
    fn held(&self) -> u32 {
        u32::from(self.holder == self.i)
    }

    #[inline]
    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Privilege))
    }
}

/// There is nothing that could be shifted or forgotten.
impl Canonical for Raymond {}
