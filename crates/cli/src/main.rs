//! `driftlock`: locks for networks that move.
//!
//! Exit codes: 0 all promises held, 1 a promise was broken, 2 bad input or could not run.
#![forbid(unsafe_code)]

mod args;
mod cmd;
mod command_line;
mod files;
mod interrupt;
mod names;
mod origin;
mod panics;
mod progress;
mod registry;
mod terminal;
mod usage;
mod values;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Args, Command};

/// How a command ended, unless it could not run at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// All promises held.
    Held,
    /// A promise was broken.
    Violated,
}

fn main() -> ExitCode {
    panics::tell_in_one_line();
    std::panic::catch_unwind(run).unwrap_or(ExitCode::from(2))
}

fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refuse(&error),
    };
    let done = match args.command {
        Command::Sim(args) => cmd::sim::run(&args),
        Command::Compare(args) => cmd::compare::run(&args),
        Command::Check(args) => cmd::check::run(&args),
        Command::Reproduce(args) => cmd::reproduce::run(&args),
        Command::Replay(args) => cmd::replay::run(&args),
        Command::Demo(args) => cmd::demo::run(&args),
        Command::Node(args) => cmd::node::run(&args),
        Command::Key(args) => cmd::key::run(&args),
        Command::Protocols(args) => cmd::protocols::run(&args),
        Command::Completions(args) => cmd::completions::run(&args),
    };
    match done {
        Ok(Verdict::Held) => ExitCode::SUCCESS,
        Ok(Verdict::Violated) => ExitCode::from(1),
        Err(error) => {
            terminal::complain(&terminal::story(&error));
            ExitCode::from(2)
        }
    }
}

/// Help and versions are answers, and so is help for those who typed nothing; everything else clap
/// says is about bad input.
fn refuse(error: &clap::Error) -> ExitCode {
    let answered = !error.use_stderr();
    if answered || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // If even that cannot be printed, nobody is there to read it.
        let _ = error.print();
    } else {
        terminal::complain(&usage::complaint(error));
    }
    if answered { ExitCode::SUCCESS } else { ExitCode::from(2) }
}
