//! The binary, run in a fresh folder: exit codes, what is said and where, what is left behind.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod bad_files;
mod bad_flags;
mod bad_journals;
mod campaign;
mod check;
mod check_refusals;
mod compare;
mod daemon;
mod demo;
mod hand_off;
mod help;
mod hostile;
mod interrupt;
mod lock;
mod lock_ends;
mod look;
mod node;
mod node_place;
mod on_terminal;
mod place;
mod readme;
mod regressions;
mod replay;
mod reproduce;
mod reproducible;
mod scenario;
mod seeds;
mod sim;
mod violation;
