//! What may be seen of the published text from outside, and what can be changed without it
//! noticing.

use driftlock_core::{Canonical, Inspect, Level, NodeId, Tokens};

use super::{Msg, Published};

impl Inspect for Published {
    const KINDS: &'static [&'static str] =
        &["Req", "Over", "OverOut", "Local", "Global", "Secondary", "Generate", "Start"];

    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Req => 0,
            Msg::Over => 1,
            Msg::OverOut => 2,
            Msg::Local(_) => 3,
            Msg::Global(_) => 4,
            Msg::Secondary(_) => 5,
            Msg::Generate => 6,
            Msg::Start => 7,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.neighbor.contains(peer)
    }
}

/// Tokens are made anew when time is up, so their number promises nothing.
impl Tokens for Published {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &Msg) -> u32 {
        0
    }
}

/// Rounds of the global token are only compared and counted up. Rounds of local tokens are those of
/// one cluster, and a node that was never served knows none; they are left alone.
impl Canonical for Published {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        let dual = &mut self.dual;
        let tokens = self.global.iter_mut().chain(dual.sent.iter_mut().map(|(_, token)| token));
        tokens.for_each(|token| each(Level::Shared(0), &mut token.globalvalue));
        let rounds = dual.came.iter_mut().chain(&mut dual.made);
        let rounds = rounds.chain(dual.secondary.iter_mut().map(|(_, round)| round));
        rounds.for_each(|round| each(Level::Shared(0), round));
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Global(token) => each(Level::Shared(0), &mut token.globalvalue),
            Msg::Secondary(round) => each(Level::Shared(0), round),
            _ => {}
        }
    }
}
