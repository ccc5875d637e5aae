//! What locks are, one request after the other: models that histories are judged by.
//!
//! Each is a state and two operations, to enter and to leave. A history is right if each of its
//! operations can be taken to happen at one instant between its beginning and its end, so that the
//! model allows all of them in that order (Herlihy and Wing 1990).

use std::collections::BTreeMap;

use todc_utils::specifications::Specification;

/// Who is inside: the number of the grant.
pub(crate) type Who = u64;

/// What a program does with a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// It enters.
    Enter {
        /// Under this grant.
        who: Who,
        /// At this node.
        node: usize,
        /// As one of this group.
        group: u64,
        /// With this fence.
        fence: u64,
    },
    /// It leaves.
    Leave(Who),
}

/// Permits: each is with somebody, or free, and has the fence of its last grant. Fences grow from
/// grant to grant of a permit; which permit it is, nobody says.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Permits {
    free: Vec<u64>,
    taken: BTreeMap<Who, u64>,
}

/// So many permits. With one of them, it is a mutex with fences.
pub(crate) struct OfPermits<const K: usize>;

impl<const K: usize> Specification for OfPermits<K> {
    type State = Permits;
    type Operation = Op;

    fn init() -> Permits {
        Permits { free: vec![0; K], taken: BTreeMap::new() }
    }

    fn apply(op: &Op, state: &Permits) -> (bool, Permits) {
        let mut next = state.clone();
        match *op {
            Op::Enter { who, fence, .. } => {
                // Of the permits that can be had the one with the greatest fence: whatever can be
                // done with it can be done with any other as well.
                let fits = (0..next.free.len()).filter(|&k| next.free[k] < fence);
                let Some(k) = fits.max_by_key(|&k| next.free[k]) else { return (false, next) };
                next.free.remove(k);
                next.taken.insert(who, fence);
            }
            Op::Leave(who) => {
                let Some(fence) = next.taken.remove(&who) else { return (false, next) };
                next.free.push(fence);
                next.free.sort_unstable();
            }
        }
        (true, next)
    }
}

/// A room: who is inside, of which group, and the greatest fence of each group so far.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Room {
    inside: BTreeMap<Who, u64>,
    greatest: BTreeMap<u64, u64>,
}

/// One group at a time. Fences grow from each grant to those of other groups.
pub(crate) struct OfGroups;

impl Specification for OfGroups {
    type State = Room;
    type Operation = Op;

    fn init() -> Room {
        Room::default()
    }

    fn apply(op: &Op, state: &Room) -> (bool, Room) {
        let mut next = state.clone();
        let allowed = match *op {
            Op::Enter { who, group, fence, .. } => {
                let mut others = next.greatest.iter().filter(|(other, _)| **other != group);
                let allowed = next.inside.values().all(|other| *other == group)
                    && others.all(|(_, greatest)| *greatest < fence);
                next.inside.insert(who, group);
                let greatest = next.greatest.entry(group).or_default();
                *greatest = fence.max(*greatest);
                allowed
            }
            Op::Leave(who) => next.inside.remove(&who).is_some(),
        };
        (allowed, next)
    }
}

/// A street: who is inside, at which node, and the greatest fence of each node so far.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Street {
    inside: BTreeMap<Who, usize>,
    greatest: BTreeMap<usize, u64>,
}

/// No two neighbors, in a line of nodes whose links stay. Fences grow from each grant to those of
/// the same node and of its neighbors.
pub(crate) struct OfNeighbors;

impl Specification for OfNeighbors {
    type State = Street;
    type Operation = Op;

    fn init() -> Street {
        Street::default()
    }

    fn apply(op: &Op, state: &Street) -> (bool, Street) {
        let mut next = state.clone();
        let allowed = match *op {
            Op::Enter { who, node, fence, .. } => {
                let mut before = next.greatest.iter().filter(|(other, _)| other.abs_diff(node) < 2);
                let allowed = next.inside.values().all(|other| other.abs_diff(node) > 1)
                    && before.all(|(_, greatest)| *greatest < fence);
                next.inside.insert(who, node);
                next.greatest.insert(node, fence);
                allowed
            }
            Op::Leave(who) => next.inside.remove(&who).is_some(),
        };
        (allowed, next)
    }
}
