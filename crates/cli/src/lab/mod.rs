//! The lab: what can be done with protocols where there is no node. A build without the feature
//! `lab` has nothing of this folder, and of the crates that only this folder uses.
//!
//! Most of it is commands. What another program needs is here: the [`protocols`], more of them
//! ([`Entry`], [`register`]), a run of one ([`scenario`], [`complete`], [`warnings`], [`run`]), and
//! many runs ([`study`], [`sweep`], [`sweep_in`]).

pub(crate) mod args;
mod cmd;
mod command_line;
mod files;
mod interrupt;
mod origin;
mod progress;
mod read;
mod registry;
mod values;
mod words;

use std::ops::ControlFlow;

use anyhow::Result;
use driftlock_sim::{Run, Scenario};

use self::args::{Command, WorldCommand};
#[cfg(feature = "parquet")]
pub use self::cmd::sweep::{table as sweep, table_in as sweep_in};
pub use self::read::{read_scenario, read_study, scenario, study};
pub(crate) use self::registry::has_others;
pub use self::registry::{Choice, Entry, Of, Pace, protocols, register};
use crate::Verdict;

pub(crate) fn obey(command: Command) -> Result<Verdict> {
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

/// Fill in what the protocol of a scenario decides, and refuse what it cannot do. A message about a
/// value begins with its key.
pub fn complete(scenario: &mut Scenario) -> Result<()> {
    registry::complete(scenario)
}

/// What is to be known about the world of a completed scenario before anybody trusts what comes of
/// it, a sentence each. `driftlock sim` prints them first.
pub fn warnings(scenario: &Scenario) -> Vec<String> {
    cmd::trace::of_run(scenario)
}

/// Run a completed scenario, under all monitors, with bytes and recovery measured too.
///
/// ```
/// use driftlock::lab::{complete, run};
/// use driftlock_sim::Scenario;
///
/// let text = "protocol = \"rr\"\nmeasure = { entries = 100 }";
/// let mut scenario = Scenario::from_toml(text).unwrap();
/// complete(&mut scenario).unwrap();
/// assert_eq!(scenario.protocol, "raymond");
/// assert_eq!(run(&scenario).unwrap().metrics.entries, 100);
/// ```
pub fn run(scenario: &Scenario) -> Result<Run> {
    run_watched(scenario, &mut |_| ControlFlow::Continue(()))
}

/// The same; `watch` is told the number of entries now and then, and may break off.
pub fn run_watched(
    scenario: &Scenario,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Run> {
    registry::run_in_detail(scenario, watch)
}
