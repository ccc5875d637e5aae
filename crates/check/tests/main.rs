//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod networks;
mod plain;
mod rl;
