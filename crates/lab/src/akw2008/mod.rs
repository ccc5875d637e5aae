//! Local mutual exclusion by Attiya, Kogan and Welch (2008), measured.
//!
//! The paper has bounds and no experiments. These are the ones it lacks: its Table 1 with measured
//! columns, how fast the longest wait grows with the network and with the degree, how far from a
//! node that has stopped others starve, and what the authors name as future work, the number of
//! messages.
//!
//! [`grid`] has the points, [`crashes`] the nodes that stop, [`growth`] the fitted exponents,
//! [`picture`] the network that is drawn; [`tables`], [`figures`] and [`findings`] show what came
//! of them, `account` puts it together.

mod account;
pub mod crashes;
pub mod figures;
pub mod findings;
pub mod grid;
pub mod growth;
pub mod picture;
pub mod tables;
#[cfg(test)]
mod tests;

pub use account::{PAPER, Results};
pub use grid::Effort;
