//! What can be typed.

mod client;
mod demo;
mod node;

use clap::{Args as ClapArgs, Parser, Subcommand};

pub(crate) use self::client::{
    BecomeArgs, ForgetArgs, LeaveArgs, LockArgs, LookArgs, MovingArgs, OnOff, QueueArgs,
    SocketArgs, TopArgs,
};
pub(crate) use self::demo::DemoArgs;
pub(crate) use self::node::{KeyArgs, KeyCommand, LogLevel, NodeArgs};
#[cfg(feature = "lab")]
use crate::lab::args::START;

#[cfg(not(feature = "lab"))]
const START: &str = "\
To get going:
  driftlock demo               a dozen nodes on this machine, and programs that share locks
  driftlock node --help        how to start a node, and one that founds the network
  driftlock lock --help        how to run a command under a lock

This build is for machines that run a node. The simulator, the checker and the experiments of the
papers are in the full one: `cargo build --release`.

Exit codes: 0 fine, 1 a promise was broken, 2 bad input or could not run; 69 there is no node to
ask, or it went away.";

const SHELLS: &str = "\
For example, for bash:
  driftlock completions bash > ~/.local/share/bash-completion/completions/driftlock";

/// Locks for networks that move
#[derive(Parser, Debug)]
#[command(name = "driftlock", version, max_term_width = 100, after_help = START)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(crate::lab::args::Command),
    /// Watch a dozen real nodes share locks over an emulated radio, here and now
    #[command(after_help = demo::SHOWING)]
    Demo(DemoArgs),
    /// Run a node: locks over real links, for the programs of this machine
    #[command(after_help = node::RUNNING)]
    Node(Box<NodeArgs>),
    /// Make keys, which say who may join a network
    Key(KeyArgs),
    /// Run a command under a lock, as flock(1) does, through the node of this machine
    #[command(after_help = client::LOCKING)]
    Lock(LockArgs),
    /// Show how a node is
    Status(LookArgs),
    /// Show whom a node hears
    #[command(visible_alias = "neighbours")]
    Neighbors(LookArgs),
    /// Show the locks that a node knows
    Locks(LookArgs),
    /// Show who waits for a lock at a node
    Queue(QueueArgs),
    /// Watch a node: its links, its locks, who holds them and who waits; q ends it
    Top(TopArgs),
    /// Have a node leave the network for good: it hands on what it holds, and ends
    Leave(LeaveArgs),
    /// Show who belongs to the network
    Members(LookArgs),
    /// Have the network forget a node that never comes back, and make anew what is lost with it
    #[command(after_help = client::FORGETTING)]
    Forget(ForgetArgs),
    /// Tell a node whether it moves
    Moving(MovingArgs),
    /// Kill the own process group when standard input ends
    #[command(hide = true)]
    LockKeeper,
    /// Become a command that is not deaf to signals
    #[command(hide = true)]
    LockBecome(BecomeArgs),
    /// Print a completion script for a shell
    #[command(after_help = SHELLS)]
    Completions(CompletionsArgs),
}

#[derive(ClapArgs, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
