//! What a node counts of its locks: [`Meter`].

use std::collections::BTreeMap;

use driftlock_locks::Ticket;

/// The upper ends of the classes of times, in microseconds: 100 µs to 100 s.
pub const CLASSES: [u64; 13] = [
    100,
    300,
    1_000,
    3_000,
    10_000,
    30_000,
    100_000,
    300_000,
    1_000_000,
    3_000_000,
    10_000_000,
    30_000_000,
    100_000_000,
];

/// How many times were how long.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// How many fell into each class, and into none.
    pub classes: [u64; CLASSES.len() + 1],
    /// How many there were.
    pub count: u64,
    /// All of them together, in microseconds.
    pub sum: u64,
}

impl Times {
    /// One more.
    pub fn add(&mut self, micros: u64) {
        let class = CLASSES.iter().position(|&end| micros <= end).unwrap_or(CLASSES.len());
        self.classes[class] += 1;
        self.count += 1;
        self.sum += micros;
    }
}

/// What a node counts of its locks since it was started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meter {
    /// From request to grant.
    pub waits: Times,
    /// From grant to release.
    pub holds: Times,
    /// Requests that were not granted.
    pub refused: u64,
    /// Grants that were taken back.
    pub demoted: u64,
    /// Messages about locks to neighbors.
    pub messages: u64,
    /// Those of them that carried a token or a share of one.
    pub hops: u64,
    /// Messages of neighbors that could not be read.
    pub garbled: u64,
    /// Links given up because too much waited for them.
    pub overflows: u64,
    since: BTreeMap<Ticket, u64>,
}

impl Meter {
    pub(crate) fn granted(&mut self, now: u64, ticket: Ticket, waited: u64) {
        self.waits.add(waited);
        self.since.insert(ticket, now);
    }

    pub(crate) fn released(&mut self, now: u64, ticket: Ticket) {
        if let Some(since) = self.since.remove(&ticket) {
            self.holds.add(now.saturating_sub(since));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_the_first_class_it_fits() {
        let mut times = Times::default();
        for micros in [100, 101, 200_000_000] {
            times.add(micros);
        }
        assert_eq!((times.classes[0], times.classes[1], times.classes[13]), (1, 1, 1));
        assert_eq!((times.count, times.sum), (3, 200_000_201));
    }
}
