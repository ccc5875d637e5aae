//! What a node is told when it is started: [`Config`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use driftlock_core::NodeId;
use driftlock_link::Access;
use driftlock_locks::{Limits, Make};

use crate::radio::Air;

/// What a node is told when it is started.
#[derive(Clone)]
pub struct Config {
    /// Its number, which no other node of the network may have.
    pub id: NodeId,
    /// The name of the network.
    pub network: String,
    /// Who may join.
    pub access: Access,
    /// Whether it founds the network: makes the tokens. One node does.
    pub founder: bool,
    /// Whether it moves.
    pub moving: bool,
    /// What carries its frames.
    pub air: Air,
    /// How often it says that it is there.
    pub hello: Duration,
    /// Where programs find it.
    pub socket: PathBuf,
    /// The mode of that file.
    pub socket_mode: u32,
    /// Users that may use it besides its own and root.
    pub allowed_users: Vec<u32>,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
    /// The file that it writes every step of its locks to, if any.
    pub journal: Option<PathBuf>,
    /// The folder with what it remembers over a restart, unless it forgets everything.
    pub state: Option<PathBuf>,
    /// After how long without a majority it stops what holds locks, if ever.
    pub alone: Option<Duration>,
    /// After how long of silence it has members forgotten that stop by themselves, if ever.
    pub forget_after: Option<Duration>,
    /// How long it may take to leave when it is told to end.
    pub leave_within: Duration,
    /// How the processes of locks are made.
    pub make: Make,
    /// How much it takes on.
    pub limits: Limits,
}

impl Config {
    /// How long it may use tokens without being heard by a majority, in microseconds; 0 if for
    /// ever.
    pub(crate) fn lease(&self) -> u64 {
        self.alone.map_or(0, micros)
    }

    /// After how long of silence it has members forgotten, in microseconds.
    pub(crate) fn forget_after(&self) -> Option<u64> {
        self.forget_after.map(micros)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
