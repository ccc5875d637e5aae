//! Who is inside, judged from outside.

use std::collections::{BTreeMap, BTreeSet};

use driftlock_core::ResourceId;
use driftlock_locks::{Key, Kind, Ticket};

/// Somebody who is inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inside {
    pub(crate) node: usize,
    pub(crate) key: Key,
    pub(crate) resource: ResourceId,
}

/// What a program has done, or what was done to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// It asks.
    Asks,
    /// It is inside.
    Enters {
        /// Its fence.
        fence: u64,
    },
    /// It says that it leaves.
    Leaves,
    /// It was told that it has left.
    Left,
}

impl Moment {
    pub(crate) fn is_entry(self) -> bool {
        matches!(self, Moment::Enters { .. })
    }
}

/// Who asked, who is inside, who was told to leave.
#[derive(Default)]
pub(crate) struct Book {
    pub(crate) asked: BTreeMap<Ticket, Inside>,
    pub(crate) inside: BTreeMap<Ticket, Inside>,
    pub(crate) told: BTreeSet<Ticket>,
    /// Everything that programs have done, in order.
    pub(crate) log: Vec<(Ticket, Inside, Moment)>,
    fences: BTreeMap<Key, u64>,
    /// The greatest fence of a local lock that a neighbor of each node has had, or it itself.
    neighbors: BTreeMap<(Key, usize), u64>,
    nodes: usize,
    pub(crate) grants: BTreeMap<&'static str, usize>,
}

impl Book {
    /// Of so many nodes.
    pub(crate) fn new(nodes: usize) -> Book {
        Book { nodes, ..Book::default() }
    }

    /// Somebody asks.
    pub(crate) fn ask(&mut self, ticket: Ticket, asking: Inside) {
        self.log.push((ticket, asking.clone(), Moment::Asks));
        self.asked.insert(ticket, asking);
    }

    /// Somebody enters: see that nobody is inside who must not be.
    pub(crate) fn enter(
        &mut self,
        ticket: Ticket,
        fence: u64,
        linked: impl Fn(usize, usize) -> bool,
    ) {
        let entrant = self.asked.remove(&ticket).expect("whoever enters has asked");
        let key = &entrant.key;
        let of_key = self.inside.iter().filter(|(_, other)| other.key == *key);
        let mut others = of_key.map(|(ticket, other)| (self.told.contains(ticket), other));
        match key.kind {
            Kind::Exclusive => assert_eq!(others.next(), None, "two are in {key}"),
            Kind::Permits(k) => assert!(others.count() < k as usize, "too many are in {key}"),
            Kind::Group => {
                let alike = |(_, other): (bool, &Inside)| other.resource == entrant.resource;
                assert!(others.all(alike), "two groups are in {key}");
            }
            Kind::Local => {
                let near =
                    |(told, other): &(bool, &Inside)| !told && linked(entrant.node, other.node);
                assert_eq!(others.find(near), None, "{} and a neighbor are in {key}", entrant.node);
            }
        }
        if key.kind == Kind::Local {
            self.enter_local(&entrant, fence, linked);
        }
        let greatest = self.fences.entry(key.clone()).or_insert(0);
        assert!(key.kind != Kind::Exclusive || *greatest < fence, "fences of {key} grow");
        *greatest = fence.max(*greatest);
        *self.grants.entry(key.kind.name()).or_insert(0) += 1;
        self.log.push((ticket, entrant.clone(), Moment::Enters { fence }));
        self.inside.insert(ticket, entrant);
    }

    /// Whoever enters has a greater fence than all who were its neighbors when they did, be they
    /// dead or out of reach now.
    fn enter_local(&mut self, entrant: &Inside, fence: u64, linked: impl Fn(usize, usize) -> bool) {
        let Inside { node, key, .. } = entrant;
        let least = self.neighbors.get(&(key.clone(), *node)).copied().unwrap_or(0);
        assert!(least < fence, "{node}: fences of {key} and neighbors grow: {least}, {fence}");
        for other in (0..self.nodes).filter(|other| other == node || linked(*node, *other)) {
            let greatest = self.neighbors.entry((key.clone(), other)).or_insert(0);
            *greatest = fence.max(*greatest);
        }
    }

    /// Somebody leaves.
    pub(crate) fn leave(&mut self, ticket: Ticket) -> Inside {
        self.told.remove(&ticket);
        let leaving = self.inside.remove(&ticket).expect("whoever leaves is inside");
        self.log.push((ticket, leaving.clone(), Moment::Leaves));
        leaving
    }

    /// Somebody has left.
    pub(crate) fn left(&mut self, ticket: Ticket, left: Inside) {
        self.log.push((ticket, left, Moment::Left));
    }
}
