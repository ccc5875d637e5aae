//! The node that a command is about.

use std::fmt;
use std::io::ErrorKind;

use driftlock_client::blocking::Client;
use driftlock_client::{AcquireError, ChangeError, ConnectError, LookError, socket_path};

use crate::args::SocketArgs;

/// There is no node to ask, or it went away (`EX_UNAVAILABLE`).
pub(crate) const UNAVAILABLE: u8 = 69;
/// It was not done in time (`EX_TEMPFAIL`).
pub(crate) const NOT_YET: u8 = 75;
/// The node does not let this user in (`EX_NOPERM`).
const NO_PERMISSION: u8 = 77;
/// Bad input, and whatever else could not run.
const BAD: u8 = 2;

/// What went wrong, with an exit code of its own.
#[derive(Debug)]
struct Coded {
    code: u8,
    what: String,
}

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Coded {}

/// Begin a session.
pub(crate) fn connect(args: &SocketArgs) -> anyhow::Result<Client> {
    let path = args.socket.clone().unwrap_or_else(socket_path);
    Client::connect(path).map_err(|error| {
        let hint = match &error {
            error if is_denied(error) => "; see --allow-uid and --socket-mode of `driftlock node`",
            ConnectError::Unreachable { .. } | ConnectError::NoNode { .. } => {
                "; start one with `driftlock node`, or say where it is with --socket PATH or \
                 DRIFTLOCK_SOCKET"
            }
            ConnectError::Denied(_) | ConnectError::TooMany(_) | ConnectError::Version(_) => "",
        };
        Coded { code: of_connecting(&error), what: format!("{error}{hint}") }.into()
    })
}

/// The exit code for what went wrong.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    None.or_else(|| error.downcast_ref().map(|coded: &Coded| coded.code))
        .or_else(|| error.downcast_ref().map(of_acquiring))
        .or_else(|| error.downcast_ref().map(of_looking))
        .or_else(|| error.downcast_ref().map(of_changing))
        .unwrap_or(BAD)
}

fn of_connecting(error: &ConnectError) -> u8 {
    if is_denied(error) { NO_PERMISSION } else { UNAVAILABLE }
}

/// Whether the node does not let this user in, or the mode of its socket does not.
fn is_denied(error: &ConnectError) -> bool {
    match error {
        ConnectError::Denied(_) => true,
        ConnectError::Unreachable { error, .. } => error.kind() == ErrorKind::PermissionDenied,
        ConnectError::NoNode { .. } | ConnectError::TooMany(_) | ConnectError::Version(_) => false,
    }
}

fn of_acquiring(error: &AcquireError) -> u8 {
    match error {
        AcquireError::Denied(_) => NO_PERMISSION,
        AcquireError::Leaving(_)
        | AcquireError::TooMany(_)
        | AcquireError::Unavailable(_)
        | AcquireError::Disconnected(_) => UNAVAILABLE,
        _ => BAD,
    }
}

fn of_looking(error: &LookError) -> u8 {
    if matches!(error, LookError::Disconnected(_)) { UNAVAILABLE } else { BAD }
}

fn of_changing(error: &ChangeError) -> u8 {
    if matches!(error, ChangeError::Disconnected(_)) { UNAVAILABLE } else { BAD }
}
