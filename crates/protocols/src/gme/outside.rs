//! What may be seen of GME from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{
    Canonical, Cold, Input, Inspect, Level, NodeId, Output, ResourceId, Status, Tokens,
};

use super::weight::signed;
use super::{Entry, Gme, Msg};
use crate::Variant;
use crate::rl::Height;

/// What may be seen from outside.
impl Gme {
    /// `height`.
    pub fn my_height(&self) -> Height {
        self.my_height
    }

    /// `hVector[j]`, for `j ∈ N`.
    pub fn height_of(&self, j: NodeId) -> Option<Height> {
        self.link.get(j).filter(|link| link.in_n).map(|link| link.height(j))
    }

    /// `next`; none if a request waits for a neighbor (D1).
    pub fn next(&self) -> Option<NodeId> {
        self.next
    }

    /// `Q`.
    pub fn q(&self) -> &[Entry] {
        self.q.entries()
    }

    /// What the leader's session is for, if it has one.
    pub fn session(&self) -> Option<ResourceId> {
        self.sess
    }

    /// Whether a request of this node is under way, and what for (D2).
    pub fn asked(&self) -> Option<ResourceId> {
        self.asked.and_then(|ask| ask.r)
    }
}

impl Inspect for Gme {
    const KINDS: &'static [&'static str] =
        &["Request", "Token", "SubToken", "Release", "Link", "Withdraw"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Request { .. } => 0,
            Msg::Token(_) => 1,
            Msg::Sub { .. } => 2,
            Msg::Release(_) => 3,
            Msg::Link(..) => 4,
            Msg::Withdraw => 5,
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
                "raiseHeight"
            }
            Output::Send { msg: Msg::Link(..), .. } if raising => "raiseHeight",
            Output::Send { msg: Msg::Link(..), .. } => match input {
                Input::Recv { msg: Msg::Token(_), .. } => "Receiving the token",
                Input::Recv { .. } => "Receiving link information",
                _ => "Link forming",
            },
            Output::Send { msg: Msg::Token(_), .. } => {
                giving = true;
                "transmitToken"
            }
            Output::Send { msg: Msg::Request { .. }, .. } if giving => "transmitToken",
            Output::Send { msg: Msg::Request { .. }, .. } => "forwardRequest",
            Output::Send { msg: Msg::Release(_), .. } => "sendRelease",
            Output::Send { msg: Msg::Sub { .. }, .. } | Output::EnterCs => match input {
                Input::RequestCs(_) => "Requesting the resource",
                Input::Recv { msg: Msg::Sub { .. }, .. } => "Receiving a subtoken",
                Input::Recv { msg: Msg::Request { .. }, .. } => "Requesting the resource",
                _ => "transmitToken",
            },
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

impl Tokens for Gme {
    #[inline]
    fn held(&self) -> u32 {
        u32::from(self.leader)
    }

    #[inline]
    fn carried(msg: &Msg) -> u32 {
        u32::from(matches!(msg, Msg::Token(_)))
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }

    #[inline]
    fn weight(&self) -> i64 {
        self.weight + signed(self.buffer)
    }

    #[inline]
    fn weight_of(msg: &Msg) -> i64 {
        match msg {
            Msg::Sub { w, .. } | Msg::Release(w) => signed(*w),
            Msg::Request { .. } | Msg::Withdraw | Msg::Token(_) | Msg::Link(..) => 0,
        }
    }
}

/// Heights are only compared, and new ones come from old ones by adding a constant, so a shift of
/// all `h1` or of all `h2` goes unnoticed. So it is with the numbers of the raises of each node.
impl Canonical for Gme {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        if !self.cold {
            levels_of(&mut self.my_height, each);
        }
        number(&mut self.raises, Level::Of(self.i), each);
        number(&mut self.raises_before, Level::Below(self.i), each);
        for (j, link) in self.link.iter_mut() {
            each(Level::Shared(0), &mut link.h.0);
            each(Level::Shared(1), &mut link.h.1);
            number(&mut link.raises, Level::Of(j), each);
        }
        for (_, (form_height, raises)) in self.forming.iter_mut() {
            if !self.cold {
                levels_of(form_height, each);
            }
            number(raises, Level::Of(self.i), each);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::Request { h, known, .. } => {
                levels_of(h, each);
                number(known, Level::Receiver, each);
            }
            Msg::Link(h, raises) => {
                levels_of(h, each);
                number(raises, Level::Sender, each);
            }
            Msg::Token(h) => levels_of(h, each),
            Msg::Withdraw | Msg::Sub { .. } | Msg::Release(_) => {}
        }
    }

    /// The height of a link that is gone is read only as that of `next`; if the link comes back,
    /// its first LINK overwrites it. The published text has no `asked`, and reads what the holder
    /// is inside for only there.
    fn forget(&mut self) {
        if self.config.variant == Variant::Published {
            self.asked = None;
            self.sess = self.sess.filter(|_| self.status == Status::Critical);
        }
        let next = self.next;
        self.link.retain(|j, link| link.in_n || next == Some(j));
    }
}

fn levels_of(height: &mut Height, each: &mut dyn FnMut(Level, &mut i64)) {
    each(Level::Shared(0), &mut height.h1);
    each(Level::Shared(1), &mut height.h2);
}

/// Show the number of a raise. It wraps around, so any shift of it will do.
fn number(raises: &mut u32, level: Level, each: &mut dyn FnMut(Level, &mut i64)) {
    let mut shown = i64::from(*raises);
    each(level, &mut shown);
    *raises = shown as u32;
}
