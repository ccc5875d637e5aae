//! Sweeps: a scenario with some of its values varied, each combination run several times.
//!
//! A **cell** is one choice of all values with all its repetitions. What comes of a cell depends on
//! the cell alone, so cells can be run by any number of threads, processes and machines, in any
//! order, today and tomorrow: the results are the same bytes. Finished cells are kept in a log
//! and never run again.
//!
//! This crate knows no protocols. Whoever calls it completes scenarios ([`Complete`]) and
//! runs them ([`RunOne`]).
//!
//! | file | what it is |
//! |---|---|
//! | [`file`](mod@file) | the sweep file: what is varied, and how often each cell is repeated |
//! | [`range`] | values from one to another |
//! | [`rule`] | how many repetitions a cell has |
//! | [`plan`] | the cells, in order |
//! | [`digest`] | by what a finished cell is recognized |
//! | [`outcome`] | what came of a cell |
//! | [`log`](mod@log) | finished cells on the disk, whatever happens to the process |
//! | [`folder`] | the logs of a folder, of all parts |
//! | [`engine`] | all threads at work |
//! | [`shard`] | the part of one machine among many |
//! | [`columns`] | the names, units and meanings of what is measured |
//! | [`parameters`] | the units and meanings of what is varied |
//! | [`frame`] | a table with typed columns |
//! | [`rows`] | results as such a table, a row to each run |
//! | [`summary`] | what was done, and what went wrong |
//! | [`csv`] | tables as text |
//! | `parquet` | tables as Parquet |
//! | [`plot`] | figures of such tables |
//! | `axes` | what is drawn along which axis, if nobody says it |
//! | [`page`] | results as one page |
//! | `png` | figures as pixels |
//! | [`shell`] | words as they are typed |
#![forbid(unsafe_code)]

mod axes;
pub mod columns;
pub mod csv;
pub mod digest;
pub mod engine;
pub mod file;
pub mod folder;
pub mod frame;
pub mod log;
pub mod outcome;
pub mod page;
pub mod parameters;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod plan;
pub mod plot;
#[cfg(feature = "png")]
pub mod png;
pub mod range;
pub mod rows;
pub mod rule;
pub mod shard;
pub mod shell;
pub mod summary;

use driftlock_sim::{Run, Scenario};

pub use self::file::{FileError, SweepFile};
pub use self::folder::Folder;
pub use self::frame::Frame;
pub use self::outcome::Outcome;
pub use self::plan::{Author, Plan};
pub use self::shard::Shard;

/// Fills in what a protocol decides, and refuses what it cannot do, with the reason.
pub type Complete<'a> = dyn Fn(&mut Scenario) -> Result<(), String> + Sync + 'a;

/// Runs a completed scenario, or says why that cannot be.
pub type RunOne<'a> = dyn Fn(&Scenario) -> Result<Run, String> + Sync + 'a;

/// What to type to run a scenario again.
pub type Replay<'a> = dyn Fn(&Scenario) -> String + 'a;
