//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod agreement;
mod detectors;
mod engine;
mod line;
mod networks;
mod parts;
mod plain;
mod rl;
mod toy;
