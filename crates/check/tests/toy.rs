//! A toy protocol that is right, and can be made wrong in many ways.
//!
//! Node 0 has a token and lends it to whoever asks, one after the other; who has no answer when
//! everything has come to rest asks again.

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NodeId, Out, Protocol, Status, Ticks, Tokens,
};
use serde::{Deserialize, Serialize};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub(crate) enum Flaw {
    None,
    /// Everyone enters at once, and there is no token.
    Anarchy,
    /// A node lets itself in when it hears of anything.
    Eager,
    /// A node says it is somewhere else than it is.
    Liar,
    /// The token is lent and kept.
    Counterfeit,
    /// The token that comes back is dropped.
    Careless,
    /// Node 0 does not write down that the token came back.
    Forgetful,
    /// The text has no answer to a request.
    Undefined,
    /// An answer goes to a node that is no neighbor.
    Stray,
    /// A process panics when it is asked.
    GivesUp,
    /// Requests are ignored.
    Deaf,
    /// Requests are answered with "busy", and then repeated, for ever.
    Busy,
    /// Nodes go on talking when nobody wants anything.
    Chatty,
    /// Nodes talk as long as a request has not arrived, or as long as someone is inside.
    ChattyMeanwhile,
    /// Nobody asks again.
    NoRetry,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Msg {
    Ask,
    Grant,
    Back,
    Busy,
    Chat,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Timer {
    Retry,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Toy {
    i: NodeId,
    flaw: Flaw,
    status: Status,
    token: bool,
    lent: Option<NodeId>,
    queue: Vec<NodeId>,
    /// Whether this node has something to talk about.
    talking: bool,
}

const ZERO: NodeId = NodeId(0);

impl Protocol for Toy {
    type Msg = Msg;
    type Timer = Timer;

    fn step(&mut self, input: Input<Msg, Timer>, out: &mut Out<Msg, Timer>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(out),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from, msg: Msg::Ask } => self.on_ask(from, out),
            Input::Recv { msg: Msg::Grant, .. } => self.on_grant(out),
            Input::Recv { msg: Msg::Back, .. } => {
                self.lent = self.lent.filter(|_| self.flaw == Flaw::Forgetful);
                self.token = self.flaw != Flaw::Careless;
                self.talking = false;
                self.serve(out);
            }
            Input::Recv { from, msg: Msg::Busy } => out.send(from, Msg::Ask),
            Input::Recv { from, msg: Msg::Chat } => {
                if self.flaw == Flaw::Chatty || self.talking {
                    out.send(from, Msg::Chat);
                }
            }
            Input::Timer(Timer::Retry) => self.ask(out),
            Input::LinkUp { .. } | Input::LinkDown { .. } | Input::Returned { .. } => {}
        }
        if self.flaw == Flaw::Eager && self.status == Status::Remainder {
            self.enter(out);
        }
    }

    fn status(&self) -> Status {
        match (self.flaw, self.status) {
            (Flaw::Liar, Status::Waiting) => Status::Remainder,
            (_, status) => status,
        }
    }
}

impl Toy {
    fn on_request_cs(&mut self, out: &mut Out<Msg, Timer>) {
        self.status = Status::Waiting;
        match (self.flaw, self.i) {
            (Flaw::Anarchy, _) => self.enter(out),
            (_, ZERO) => {
                self.queue.push(ZERO);
                self.serve(out);
            }
            _ => self.ask(out),
        }
    }

    fn ask(&mut self, out: &mut Out<Msg, Timer>) {
        out.send(ZERO, Msg::Ask);
        if self.flaw != Flaw::NoRetry {
            out.set_timer(Timer::Retry, Ticks(100));
        }
        if self.flaw == Flaw::Chatty || self.flaw == Flaw::ChattyMeanwhile {
            out.send(NodeId(3 - self.i.0), Msg::Chat);
        }
    }

    fn on_ask(&mut self, from: NodeId, out: &mut Out<Msg, Timer>) {
        match self.flaw {
            Flaw::Undefined => out.undefined("what to do about a request"),
            Flaw::Stray => out.send(NodeId(3), Msg::Busy),
            Flaw::GivesUp => panic!("nobody said there would be requests"),
            Flaw::Deaf => {}
            Flaw::Busy => out.send(from, Msg::Busy),
            _ if self.lent == Some(from) || self.queue.contains(&from) => {}
            _ => {
                self.queue.push(from);
                self.serve(out);
            }
        }
    }

    fn on_grant(&mut self, out: &mut Out<Msg, Timer>) {
        out.cancel_timer(Timer::Retry);
        self.token = true;
        // Whoever wants nothing any more gives it back.
        if self.status == Status::Waiting {
            self.enter(out);
        } else {
            self.token = false;
            out.send(ZERO, Msg::Back);
        }
    }

    fn on_release_cs(&mut self, out: &mut Out<Msg, Timer>) {
        self.status = Status::Remainder;
        if self.i == ZERO {
            self.serve(out);
        } else if self.flaw != Flaw::Anarchy {
            self.token = false;
            out.send(ZERO, Msg::Back);
        }
    }

    fn serve(&mut self, out: &mut Out<Msg, Timer>) {
        if !self.token || self.status == Status::Critical || self.queue.is_empty() {
            return;
        }
        let next = self.queue.remove(0);
        if next == ZERO {
            return self.enter(out);
        }
        self.token = self.flaw == Flaw::Counterfeit;
        self.lent = Some(next);
        out.send(next, Msg::Grant);
        if self.flaw == Flaw::ChattyMeanwhile {
            self.talking = true;
            out.send(NodeId(3 - next.0), Msg::Chat);
        }
    }

    fn enter(&mut self, out: &mut Out<Msg, Timer>) {
        self.status = Status::Critical;
        out.enter_cs();
    }
}

impl Initial for Toy {
    type Config = Flaw;

    fn initial(graph: &Graph, flaw: &Flaw) -> Vec<Self> {
        let toy = |i| Toy {
            i,
            flaw: *flaw,
            status: Status::Remainder,
            token: i == ZERO && *flaw != Flaw::Anarchy,
            lent: None,
            queue: Vec::new(),
            // One of the two that are not node 0 answers as long as it has heard of nothing.
            talking: *flaw == Flaw::ChattyMeanwhile && i == NodeId(2),
        };
        graph.nodes().map(toy).collect()
    }
}

impl Inspect for Toy {
    const KINDS: &'static [&'static str] = &["Ask", "Grant", "Back", "Busy", "Chat"];

    fn kind(msg: &Msg) -> usize {
        *msg as usize
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl Tokens for Toy {
    fn held(&self) -> u32 {
        u32::from(self.token)
    }

    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Grant | Msg::Back))
    }

    /// Who lends the token is owed it, and who has borrowed it owes it.
    fn weight(&self) -> i64 {
        i64::from(self.token && self.i != ZERO) - i64::from(self.lent.is_some())
    }

    fn weight_of(msg: &Msg) -> i64 {
        i64::from(Self::carried(msg))
    }
}

impl Canonical for Toy {}

/// Two neighbors share a fork, or the token of an epoch; each may make one more of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Forger<const ANEW: bool = false> {
    i: NodeId,
    status: Status,
    fork: bool,
    /// Whether it forges.
    forges: bool,
}

impl<const ANEW: bool> Protocol for Forger<ANEW> {
    type Msg = Msg;
    type Timer = Timer;

    fn step(&mut self, input: Input<Msg, Timer>, out: &mut Out<Msg, Timer>) {
        let peer = NodeId(1 - self.i.0);
        match input {
            Input::RequestCs(_) if self.fork => self.enter(out),
            Input::RequestCs(_) => {
                self.status = Status::Waiting;
                out.send(peer, Msg::Ask);
            }
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::Recv { msg: Msg::Ask, .. } => {
                self.fork = self.forges;
                out.send(peer, Msg::Grant);
            }
            Input::Recv { .. } => {
                self.fork = true;
                self.enter(out);
            }
            _ => {}
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl<const ANEW: bool> Forger<ANEW> {
    fn enter(&mut self, out: &mut Out<Msg, Timer>) {
        self.status = Status::Critical;
        out.enter_cs();
    }
}

impl<const ANEW: bool> Initial for Forger<ANEW> {
    type Config = bool;

    fn initial(graph: &Graph, forges: &bool) -> Vec<Self> {
        let forger = |i| Forger { i, status: Status::Remainder, fork: i == ZERO, forges: *forges };
        graph.nodes().map(forger).collect()
    }
}

impl<const ANEW: bool> Inspect for Forger<ANEW> {
    const KINDS: &'static [&'static str] = Toy::KINDS;

    fn kind(msg: &Msg) -> usize {
        *msg as usize
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl<const ANEW: bool> Tokens for Forger<ANEW> {
    const FORKS: bool = !ANEW;
    const EPOCHS: bool = ANEW;

    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &Msg) -> u32 {
        0
    }

    fn has_fork(&self, _: NodeId) -> bool {
        self.fork
    }

    fn carries_fork(msg: &Msg) -> bool {
        *msg == Msg::Grant
    }

    fn epochs_held(&self) -> impl Iterator<Item = u64> {
        self.fork.then_some(1).into_iter()
    }

    fn epoch_carried(msg: &Msg) -> Option<u64> {
        (*msg == Msg::Grant).then_some(1)
    }
}

impl<const ANEW: bool> Canonical for Forger<ANEW> {}
