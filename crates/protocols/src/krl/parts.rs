//! D10: how a node finds out that there is no token in its part of the network.
//!
//! These are the rules of TORA (V. Park, S. Corson: *Temporally-Ordered Routing Algorithm*), which
//! section 7 of WWV 2001 points to, with a logical clock. A node without a way down
//!
//! 1. begins a search of its own, if a link failed or its neighbors are in no search;
//! 2. joins the latest search of its neighbors, if they are in different ones;
//! 3. reflects the search that all its neighbors are in;
//! 4. knows, if its own search comes back from all of them, that there is no token, and says so;
//! 5. begins another search, if that of somebody else comes back from all of them.
//!
//! What is said in 4 goes to everyone in that search. Whoever misses the token hears of a neighbor
//! that is not in the search it followed, joins it from above.

use driftlock_core::Out;

use super::height::{Height, Level};
use super::{Krl, Msg};

/// What a process says that has no token within reach.
pub const NO_TOKEN_REACHABLE: &str = "no token reachable";

impl Krl {
    /// The new height of a node without a way down, by the rules 1 to 5.
    pub(super) fn searching_height(&mut self, lost: bool) -> Height {
        let i = self.i;
        let latest = self.n().map(|(_, height)| height.level).max().unwrap_or_default();
        let all_alike = self.n().all(|(_, height)| height.level == latest);
        if !all_alike && !lost {
            let in_it = self.n().filter(|(_, height)| height.level == latest);
            let h2 = in_it.map(|(_, height)| height.h2).min().unwrap_or_default() - 1;
            return Height { level: latest, h2, id: i }; // Rule 2.
        }
        let level = match latest {
            Level { origin: Some(_), reflected: false, .. } if !lost => {
                Level { reflected: true, ..latest } // Rule 3.
            }
            Level { origin, reflected: true, .. } if !lost && origin == Some(i) => {
                Level { missing: true, ..latest } // Rule 4.
            }
            _ => self.new_search(), // Rules 1 and 5.
        };
        Height { level, h2: 0, id: i }
    }

    fn new_search(&mut self) -> Level {
        self.clock += 1;
        Level { origin: Some(self.i), ..Level::plain(self.clock) }
    }

    /// Follow what is heard of a search that found no token, or of a token after that. Returns
    /// whether the height has changed.
    pub(super) fn follow_part(&mut self, out: &mut Out<Msg>) -> bool {
        let height = if self.detects && !self.is_holder() { self.part_height() } else { None };
        if let Some(height) = height {
            self.move_to(height, out);
        }
        height.is_some()
    }

    fn part_height(&mut self) -> Option<Height> {
        let (i, mine) = (self.i, self.my_height.level);
        if self.n().next().is_none() {
            let alone = self.forming.is_empty() && !mine.missing;
            return alone.then(|| {
                let level = Level { missing: true, ..self.new_search() };
                Height { level, h2: 0, id: i }
            });
        }
        let in_vain =
            |height: &Height| height.level.missing && height.level.search() == mine.search();
        let news = self.n().map(|(_, height)| height).filter(in_vain).min();
        if !mine.missing && news.is_none() {
            return None;
        }
        let others = self.n().map(|(_, height)| height);
        let others = others.filter(|height| !height.level.missing);
        let joined = others.filter(|height| height.level.search() != mine.search()).min();
        match joined {
            Some(height) => Some(height.above(i)),
            None if mine.missing => None,
            None => news.map(|height| height.above(i)),
        }
    }

    /// Take a height that follows from what neighbors say, and tell them.
    fn move_to(&mut self, height: Height, out: &mut Out<Msg>) {
        let before = core::mem::replace(&mut self.my_height, height);
        if before < height {
            self.raises = self.raises.wrapping_add(1); // D4
        } else {
            self.raises_before = self.raises; // D4
        }
        if height.level.missing && !before.level.missing {
            out.note(NO_TOKEN_REACHABLE);
        }
        self.asked &= self.next_is_below();
        self.tell_all(out);
        if self.must_ask(false) {
            self.forward_request(out);
        }
    }

    /// The logical clock has seen a height.
    #[inline]
    pub(super) fn see(&mut self, height: Height) {
        if self.detects {
            self.clock = self.clock.max(height.level.h1);
        }
    }

    /// Whether this node says that no token can be reached.
    pub fn no_token_reachable(&self) -> bool {
        !self.is_holder() && self.my_height.level.missing
    }

    /// Whether the link to `next` leads down.
    pub(super) fn next_is_below(&self) -> bool {
        self.next
            .and_then(|next| self.height_of(next))
            .is_some_and(|height| height < self.my_height)
    }
}
