//! Section 6 of Walter, Cao and Mohanty (2001), regenerated: Figures 6 to 9.
//!
//! The paper has no tables, and the values of its figures are not known; what can be checked are
//! the claims of its text. Besides KRL and KRLF, which it compares, there are KRLA, which forwards
//! tokens as long as there is something to do, and RK, a static algorithm over ideal routing: the
//! two things that its section 7 leaves to the future.
//!
//! [`grid`] has the points, [`tables`], [`figures`] and [`claims`] show what came of them,
//! `account` puts it together.

mod account;
pub mod claims;
pub mod figures;
pub mod grid;
pub mod tables;
#[cfg(test)]
mod tests;

pub use account::{PAPER, Results};
pub use grid::Effort;
