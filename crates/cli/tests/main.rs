//! The binary, run in a fresh folder: exit codes, what is said and where, what is left behind.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod daemon;
mod demo;
mod forget;
mod hand_off;
mod help;
mod hostile;
#[cfg(feature = "lab")]
mod lab;
mod lock;
mod lock_ends;
mod lock_lease;
mod lock_nodes;
mod lock_on_lost;
mod look;
mod node;
mod node_place;
mod on_terminal;
mod place;
mod restart;
