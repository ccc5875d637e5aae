//! Nodes that are killed and wake up as they were written down.
//!
//! A real node writes down the process of a lock, with the links that it was told of, when a token
//! or a share of one came, went or came back ([`Tokens::is_written_down`]), or when somebody is let
//! in for something else than was written down. It does so before anything that follows leaves the
//! node, and once for all that happens at the same time. All else is forgotten. So a node may wake
//! up as it was at any moment since the last step that has to be written down, and here it may
//! whether or not it was written down just then: a *save* is a guess that this is what the node
//! will wake up as, and it is void once something happens that has to be written down. That takes
//! far fewer states than keeping the last of each node, and no real restart is missed.
//!
//! What `Locks::awake`, `Locks::hold` and `Locks::wake` do, step by step:
//!
//! * The process is what was saved, and so are the links that it was told of. All of them are gone.
//!   It has `LinkDown` for each of them as any end of a broken link has, after what it had sent and
//!   did not arrive came back. A real node that knows what became of that has these steps before
//!   any other; here they come whenever they like.
//! * What it sends before that over such a link never arrives, and what would be missed of it comes
//!   back after what was sent before ([`BAR`]). What it had sent before it was killed may arrive as
//!   long as the other end was not told.
//! * A process that waits though nobody does goes on waiting, for the next one who asks needs that;
//!   so it is taken for one whose application waits. If it is let in and nobody is there, it
//!   leaves at once: it is inside, and leaves whenever it likes.
//! * A process that was inside when it was saved is inside, and leaves whenever it likes: its
//!   application is dead, or outlives its node and is held (`Lock::hold`).
//! * A process that was not, though it was inside when it was killed, has an application that is
//!   dead, or one that is still there and asks again at once. If that step does not let it in, the
//!   node does not start as long as that one is there.
//! * A local protocol writes nothing down: its processes start anew, alone. A fork is made anew
//!   with each link.
//!
//! [`Tokens::is_written_down`]: driftlock_core::Tokens::is_written_down

use driftlock_core::Status;

use crate::batch::Move;
use crate::channels::BAR;
use crate::environment::Event;
use crate::expand::{Expander, Way};
use crate::memo::{Effect, Key, Miss};
use crate::site::Checked;

/// Nothing was saved that a node could wake up as.
pub(crate) const UNSAVED: u32 = u32::MAX;

impl<P: Checked> Expander<'_, P> {
    /// Nodes are written down, or killed.
    pub(crate) fn restarts(&mut self) -> Result<(), Miss> {
        let left = usize::from(self.environment.restarts);
        if left == 0 {
            return Ok(());
        }
        let layout = &self.memo.layout;
        let saved = self.row[1 + layout.n..layout.left()].iter();
        let pending = saved.filter(|saved| **saved != UNSAVED).count();
        for (i, site) in self.sites() {
            let saved = match layout.saves {
                true => self.row[layout.saved(i)],
                false => self.memo.cold[usize::from(i)],
            };
            if saved == UNSAVED && pending < left {
                self.successor(Move::Save(i), |this, row| {
                    row[this.memo.layout.saved(i)] = site;
                    row[0] = this.memo.after(row[0], Event::Save(i))?;
                    Ok(Way::default())
                })?;
            } else if saved != UNSAVED {
                let outlives = self.outlives(site, saved)?;
                for inside in [false, true].into_iter().take(1 + usize::from(outlives)) {
                    self.successor(Move::Restart { node: i, inside }, |this, row| {
                        this.restart(row, i, saved, inside)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn restart(&self, row: &mut [u32], i: u8, saved: u32, inside: bool) -> Result<Way, Miss> {
        let memo = self.memo;
        let layout = &memo.layout;
        let wanted = self.facts(row, i).wanted;
        row[1 + usize::from(i)] = saved;
        if layout.saves {
            row[layout.saved(i)] = UNSAVED;
        }
        let was_due = memo.told(row).due;
        row[0] = memo.after(row[0], Event::Restart(i))?;
        let told = memo.told(row);
        for j in (0..layout.n as u8).filter(|&j| j != i) {
            let [own, far] = [layout.end(i, j), layout.end(j, i)];
            let [sent, towards] =
                [(i, j), (j, i)].map(|(from, to)| layout.channel(from.into(), to.into()));
            row[towards] = self.kept(row[towards])?;
            if was_due & far != 0 {
                row[sent] = self.kept(row[sent])?;
            }
            let may_arrive = told.open & own != 0 && !told.is_dead(far);
            if may_arrive && !memo.channels.get(row[sent]).barred {
                row[sent] = memo.send(row[sent], BAR)?;
            }
        }
        match inside {
            true => self.step(row, i, Key::Request(wanted.0 as u8)),
            false => Ok(Way::default()),
        }
    }

    /// Whether an application that is inside can be let in again by a node that wakes up outside.
    fn outlives(&self, site: u32, saved: u32) -> Result<bool, Miss> {
        let [was, is] = [site, saved].map(|site| self.memo.site(site));
        if was.section != Status::Critical || is.section != Status::Remainder {
            return Ok(false);
        }
        Ok(self.memo.step(saved, Key::Request(was.wanted.0 as u8))?.entered)
    }

    /// What was saved of a node is void after a step that has to be written down.
    pub(crate) fn outdate(&self, row: &mut [u32], i: u8, effect: &Effect) -> Result<(), Miss> {
        let place = self.memo.layout.saved(i);
        if row[place] == UNSAVED {
            return Ok(());
        }
        let (saved, now) = (self.memo.site(row[place]), self.memo.site(effect.site));
        let otherwise = saved.section != Status::Remainder && saved.wanted != now.wanted;
        if effect.matters || (effect.entered && otherwise) {
            row[place] = UNSAVED;
            row[0] = self.memo.after(row[0], Event::Outdate(i))?;
        }
        Ok(())
    }
}
