//! What can be seen from outside: peers and counters.

use core::net::SocketAddr;

use driftlock_core::{LinkRole, NodeId};

/// How far it is with a peer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PeerState {
    /// Not heard lately.
    Silent,
    /// Heard, but it is not known whether it hears this node.
    OneWay,
    /// Both hear each other; no link yet.
    Handshake,
    /// The link is up.
    Up,
    /// The link is broken, and what became of a kept message is not known yet.
    InDoubt,
}

/// A peer as it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeerView {
    /// Who.
    pub id: NodeId,
    /// Where it was heard last.
    pub address: Option<SocketAddr>,
    /// How far it is with the link.
    pub state: PeerState,
    /// Of the link that is up or in doubt, or of the last one; 0 if there was none.
    pub epoch: u64,
    /// Which end this is, if the link is up or in doubt.
    pub role: Option<LinkRole>,
    /// The measured round trip in microseconds.
    pub rtt: Option<u64>,
    /// Messages not sent yet.
    pub queued: usize,
    /// Messages sent and not acknowledged.
    pub unacknowledged: usize,
    /// Kept messages that nobody knows the fate of.
    pub in_doubt: usize,
}

/// How often what happened since the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Frames put on the air.
    pub frames_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Frames that came in, good or bad.
    pub frames_heard: u64,
    /// Their bytes.
    pub bytes_heard: u64,
    /// HELLOs sent.
    pub hellos_sent: u64,
    /// Messages sent again.
    pub retransmissions: u64,
    /// Messages that came twice.
    pub duplicates: u64,
    /// Sessions: handshakes that ended well.
    pub sessions: u64,
    /// Links that came up.
    pub ups: u64,
    /// Links that went down: flaps.
    pub downs: u64,
    /// Links that broke with a kept message unacknowledged.
    pub doubts: u64,
    /// Kept messages that came back.
    pub returned: u64,
    /// Kept messages that a peer has forgotten about.
    pub lost: u64,
    /// Questions about broken links, sent to a neighbor to be passed on.
    pub questions: u64,
    /// Questions and answers passed on for others.
    pub relayed: u64,
    /// Frames dropped, by reason.
    pub dropped: Dropped,
}

/// Frames dropped, by reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// Too short, too long, or of no known type.
    pub malformed: u64,
    /// Of another version of the format.
    pub version: u64,
    /// Of another network.
    pub network: u64,
    /// Not made with the right key, or altered.
    pub key: u64,
    /// From an id that is not on the list.
    pub stranger: u64,
    /// Seen before, or too old.
    pub replayed: u64,
    /// Of a session that is over.
    pub session: u64,
    /// From a second node with the id of another.
    pub conflict: u64,
    /// There are too many peers.
    pub crowded: u64,
    /// Of the right key, but out of place.
    pub stale: u64,
}

impl Dropped {
    /// All of them, for whatever reason.
    pub fn all(&self) -> u64 {
        let Dropped { malformed, version, network, key, stranger, .. } = self;
        let Dropped { replayed, session, conflict, crowded, stale, .. } = self;
        let of_anybody = malformed + version + network + key + stranger;
        of_anybody + replayed + session + conflict + crowded + stale
    }
}
