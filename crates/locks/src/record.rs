//! What a journal has of a step: [`Step`].
//!
//! A node can write down every step of its locks. These are the steps of one node; those of all
//! nodes together make a journal like that of a simulated run, which can be replayed and judged.

use driftlock_journal::Event;

use crate::key::Key;

/// One step of the process of a lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The lock.
    pub key: Key,
    /// What happened.
    pub event: Event,
    /// The incarnation of the link that it happened on, if it did on one; otherwise 0.
    pub epoch: u64,
    /// The check sum of what was answered.
    pub check: u32,
}
