//! The daemon: locks over real links, for the programs of one machine.
//!
//! [`engine`] joins links and locks and does no IO. [`daemon`] is the loop around it: sockets on
//! one side ([`radio`]), programs on the other (`api`), and the clock. This is the only crate that
//! has any of these.

#![forbid(unsafe_code)]

mod api;
mod belonging;
mod clock;
pub mod config;
pub mod daemon;
pub mod engine;
mod held;
mod http;
mod members;
pub mod memory;
pub mod meter;
mod metrics;
pub mod radio;
pub mod recorder;
mod shared;
pub mod store;
mod views;

pub use self::config::Config;
pub use self::daemon::{StartError, run};

/// A secret key that nobody else has.
pub fn new_key() -> std::io::Result<[u8; 32]> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(key)
}
