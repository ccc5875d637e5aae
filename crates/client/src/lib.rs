//! The local API of a driftlock node, for programs: locks over a network that moves.
//!
//! ```no_run
//! # async fn land() -> Result<(), Box<dyn std::error::Error>> {
//! use std::time::Duration;
//!
//! use driftlock_client::{Client, Lock};
//!
//! let client = Client::connect_default().await?;
//! let guard = client.acquire(Lock::exclusive("pad-3").wait(Duration::from_secs(5))).await?;
//! println!("pad-3 is ours; whatever it controls should refuse fences below {}", guard.fence());
//! guard.release().await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`blocking`] has the same shapes without a runtime. A client is a session: when the last handle
//! to it goes, everything that it holds is released. [`wire`] and [`frame`] are the API itself,
//! which `docs/api.md` describes; nodes use the same types.

#![forbid(unsafe_code)]

pub mod blocking;
mod client;
mod desk;
mod error;
#[cfg(feature = "fake")]
pub mod fake;
pub mod frame;
#[cfg(test)]
mod fuzz;
mod lock;
mod pipe;
mod socket;
mod welcome;
pub mod wire;

pub use client::{Client, Guard};
pub use error::{AcquireError, ChangeError, ConnectError, Effect, LookError, ReleaseError};
pub use lock::Lock;
pub use socket::{socket_path, socket_paths};
