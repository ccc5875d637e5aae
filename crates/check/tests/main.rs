//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod agreement;
mod detectors;
mod networks;
mod plain;
mod rl;
mod toy;
