//! How far the fences of neighbors may go: [`Ceilings`], of a local lock.
//!
//! A neighbor that dies inside cannot say which fence it had, and whoever enters after it has to
//! have a greater one, so that what the lock protects can refuse the other. So a node lets somebody
//! in with a fence only when all its neighbors have noted that its fences may go that far. When its
//! link is down, they go on from there. It asks for many at once, and before the last is used up.

use driftlock_core::NodeId;

use crate::key::Kind;
use crate::lock::{Around, Lock, Up, send};
use crate::wire::Message;

/// How many fences to ask for at once.
const ROOM: u64 = 1 << 10;

/// A link: its other end, and its epoch.
type Link = (NodeId, u64);

/// How far fences may go, here and at the neighbors: an entry for each link; there are few.
#[derive(Default)]
pub(crate) struct Ceilings(Vec<(Link, Ceiling)>);

#[derive(Default)]
struct Ceiling {
    /// How far those of the neighbor may go, which this node has noted.
    theirs: u64,
    /// What the neighbor was asked to note of those of this node, and what it has.
    asked: u64,
    noted: u64,
}

impl Ceilings {
    fn get(&self, link: Link) -> Option<&Ceiling> {
        self.0.iter().find(|(of, _)| *of == link).map(|(_, ceiling)| ceiling)
    }

    fn entry(&mut self, link: Link) -> &mut Ceiling {
        let place = self.0.iter().position(|(of, _)| *of == link).unwrap_or_else(|| {
            self.0.push((link, Ceiling::default()));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    /// Whether this neighbor knows that a fence here may be as great as this.
    fn is_noted(&self, link: Link, fence: u64) -> bool {
        self.get(link).is_some_and(|ceiling| fence <= ceiling.noted)
    }

    /// What this neighbor is to note, before fences greater than this one can be had; if anything.
    fn ask_for(&mut self, link: Link, fence: u64) -> Option<u64> {
        let ceiling = self.entry(link);
        let is_enough = fence.saturating_add(ROOM / 2) <= ceiling.asked;
        (!is_enough).then(|| {
            ceiling.asked = fence.saturating_add(ROOM);
            ceiling.asked
        })
    }

    /// A neighbor has noted how far fences here may go.
    fn on_noted(&mut self, link: Link, noted: u64) {
        let ceiling = self.entry(link);
        ceiling.noted = ceiling.noted.max(noted.min(ceiling.asked));
    }

    /// Note how far the fences of a neighbor may go.
    fn note(&mut self, link: Link, theirs: u64) {
        let ceiling = self.entry(link);
        ceiling.theirs = ceiling.theirs.max(theirs);
    }

    /// Forget the neighbors whose links are down. Returns how far their fences may have gone.
    pub(crate) fn part(&mut self, is_up: impl Fn(&NodeId, &u64) -> bool) -> u64 {
        let parted = self.0.extract_if(.., |((peer, epoch), _)| !is_up(peer, epoch));
        parted.map(|(_, ceiling)| ceiling.theirs).max().unwrap_or(0)
    }
}

impl Lock {
    /// Whether somebody may enter if the process says so: not while this node may have been struck
    /// off; and of a local lock, not while a neighbor may be inside that the process has not been
    /// told of, or one does not know that fences here may be so great.
    pub(crate) fn may_let_in(&self, around: &Around<'_>) -> bool {
        let is_known = |(peer, up): (&NodeId, &Up)| {
            let link = (*peer, up.epoch);
            self.known.get(peer) == Some(&up.epoch)
                && self.ceilings.is_noted(link, self.clock.saturating_add(1))
        };
        match self.key.kind {
            Kind::Local => around.links.iter().all(is_known),
            Kind::Exclusive | Kind::Permits(_) | Kind::Group => around.sure,
        }
    }

    /// A neighbor's fences may become as great as this.
    pub(crate) fn note(&mut self, from: NodeId, ceiling: u64, around: &mut Around<'_>) {
        self.ceilings.note((from, around.links[&from].epoch), ceiling);
        send(from, &Message::Noted(self.key.clone(), ceiling), false, around.out);
    }

    /// A neighbor has noted how great fences here may become.
    pub(crate) fn on_noted(&mut self, from: NodeId, ceiling: u64, around: &mut Around<'_>) {
        self.ceilings.on_noted((from, around.links[&from].epoch), ceiling);
        self.update(around);
    }

    /// See that neighbors know how great fences of a local lock may become here.
    pub(crate) fn have_noted(&mut self, around: &mut Around<'_>) {
        if self.key.kind != Kind::Local {
            return;
        }
        for (&peer, &epoch) in &self.known {
            if let Some(ceiling) =
                self.ceilings.ask_for((peer, epoch), self.clock.saturating_add(1))
            {
                send(peer, &Message::Note(self.key.clone(), ceiling), false, around.out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: (NodeId, u64) = (NodeId(1), 7);

    #[test]
    fn fences_are_asked_for_ahead_and_used_when_they_are_noted() {
        let mut ceilings = Ceilings::default();
        assert!(!ceilings.is_noted(LINK, 1));
        assert_eq!(ceilings.ask_for(LINK, 1), Some(1 + ROOM));
        assert_eq!(ceilings.ask_for(LINK, 2), None, "once");
        assert!(!ceilings.is_noted(LINK, 1));
        ceilings.on_noted(LINK, 1 + ROOM);
        assert!(ceilings.is_noted(LINK, 1 + ROOM) && !ceilings.is_noted(LINK, 2 + ROOM));
        assert_eq!(ceilings.ask_for(LINK, 1 + ROOM / 2), None);
        assert_eq!(ceilings.ask_for(LINK, 2 + ROOM / 2), Some(2 + ROOM / 2 + ROOM));
        assert!(!ceilings.is_noted((NodeId(1), 8), 1), "that is another link");
        assert_eq!(ceilings.ask_for((NodeId(1), 8), 1), Some(1 + ROOM));
    }

    #[test]
    fn when_a_link_is_down_its_other_end_may_have_gone_so_far() {
        let mut ceilings = Ceilings::default();
        ceilings.note(LINK, 50);
        ceilings.note(LINK, 40);
        ceilings.note((NodeId(2), 9), 70);
        assert_eq!(ceilings.part(|_, _| true), 0);
        assert_eq!(ceilings.part(|peer, _| *peer == NodeId(2)), 50);
        assert_eq!(ceilings.part(|_, epoch| *epoch == 8), 70);
        assert_eq!(ceilings.part(|_, _| false), 0);
    }
}
