//! Links between neighbors: found by HELLOs, sealed by Noise, reliable, and settled before they
//! are down.
//!
//! [`Links`] are all links of one node. It has no socket, no clock and no dice of its own: whoever
//! drives it passes in frames and the time in microseconds, and does what comes out.
#![forbid(unsafe_code)]

pub mod access;
pub mod config;
mod key;
pub mod output;
pub mod view;

use core::net::SocketAddr;

use driftlock_core::NodeId;

pub use access::Access;
pub use config::Config;
pub use key::public_key;
pub use output::{Output, SendError, To};
pub use view::{Counters, Dropped, PeerState, PeerView};

/// The longest frame, in bytes.
pub const FRAME_MAX: usize = 1200;
/// The longest message, in bytes.
pub const MESSAGE_MAX: usize = 1100;

/// All links of one node.
pub struct Links {
    counters: Counters,
}

impl Links {
    /// A node that has heard nobody yet. Of the `seed` come the keys of its sessions: outside of
    /// tests it has to be random.
    pub fn new(me: NodeId, config: Config, access: Access, seed: [u8; 32], now: u64) -> Self {
        let _ = (me, config, access, seed, now);
        Links { counters: Counters::default() }
    }

    /// A frame came in. It may be any bytes.
    pub fn rx(&mut self, now: u64, from: SocketAddr, frame: &[u8], out: &mut Vec<Output>) {
        let _ = (now, from, frame, out);
    }

    /// Time has passed. To be called at [`wake_at`](Self::wake_at) or later; earlier does no harm.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Output>) {
        let _ = (now, out);
    }

    /// When [`tick`](Self::tick) is due. Changes with every call.
    pub fn wake_at(&self) -> u64 {
        u64::MAX
    }

    /// Send `message` to a peer whose `LinkUp` was reported and whose `LinkDown` was not. If `keep`,
    /// it comes back as [`Output::Returned`] when it does not arrive.
    pub fn send(
        &mut self,
        now: u64,
        peer: NodeId,
        message: &[u8],
        keep: bool,
        out: &mut Vec<Output>,
    ) -> Result<(), SendError> {
        let _ = (now, message, keep, out);
        Err(SendError::NotUp(peer))
    }

    /// Take the link to `peer` for broken: too much waits for it.
    pub fn give_up(&mut self, now: u64, peer: NodeId, out: &mut Vec<Output>) {
        let _ = (now, peer, out);
    }

    /// Kept messages that nobody knows the fate of.
    pub fn doubts(&self) -> impl Iterator<Item = (NodeId, &[u8])> {
        core::iter::empty()
    }

    /// Say goodbye: what waits is still sent, then the links go down, and no new one comes up.
    /// The time has to go on until [`is_settled`](Self::is_settled).
    pub fn close(&mut self, now: u64, out: &mut Vec<Output>) {
        let _ = (now, out);
    }

    /// Whether no link is up or in doubt.
    pub fn is_settled(&self) -> bool {
        true
    }

    /// Whether this node moves. Links that come up later have roles accordingly.
    pub fn set_moving(&mut self, moving: bool) {
        let _ = moving;
    }

    /// Everybody who is heard, or with whom something is not settled, by id.
    pub fn peers(&self) -> impl Iterator<Item = PeerView> {
        core::iter::empty()
    }

    /// How often what happened since the start.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }
}
