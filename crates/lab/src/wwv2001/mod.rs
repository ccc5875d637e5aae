//! Section 6 of Walter, Welch and Vaidya (2001), regenerated: Tables 1 and 2, Figures 5 to 8.
//!
//! The paper leaves open how long its runs were and whether they were warmed up, and its text on
//! link changes does not give its tables. So everything is shown under four readings: link changes
//! as the text has them (`literal`) and with every pair of nodes flipping by itself (`toggle`);
//! measured from a cold start and in the steady state. No number is tuned to fit.
//!
//! [`grid`] has the points, [`results`] runs them, [`tables`], [`figures`] and [`claims`] show what
//! came of it, [`page`] puts all of it on one page.

mod account;
pub mod claims;
pub mod figures;
pub mod grid;
pub mod page;
pub mod published;
pub mod results;
pub mod tables;
#[cfg(test)]
mod tests;

pub use account::PAPER;
pub use grid::Effort;
pub use results::Results;
