//! The lab: what can be done with protocols where there is no node. A build without the feature
//! `lab` has nothing of this folder, and of the crates that only this folder uses.

pub(crate) mod args;
mod cmd;
mod command_line;
mod files;
mod interrupt;
mod origin;
mod progress;
mod registry;
mod values;
mod words;

use anyhow::Result;

use self::args::{Command, WorldCommand};
use crate::Verdict;

pub(crate) fn run(command: Command) -> Result<Verdict> {
    match command {
        Command::Sim(args) => cmd::sim::run(&args),
        Command::Compare(args) => cmd::compare::run(&args),
        Command::Sweep(args) => cmd::sweep::run(&args),
        Command::Merge(args) => cmd::sweep::merge(&args),
        Command::Plot(args) => cmd::plot::run(&args),
        Command::Report(args) => cmd::report::run(&args),
        Command::Check(args) => cmd::check::run(&args),
        Command::Reproduce(args) => cmd::reproduce::run(&args),
        Command::Replay(args) => cmd::replay::run(&args),
        Command::Join(args) => cmd::join::run(&args),
        Command::World(WorldCommand::Inspect(args)) => cmd::world::inspect(&args),
        Command::Protocols(args) => cmd::protocols::run(&args),
    }
}
