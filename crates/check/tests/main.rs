//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod plain;
