//! Section 8.1: the primary global token, and the secondary that follows it.

use core::mem;

use driftlock_core::{NodeId, Out};

use super::{Global, Msg, Published, Timer};

/// What a head knows of the two tokens.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Dual {
    /// Where the primary went last, and what it was.
    pub(super) sent: Option<(NodeId, Global)>,
    /// The secondary, with its round number, and who sent it, if it is here.
    pub(super) secondary: Option<(NodeId, i64)>,
    /// Whether a new primary was asked for, and none has come yet.
    pub(super) asked: bool,
    /// The round of the primary that came then, the old one or the new: the other one is consumed.
    pub(super) came: Option<i64>,
    /// The round in which a new secondary was made.
    pub(super) made: Option<i64>,
    /// Whether the primary has been here, and the secondary is waited for.
    pub(super) behind: bool,
}

impl Published {
    /// The primary goes to `to`, followed by the secondary if it is here. If not, it is waited for.
    pub(super) fn send_primary(&mut self, to: NodeId, token: Global, out: &mut Out<Msg, Timer>) {
        let round = token.globalvalue;
        if self.config.dual {
            self.dual.sent = Some((to, token.clone()));
        }
        out.send(to, Msg::Global(token));
        if !self.config.dual {
            return;
        }
        if self.dual.secondary.take().is_some() {
            out.send(to, Msg::Secondary(round));
        } else {
            self.dual.behind = true;
            out.set_timer(Timer::Secondary, self.config.other);
        }
    }

    /// The primary comes. Of the old one and the one that was asked for, the first is used (Cases 1
    /// and 2), and the second is consumed: it has the same round number.
    pub(super) fn on_primary(&mut self, token: Global, out: &mut Out<Msg, Timer>) {
        let round = token.globalvalue;
        if self.dual.came == Some(round) {
            self.dual.came = None;
            return;
        }
        out.cancel_timer(Timer::Primary);
        if mem::take(&mut self.dual.asked) {
            self.dual.came = Some(round);
        }
        self.accept(token, out);
    }

    /// The secondary comes: behind the primary, or before it.
    pub(super) fn on_secondary(&mut self, j: NodeId, round: i64, out: &mut Out<Msg, Timer>) {
        if self.dual.made == Some(round) && !self.dual.behind {
            self.dual.made = None;
            return;
        }
        if self.dual.behind {
            self.dual.behind = false;
            out.cancel_timer(Timer::Secondary);
            if let Some((to, token)) = &self.dual.sent {
                out.send(*to, Msg::Secondary(token.globalvalue));
            }
            return;
        }
        self.dual.secondary = Some((j, round));
        if self.global.is_none() {
            out.set_timer(Timer::Primary, self.config.other);
        }
    }

    /// The secondary has waited for the primary long enough.
    pub(super) fn on_primary_late(&mut self, out: &mut Out<Msg, Timer>) {
        if let Some((from, _)) = self.dual.secondary {
            self.dual.asked = true;
            out.send(from, Msg::Generate);
        }
    }

    /// "Generate a new primary."
    pub(super) fn on_generate(&mut self, j: NodeId, out: &mut Out<Msg, Timer>) {
        match &self.dual.sent {
            Some((_, token)) => out.send(j, Msg::Global(token.clone())),
            None => out.undefined("a new primary where there was none"),
        }
    }

    /// The secondary was waited for long enough: there is a new one.
    pub(super) fn on_secondary_late(&mut self, out: &mut Out<Msg, Timer>) {
        self.dual.behind = false;
        if let Some((to, token)) = &self.dual.sent {
            self.dual.made = Some(token.globalvalue);
            out.send(*to, Msg::Secondary(token.globalvalue));
        }
    }
}
