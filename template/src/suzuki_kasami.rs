//! The algorithm of Suzuki and Kasami: whoever wants to enter asks everyone, and the token comes.
//!
//! I. Suzuki, T. Kasami: *A Distributed Mutual Exclusion Algorithm*. ACM Transactions on Computer
//! Systems 3(4), 1985.
//!
//! # Idea
//!
//! There is one token. A node that wants to enter and does not have it numbers its request and
//! sends it to all others. The token knows which request of each node was the last one served,
//! `LN`, and who is next, `Q`. Whoever leaves puts those into `Q` whose requests it has heard of
//! and that were not served, and sends the token to the first.
//!
//! # Model
//!
//! Everyone knows everyone, and messages between any two nodes arrive, in any order. Over links
//! that move, that is the medium's business; this code sees no links and ignores notices of them.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | `RN[j]`, the highest request of `j` that was heard of | `rn[j]` |
//! | `LN[j]`, the last request of `j` that was served | `token.ln[j]` |
//! | `Q` | `token.q` |
//! | `HavePrivilege` | `token.is_some()` |
//! | `Requesting` | `status` is not `Remainder` |

use std::collections::VecDeque;

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Protocol, Status, Tokens,
};
use serde::{Deserialize, Serialize};

/// The two messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Msg {
    /// The sender wants to enter, for the so-manieth time.
    Request(u64),
    /// The token.
    Privilege(Token),
}

/// What travels with the right to enter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Token {
    ln: Vec<u64>,
    q: VecDeque<NodeId>,
}

/// What there is to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// Give the token away even while inside: a mistake, to see what the checker says of it.
    pub hasty: bool,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SuzukiKasami {
    i: NodeId,
    status: Status,
    rn: Vec<u64>,
    token: Option<Token>,
    hasty: bool,
}

impl Protocol for SuzukiKasami {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg: Msg::Request(n) } => self.on_request(j, n, out),
            Input::Recv { from: _, msg: Msg::Privilege(token) } => self.on_privilege(token, out),
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
impl SuzukiKasami {
    fn on_request_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Remainder, "RequestCs only in the remainder section");
        self.status = Status::Waiting;
        if self.token.is_some() {
            return self.enter(out);
        }
        self.rn[self.i.index()] += 1;
        for j in (0..self.rn.len()).map(NodeId::at).filter(|&j| j != self.i) {
            out.send(j, Msg::Request(self.rn[self.i.index()]));
        }
    }

    fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Critical, "ReleaseCs only in the critical section");
        self.status = Status::Remainder;
        let Some(token) = &mut self.token else { return };
        token.ln[self.i.index()] = self.rn[self.i.index()];
        for j in (0..self.rn.len()).map(NodeId::at) {
            let waits = self.rn[j.index()] == token.ln[j.index()] + 1;
            if waits && !token.q.contains(&j) {
                token.q.push_back(j);
            }
        }
        if let Some(next) = token.q.pop_front() {
            self.send_privilege(next, out);
        }
    }

    fn on_request(&mut self, j: NodeId, n: u64, out: &mut Out<Msg>) {
        let heard = &mut self.rn[j.index()];
        *heard = n.max(*heard);
        let is_idle = self.status == Status::Remainder || self.hasty;
        let waits = |token: &Token| self.rn[j.index()] == token.ln[j.index()] + 1;
        if is_idle && self.token.as_ref().is_some_and(waits) {
            self.send_privilege(j, out);
        }
    }

    fn on_privilege(&mut self, token: Token, out: &mut Out<Msg>) {
        assert_eq!(self.status, Status::Waiting, "the token comes to those who wait");
        self.token = Some(token);
        self.enter(out);
    }
}

/// The procedures.
impl SuzukiKasami {
    fn enter(&mut self, out: &mut Out<Msg>) {
        self.status = Status::Critical;
        out.enter_cs();
    }

    fn send_privilege(&mut self, to: NodeId, out: &mut Out<Msg>) {
        let token = self.token.take().expect("only called with the token");
        out.send(to, Msg::Privilege(token));
    }
}

impl Initial for SuzukiKasami {
    type Config = Config;

    /// Node 0 has the token.
    fn initial(graph: &Graph, config: &Config) -> Vec<Self> {
        let n = graph.n_nodes();
        let token = Token { ln: vec![0; n], q: VecDeque::new() };
        let process = |i: NodeId| SuzukiKasami {
            i,
            status: Status::Remainder,
            rn: vec![0; n],
            token: (i == NodeId(0)).then(|| token.clone()),
            hasty: config.hasty,
        };
        graph.nodes().map(process).collect()
    }
}

impl Inspect for SuzukiKasami {
    const KINDS: &'static [&'static str] = &["Request", "Privilege"];

    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request(_) => 0,
            Msg::Privilege(_) => 1,
        }
    }

    /// Over a medium that routes, everyone is within reach.
    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

/// The token is neither made nor lost: monitors count it after every step.
impl Tokens for SuzukiKasami {
    fn held(&self) -> u32 {
        u32::from(self.token.is_some())
    }

    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Privilege(_)))
    }
}

/// The default is right for every protocol.
impl Canonical for SuzukiKasami {}
