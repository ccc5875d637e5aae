//! The simulator, seen from outside.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod allocation;
mod anchor;
mod broken;
mod cluster;
mod cluster_epochs;
mod cluster_faults;
mod detail;
mod determinism;
mod doorways;
mod drivers;
mod film;
mod local;
mod mesh;
mod partitions;
mod recorded;
mod scripted;
mod sharing;
mod shrunk;
mod storms;
mod theory;
mod together;
mod traced;
mod worlds;

/// The toys are those whose every schedule is explored.
#[path = "../../check/tests/claimant.rs"]
mod claimant;
#[path = "../../check/tests/walker.rs"]
mod walker;
