//! What becomes of a token that nobody asks for: KRLF and KRLA.
//!
//! KRLF passes it on at once, for ever. KRLA, which the paper leaves to others (section 7), goes by
//! what a token has seen itself. Each time it is wanted, it is seen whether others wait behind the
//! one who gets it: if so, the load it carries goes up, if not, down. An idle token is passed on
//! twice as far for each step of that load; when it comes to rest, the load goes down a step. And
//! a token at rest that hears from a neighbor that another one passes by moves on too, less far
//! than that one. So where nobody has to wait for anybody, tokens stay where they are, as in KRL;
//! where somebody always does, they are always on their way, as in KRLF; and every trip ends.

use driftlock_core::{Out, Status};

use super::height::Height;
use super::{Forwarding, Krl, Msg};
use crate::Variant;

/// What a token has seen of the load, and how far it may still be passed on unasked (KRLA).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Load {
    /// How often others waited lately, when it was wanted.
    pub level: u8,
    /// Links it may go over.
    pub reach: u8,
}

impl Load {
    /// More would not make tokens any faster, and could make a trip longer than it is useful.
    const HIGHEST: u8 = 4;

    fn at(level: u8) -> Load {
        Load { level, reach: (1 << level) - 1 }
    }

    /// Whether it has been passed on since it was wanted last.
    fn is_on_its_way(self) -> bool {
        self != Load::at(self.level)
    }

    fn after_use(self, others_wait: bool, on_its_way: bool) -> Load {
        Load::at(match (others_wait, on_its_way) {
            (true, _) => (self.level + 2).min(Self::HIGHEST),
            (false, true) => self.level,
            (false, false) => self.level.saturating_sub(1),
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

    /// The token here is wanted, by those on `Q` and by the one who was taken from it just now.
    pub(super) fn token_is_wanted(&mut self) {
        if self.forwarding == Forwarding::Adaptive {
            let on_its_way = self.load.is_on_its_way();
            self.load = self.load.after_use(!self.q.is_empty(), on_its_way);
        }
    }

    /// A token that rests here moves on, if there is something to do elsewhere: where a neighbor has
    /// a token that is on its way, or where there was no neighbor before (D9).
    pub(super) fn wake_idle_token(&mut self, reach: u8, out: &mut Out<Msg>) {
        let used = u32::from(self.status == Status::Critical);
        let idle = self.num_tokens > used && self.q.is_empty();
        let moves = match self.forwarding {
            Forwarding::Never => false,
            Forwarding::Always => true,
            Forwarding::Adaptive => reach > 1,
        };
        if idle && moves {
            self.load.reach = reach.saturating_sub(1);
            self.pass_on_idle_token(out);
        }
    }
}
