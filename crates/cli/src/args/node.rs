//! `driftlock node` and `driftlock key`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use crate::values;

pub(super) const RUNNING: &str = "\
Examples:
  driftlock key new > fleet.key                          once; copy it to all machines
  driftlock node --id 1 --key fleet.key --interface wlan0 --found
  driftlock node --id 2 --key fleet.key --interface wlan0
  driftlock node --id 3 --key fleet.key --listen 10.0.0.3:47474 --peer 10.0.0.1:47474

One node founds the network: it makes the tokens of all locks. All others join, in any order. A node
that is told to stop (Ctrl-C, SIGTERM, `driftlock leave`) hands on what it has before it goes.
One that never comes back has to be forgotten (`driftlock forget`) by a majority of the others.

Then, on any of these machines:
  driftlock lock pad-3 -- ./charge.sh
  driftlock status";

#[derive(Args, Debug)]
pub(crate) struct NodeArgs {
    /// The number of this node; every node of a network has its own
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) id: u32,
    /// The name of the network; nodes of different networks do not hear each other
    #[arg(long, value_name = "NAME", default_value = "driftlock")]
    pub(crate) network: String,
    /// The key of the network: a file with 64 hex digits, made by `driftlock key new`
    #[arg(long, value_name = "FILE", required_unless_present = "own_key")]
    #[arg(conflicts_with_all = ["own_key", "allow"])]
    pub(crate) key: Option<PathBuf>,
    /// This node's own secret key, in place of a key of the network
    #[arg(long, value_name = "FILE", requires = "allow")]
    pub(crate) own_key: Option<PathBuf>,
    /// The nodes that may join: lines of an id and a public key
    #[arg(long, value_name = "FILE", requires = "own_key")]
    pub(crate) allow: Option<PathBuf>,
    /// Found the network: make the tokens of all locks. Exactly one node does
    #[arg(long)]
    pub(crate) found: bool,
    /// Talk over this network interface, by IPv6 link-local multicast
    #[arg(long, value_name = "NAME", group = "air")]
    pub(crate) interface: Option<String>,
    /// Talk to other nodes on this machine, by multicast on the loopback interface
    #[arg(long, group = "air")]
    pub(crate) loopback: bool,
    /// Listen here, and talk to the addresses given by --peer
    #[arg(long, value_name = "ADDRESS", group = "air", requires = "peer")]
    pub(crate) listen: Option<SocketAddr>,
    /// The address of another node; may be given many times
    #[arg(long, value_name = "ADDRESS", requires = "listen")]
    pub(crate) peer: Vec<SocketAddr>,
    /// Talk over an emulated radio, whose hub is here (`driftlock demo` has one)
    #[arg(long, value_name = "ADDRESS", group = "air")]
    pub(crate) radio: Option<SocketAddr>,
    /// The UDP port of multicast
    #[arg(long, value_name = "PORT", default_value_t = driftlock_node::radio::PORT)]
    pub(crate) port: u16,
    /// How often the node says that it is there, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u64).range(20..=60_000))]
    pub(crate) hello: u64,
    /// The node moves: where two meet in a local lock, it gives way
    #[arg(long)]
    pub(crate) moving: bool,
    /// Where programs find the node [default: $DRIFTLOCK_SOCKET, $XDG_RUNTIME_DIR/driftlock.sock or
    /// /run/driftlock/driftlock.sock]
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// The mode of that file, in octal
    #[arg(long, value_name = "MODE", default_value = "600", value_parser = mode)]
    pub(crate) socket_mode: u32,
    /// A user that may use the node besides its own and root; may be given many times
    #[arg(long, value_name = "UID")]
    pub(crate) allow_uid: Vec<u32>,
    /// Serve metrics for Prometheus here
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Write every step of every lock to this file, for `driftlock join`
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// The folder in which the node remembers what it holds [default: $STATE_DIRECTORY,
    /// $XDG_STATE_HOME/driftlock/NETWORK-N or ~/.local/state/driftlock/NETWORK-N]
    #[arg(long, value_name = "FOLDER", conflicts_with = "ephemeral")]
    pub(crate) state: Option<PathBuf>,
    /// Remember nothing: what the node holds when it is killed is missing in the network
    #[arg(long)]
    pub(crate) ephemeral: bool,
    /// Stop what holds locks here when no majority of the members was heard for so many seconds;
    /// then this node can be forgotten without anybody having seen that it is off
    #[arg(long, value_name = "SECS", value_parser = alone, allow_negative_numbers = true)]
    pub(crate) alone: Option<Duration>,
    /// Have the network forget members that were started with --alone, when they were not heard for
    /// so many seconds
    #[arg(long, value_name = "SECS", value_parser = alone, allow_negative_numbers = true)]
    pub(crate) forget_after: Option<Duration>,
    /// How many seconds the node may take to hand on what it has when it is told to stop
    #[arg(long, value_name = "SECS", default_value_t = 10)]
    pub(crate) leave_within: u64,
    /// End when standard input does: whoever has started this node is gone
    #[arg(long, hide = true)]
    pub(crate) until_eof: bool,
    /// What is logged, to standard error
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub(crate) log: LogLevel,
}

/// What is logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

/// A time after which something is done about silence.
fn alone(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|time| Duration::try_from_secs_f64(time).ok());
    let range = Duration::from_secs(1)..=Duration::from_secs(86_400);
    let time = time.filter(|time| range.contains(time));
    time.ok_or_else(|| format!("expected seconds, from 1 to 86400, found `{text}`"))
}

fn mode(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777);
    mode.ok_or_else(|| format!("expected a mode like 600 or 660, found `{text}`"))
}

#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    pub(crate) command: KeyCommand,
}

#[derive(Subcommand, Clone, Debug)]
pub(crate) enum KeyCommand {
    /// Print a new secret key, for a network (--key) or for one node (--own-key)
    New,
    /// Print the public key that goes with a node's secret one, for the lists of --allow
    Public {
        /// The file with the secret key
        file: PathBuf,
    },
}
