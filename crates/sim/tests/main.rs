//! The simulator, seen from outside.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod allocation;
mod anchor;
mod broken;
mod detail;
mod determinism;
mod doorways;
mod drivers;
mod local;
mod partitions;
mod recorded;
mod sharing;
mod shrunk;
mod storms;
mod theory;
mod worlds;

/// The toy is the one whose every schedule is explored.
#[path = "../../check/tests/walker.rs"]
mod walker;
