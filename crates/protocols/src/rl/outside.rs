//! What may be seen of RL from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Cold, Fifo, Input, Inspect, Level, NodeId, Output, Tokens};

use super::{Height, Msg, Rl};
use crate::Variant;

/// What may be seen from outside.
impl Rl {
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
}

impl Inspect for Rl {
    const KINDS: &'static [&'static str] = &["Request", "Token", "LinkInfo"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request(..) => 0,
            Msg::Token(_) => 1,
            Msg::LinkInfo(..) => 2,
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
        let (mut raising, mut giving) = (false, false);
        let line = |output: &Output<Msg>| match output {
            Output::Note(_) => {
                raising = true;
                "RaiseHeight, lines 1 to 3"
            }
            Output::Send { msg: Msg::LinkInfo(..), .. } if raising => "RaiseHeight, line 4",
            Output::Send { msg: Msg::LinkInfo(..), .. } => match input {
                Input::Recv { msg: Msg::Token(_), .. } => "Token received, line 3",
                Input::Recv { .. } => "LinkInfo received, line 3",
                _ => "formation of a link, line 1",
            },
            Output::Send { msg: Msg::Token(_), .. } => {
                giving = true;
                "GiveTokenToNext, lines 3 to 6"
            }
            Output::Send { msg: Msg::Request(..), .. } if giving => "GiveTokenToNext, line 7",
            Output::Send { msg: Msg::Request(..), .. } => "ForwardRequest, line 2",
            Output::EnterCs => "GiveTokenToNext, lines 9 and 10",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

impl Tokens for Rl {
    #[inline]
    fn held(&self) -> u32 {
        u32::from(self.token_holder)
    }

    #[inline]
    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Token(_)))
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }
}

/// Heights are only compared, and new ones come from old ones by adding a constant, so a shift of
/// all `h1` or of all `h2` goes unnoticed. So it is with the numbers of the raises of each node.
impl Canonical for Rl {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        if !self.cold {
            self.my_height.levels(each);
        }
        number(&mut self.raises, Level::Of(self.i), each);
        number(&mut self.raises_before, Level::Below(self.i), each);
        for (j, link) in self.link.iter_mut() {
            each(Level::Shared(0), &mut link.h.0);
            each(Level::Shared(1), &mut link.h.1);
            number(&mut link.raises, Level::Of(j), each);
        }
        for (_, form_height) in self.forming.iter_mut().filter(|_| !self.cold) {
            form_height.levels(each);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Request(h, _) | Msg::Token(h) | Msg::LinkInfo(h, _) => h.levels(each),
        }
        match msg {
            Msg::Request(_, known) => number(known, Level::Receiver, each),
            Msg::LinkInfo(_, raises) => number(raises, Level::Sender, each),
            Msg::Token(_) => {}
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
