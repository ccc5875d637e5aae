//! What may be seen of LME-1 from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Input, Inspect, Level, NodeId, Output, Tokens};

use super::doorway::{Doors, Doorway, Notice};
use super::{Lme1, Msg};

/// What may be seen from outside.
impl Lme1 {
    /// `color[i]`.
    pub fn color(&self) -> Option<i32> {
        self.color
    }

    /// `color[j]`, if `j` is a neighbor and its color is known.
    pub fn color_of(&self, j: NodeId) -> Option<i32> {
        self.link.get(j).and_then(|link| link.color)
    }

    /// The doorways that this node is behind.
    pub fn doors(&self) -> Doors {
        self.place.doors()
    }

    /// Whether `j ∈ S`.
    pub fn suspends(&self, j: NodeId) -> bool {
        self.link.get(j).is_some_and(|link| link.suspended)
    }

    /// Whether this node has to take a new color before it eats.
    pub fn has_to_recolor(&self) -> bool {
        self.moved
    }
}

impl Inspect for Lme1 {
    const KINDS: &'static [&'static str] =
        &["Cross", "Exit", "Req", "Fork", "UpdateColor", "Info", "NewColor", "Answer"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Notice(Notice::Cross(_)) => 0,
            Msg::Notice(Notice::Exit(_)) => 1,
            Msg::Req => 2,
            Msg::Fork(_) => 3,
            Msg::UpdateColor(_) => 4,
            Msg::Info(..) => 5,
            Msg::NewColor { .. } => 6,
            Msg::Ack(_) | Msg::Nack(_) | Msg::Busy(_) => 7,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.link.contains(peer)
    }

    #[inline]
    fn glance(&self) -> u32 {
        let recoloring = self.recoloring.as_deref();
        self.link.glance() ^ recoloring.map_or(0, |recoloring| recoloring.partner.glance())
    }

    fn lines(input: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match (input, output) {
            (_, Output::EnterCs) => "line 2 or 19",
            (_, Output::Demote) => "LinkUp while moving, line 50",
            (_, Output::Send { msg, .. }) => match (input, msg) {
                (_, Msg::Notice(Notice::Cross(Doorway::AdR))) => "AD^r is crossed",
                (_, Msg::Notice(Notice::Cross(Doorway::SdR))) => "SD^r is crossed",
                (_, Msg::Notice(Notice::Cross(Doorway::AdF))) => "AD^f is crossed",
                (_, Msg::Notice(Notice::Cross(Doorway::SdF))) => "SD^f is crossed",
                (Input::ReleaseCs, Msg::Notice(_)) => "line 9",
                (Input::LinkUp { .. }, Msg::Notice(_)) => "LinkUp while moving, line 52",
                (Input::LinkDown { .. }, Msg::Notice(_)) => "LinkDown, line 60, or doorways",
                (_, Msg::Notice(_)) => "doorways",
                (Input::ReleaseCs, Msg::UpdateColor(_)) => "lines 6 and 7",
                (_, Msg::UpdateColor(_)) => "lines 38 and 39",
                (Input::ReleaseCs, Msg::Fork(_)) => "line 8",
                (Input::LinkUp { .. }, Msg::Fork(_)) => "LinkUp while moving, line 51",
                (_, Msg::Fork(_)) => "send-fork, lines 31 and 32",
                (_, Msg::Req) => "request-low-forks, line 26, or request-high-forks, line 29",
                (_, Msg::Info(..)) => "LinkUp while static, line 46",
                (_, Msg::NewColor { .. }) => "new-color()",
                (_, Msg::Nack(_)) => "line 41",
                (_, Msg::Ack(_) | Msg::Busy(_)) => "D6",
            },
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

/// There is a fork for each link, and neighbors who are behind `SD^f` have different colors.
impl Tokens for Lme1 {
    const FORKS: bool = true;
    const COLORS: bool = true;

    #[inline]
    fn held(&self) -> u32 {
        0
    }

    #[inline]
    fn carried(_: &Msg) -> u32 {
        0
    }

    #[inline]
    fn has_fork(&self, peer: NodeId) -> bool {
        self.link.get(peer).is_some_and(|link| link.at)
    }

    #[inline]
    fn carries_fork(msg: &Msg) -> bool {
        matches!(msg, Msg::Fork(_))
    }

    fn color(&self) -> Option<i64> {
        self.color.filter(|_| self.is_behind(Doorway::SdF)).map(i64::from)
    }
}

/// The numbers of recolorings are compared with each other only, those of each node apart.
impl Canonical for Lme1 {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        show(Level::Of(self.i), &mut self.session, each);
        let partners = self.recoloring.iter_mut().flat_map(|all| all.partner.iter_mut());
        for (j, partner) in partners {
            if let Some(session) = &mut partner.session {
                show(Level::Of(j), session, each);
            }
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        match msg {
            Msg::NewColor { session, .. } => show(Level::Sender, session, each),
            Msg::Ack(session) | Msg::Nack(session) | Msg::Busy(session) => {
                show(Level::Receiver, session, each);
            }
            Msg::Notice(_) | Msg::Req | Msg::Fork(_) | Msg::UpdateColor(_) | Msg::Info(..) => {}
        }
    }
}

fn show(level: Level, session: &mut u32, each: &mut dyn FnMut(Level, &mut i64)) {
    let mut number = i64::from(*session);
    each(level, &mut number);
    *session = number as u32;
}
