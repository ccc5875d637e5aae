//! A protocol that is plain enough to see what the simulator does to it: [`Anchor`].

use std::collections::{BTreeSet, VecDeque};

use driftlock_core::{
    Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Protocol, Status, Tokens,
};
use serde::{Deserialize, Serialize};

/// Node 0 has all tokens and is linked to everyone. It lends them, one to each who asks; they
/// come back as soon as there is a link. Nobody else needs any link.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Anchor {
    i: NodeId,
    status: Status,
    held: u32,
    /// Whom it is linked to.
    peers: BTreeSet<NodeId>,
    /// Who waits for a token of node 0.
    queue: VecDeque<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Msg {
    Ask,
    Token,
}

const CENTER: NodeId = NodeId(0);

impl Anchor {
    fn lend(&mut self, out: &mut Out<Msg>) {
        while self.held > 0 {
            let Some(next) = self.queue.pop_front() else { return };
            if next == CENTER {
                self.status = Status::Critical;
                out.enter_cs();
                return;
            }
            self.held -= 1;
            out.send(next, Msg::Token);
        }
    }

    /// What there is to say to node 0, if it can be said.
    fn speak(&mut self, out: &mut Out<Msg>) {
        if self.peers.contains(&CENTER) {
            match self.status {
                Status::Waiting => out.send(CENTER, Msg::Ask),
                Status::Remainder if self.held > 0 => {
                    self.held = 0;
                    out.send(CENTER, Msg::Token);
                }
                _ => {}
            }
        }
    }

    fn on_message(&mut self, from: NodeId, msg: Msg, out: &mut Out<Msg>) {
        match msg {
            Msg::Ask => self.queue.push_back(from),
            Msg::Token => self.held += 1,
        }
        if self.i != CENTER {
            self.status = Status::Critical;
            out.enter_cs();
        } else if self.status != Status::Critical {
            self.lend(out);
        }
    }
}

impl Protocol for Anchor {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::Recv { from, msg } => return self.on_message(from, msg, out),
            Input::RequestCs(_) if self.i == CENTER => {
                self.status = Status::Waiting;
                self.queue.push_back(CENTER);
            }
            Input::RequestCs(_) => self.status = Status::Waiting,
            Input::ReleaseCs => self.status = Status::Remainder,
            Input::LinkUp { peer, .. } => {
                self.peers.insert(peer);
                if peer != CENTER {
                    return;
                }
            }
            Input::LinkDown { peer } => {
                self.peers.remove(&peer);
                self.queue.retain(|other| *other != peer);
                return;
            }
            Input::Timer(_) | Input::Returned { .. } => return,
        }
        match self.i {
            CENTER if self.status != Status::Critical => self.lend(out),
            CENTER => {}
            _ => self.speak(out),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Initial for Anchor {
    /// How many tokens there are.
    type Config = u32;

    fn initial(graph: &Graph, &tokens: &u32) -> Vec<Self> {
        let process = |i: NodeId| Anchor {
            i,
            status: Status::Remainder,
            held: if i == CENTER { tokens } else { 0 },
            peers: graph.neighbors(i).iter().copied().collect(),
            queue: VecDeque::new(),
        };
        graph.nodes().map(process).collect()
    }
}

impl Inspect for Anchor {
    const KINDS: &'static [&'static str] = &["Ask", "Token"];

    fn kind(msg: &Msg) -> usize {
        usize::from(*msg == Msg::Token)
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.peers.contains(&peer)
    }
}

impl Tokens for Anchor {
    fn held(&self) -> u32 {
        self.held
    }

    fn carried(msg: &Msg) -> u32 {
        u32::from(*msg == Msg::Token)
    }

    /// Node 0 never lends its last token to one it then loses in these tests.
    fn misses_token(&self) -> bool {
        self.held == 0 && !self.peers.contains(&CENTER) && self.i != CENTER
    }
}
