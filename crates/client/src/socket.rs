//! Where the socket of a node is.

use std::env;
use std::path::PathBuf;

/// Where nodes have their sockets, best first: `DRIFTLOCK_SOCKET` alone if it is set, otherwise in
/// the folder for this user, if there is one, and in that of the system.
#[must_use]
pub fn socket_paths() -> Vec<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set("DRIFTLOCK_SOCKET") {
        return vec![path];
    }
    let user = set("XDG_RUNTIME_DIR").map(|folder| folder.join("driftlock.sock"));
    user.into_iter().chain([PathBuf::from("/run/driftlock/driftlock.sock")]).collect()
}

/// The first of [`socket_paths`] where something is, or else the first of all.
#[must_use]
pub fn socket_path() -> PathBuf {
    let mut paths = socket_paths();
    let there = paths.iter().position(|path| path.exists());
    paths.swap_remove(there.unwrap_or(0))
}
