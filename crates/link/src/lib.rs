//! Links between neighbors: found by HELLOs, sealed by Noise, reliable, and settled before they
//! are down.
//!
//! [`Links`] are all links of one node. It has no socket, no clock and no dice of its own: whoever
//! drives it passes in frames and the time in microseconds, and does what comes out.
//!
//! **What a link promises.** It has incarnations, numbered by growing epochs. Each end is told
//! `LinkUp`, then messages in order and each once, then `LinkDown`, and perhaps `LinkUp` with a
//! greater epoch; an end that is up again knows that the other was told `LinkDown`. The ends are
//! told at different times. A message is sent to be *kept* or not. When a link breaks, what is not
//! kept may be lost. A kept message that was not acknowledged is *in doubt*: nobody is told
//! anything until the other end has said, over any way there is, what it has received; then the
//! message comes back (`Returned`), if it did not arrive. So whatever is in a kept message is never
//! lost and never doubled by a broken link.
//!
//! Reading order: [`arq`], [`settle`], [`link`], [`machine`]: what is promised, without keys and
//! time, so that every order of everything can be tried. Around them, `hello` finds out who is
//! heard, `session` has the keys, `pace` the times, and `links` puts it all together.
#![forbid(unsafe_code)]

pub mod access;
pub mod arq;
mod beacon;
pub mod clear;
pub mod config;
mod dice;
pub mod frame;
#[cfg(test)]
mod fuzz;
mod hello;
pub mod link;
mod links;
pub mod machine;
pub mod memory;
pub mod output;
mod pace;
mod secure;
mod session;
pub mod settle;
pub mod view;

pub use access::{Access, public_key};
pub use config::Config;
pub use links::Links;
pub use memory::{Memory, Remembered};
pub use output::{Output, SendError, To};
pub use view::{Counters, Dropped, PeerState, PeerView};

/// The longest frame, in bytes.
pub const FRAME_MAX: usize = 1200;
/// The longest message, in bytes.
pub const MESSAGE_MAX: usize = 1100;
