//! What goes wrong in a network, and when: schedules for tests of whole nodes.
//!
//! A [`Schedule`] is drawn from a seed and depends on nothing else. It says who hears whom at the
//! beginning, when links are cut or get lossy, when daemons are stopped, killed and started again,
//! which nodes fail or are cut off and are forgotten, which programs ask for which lock and when
//! some of them are killed; and that all is well in the end. It knows nothing of the nodes that it
//! happens to. Two drivers carry it out: one has whole nodes in simulated time
//! (`crates/node/tests/faults.rs`), the other real daemons and real commands in network namespaces
//! (`crates/cli/tests/netlab/trial`). So what fails in one world is tried in the other with the
//! same seed.

#![forbid(unsafe_code)]

mod air;
mod draw;
mod event;

use std::collections::BTreeSet;

pub use self::air::{Air, Change};
pub use self::event::{Ask, Deed, Event, Kind, LOCKS, Lock, Step};

/// The time between the HELLOs of a node, in milliseconds.
pub const HELLO_MS: u64 = 100;

/// How long a node that stops by itself may be out of reach of a majority, in milliseconds.
pub const ALONE_MS: u64 = 2_000;

/// How long programs may take to stop there, in milliseconds.
pub const GRACE_MS: u64 = 1_000;

/// What happens to a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// What it was drawn from.
    pub seed: u64,
    /// How many nodes there are, 0 to `nodes - 1`. The first founds the network.
    pub nodes: usize,
    /// Who is in reach of whom at the beginning, in both directions. It is one piece.
    pub links: Vec<(usize, usize)>,
    /// Whether nodes stop by themselves when they were out of reach of a majority for [`ALONE_MS`];
    /// then nobody has to see that a node is off before it is forgotten.
    pub stops_alone: bool,
    /// What programs ask for, by their number.
    pub asks: Vec<Ask>,
    /// What happens, and when, in milliseconds, in order.
    pub events: Vec<(u64, Event)>,
    /// From when on all is well: every daemon runs but those that have failed for good, and nothing
    /// is lost on the air. Those who ask last do so then, two at every node and some for each lock.
    pub healed_at: u64,
}

impl Schedule {
    /// The schedule of a seed.
    pub fn draw(seed: u64) -> Schedule {
        draw::draw(seed)
    }

    /// Whether somebody is to be forgotten. Then nothing happens before all nodes are members.
    pub fn forgets(&self) -> bool {
        self.events.iter().any(|(_, event)| matches!(event, Event::Node(_, Deed::Forget(_))))
    }

    /// Whether somebody wants this node to be forgotten.
    pub fn is_forgotten(&self, node: usize) -> bool {
        let is_meant = |deed: Deed| deed == Deed::Forget(node);
        self.count(|event| matches!(event, Event::Node(_, deed) if is_meant(*deed))) > 0
    }

    /// Who has failed for good.
    pub fn lost(&self) -> BTreeSet<usize> {
        let mut lost = BTreeSet::new();
        for (_, event) in &self.events {
            match event {
                Event::Node(i, Deed::Fail) => drop(lost.insert(*i)),
                Event::Node(i, Deed::Start) => drop(lost.remove(i)),
                _ => {}
            }
        }
        lost
    }

    /// How many events are like this.
    pub fn count(&self, is_like: impl Fn(&Event) -> bool) -> u64 {
        self.events.iter().filter(|(_, event)| is_like(event)).count() as u64
    }
}

#[cfg(test)]
mod tests;
