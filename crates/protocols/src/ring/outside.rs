//! What may be seen of the ring from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Input, Inspect, Level, NodeId, Output, Tokens};

use super::{Msg, Ring, Token};

/// What may be seen from outside.
impl Ring {
    /// The token, if it is here.
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// Whom this node would ask, and for which round.
    pub fn coord(&self) -> (NodeId, i64) {
        (self.coord, self.cround)
    }
}

impl Inspect for Ring {
    const KINDS: &'static [&'static str] = &["Req", "Token"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Req(_) => 0,
            Msg::Token(_) => 1,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.neighbors.binary_search(&peer).is_ok()
    }

    fn lines(input: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match (input, output) {
            (_, Output::Send { msg: Msg::Req(_), .. }) => "asks the coordinator",
            (_, Output::Send { msg: Msg::Token(token), to }) if token.has_visited(*to) => {
                "all have had it: to the next coordinator"
            }
            (_, Output::Send { msg: Msg::Token(_), .. }) => "the nearest that has not had it",
            (Input::Recv { .. }, Output::EnterCs) => "has the token and waits",
            (_, Output::EnterCs) => "begins the round and waits",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

impl Tokens for Ring {
    #[inline]
    fn held(&self) -> u32 {
        u32::from(self.token.is_some())
    }

    #[inline]
    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Token(_)))
    }
}

/// Rounds are only compared, and the next is one more.
impl Canonical for Ring {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        each(Level::Shared(0), &mut self.cround);
        if let Some(token) = &mut self.token {
            each(Level::Shared(0), &mut token.round);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Req(round) | Msg::Token(Token { round, .. }) => each(Level::Shared(0), round),
        }
    }
}
