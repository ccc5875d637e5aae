//! Section 7 of Sharma, Bhatia and Singh (2014), regenerated: Figures 2 to 8; section 6, counted;
//! and section 8, which the paper never measured.
//!
//! The values of the paper's figures are not known; what can be checked are the claims of its text.
//!
//! [`grid`] has the world and the points, [`formulas`] what section 6 says of them, [`faults`] what
//! goes wrong; [`tables`], [`figures`] and [`claims`] show what came of it, `remarks` says how to
//! read that, `account` puts it together.

mod account;
pub mod claims;
pub mod faults;
pub mod figures;
pub mod formulas;
pub mod grid;
mod remarks;
pub mod tables;
#[cfg(test)]
mod tests;

pub use account::{PAPER, Results};
pub use grid::Effort;
