//! The first frame of a node.

use std::path::Path;

use crate::ConnectError;
use crate::wire::{API, Code, Greeting, Incoming, Refusal};

/// Whether a node lets this program in, by its first frame.
pub(crate) fn admitted(path: &Path, first: Incoming) -> Result<Greeting, ConnectError> {
    match first {
        Incoming::Hello(greeting) if greeting.api == API => Ok(greeting),
        Incoming::Hello(greeting) => Err(ConnectError::Version(greeting.api)),
        Incoming::Farewell(Refusal { code: Code::TooMany, message }) => {
            Err(ConnectError::TooMany(message))
        }
        Incoming::Farewell(refusal) => Err(ConnectError::Denied(refusal.message)),
        _ => Err(no_node(path, "its first frame is another")),
    }
}

pub(crate) fn no_node(path: &Path, why: impl ToString) -> ConnectError {
    ConnectError::NoNode { path: path.into(), why: why.to_string() }
}
