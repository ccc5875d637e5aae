//! What can be typed to use a node.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use driftlock_client::wire::{Kind, LONGEST_LEASE_MS, LONGEST_NAME, MOST_PERMITS};

use crate::values;

pub(super) const LOCKING: &str = "\
Examples:
  driftlock lock pad-3 -- land                   wait, run `land` under the lock, release
  driftlock lock pad-3 -n -- land                not if the lock is not free at once
  driftlock lock pad-3 -w 2.5 -c 'land | log'    wait 2.5 seconds, run a line of shell
  driftlock lock camera --permits 2 -- record    one of two
  driftlock lock bridge --group north -- cross   with all others of the group
  driftlock lock corner --local -- turn          exclusive among those who hear each other
  driftlock lock pad-3 --lease 60 -- charge      be done after a minute
  driftlock lock pad-3 --on-lost 'kill -INT $DRIFTLOCK_PID' -- land

The command finds DRIFTLOCK_NAME, DRIFTLOCK_KIND, DRIFTLOCK_GRANT and DRIFTLOCK_FENCE in its
environment: hand the fence to what the lock protects, and let that refuse smaller ones.

It runs in a process group of its own, and nothing of that group outlives the lock: what is left of
it when the command ends is killed, and so is all of it if `driftlock lock` dies. If the lock is
lost, the group gets SIGTERM, some time (--grace), and SIGKILL. Signals are passed on.

A lease counts from the grant, by the clock of the node. The grace is a part of it: SIGTERM comes so
long before its end, and at its end the group is dead. The lock is free after that and not before:
while `driftlock lock` is itself stopped (SIGSTOP, Ctrl-Z), it stays held.

What --on-lost runs is told by DRIFTLOCK_PID which process the command is, and by DRIFTLOCK_LOST why
the lock is lost: demoted, lease, leaving, alone, forgotten, disconnected or other. It is of the
same group; the lock is free when it has ended as well, or when the grace is over.

Exit codes: that of the command, or 128 and the number of the signal that killed it; 75 (or CODE)
the lock was not free in time; 69 no node, or it went away; 77 the node does not let you in; 126 and
127 the command cannot be run; 2 bad input.";

/// How long a command may take to stop, if nothing is said.
const GRACE: Duration = Duration::from_secs(5);

#[derive(ClapArgs, Debug)]
pub(crate) struct LockArgs {
    /// The name of the lock
    #[arg(value_parser = name)]
    pub(crate) name: String,
    /// Do not wait: only if no other node has to be asked
    #[arg(short = 'n', long)]
    pub(crate) nonblock: bool,
    /// Wait no longer than this many seconds
    #[arg(short = 'w', long, value_name = "SECS", value_parser = seconds)]
    #[arg(allow_negative_numbers = true, conflicts_with = "nonblock")]
    pub(crate) wait: Option<Duration>,
    #[command(flatten)]
    pub(crate) kind: KindArgs,
    /// The exit code if the lock is not free in time
    #[arg(short = 'E', long, value_name = "CODE", default_value_t = 75)]
    pub(crate) conflict_exit_code: u8,
    /// Have the lock for this many seconds at the most; then the command is dead
    #[arg(long, value_name = "SECS", value_parser = lease, allow_negative_numbers = true)]
    pub(crate) lease: Option<Duration>,
    /// How long the command may take to stop when the lock is lost, in seconds [default: 5, or half
    /// of the lease if that is less]
    #[arg(long, value_name = "SECS", value_parser = seconds, allow_negative_numbers = true)]
    grace: Option<Duration>,
    /// When the lock is lost, have the shell run this line, in place of SIGTERM
    #[arg(long, value_name = "LINE")]
    pub(crate) on_lost: Option<OsString>,
    /// Have the shell run a line
    #[arg(short = 'c', long, value_name = "LINE", conflicts_with = "words")]
    pub(crate) command: Option<OsString>,
    #[command(flatten)]
    pub(crate) socket: SocketArgs,
    /// The command and its arguments
    #[arg(value_name = "CMD", trailing_var_arg = true, required_unless_present = "command")]
    pub(crate) words: Vec<OsString>,
}

impl LockArgs {
    /// How long the command may take to stop, which is a part of the lease.
    pub(crate) fn grace(&self) -> Result<Duration> {
        let half = self.lease.map_or(GRACE, |lease| lease / 2);
        match (self.grace, self.lease) {
            (Some(grace), Some(lease)) if lease <= grace => bail!(
                "--grace {} is not less than --lease {}, whose last part it is",
                grace.as_secs_f64(),
                lease.as_secs_f64(),
            ),
            (grace, _) => Ok(grace.unwrap_or(GRACE.min(half))),
        }
    }
}

/// Who excludes whom.
#[derive(ClapArgs, Debug)]
#[group(multiple = false)]
pub(crate) struct KindArgs {
    /// Let so many hold it at a time
    #[arg(long, value_name = "K", value_parser = permits, allow_negative_numbers = true)]
    pub(crate) permits: Option<u32>,
    /// Hold it together with others of this group
    #[arg(long, value_name = "GROUP", value_parser = name)]
    pub(crate) group: Option<String>,
    /// Exclude those nearby only; the lock is lost if two who hold it meet
    #[arg(long)]
    pub(crate) local: bool,
}

impl KindArgs {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            KindArgs { permits: Some(permits), .. } => Kind::Permits(*permits),
            KindArgs { group: Some(group), .. } => Kind::Group(group.clone()),
            KindArgs { local: true, .. } => Kind::Local,
            _ => Kind::Exclusive,
        }
    }
}

/// Which node.
#[derive(ClapArgs, Debug)]
pub(crate) struct SocketArgs {
    /// The socket of the node [default: DRIFTLOCK_SOCKET, or where nodes have it]
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
}

/// A look at a node.
#[derive(ClapArgs, Debug)]
pub(crate) struct LookArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) socket: SocketArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct QueueArgs {
    /// The name of the lock
    #[arg(value_parser = name)]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct TopArgs {
    /// How often to look, in seconds
    #[arg(long, value_name = "SECS", default_value = "0.5", value_parser = seconds)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) interval: Duration,
    /// End after so many looks
    #[arg(long, value_name = "N", value_parser = values::repetitions)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) count: Option<u64>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct MovingArgs {
    /// Whether it moves
    pub(crate) state: OnOff,
    #[command(flatten)]
    pub(crate) socket: SocketArgs,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnOff {
    On,
    Off,
}

pub(super) const FORGETTING: &str = "\
What a node holds when it dies stays its until it comes back: no time-out gives it to others. If it
never does, have the others forget it. More than half of the members have to agree (half will do, if
the one with the lowest id is among them), and all who are left have to say what they hold. Until
they have, this waits, and says for whom; interrupted, it goes on without you.

A node that was started with --alone stops what it runs when it is cut off, and the others wait for
that. Of any other node, somebody has to have seen that it is off, and stays off until this is done:
say so with --stopped. When it comes back after that, it is told, and joins as a new one.

Examples:
  driftlock forget 7 --stopped
  driftlock forget 7 --wait 30

Exit codes: 0 it is forgotten, 75 not in time, 69 no node, 2 refused or bad input.";

#[derive(ClapArgs, Debug)]
pub(crate) struct ForgetArgs {
    /// The number of the node
    #[arg(value_parser = values::whole::<u32>, allow_negative_numbers = true)]
    pub(crate) node: u32,
    /// Somebody has seen that it is off
    #[arg(long)]
    pub(crate) stopped: bool,
    /// Wait no longer than this many seconds
    #[arg(short = 'w', long, value_name = "SECS", value_parser = seconds)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) wait: Option<Duration>,
    #[command(flatten)]
    pub(crate) socket: SocketArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LeaveArgs {
    #[command(flatten)]
    pub(crate) socket: SocketArgs,
}

/// A command to become.
#[derive(ClapArgs, Debug)]
pub(crate) struct BecomeArgs {
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

/// The name of a lock, or of a group.
fn name(text: &str) -> Result<String, String> {
    match text.len() {
        1..=LONGEST_NAME => Ok(text.into()),
        length => Err(format!("expected a name of 1 to {LONGEST_NAME} bytes, found {length}")),
    }
}

fn permits(text: &str) -> Result<u32, String> {
    values::between(text, 1, MOST_PERMITS)
}

/// Some time, which may be none.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|time| Duration::try_from_secs_f64(time).ok());
    time.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))
}

/// The time of a lease.
fn lease(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_millis(LONGEST_LEASE_MS);
    let time = seconds(text).ok().filter(|time| (Duration::from_nanos(1)..=longest).contains(time));
    let most = longest.as_secs();
    time.ok_or_else(|| format!("expected seconds, more than 0 and up to {most}, found `{text}`"))
}
