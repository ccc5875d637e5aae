//! Whole sweeps, in one process.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod files;
mod logs;
mod same;
mod study;
mod troubles;
