//! A toy for networks that fall apart: nodes 0 and 1 share a token, and 1 keeps 2 informed.
//!
//! It is right on the line 0-1-2 as long as no more than one thing happens to the links, and on the
//! pair 0-1 whatever happens to them. Node 2 never asks for anything.

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, Protocol, Status, Tokens,
};
use serde::{Deserialize, Serialize};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub(crate) enum Slip {
    None,
    /// Nobody says that the token is out of reach.
    Mute,
    /// Nobody takes back that the token is out of reach.
    Stale,
    /// Who waits when a link comes up does not ask again.
    Forgetful,
    /// Node 1 does not ask as long as it has no link to 2.
    Sulks,
    /// Node 1 does not want the token as long as it has no link to 2, nor does 0.
    HotPotato,
    /// Nodes 1 and 2 talk as long as 1 waits for a token that is out of reach.
    Chats,
    /// Node 0 does not think that a token can be out of reach that it has given away itself; and 1
    /// lets 2 know that it asks.
    Generous,
    /// Once it was used, the token goes back and forth.
    Circulates,
    /// The same, and node 1 passes it on even if it waits for it.
    Skips,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Msg {
    Ask,
    Token,
    /// The token is out of reach.
    Gone,
    There,
    Chat,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Line {
    i: usize,
    slip: Slip,
    status: Status,
    token: bool,
    /// Whether the other one of 0 and 1 has asked for the token.
    asked: bool,
    linked: [bool; 3],
    /// Whether the token would be out of reach if it were not here.
    gone: bool,
}

impl Protocol for Line {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg, NoTimer>, out: &mut Out<Msg, NoTimer>) {
        match input {
            Input::RequestCs(_) => {
                self.status = Status::Waiting;
                self.go_on(out);
                if self.slip == Slip::Generous && self.i == 1 && self.linked[2] {
                    out.send(NodeId(2), Msg::Chat);
                }
            }
            Input::ReleaseCs => {
                self.status = Status::Remainder;
                if self.asked || self.goes_round() {
                    self.pass(out);
                }
            }
            Input::Recv { from, msg } => {
                assert!(self.linked[from.index()], "a message came over a link that is down");
                self.on_message(msg, out);
            }
            Input::LinkUp { peer, .. } => self.on_link(peer.index(), true, out),
            Input::LinkDown { peer } => self.on_link(peer.index(), false, out),
            Input::Timer(never) => match never {},
            Input::Returned { .. } => unreachable!("links go down idle"),
        }
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Line {
    fn on_message(&mut self, msg: Msg, out: &mut Out<Msg, NoTimer>) {
        match msg {
            Msg::Ask if self.token && self.status != Status::Critical => self.pass(out),
            Msg::Ask => self.asked = !self.goes_round(),
            Msg::Token => {
                self.token = true;
                let unwanted = match self.i {
                    1 => !self.linked[2],
                    _ => self.status == Status::Remainder,
                };
                let hot = self.slip == Slip::HotPotato && unwanted;
                let skips = self.slip == Slip::Skips && self.i == 1;
                if self.status == Status::Waiting && !hot && !skips {
                    self.go_on(out);
                } else if hot || self.goes_round() {
                    self.pass(out);
                }
            }
            Msg::Gone => self.gone = true,
            Msg::There => self.gone = false,
            Msg::Chat if self.i == 1 => self.chat(out),
            Msg::Chat if self.slip == Slip::Chats => out.send(NodeId(1), Msg::Chat),
            Msg::Chat => {}
        }
    }

    fn on_link(&mut self, peer: usize, up: bool, out: &mut Out<Msg, NoTimer>) {
        self.linked[peer] = up;
        let vital = if self.i == 2 { peer == 1 } else { peer < 2 };
        if vital {
            self.asked = false;
            let given_away = self.slip == Slip::Generous && self.i == 0 && !self.token;
            self.gone = !(up || given_away) || (self.slip == Slip::Stale && self.gone);
        }
        if self.i == 1 && self.linked[2] {
            let missing = self.gone && !self.token;
            out.send(NodeId(2), if missing { Msg::Gone } else { Msg::There });
        }
        if vital && self.status == Status::Waiting && !(up && self.slip == Slip::Forgetful) {
            self.go_on(out);
        }
    }

    /// Enter, or ask for the token if that is possible.
    fn go_on(&mut self, out: &mut Out<Msg, NoTimer>) {
        if self.token {
            self.status = Status::Critical;
            out.enter_cs();
        } else if self.linked[1 - self.i] {
            if self.slip != Slip::Sulks || self.i == 0 || self.linked[2] {
                out.send(NodeId::at(1 - self.i), Msg::Ask);
            }
        } else {
            self.chat(out);
        }
    }

    fn pass(&mut self, out: &mut Out<Msg, NoTimer>) {
        (self.token, self.asked) = (false, false);
        out.send(NodeId::at(1 - self.i), Msg::Token);
    }

    fn chat(&mut self, out: &mut Out<Msg, NoTimer>) {
        if self.slip == Slip::Chats && self.linked[2] && self.gone {
            out.send(NodeId(2), Msg::Chat);
        }
    }

    fn goes_round(&self) -> bool {
        matches!(self.slip, Slip::Circulates | Slip::Skips)
    }
}

impl Initial for Line {
    type Config = Slip;

    fn initial(graph: &Graph, slip: &Slip) -> Vec<Self> {
        let n = graph.n_nodes();
        let linked = |i, j| j < n && i != j && graph.has(NodeId::at(i), NodeId::at(j));
        let node = |i| Line {
            i,
            slip: *slip,
            status: Status::Remainder,
            token: i == 0,
            asked: false,
            linked: [0, 1, 2].map(|j| linked(i, j)),
            gone: false,
        };
        (0..n).map(node).collect()
    }
}

impl Inspect for Line {
    const KINDS: &'static [&'static str] = &["Ask", "Token", "Gone", "There", "Chat"];

    fn kind(msg: &Msg) -> usize {
        *msg as usize
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.linked[peer.index()]
    }
}

impl Tokens for Line {
    fn held(&self) -> u32 {
        u32::from(self.token)
    }

    fn carried(msg: &Msg) -> u32 {
        u32::from(*msg == Msg::Token)
    }

    fn misses_token(&self) -> bool {
        self.gone && !self.token && self.slip != Slip::Mute
    }
}

impl Canonical for Line {}
