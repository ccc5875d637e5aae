//! The wrapper of the recoloring module, lines 36 to 43: who recolors together with whom.
//!
//! What is computed is in `coloring`. Here it is agreed who takes part (D5, D6).

use alloc::vec::Vec;

use driftlock_core::{NodeId, Out, PeerMap};

use super::doorway::Doorway;
use super::{Lme1, Msg, Phase};
use crate::Variant;

/// A recoloring that is going on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Recoloring {
    /// How many rounds are done.
    pub(super) round: u8,
    /// The color after them.
    pub(super) color: u32,
    /// `R`, and what each has said.
    pub(super) partner: PeerMap<Partner>,
}

/// A neighbor that takes part, or may.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Partner {
    /// Whether it has said that it takes part in this recoloring (D6).
    acked: bool,
    /// The number of its own recoloring, once it has said so (D6).
    pub(super) session: Option<u32>,
    /// Its color after 0, 1, … rounds, as far as it has said; none if nobody else can have it.
    pub(super) said: Vec<Option<u32>>,
}

impl Recoloring {
    /// `j` is not in `R`.
    pub(super) fn leave(&mut self, j: NodeId) {
        self.partner.remove(j);
    }

    /// Whether everyone in `R` has said that it takes part.
    pub(super) fn is_agreed(&self) -> bool {
        self.partner.iter().all(|(_, partner)| partner.acked)
    }
}

impl Lme1 {
    /// When `SD^r` is crossed:
    pub(super) fn on_sd_r_crossed(&mut self, out: &mut Out<Msg>) {
        //                                                                             36
        self.phase = Phase::Recoloring;
        self.session = self.session.wrapping_add(1); // D6
        let partner = self.link.keys().map(|j| (j, Partner::default())).collect(); //  37
        self.recoloring = Some(Recoloring { round: 0, color: self.i.0, partner }.into());
        self.say_color(Some(self.i.0), out);
    }

    /// Tell everyone in `R` the color that this node has after the rounds that are done.
    pub(super) fn say_color(&self, color: Option<u32>, out: &mut Out<Msg>) {
        let Some(Recoloring { round, partner, .. }) = self.recoloring.as_deref() else { return };
        let (session, round) = (self.session, *round);
        partner.keys().for_each(|j| out.send(j, Msg::NewColor { session, round, color }));
    }

    /// `new-color()` is done and has found `color`.
    pub(super) fn finish(&mut self, color: u32, out: &mut Out<Msg>) {
        self.recoloring = None;
        self.moved = false;
        let color = i32::try_from(color).unwrap_or(i32::MAX - 1);
        self.take_color(-color - 1, out); //                                           38
        self.go_to(Doorway::AdF);
    }

    pub(super) fn take_color(&mut self, color: i32, out: &mut Out<Msg>) {
        self.color = Some(color);
        self.link.keys().for_each(|j| out.send(j, Msg::UpdateColor(color))); //      7, 39
    }

    /// When a message of `new-color()` is received from `j`:
    pub(super) fn on_new_color(
        &mut self,
        j: NodeId,
        session: u32,
        round: u8,
        color: Option<u32>,
        out: &mut Out<Msg>,
    ) {
        let outside = !self.is_behind(Doorway::SdR);
        let published = self.variant == Variant::Published;
        if outside && (round == 0 || published) {
            return out.send(j, Msg::Nack(session)); //                             40, 41
        }
        let partner = self.recoloring.as_mut().and_then(|all| all.partner.get_mut(j));
        match partner {
            Some(partner) if published => partner.said.push(color),
            Some(partner) if round == 0 && partner.session.is_none() => {
                partner.session = Some(session);
                partner.said.push(color);
                out.send(j, Msg::Ack(session)); // D6
            }
            Some(partner) if round > 0 && partner.session == Some(session) => {
                partner.said.push(color);
            }
            _ if round == 0 && !published => out.send(j, Msg::Busy(session)), // D6
            _ => {}
        }
    }

    /// When NACK is received from `j`:
    pub(super) fn on_nack(&mut self, j: NodeId, session: u32) {
        //                                                                             42
        let meant = session == self.session || self.variant == Variant::Published;
        if let Some(recoloring) = self.recoloring.as_mut().filter(|_| meant) {
            recoloring.leave(j); //                                                    43
        }
    }

    /// `j` takes part in this recoloring (D6).
    pub(super) fn on_ack(&mut self, j: NodeId, session: u32) {
        let recoloring = self.recoloring.as_mut().filter(|_| session == self.session);
        if let Some(partner) = recoloring.and_then(|all| all.partner.get_mut(j)) {
            partner.acked = true;
        }
    }

    /// A neighbor has gone ahead: wait until it is done (D6).
    pub(super) fn on_busy(&mut self, session: u32, out: &mut Out<Msg>) {
        if self.recoloring.is_some() && session == self.session {
            self.recoloring = None;
            self.exit(Doorway::SdR.into(), out);
            self.go_to(Doorway::SdR);
        }
    }

    /// `j` has exited `SD^r`. If it was not done, it is not waited for; and if this node does not
    /// know yet whether `j` took part, it may still do so after it has crossed again (D5).
    pub(super) fn drop_who_left(&mut self, j: NodeId) {
        let enough = self.messages();
        let Some(recoloring) = &mut self.recoloring else { return };
        let Some(partner) = recoloring.partner.get_mut(j) else { return };
        if partner.is_done(enough) {
            return;
        }
        if partner.acked {
            recoloring.leave(j);
        } else {
            *partner = Partner::default();
        }
    }
}

impl Partner {
    /// Whether it has said all that is needed of it.
    fn is_done(&self, enough: usize) -> bool {
        self.said.len() >= enough || self.said.last() == Some(&None)
    }
}
