//! What reaches a process ([`Input`]) and what it answers ([`Output`]).
//!
//! The input events are those of Walter, Welch and Vaidya (2001, section 3), plus what later
//! papers need: a resource in the request, the two flavors of a link notice, timers, demotion; and
//! what real links need: a message that comes back.

use crate::{NodeId, ResourceId, Ticks};

/// The section of its code a process is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// Not interested in the critical section ("thinking").
    Remainder,
    /// Asked for the critical section and is not in it ("hungry").
    Waiting,
    /// In the critical section ("eating").
    Critical,
}

/// Which end of a new link the process is. The two ends of one link get one of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkRole {
    /// The end that stood still.
    Static,
    /// The end that moved. If both did, the link layer picks one of them.
    Moving,
}

/// One event at one process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Input<M, T = NoTimer> {
    /// The application asks for the critical section. Only in [`Status::Remainder`].
    RequestCs(ResourceId),
    /// The application leaves the critical section. Only in [`Status::Critical`].
    ReleaseCs,
    /// A message from a peer to which a link is up.
    Recv {
        /// The sender.
        from: NodeId,
        /// What it sent.
        msg: M,
    },
    /// A link came up. Reaches an end before anything is delivered there on the link.
    LinkUp {
        /// The other end.
        peer: NodeId,
        /// Which end this is.
        role: LinkRole,
    },
    /// A link went down. Reaches both ends when nothing is in transit on the link; or what is in
    /// transit is lost with it; or what would be missed is given back first, by `Returned`.
    LinkDown {
        /// The other end.
        peer: NodeId,
    },
    /// A timer that the process has set went off.
    Timer(T),
    /// A message that this process has sent did not arrive and never will, and it carries a token
    /// or weight: the process takes back what it sent. The link to `to` is gone, and its `LinkDown`
    /// comes next, or after more of these, in the order in which they were sent.
    Returned {
        /// To whom it was sent.
        to: NodeId,
        /// What was sent.
        msg: M,
    },
}

/// One thing a process answers within a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Output<M, T = NoTimer> {
    /// Send `msg` to `to`.
    Send {
        /// The receiver, a current neighbor unless the medium routes.
        to: NodeId,
        /// The message.
        msg: M,
    },
    /// The application may enter the critical section.
    EnterCs,
    /// The application has to leave the critical section at once and is waiting again.
    Demote,
    /// Set `timer` to go off `after` from now, instead of when it was set to before.
    SetTimer {
        /// Which of the process's timers.
        timer: T,
        /// How long from now.
        after: Ticks,
    },
    /// Unset `timer`; it will not go off.
    CancelTimer {
        /// Which of the process's timers.
        timer: T,
    },
    /// A procedure of the paper was carried out. Drivers count notes and tell them in traces;
    /// nothing depends on them.
    Note(&'static str),
    /// The published text does not say what to do here, and the process did nothing.
    /// Only literal renderings of a paper ever say this; it is judged as a violation.
    Undefined(&'static str),
}

/// The timer type of a protocol without timers: there is no such value, so there is nothing to
/// handle, and the compiler knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoTimer {}
