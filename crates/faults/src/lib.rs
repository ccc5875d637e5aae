//! What goes wrong in a network, and when: schedules for tests of whole nodes.
//!
//! A [`Schedule`] is drawn from a seed and depends on nothing else. It says who hears whom at the
//! beginning, when links are cut or get lossy, when daemons are stopped, killed and started again,
//! which programs ask for which lock and when some of them are killed; and that all is well in the
//! end. It knows nothing of the nodes that it happens to. Two drivers carry it out: one has whole
//! nodes in simulated time (`crates/node/tests/faults.rs`), the other real daemons and real
//! commands in network namespaces (`crates/cli/tests/netlab/trial`). So what fails in one world is
//! tried in the other with the same seed.

#![forbid(unsafe_code)]

mod air;
mod draw;
mod event;

pub use self::air::{Air, Change};
pub use self::event::{Ask, Deed, Event, Kind, LOCKS, Lock, Step};

/// The time between the HELLOs of a node, in milliseconds.
pub const HELLO_MS: u64 = 100;

/// What happens to a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// What it was drawn from.
    pub seed: u64,
    /// How many nodes there are, 0 to `nodes - 1`. The first founds the network.
    pub nodes: usize,
    /// Who is in reach of whom at the beginning, in both directions. It is one piece.
    pub links: Vec<(usize, usize)>,
    /// What programs ask for, by their number.
    pub asks: Vec<Ask>,
    /// What happens, and when, in milliseconds, in order.
    pub events: Vec<(u64, Event)>,
    /// From when on all is well: every daemon runs, and nothing is lost on the air. Those who ask
    /// last do so then, two at every node and some for each lock.
    pub healed_at: u64,
}

impl Schedule {
    /// The schedule of a seed.
    pub fn draw(seed: u64) -> Schedule {
        draw::draw(seed)
    }

    /// How many events are like this.
    pub fn count(&self, is_like: impl Fn(&Event) -> bool) -> u64 {
        self.events.iter().filter(|(_, event)| is_like(event)).count() as u64
    }
}

#[cfg(test)]
mod tests;
