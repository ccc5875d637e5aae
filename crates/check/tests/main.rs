//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod agreement;
mod detectors;
mod engine;
mod networks;
mod plain;
mod rl;
mod toy;
mod twin;
