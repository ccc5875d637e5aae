//! Jiang's group mutual exclusion algorithm, measured.
//!
//! The paper has no experiments. These are the ones it lacks: what the algorithm costs and gains
//! against the load, the number of resources and the changes of links, and what becomes of those
//! who want something else than most. Beside it stands RL with one lock for all resources, which is
//! what there is to use otherwise.
//!
//! [`grid`] has the points, [`tables`], [`figures`] and [`findings`] show what came of them,
//! `account` puts it together.

mod account;
pub mod figures;
pub mod findings;
pub mod grid;
pub mod tables;
#[cfg(test)]
mod tests;

pub use account::PAPER;
pub use grid::Effort;
