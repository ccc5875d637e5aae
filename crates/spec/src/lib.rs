//! What was promised, and whether it was kept.
//!
//! Every property is defined here once and judged from outside: a [`Monitor`] sees the inputs a
//! driver feeds to processes and the outputs they answer, never the inside of a process, except
//! for the tokens it shows through [`Tokens`](driftlock_core::Tokens). The same monitors run in
//! every simulation, in every replay and in every test. The checker goes back and forth between
//! states and has no history, so it asks the same definitions about each state and each step:
//! there is one definition of mutual exclusion. A broken promise is a [`Violation`], a value; what
//! to do about it is the driver's decision.
//!
//! | file | what it judges |
//! |---|---|
//! | [`exclusion`] | never more than `k` in the critical section, or two groups, or two neighbors |
//! | [`application`] | entry only on request, and the application keeps to its turns |
//! | [`colors`] | neighbors who compete have different colors |
//! | [`tokens`] | tokens held and in transit stay the same number; one fork for each link |
//! | [`epochs`] | where tokens are made anew, there is one of each epoch |
//! | [`steps`] | every step is defined, and messages go to neighbors |
//! | [`links`] | the driver keeps to the model: FIFO, nothing lost, links go down idle |
//! | [`progress`] | after the storm everyone waiting gets in, and the network falls silent |
#![forbid(unsafe_code)]

pub mod application;
pub mod colors;
pub mod epochs;
pub mod exclusion;
pub mod links;
pub mod monitor;
mod neighbors;
pub mod progress;
mod rules;
pub mod steps;
pub mod tokens;
mod violation;

pub use monitor::Monitor;
pub use rules::Rules;
pub use violation::{Broken, Promise, Violation};
