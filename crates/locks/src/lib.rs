//! Many named locks over one set of links, at one node: [`Locks`].
//!
//! Without sockets and without a clock: link events, clients' requests and the time are given to
//! it, and what it answers is a list of [`Output`]s. The daemon runs it on real links, tests run
//! it on links that they make up.
//!
//! A name is created by its first use, everywhere: whoever hears of a lock for the first time has a
//! process for it from then on, which meets its neighbors link by link. The tokens of all names are
//! made by one node, the founder, when it hears of them. An idle lock costs no messages, however
//! the links change; see `lock.rs`.

#![forbid(unsafe_code)]

mod ceilings;
mod census;
#[cfg(test)]
mod fuzz;
mod key;
mod leave;
mod ledger;
mod lock;
mod locks;
mod memory;
mod pace;
mod process;
mod record;
mod request;
mod view;
mod wire;

use driftlock_core::NodeId;

pub use self::census::Recount;
pub use self::key::{BadKey, Key, Kind, NAME_MAX, PERMITS_MAX, group};
pub use self::ledger::Amount;
pub use self::lock::{Client, Up};
pub use self::locks::{Limits, Locks, Make, Refusal};
pub use self::memory::{BadMemory, Change, Memory, Remembered};
pub use self::process::{Answer, Event, Garbled, Of, Process};
pub use self::record::Step;
pub use self::request::Request;
pub use self::view::{LockState, LockView};

/// The number of a request, and of the grant that comes of it. The caller gives each out once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(pub u64);

/// Why a grant is over before its release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// A neighbor, which stood still, is in its way (local locks).
    Demoted,
    /// The node is leaving the network.
    Leaving,
    /// Its lease ends.
    Lease,
    /// The node was not heard by a majority for too long, and may have been struck off.
    Alone,
    /// The network has struck off the node, and may have given the lock to others.
    Struck,
}

/// What [`Locks`] answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// A message for a neighbor to which a link is up.
    Send {
        /// The neighbor.
        peer: NodeId,
        /// The message.
        message: Vec<u8>,
        /// Whether its fate must be known when the link goes down.
        keep: bool,
    },
    /// A request was granted.
    Granted {
        /// Which one.
        ticket: Ticket,
        /// Greater than the fence of every grant before it that it conflicts with.
        fence: u64,
        /// How long it waited.
        waited: u64,
    },
    /// A request was not granted and never will be.
    Refused(Ticket, Refusal),
    /// The work under this grant has to stop; its release says that it has. Said once.
    Lost(Ticket, Loss),
    /// A message of a neighbor could not be read, and was ignored.
    Garbled,
    /// A step was taken, where steps are written down.
    Step(Box<Step>),
}
