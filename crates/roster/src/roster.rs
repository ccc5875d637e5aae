//! The list: [`Roster`], and what can be wished of the next one: [`Wish`].

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::NodeId;
use serde::{Deserialize, Serialize};

/// A node, with one memory. A node that has lost its memory is another member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Member {
    /// The node.
    pub id: NodeId,
    /// The name of its memory.
    pub memory: u64,
}

/// Who belongs to the network.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Roster {
    /// Tells this network from others: the name of the memory of whoever founded it.
    pub charter: u64,
    /// Which list this is: one more with every change.
    pub version: u64,
    /// How often members were struck off, or left.
    pub epoch: u64,
    /// How long to wait, after members were struck off, before what they had is made anew: until
    /// they have stopped. In microseconds.
    pub wait: u64,
    /// The nodes on it.
    pub members: BTreeMap<NodeId, Listed>,
}

/// What the list has about a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// The name of its memory.
    pub memory: u64,
    /// How long it uses tokens without being heard by a quorum, in microseconds; 0 if for ever.
    pub lease: u64,
}

impl Listed {
    /// How long after it was struck off it has stopped everything, for certain: it has noticed
    /// after its lease, whatever it runs has had as long to stop, and clocks may differ by a tenth.
    fn stops_within(self) -> u64 {
        (self.lease / 10).saturating_mul(22)
    }
}

/// What the next list should be like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Wish {
    /// This one never comes back: strike it off, and make anew what it had. The number tells a
    /// wish from one before it, that came to nothing.
    Forget(Member, u64),
    /// This one leaves, and has nothing any more; or little, which is made anew.
    Leave(Member),
    /// This one wants to belong to the network, with this lease.
    Join(Member, u64),
}

impl Wish {
    /// Who it is about.
    pub fn member(self) -> Member {
        let (Wish::Forget(member, _) | Wish::Leave(member) | Wish::Join(member, _)) = self;
        member
    }
}

impl Roster {
    /// The list of somebody who founds a network.
    pub fn found(founder: Member, lease: u64) -> Roster {
        let listed = Listed { memory: founder.memory, lease };
        let members = [(founder.id, listed)].into();
        Roster { charter: founder.memory, version: 1, epoch: 0, wait: 0, members }
    }

    /// Whether this node, with this memory, is on it.
    pub fn has(&self, member: Member) -> bool {
        self.members.get(&member.id).is_some_and(|listed| listed.memory == member.memory)
    }

    /// Whether those of them who are on the list are enough to agree: more than half, or half with
    /// the first among them. Two such sets always have somebody in common.
    pub fn is_quorum(&self, agreed: &BTreeSet<NodeId>) -> bool {
        let agreed = |id: &&NodeId| agreed.contains(*id);
        let (all, yes) = (self.members.len(), self.members.keys().filter(agreed).count());
        let first = self.members.keys().next().as_ref().is_some_and(agreed);
        2 * yes > all || (2 * yes == all && first)
    }

    /// The next list, if these wishes change anything. Who is wished away is gone before others
    /// come, so a node that has lost its memory can come back when its old self is struck off.
    /// Somebody is always left.
    pub fn next<'a>(&self, wishes: impl Iterator<Item = &'a Wish>) -> Option<Roster> {
        let mut next = self.clone();
        for wish in wishes.collect::<BTreeSet<_>>() {
            let member = wish.member();
            match wish {
                Wish::Forget(..) | Wish::Leave(_) if next.has(member) && next.members.len() > 1 => {
                    let gone = next.members.remove(&member.id);
                    if next.epoch == self.epoch {
                        (next.epoch, next.wait) = (self.epoch + 1, 0);
                    }
                    if matches!(wish, Wish::Forget(..)) {
                        next.wait = next.wait.max(gone.map_or(0, Listed::stops_within));
                    }
                }
                Wish::Join(member, lease) => {
                    let listed = Listed { memory: member.memory, lease: *lease };
                    next.members.entry(member.id).or_insert(listed);
                }
                Wish::Forget(..) | Wish::Leave(_) => {}
            }
        }
        next.version += 1;
        (next.members != self.members).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: u32) -> Member {
        Member { id: NodeId(id), memory: 100 + u64::from(id) }
    }

    fn of(ids: &[u32]) -> Roster {
        let mut roster = Roster::found(member(ids[0]), 0);
        let listed = |id| Listed { memory: member(id).memory, lease: 10 * u64::from(id) };
        roster.members = ids.iter().map(|&id| (NodeId(id), listed(id))).collect();
        roster
    }

    fn set(ids: &[u32]) -> BTreeSet<NodeId> {
        ids.iter().map(|&id| NodeId(id)).collect()
    }

    #[test]
    fn any_two_quorums_have_somebody_in_common() {
        for n in 1..=6_u32 {
            let roster = of(&(1..=n).collect::<Vec<_>>());
            let sets: Vec<BTreeSet<NodeId>> = (0..1_u32 << n)
                .map(|bits| (1..=n).filter(|k| bits >> (k - 1) & 1 == 1).map(NodeId).collect())
                .filter(|agreed| roster.is_quorum(agreed))
                .collect();
            assert!(!sets.is_empty());
            for (a, b) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
                assert!(!a.is_disjoint(b), "{a:?} and {b:?} of {n}");
            }
        }
    }

    #[test]
    fn half_is_enough_with_the_first() {
        assert!(of(&[1, 2]).is_quorum(&set(&[1])));
        assert!(!of(&[1, 2]).is_quorum(&set(&[2])));
        assert!(!of(&[1, 2, 3]).is_quorum(&set(&[1])));
        assert!(!of(&[1, 2]).is_quorum(&set(&[7, 8, 9])), "strangers do not count");
    }

    #[test]
    fn a_node_without_its_memory_comes_when_its_old_self_is_struck_off() {
        let (roster, anew) = (of(&[1, 2]), Member { id: NodeId(2), memory: 7 });
        assert_eq!(roster.next([Wish::Join(anew, 0)].iter()), None);
        let next =
            roster.next([Wish::Join(anew, 0), Wish::Forget(member(2), 1)].iter()).expect("news");
        assert!(next.has(anew) && !next.has(member(2)));
        assert_eq!((next.version, next.epoch), (2, 1));
        assert_eq!(next.wait, 44, "20 to notice, 20 to stop, and a tenth");
        let later = next.next([Wish::Join(member(3), 0)].iter()).expect("news");
        assert_eq!((later.epoch, later.wait), (1, 44));
    }

    #[test]
    fn somebody_is_always_left() {
        assert_eq!(of(&[1]).next([Wish::Leave(member(1))].iter()), None);
        assert_eq!(of(&[1, 2]).next([Wish::Forget(member(3), 1)].iter()), None);
    }
}
