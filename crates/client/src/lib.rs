//! The local API of a driftlock node, for programs.

#![forbid(unsafe_code)]

pub mod frame;
pub mod wire;
