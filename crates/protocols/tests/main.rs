//! What the papers show and claim, asked of the code.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod canonical;
mod claims;
mod departures;
mod figures;
mod raymond;
mod schedules;
mod stage;
mod wire;
