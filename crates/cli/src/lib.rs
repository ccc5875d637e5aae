//! `driftlock`: locks for networks that move. The program is [`main`].
//!
//! Whoever has a protocol of their own calls [`main_with`] instead and has the same program with
//! that protocol in it: simulator, checker, sweeps, comparisons and figures know it by its name. A
//! program in another language, or one that has no command line, finds the same in [`lab`].
//!
//! Exit codes: 0 all promises held, 1 a promise was broken, 2 bad input or could not run; commands
//! that use a node have more, after sysexits(3).
#![forbid(unsafe_code)]

mod args;
mod cmd;
mod columns;
mod kinds;
#[cfg(feature = "lab")]
pub mod lab;
mod names;
mod panics;
#[cfg(feature = "lab")]
mod program;
mod session;
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
    /// Another program has a say in it.
    Exit(u8),
}

/// Do what the command line says.
pub fn main() -> ExitCode {
    panics::tell_in_one_line();
    std::panic::catch_unwind(run).unwrap_or(ExitCode::from(2))
}

/// Do what the command line says, with further protocols.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use driftlock::lab::{Entry, Of};
/// use driftlock_protocols::raymond::Raymond;
///
/// fn main() -> ExitCode {
///     let mine = Entry::new("mine", "one at a time", &const { Of::<Raymond>::new(|_| ()) });
///     driftlock::main_with([mine.media(&["routed"]).tokens_are_counted()])
/// }
/// ```
///
/// A name that is taken is refused, with the exit code of bad input.
#[cfg(feature = "lab")]
pub fn main_with(protocols: impl IntoIterator<Item = lab::Entry>) -> ExitCode {
    program::is_called_as_typed();
    match lab::register(protocols) {
        Ok(()) => main(),
        Err(error) => {
            terminal::complain(&terminal::story(&error));
            ExitCode::from(2)
        }
    }
}

fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refuse(&error),
    };
    let done = match args.command {
        #[cfg(feature = "lab")]
        Command::Lab(command) => lab::obey(command),
        Command::Demo(args) => cmd::demo::run(&args),
        Command::Node(args) => cmd::node::run(&args),
        Command::Key(args) => cmd::key::run(&args),
        Command::Lock(args) => cmd::lock::run(&args),
        Command::LockKeeper => cmd::lock::keep(),
        Command::LockBecome(args) => cmd::lock::become_command(&args),
        Command::Status(args) => cmd::look::status(&args),
        Command::Neighbors(args) => cmd::look::neighbors(&args),
        Command::Locks(args) => cmd::look::locks(&args),
        Command::Queue(args) => cmd::look::queue(&args),
        Command::Top(args) => cmd::top::run(&args),
        Command::Leave(args) => cmd::change::leave(&args),
        Command::Members(args) => cmd::members::members(&args),
        Command::Forget(args) => cmd::members::forget(&args),
        Command::Moving(args) => cmd::change::moving(&args),
        Command::Completions(args) => cmd::completions::run(&args),
    };
    match done {
        Ok(Verdict::Held) => ExitCode::SUCCESS,
        Ok(Verdict::Violated) => ExitCode::from(1),
        Ok(Verdict::Exit(code)) => ExitCode::from(code),
        Err(error) => {
            terminal::complain(&terminal::story(&error));
            ExitCode::from(session::exit_code(&error))
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
