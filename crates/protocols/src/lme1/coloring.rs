//! `new-color()` in its two versions (section 4.4): greedy, and Linial's.

use alloc::vec::Vec;

use driftlock_core::{NodeId, Out};

use super::family::Round;
use super::recolor::Recoloring;
use super::{Coloring, Lme1, Msg};
use crate::Variant;

impl Lme1 {
    /// Go on with the recoloring. Returns whether it did.
    pub(super) fn recolor(&mut self, out: &mut Out<Msg>) -> bool {
        let agreed = |all: &Recoloring| all.is_agreed() || self.variant == Variant::Published;
        let recoloring = self.recoloring.as_mut().filter(|all| agreed(all)); // D6
        let Some(recoloring) = recoloring else { return false };
        let next = match (self.coloring, self.rounds.after(recoloring.round)) {
            (Coloring::Greedy | Coloring::Given, _) => greedy(self.i, recoloring),
            (Coloring::Linial { .. }, Some(round)) => linial(self.i, round, recoloring),
            (Coloring::Linial { .. }, None) => Some(Next::Done(recoloring.color)),
        };
        let Some(next) = next else { return false };
        match next {
            Next::Done(color) => self.finish(color, out),
            Next::Round(color) => {
                (recoloring.round, recoloring.color) = (recoloring.round + 1, color);
                self.say_color(Some(color), out);
            }
            Next::Apart(color) => {
                recoloring.round += 1;
                self.say_color(None, out);
                self.finish(color, out);
            }
        }
        true
    }

    /// How many messages of a partner are needed. (With Linial's coloring one more is sent, of the
    /// color that it ends with.)
    pub(super) fn messages(&self) -> usize {
        match self.coloring {
            Coloring::Greedy | Coloring::Given => 2,
            Coloring::Linial { .. } => self.rounds.count().max(1),
        }
    }
}

/// What follows from what the others have said.
enum Next {
    /// This is the color.
    Done(u32),
    /// This is the color after one more round.
    Round(u32),
    /// There is no color to be had in this round: this is one that nobody else can have.
    Apart(u32),
}

/// Wait for the colors of all with smaller identifiers, and take the smallest that is left.
fn greedy(i: NodeId, recoloring: &Recoloring) -> Option<Next> {
    if recoloring.round > 0 {
        return Some(Next::Done(recoloring.color));
    }
    let before = recoloring.partner.iter().filter(|(j, _)| *j < i); // D8
    let taken = before.map(|(_, partner)| partner.said.get(1).copied().flatten());
    let taken: Vec<u32> = taken.collect::<Option<_>>()?;
    (0..).find(|color| !taken.contains(color)).map(Next::Round)
}

/// One round: a point of this node's set that is in no set of a neighbor. If there are more
/// neighbors than there should be there may be none; a number beyond all colors is taken then.
fn linial(i: NodeId, round: Round, recoloring: &Recoloring) -> Option<Next> {
    let Recoloring { round: done, color, partner } = recoloring;
    let mut others: Vec<u64> = Vec::with_capacity(partner.len());
    for (_, partner) in partner.iter() {
        match partner.said.get(usize::from(*done)) {
            Some(color) => others.extend(color.map(u64::from)),
            None if partner.said.last() == Some(&None) => {}
            None => return None,
        }
    }
    let point = round.point(u64::from(*color), others.into_iter());
    let beyond = round.colors() + u64::from(i.0);
    let number = |color: u64| u32::try_from(color).unwrap_or(u32::MAX);
    Some(point.map_or(Next::Apart(number(beyond)), |point| Next::Round(number(point))))
}
