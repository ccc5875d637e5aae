//! What may be seen of LME-2 from outside, and what can be changed without it noticing.

use alloc::vec::Vec;

use driftlock_core::{Canonical, Cold, Input, Inspect, Level, NodeId, Output, Tokens};

use super::{Lme2, Msg, Rank};

/// What may be seen from outside.
impl Lme2 {
    /// The number that is the priority of this node; the smaller goes first (D1).
    pub fn c(&self) -> i64 {
        self.c
    }

    /// The number of `j`, if it is a neighbor and its number is known.
    pub fn c_of(&self, j: NodeId) -> Option<i64> {
        self.link.get(j).filter(|link| link.rank == Rank::Known).map(|link| link.c)
    }

    /// `higher[j]`, if `j` is a neighbor.
    pub fn higher(&self, j: NodeId) -> Option<bool> {
        self.link.get(j).map(|link| link.is_higher(j, self.mine()))
    }

    /// Whether `j` has asked for the fork and was not given it.
    pub fn suspends(&self, j: NodeId) -> bool {
        self.link.get(j).is_some_and(|link| link.suspended)
    }
}

impl Inspect for Lme2 {
    const KINDS: &'static [&'static str] = &["Notify", "Prio", "Info", "Req", "Fork", "Switch"];

    #[inline]
    fn kind(msg: &Msg) -> usize {
        match msg {
            Msg::Notify => 0,
            Msg::Prio(_) => 1,
            Msg::Info(_) => 2,
            Msg::Req => 3,
            Msg::Fork(_) => 4,
            Msg::Switch => 5,
        }
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.link.contains(peer)
    }

    #[inline]
    fn glance(&self) -> u32 {
        self.link.glance()
    }

    fn lines(input: &Input<Msg>, outputs: &[Output<Msg>]) -> Vec<&'static str> {
        let line = |output: &Output<Msg>| match (input, output) {
            (_, Output::Send { msg: Msg::Notify, .. }) => "has become hungry",
            (Input::ReleaseCs, Output::Send { msg: Msg::Prio(_) | Msg::Switch, .. }) => {
                "has eaten, and lowers its priority"
            }
            (_, Output::Send { msg: Msg::Prio(_) | Msg::Switch, .. }) => "lowers its priority",
            (_, Output::Send { msg: Msg::Info(_), .. }) => "a new neighbor goes after it",
            (_, Output::Send { msg: Msg::Req, .. }) => "lacks this fork",
            (_, Output::Send { msg: Msg::Fork(true), .. }) => "gives way, and wants it back",
            (_, Output::Send { msg: Msg::Fork(false), .. }) => "can do without this fork",
            (_, Output::EnterCs) => "has all forks",
            (_, Output::Demote) => "has moved next to someone who may be eating",
            _ => "",
        };
        outputs.iter().map(line).collect()
    }
}

/// There are no tokens, but a fork for each link.
impl Tokens for Lme2 {
    const FORKS: bool = true;

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

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }
}

/// Numbers are only compared, and a new one is one above the highest that is known. A number that
/// is not known is neither.
impl Canonical for Lme2 {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        each(Level::Shared(0), &mut self.c);
        for (_, link) in self.link.iter_mut().filter(|(_, link)| link.rank == Rank::Known) {
            each(Level::Shared(0), &mut link.c);
        }
    }

    fn levels_in(msg: &mut Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        if let Msg::Prio(c) | Msg::Info(c) = msg {
            each(Level::Shared(0), c);
        }
    }
}
