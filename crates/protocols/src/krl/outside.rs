//! What may be seen of KRL from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Cold, Fifo, Input, Inspect, Level, NodeId, Output, Tokens};

use super::{Height, Krl, Msg};
use crate::Variant;

/// What may be seen from outside.
impl Krl {
    /// `myHeight`.
    pub fn my_height(&self) -> Height {
        self.my_height
    }

    /// `height[j]`, for `j ∈ N`.
    pub fn height_of(&self, j: NodeId) -> Option<Height> {
        self.link.get(j).filter(|link| link.in_n).map(|link| link.height(j))
    }

    /// `next`; none if a request waits for a neighbor (D1).
    pub fn next(&self) -> Option<NodeId> {
        self.next
    }

    /// `Q`.
    pub fn q(&self) -> &Fifo {
        &self.q
    }

    /// Who is counted on for a token (D2).
    pub fn asked(&self) -> Option<NodeId> {
        self.next.filter(|_| self.asked)
    }

    /// How many tokens were sent to `j` whose receipt is not confirmed. What `j` says is ignored
    /// as long as there are any.
    pub fn unconfirmed(&self, j: NodeId) -> u32 {
        self.link.get(j).map_or(0, |link| link.tokens_sent)
    }

    /// `numTokens`.
    pub fn num_tokens(&self) -> u32 {
        self.num_tokens
    }

    /// `visited[j]`, for `j ∈ N`.
    pub fn visited(&self, j: NodeId) -> Option<bool> {
        self.link.get(j).filter(|link| link.in_n).map(|link| link.visited)
    }
}

impl Inspect for Krl {
    const KINDS: &'static [&'static str] = &["Request", "Token", "LinkInfo", "Ack"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request(..) => 0,
            Msg::Token(..) => 1,
            Msg::LinkInfo(..) => 2,
            Msg::Ack(..) => 3,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.link.get(peer).is_some_and(|link| link.in_n)
    }

    #[inline]
    fn glance(&self) -> u32 {
        self.link.glance()
    }

    fn lines(input: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let mut procedure = "";
        let mut giving = false;
        let line = |output: &Output<Msg>| match output {
            Output::Note(note) => {
                procedure = note;
                match procedure {
                    "RaiseHeight" => "RaiseHeight, lines 1 to 3",
                    "LowerHeight" => "LowerHeight, lines 1 to 3",
                    _ => "D10",
                }
            }
            Output::Send { msg: Msg::LinkInfo(..), .. } => match (procedure, input) {
                ("RaiseHeight", _) => "RaiseHeight, line 4",
                ("LowerHeight", _) => "LowerHeight, line 4",
                (_, Input::Recv { msg: Msg::Token(..), .. }) => "Token received, line 5 or 8",
                (_, Input::LinkUp { .. }) => "formation of a link, line 1",
                _ => "LinkInfo received, line 3, or D7, or D10",
            },
            Output::Send { msg: Msg::Ack(..), .. } => "D5, for Token received, line 8",
            Output::Send { msg: Msg::Token(..), .. } => {
                giving = true;
                "GiveTokenToNext, lines 3 to 8, or PickLowest&ForwardToken"
            }
            Output::Send { msg: Msg::Request(..), .. } if giving => "GiveTokenToNext, line 10",
            Output::Send { msg: Msg::Request(..), .. } => "ForwardRequest, line 2",
            Output::EnterCs => "GiveTokenToNext, lines 12 and 13",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

impl Tokens for Krl {
    #[inline]
    fn held(&self) -> u32 {
        self.num_tokens
    }

    #[inline]
    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Token(..)))
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }

    fn misses_token(&self) -> bool {
        self.no_token_reachable()
    }
}

/// Heights are only compared, and new ones come from old ones by adding a constant, so a shift of
/// all `h1`, or of all `h2` that are not of a search, goes unnoticed. So it is with the numbers of
/// the raises of each node.
impl Canonical for Krl {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        self.my_height.levels(each);
        number(&mut self.raises, Level::Of(self.i), each);
        number(&mut self.raises_before, Level::Below(self.i), each);
        if self.detects {
            each(Level::Shared(0), &mut self.clock);
        }
        for (j, link) in self.link.iter_mut() {
            let mut height = link.height(j);
            height.levels(each);
            link.set_height(height);
            number(&mut link.raises, Level::Of(j), each);
            if let Some(told) = &mut link.told {
                told.levels(each);
            }
        }
        for (_, (form_height, raises)) in self.forming.iter_mut() {
            form_height.levels(each);
            number(raises, Level::Of(self.i), each);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Request(h, _) | Msg::Token(h, _) | Msg::LinkInfo(h, _) | Msg::Ack(h, _) => {
                h.levels(each);
            }
        }
        match msg {
            Msg::Request(_, known) => number(known, Level::Receiver, each),
            Msg::LinkInfo(_, said) | Msg::Ack(_, said) => {
                number(&mut said.raises, Level::Sender, each);
            }
            Msg::Token(..) => {}
        }
    }

    /// The height of a link that is gone is read only as `height[next]`; if the link comes back,
    /// its first LinkInfo overwrites it. The published text has no `asked`.
    fn forget(&mut self) {
        self.asked &= self.variant == Variant::Repaired;
        let next = self.next;
        self.link.retain(|j, link| link.in_n || next == Some(j));
    }
}

/// Show the number of a raise. It wraps around, so any shift of it will do.
fn number(raises: &mut u32, level: Level, each: &mut dyn FnMut(Level, &mut i64)) {
    let mut shown = i64::from(*raises);
    each(level, &mut shown);
    *raises = shown as u32;
}
