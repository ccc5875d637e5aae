//! What can go wrong, one type to each sort of operation.
//!
//! Each says by [`Effect`] what has become of what was asked for.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::desk::Failure;
use crate::wire::{API, Code, Refusal};

/// What has become of something that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It was not done, and will not be.
    None,
    /// It is done all the same.
    Done,
    /// Nobody here knows.
    Unknown,
}

impl Effect {
    /// Whether it is known.
    #[must_use]
    pub fn is_definite(self) -> bool {
        self != Effect::Unknown
    }
}

/// There is no session. Never has an effect.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// Nothing answers at this path.
    #[error("no node answers at {path}: {error}", path = path.display())]
    Unreachable {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The node does not let this program in.
    #[error("the node refuses: {0}")]
    Denied(String),
    /// The node has as many sessions as it can take.
    #[error("the node refuses: {0}")]
    TooMany(String),
    /// The node speaks another version of the API.
    #[error("the node speaks version {0} of the API, and this client version {API}")]
    Version(u32),
    /// What answers is no node.
    #[error("what answers at {path} is no driftlock node: {why}", path = path.display())]
    NoNode {
        /// Where.
        path: PathBuf,
        /// How it is known.
        why: String,
    },
}

/// The lock was not acquired. Never has an effect: this session neither holds the lock nor waits.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AcquireError {
    /// It was not granted in time.
    #[error("{0}")]
    Timeout(String),
    /// It was not free at once.
    #[error("{0}")]
    Busy(String),
    /// The request was withdrawn.
    #[error("{0}")]
    Cancelled(String),
    /// The name is in use as a lock of another kind.
    #[error("{0}")]
    Kind(String),
    /// The node is leaving the network.
    #[error("{0}")]
    Leaving(String),
    /// The name, the group, the number of permits or the lease cannot be.
    #[error("{0}")]
    BadRequest(String),
    /// The node has as many waiters or locks as it can take.
    #[error("{0}")]
    TooMany(String),
    /// The credentials of this program do not allow it.
    #[error("{0}")]
    Denied(String),
    /// The node cannot at the moment: its disk is full, or the network has forgotten it and it
    /// begins anew. Ask again.
    #[error("{0}")]
    Unavailable(String),
    /// The session is over, and with it everything that it holds or waits for.
    #[error("{0}")]
    Disconnected(String),
    /// The node refuses for a reason that is not known here.
    #[error("{0}")]
    Other(String),
}

/// The release was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReleaseError {
    /// This session does not hold it: no effect.
    #[error("{0}")]
    NotHeld(String),
    /// The session is over, and with it the grant: it is released all the same.
    #[error("{0}")]
    Disconnected(String),
    /// The node refuses for a reason that is not known here: nobody here knows.
    #[error("{0}")]
    Other(String),
}

/// The node has not shown what was asked for. Looking never has an effect.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LookError {
    /// The node refuses.
    #[error("{0}")]
    Refused(String),
    /// The session is over.
    #[error("{0}")]
    Disconnected(String),
    /// The answer makes no sense.
    #[error("the node's answer makes no sense: {0}")]
    Garbled(String),
}

/// The node has not confirmed that it does what it was told.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ChangeError {
    /// The node refuses: no effect.
    #[error("{0}")]
    Refused(String),
    /// The session was over before the answer came: nobody here knows.
    #[error("{0}")]
    Disconnected(String),
}

impl ConnectError {
    /// What has become of it: nothing.
    #[must_use]
    pub fn effect(&self) -> Effect {
        Effect::None
    }
}

impl AcquireError {
    /// What has become of it: nothing.
    #[must_use]
    pub fn effect(&self) -> Effect {
        Effect::None
    }
}

impl ReleaseError {
    /// What has become of it.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self {
            ReleaseError::NotHeld(_) => Effect::None,
            ReleaseError::Disconnected(_) => Effect::Done,
            ReleaseError::Other(_) => Effect::Unknown,
        }
    }
}

impl LookError {
    /// What has become of it: nothing.
    #[must_use]
    pub fn effect(&self) -> Effect {
        Effect::None
    }
}

impl ChangeError {
    /// What has become of it.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self {
            ChangeError::Refused(_) => Effect::None,
            ChangeError::Disconnected(_) => Effect::Unknown,
        }
    }
}

impl From<Failure> for AcquireError {
    fn from(failure: Failure) -> Self {
        let Refusal { code, message } = match failure {
            Failure::Refused(refusal) => refusal,
            Failure::Over(why) => return AcquireError::Disconnected(why),
        };
        match code {
            Code::Timeout => AcquireError::Timeout(message),
            Code::Busy => AcquireError::Busy(message),
            Code::Cancelled => AcquireError::Cancelled(message),
            Code::Kind => AcquireError::Kind(message),
            Code::Leaving => AcquireError::Leaving(message),
            Code::BadRequest => AcquireError::BadRequest(message),
            Code::TooMany => AcquireError::TooMany(message),
            Code::Denied => AcquireError::Denied(message),
            Code::Unavailable => AcquireError::Unavailable(message),
            Code::NotHeld | Code::Other => AcquireError::Other(message),
        }
    }
}

impl From<Failure> for ReleaseError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(Refusal { code: Code::NotHeld, message }) => {
                ReleaseError::NotHeld(message)
            }
            Failure::Refused(refusal) => ReleaseError::Other(refusal.message),
            Failure::Over(why) => ReleaseError::Disconnected(why),
        }
    }
}

impl From<Failure> for LookError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => LookError::Refused(refusal.message),
            Failure::Over(why) => LookError::Disconnected(why),
        }
    }
}

impl From<Failure> for ChangeError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => ChangeError::Refused(refusal.message),
            Failure::Over(why) => ChangeError::Disconnected(why),
        }
    }
}
