//! Schedules and journals, run.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod faults;
mod nets;
mod schedules;
mod timers;
