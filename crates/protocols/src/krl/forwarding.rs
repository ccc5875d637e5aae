//! What becomes of a token that nobody asks for: KRLF and KRLA.
//!
//! KRLF passes it on at once, for ever. KRLA, which the paper leaves to others (section 7), goes by
//! what a token has seen itself. If somebody was kept waiting while it was used, the load that it
//! has seen goes up a step; if it was at rest when it was wanted, or comes to rest after a trip in
//! vain, down a step. The more load, the further an idle token is passed on. And a token at rest
//! that hears from a neighbor that another one is on its way there moves on too, half as far. So
//! where nobody has to wait for anybody, tokens stay where they are, as in KRL; where somebody
//! always does, they are always on their way, as in KRLF; and every trip ends.

use driftlock_core::{Out, Status};

use super::height::Height;
use super::{Forwarding, Krl, Msg};
use crate::Variant;

/// What a token has seen of the load, and how far it may still be passed on unasked (KRLA).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Load {
    /// How much somebody was kept waiting lately.
    pub level: u8,
    /// Links it may go over.
    pub reach: u8,
}

/// Since when a token that is wanted was there to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Freed {
    /// It was at rest.
    Before,
    /// It has just arrived.
    ByArrival,
    /// The critical section was left just now, and somebody waited for that.
    ByRelease,
}

impl Load {
    /// The highest load. It takes two steps to make a token move at all, so that a chance meeting
    /// of two requests does not.
    const HIGHEST: u8 = 3;

    /// A load, with how far it makes an idle token go.
    fn at(level: u8) -> Load {
        Load { level, reach: [0, 0, 3, 15][usize::from(level)] }
    }

    fn after_use(self, freed: Freed) -> Load {
        Load::at(match freed {
            Freed::ByRelease => (self.level + 1).min(Self::HIGHEST),
            Freed::ByArrival => self.level,
            Freed::Before => self.level.saturating_sub(1),
        })
    }
}

/// What KRLF and KRLA add.
impl Krl {
    /// Procedure PickLowest&ForwardToken:
    fn pick_lowest_and_forward_token(&mut self, out: &mut Out<Msg>) {
        if self.link.iter().filter(|(_, link)| link.in_n).all(|(_, link)| link.visited) {
            //                                                                          1
            for (_, link) in self.link.iter_mut() {
                link.visited = false; //                                                2
            }
        }
        let unvisited = self.link.iter().filter(|(_, link)| link.in_n && !link.visited);
        let lowest = unvisited.map(|(k, link)| link.height(k)).min(); //                3
        match (lowest, self.variant) {
            (Some(Height { id: next, .. }), _) => {
                self.link[next].visited = true; //                                      4
                self.pass_token(next, out); //                              5, 6, 7, 8, 9, 10
            }
            (None, Variant::Published) => {
                out.undefined("PickLowest&ForwardToken, line 3: the lowest where N is empty");
            }
            (None, Variant::Repaired) => {} // D9
        }
    }

    /// A token is here that nobody asks for.
    pub(super) fn pass_on_idle_token(&mut self, out: &mut Out<Msg>) {
        match self.forwarding {
            Forwarding::Never => {}
            Forwarding::Always => self.pick_lowest_and_forward_token(out),
            Forwarding::Adaptive if self.load.reach > 0 => {
                self.load.reach -= 1;
                self.pick_lowest_and_forward_token(out);
            }
            Forwarding::Adaptive => self.load = Load::at(self.load.level.saturating_sub(1)),
        }
    }

    /// The token here is wanted.
    pub(super) fn token_is_wanted(&mut self, freed: Freed) {
        if self.forwarding == Forwarding::Adaptive {
            self.load = self.load.after_use(freed);
        }
    }

    /// A token that rests here moves on, if there is something to do elsewhere: a neighbor has a
    /// token that is on its way; or if there was no neighbor before (D9).
    pub(super) fn wake_idle_token(&mut self, reach: u8, out: &mut Out<Msg>) {
        let used = u32::from(self.status == Status::Critical);
        let idle = self.num_tokens > used && self.q.is_empty();
        let moves = match self.forwarding {
            Forwarding::Never => false,
            Forwarding::Always => true,
            Forwarding::Adaptive => reach > 1,
        };
        if idle && moves {
            self.load.reach = reach / 2;
            self.pass_on_idle_token(out);
        }
    }
}
