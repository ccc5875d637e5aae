//! How far the fences of neighbors may go: [`Ceilings`], of a local lock.
//!
//! A neighbor that dies inside cannot say which fence it had, and whoever enters after it has to
//! have a greater one, so that what the lock protects can refuse the other. So a node lets somebody
//! in with a fence only when all its neighbors have noted that its fences may go that far. When its
//! link is down, they go on from there. It asks for many at once, and before the last is used up.

use std::collections::BTreeMap;

use driftlock_core::NodeId;

use crate::key::Kind;
use crate::lock::{Around, Lock, send};
use crate::wire::Message;

/// How many fences to ask for at once.
const ROOM: u64 = 1 << 10;

/// How far fences may go, here and at the neighbors. Links have their epochs with them.
#[derive(Default)]
pub(crate) struct Ceilings {
    /// Those of neighbors, which this node has noted.
    theirs: BTreeMap<NodeId, (u64, u64)>,
    /// Those of this node: what a neighbor was asked to note, and what it has.
    ours: BTreeMap<NodeId, (u64, Ours)>,
}

#[derive(Clone, Copy, Default)]
struct Ours {
    asked: u64,
    noted: u64,
}

impl Ceilings {
    /// Whether this neighbor knows that a fence here may be as great as this.
    pub(crate) fn is_noted(&self, (peer, epoch): (NodeId, u64), fence: u64) -> bool {
        self.ours.get(&peer).is_some_and(|(of, ours)| *of == epoch && fence <= ours.noted)
    }

    /// What this neighbor is to note, before fences greater than this one can be had; if anything.
    pub(crate) fn to_ask(&mut self, (peer, epoch): (NodeId, u64), fence: u64) -> Option<u64> {
        let (of, ours) = self.ours.entry(peer).or_default();
        if *of != epoch {
            (*of, *ours) = (epoch, Ours::default());
        }
        let is_enough = fence.saturating_add(ROOM / 2) <= ours.asked;
        (!is_enough).then(|| {
            ours.asked = fence.saturating_add(ROOM);
            ours.asked
        })
    }

    /// A neighbor has noted how far fences here may go.
    pub(crate) fn on_noted(&mut self, peer: NodeId, ceiling: u64) {
        if let Some((_, ours)) = self.ours.get_mut(&peer) {
            ours.noted = ours.noted.max(ceiling.min(ours.asked));
        }
    }

    /// Note how far the fences of a neighbor may go.
    pub(crate) fn note(&mut self, (peer, epoch): (NodeId, u64), ceiling: u64) {
        let theirs = self.theirs.entry(peer).or_default();
        *theirs = (epoch, theirs.1.max(ceiling));
    }

    /// Forget the neighbors whose links are down. Returns how far their fences may have gone.
    pub(crate) fn part(&mut self, is_up: impl Fn(&NodeId, &u64) -> bool) -> u64 {
        self.ours.retain(|peer, (epoch, _)| is_up(peer, epoch));
        let parted = self.theirs.extract_if(.., |peer, (epoch, _)| !is_up(peer, epoch));
        parted.map(|(_, (_, ceiling))| ceiling).max().unwrap_or(0)
    }
}

impl Lock {
    /// A neighbor's fences may become as great as this.
    pub(crate) fn note(&mut self, from: NodeId, ceiling: u64, around: &mut Around<'_>) {
        self.ceilings.note((from, around.links[&from].epoch), ceiling);
        send(from, &Message::Noted(self.key.clone(), ceiling), false, around.out);
    }

    /// A neighbor has noted how great fences here may become.
    pub(crate) fn on_noted(&mut self, from: NodeId, ceiling: u64, around: &mut Around<'_>) {
        self.ceilings.on_noted(from, ceiling);
        self.update(around);
    }

    /// See that neighbors know how great fences of a local lock may become here.
    pub(crate) fn have_noted(&mut self, around: &mut Around<'_>) {
        if self.key.kind != Kind::Local {
            return;
        }
        for (&peer, &epoch) in &self.known {
            if let Some(ceiling) = self.ceilings.to_ask((peer, epoch), self.clock.saturating_add(1))
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
        assert_eq!(ceilings.to_ask(LINK, 1), Some(1 + ROOM));
        assert_eq!(ceilings.to_ask(LINK, 2), None, "once");
        assert!(!ceilings.is_noted(LINK, 1));
        ceilings.on_noted(NodeId(1), 1 + ROOM);
        assert!(ceilings.is_noted(LINK, 1 + ROOM) && !ceilings.is_noted(LINK, 2 + ROOM));
        assert_eq!(ceilings.to_ask(LINK, 1 + ROOM / 2), None);
        assert_eq!(ceilings.to_ask(LINK, 2 + ROOM / 2), Some(2 + ROOM / 2 + ROOM));
        assert!(!ceilings.is_noted((NodeId(1), 8), 1), "that is another link");
        assert_eq!(ceilings.to_ask((NodeId(1), 8), 1), Some(1 + ROOM));
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
