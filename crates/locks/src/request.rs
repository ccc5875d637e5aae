//! What a client asks for: [`Request`].
//!
//! **A lease only tells.** When its time is up, the holder hears of it ([`Loss::Lease`]) and
//! nothing else happens: whether the work has stopped is known to nobody but the holder. So a lock
//! is never free because of a clock, and clocks that differ or a holder that hangs cannot let two
//! in.
//!
//! [`Loss::Lease`]: crate::Loss::Lease

use driftlock_core::ResourceId;

use crate::Ticket;
use crate::key::Key;

/// A lock, and on which terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Its number, and that of the grant that comes of it.
    pub ticket: Ticket,
    /// The lock.
    pub key: Key,
    /// What of it: the group, where there are groups.
    pub resource: ResourceId,
    /// Until when to wait. What is not in the future asks for what can be had at once.
    pub deadline: Option<u64>,
    /// How long after the grant to tell the holder that it has to stop.
    pub lease: Option<u64>,
}

/// A request that was taken on, until its grant is released.
pub(crate) struct Taken {
    pub(crate) key: Key,
    /// When time is up: for waiting, and from the grant on for the lease.
    pub(crate) due: Option<u64>,
    pub(crate) lease: Option<u64>,
}
