//! A token that goes round a ring which is found on the way, in rounds.
//!
//! R. Baldoni, A. Virgillito, R. Petrassi: *A Distributed Mutual Exclusion Algorithm for Mobile Ad
//! Hoc Networks*. 7th IEEE Symposium on Computers and Communications (ISCC), 2002. Its text was not
//! to be had: what is here is made from its abstract and from section 3 of B. Sharma, R. S. Bhatia,
//! A. K. Singh: *A Token Based Protocol for Mutual Exclusion in Mobile Ad Hoc Networks*, 2014, who
//! compare their protocol with it.
//!
//! # Idea
//!
//! The token goes round in rounds, and in each round to every node once. Each round has a
//! coordinator, where the token rests until somebody wants it. Who wants it asks the coordinator,
//! which begins the round: who has the token enters if it waits, and then passes the token to the
//! nearest node that has not had it in this round. The token says who coordinates the next round,
//! so that whoever has had it knows whom to ask next.
//!
//! # Model
//!
//! Everyone can reach everyone, everyone knows how many nodes there are, and no message is lost. In
//! what order messages arrive does not matter. A node knows its neighbors; that serves to find the
//! nearest node, and nothing that is promised depends on it. Nodes do not fail.
//!
//! # Names
//!
//! | Sharma, Bhatia and Singh | here |
//! |---|---|
//! | the coordinator, as far as a node knows | `coord` |
//! | the round it coordinates | `cround` |
//! | "the ID of the next coordinator", sent with the token | `token.next` |
//! | nodes "visited by the token" | `token.visited` |
//! | somebody has asked for the round that this node coordinates | `pending` |
//!
//! # Where this departs from the paper
//!
//! As far as it is known: these three are our answers to what the sources leave open.
//!
//! * **D1.** A request names its round. A node that has not had the token in this round asks the
//!   coordinator of this round, who has to ignore that, since the token is on its way; the same
//!   node may coordinate the next round too and must not ignore requests for that one.
//! * **D2.** The token carries the neighbors of those who have had it, from which the holder finds
//!   out who is nearest. Nodes know no distances otherwise.
//! * **D3.** When all have had the token, it goes to the next coordinator and rests there. That is
//!   a message, unless the last node is the next coordinator.

use alloc::vec::Vec;

use driftlock_core::{Graph, Initial, Input, NoTimer, NodeId, Out, Protocol, Status};

pub use self::token::{Token, Visit};

mod outside;
mod token;

/// The two messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender wants to enter, and has not had the token in this round.
    Req(i64),
    /// The token.
    Token(Token),
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ring {
    i: NodeId,
    /// How many nodes there are.
    n: u32,
    status: Status,
    /// By their identifiers.
    neighbors: Vec<NodeId>,
    coord: NodeId,
    cround: i64,
    pending: bool,
    token: Option<Token>,
}

impl Protocol for Ring {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: _, msg: Msg::Req(round) } => self.on_req(round, out),
            Input::Recv { from: _, msg: Msg::Token(token) } => self.on_token(token, out),
            Input::LinkUp { peer: j, .. } => self.on_link_up(j),
            Input::LinkDown { peer: j } => self.neighbors.retain(|&neighbor| neighbor != j),
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("what is routed is not returned"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

/// The events.
impl Ring {
    /// The next coordinator need not ask itself: it waits, and the token will come.
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
        if let Some(token) = self.token.take() {
            self.start(token, out);
        } else if self.coord != self.i {
            out.send(self.coord, Msg::Req(self.cround));
        }
    }

    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
        let token = self.token.take().expect("who is inside has the token");
        self.move_on(token, out);
    }

    /// Who has begun a round takes itself for the coordinator of no round before the next.
    fn on_req(&mut self, round: i64, out: &mut Out<Msg>) {
        if round < self.cround {
            return; // D1
        }
        self.pending = true;
        if let Some(token) = self.token.take_if(|token| token.rests()) {
            self.start(token, out);
        }
    }

    fn on_token(&mut self, mut token: Token, out: &mut Out<Msg>) {
        if token.visited.len() as u32 == self.n {
            self.rest(token, out);
        } else {
            token.visit(self.i, &self.neighbors);
            self.serve(token, out);
        }
    }

    fn on_link_up(&mut self, j: NodeId) {
        if let Err(place) = self.neighbors.binary_search(&j) {
            self.neighbors.insert(place, j);
        }
    }
}

/// The procedures.
impl Ring {
    /// The coordinator begins its round. The node that is nearest to it coordinates the next one.
    fn start(&mut self, mut token: Token, out: &mut Out<Msg>) {
        self.pending = false;
        token.visit(self.i, &self.neighbors);
        token.next = token.nearest(self.i, self.n).unwrap_or(self.i);
        self.serve(token, out);
    }

    /// Enter, if waiting for that, or pass the token on.
    fn serve(&mut self, token: Token, out: &mut Out<Msg>) {
        self.coord = token.next;
        self.cround = token.round + 1;
        if self.status == Status::Waiting {
            self.status = Status::Critical;
            self.token = Some(token);
            out.enter_cs();
        } else {
            self.move_on(token, out);
        }
    }

    /// To the nearest node that has not had it, or to the next coordinator.
    fn move_on(&mut self, token: Token, out: &mut Out<Msg>) {
        match token.nearest(self.i, self.n) {
            Some(j) => out.send(j, Msg::Token(token)),
            None if token.next == self.i => self.rest(token, out),
            None => out.send(token.next, Msg::Token(token)), // D3
        }
    }

    /// The round is over, and this node coordinates the next one.
    fn rest(&mut self, token: Token, out: &mut Out<Msg>) {
        let token = Token { round: token.round + 1, visited: Vec::new(), ..token };
        if self.pending || self.status == Status::Waiting {
            self.start(token, out);
        } else {
            self.token = Some(token);
        }
    }
}

impl Initial for Ring {
    type Config = ();

    /// Node 0 has the token and coordinates the first round.
    fn initial(graph: &Graph, (): &()) -> Vec<Self> {
        let coord = NodeId(0);
        let token = |i| Token { round: 0, next: i, visited: Vec::new() };
        let process = |i: NodeId| Ring {
            i,
            n: graph.n_nodes() as u32,
            status: Status::Remainder,
            neighbors: graph.neighbors(i).to_vec(),
            coord,
            cround: 0,
            pending: false,
            token: (i == coord).then(|| token(i)),
        };
        graph.nodes().map(process).collect()
    }
}
