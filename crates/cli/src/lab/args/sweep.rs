//! What can be typed after `driftlock sweep`, `merge`, `plot` and `report`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use driftlock_sweep::shard::Wanted;

use crate::lab::values;

pub(super) const SWEEPING: &str = "\
Examples:
  driftlock sweep load.toml
  driftlock sweep load.toml --shard 3/8 --out load
  driftlock sweep load.toml --shard auto
  driftlock sweep load.toml --engine slurm --tasks 40 --sbatch=--time=1:00:00

A sweep file has a scenario, as `driftlock sim --scenario` takes it, and what is varied:
  [scenario]
  network = { nodes = 30, connectivity = 20 }
  link-changes = { model = \"toggle\" }
  measure = { warmup = 100, entries = 1000 }
  [grid]                                  # every combination
  protocol = [\"rl\", \"rl:published\", \"krl\"]
  \"requests.rate\" = [0.01, 0.1, 1]
  \"link-changes.rate\" = { from = 0.001, to = 1, steps = 4, scale = \"log\" }
  [[zip]]                                 # these go together
  \"network.nodes\" = [10, 20, 30]
  \"network.connectivity\" = [60, 30, 20]
  [[points]]                              # single cells by hand
  protocol = \"rl\"
  \"requests.rate\" = 7
  [repetitions]
  count = 6    # or: until = { metric = \"waiting_mean\", half-width = 0.05, least = 4, most = 100 }
  seed = 1

Writes results.csv and results.parquet, a row to each run, and sweep.json. What is finished is kept
in the folder: the same command goes on where another was stopped or killed, and runs only what is
new after the file was edited. Results are the same for any number of threads, parts and stops.

With --shard only that part of the cells is run; `driftlock merge` joins the parts. `auto` is the
place of a task in a whole array job of Slurm, Grid Engine or LSF; `auto/N` is its number, from 1,
and so also for tasks that are begun again, and for PBS, Torque and Kubernetes.

With --engine slurm the sweep is handed in as an array job, watched and put together here; the file,
the folder and this program have to be where all machines find them. Ctrl-C leaves the job alone,
and the same command watches it again.

Exit codes: 0 all promises held, 1 one was broken, 2 bad input, interrupted, or nothing could run.";

pub(super) const MERGING: &str = "\
Examples:
  driftlock merge load.toml
  driftlock merge load.toml part1 part2 part3 --out load

Says which cells are missing, and of which parts. If none is, or with --partial, it writes the same
results as one `driftlock sweep` does.";

pub(super) const PLOTTING: &str = "\
Examples:
  driftlock plot load --x requests_rate --y waiting_mean --by protocol
  driftlock plot load --x requests_rate --y messages_per_entry --by protocol \\
      --facet link_changes_rate --log-x --out messages.svg --out messages.png
  driftlock plot load/results.csv --x network_nodes --y throughput --where protocol=rl

Marks are means of the runs in which all promises held, with 95 % intervals.";

pub(super) const REPORTING: &str = "\
Example:
  driftlock report load

The page has all in it: what was run, means with intervals, figures, what went wrong.";

#[derive(ClapArgs, Debug)]
pub(crate) struct SweepArgs {
    /// The sweep file
    pub(crate) file: PathBuf,
    /// The folder for results and for what is finished [default: the name of FILE without .toml]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Run only this part of the cells: I/N, `auto` or `auto/N`
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Wanted>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// Print JSON: what was done, and what went wrong
    #[arg(long)]
    pub(crate) json: bool,
    /// Who runs the cells: this machine, or the machines of a Slurm cluster
    #[arg(long, value_enum, default_value_t = Engine::Local)]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Engine {
    Local,
    Slurm,
}

/// How a sweep is cut into tasks.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "With --engine slurm")]
pub(crate) struct SlurmArgs {
    /// How many tasks the array job has [default: one for 4 cells, up to 64]
    #[arg(long, value_name = "N", value_parser = values::some, allow_negative_numbers = true)]
    pub(crate) tasks: Option<u32>,
    /// Cores, and threads, of each task [default: 1]
    #[arg(long, value_name = "N", value_parser = values::some, allow_negative_numbers = true)]
    pub(crate) cpus: Option<u32>,
    /// A further option for sbatch, e.g. --sbatch=--time=2:00:00; several times for several
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) sbatch: Vec<String>,
    /// How often tasks that did not finish are begun again [default: 3]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) retries: Option<u32>,
    /// Seconds between two looks at the queue [default: 5]
    #[arg(long, value_name = "S", value_parser = pause, allow_negative_numbers = true)]
    pub(crate) poll: Option<f64>,
}

impl SweepArgs {
    /// Refuse what the engine would not heed.
    pub(crate) fn check_engine(&self) -> Result<()> {
        if self.engine == Engine::Slurm {
            if self.shard.is_some() {
                bail!("--shard: --engine slurm cuts the sweep into parts itself: say --tasks");
            }
            if self.threads.is_some() {
                bail!("--threads is for this machine: with --engine slurm say --cpus");
            }
            return self.slurm.sbatch.iter().try_for_each(|option| check_sbatch(option));
        }
        let slurm = &self.slurm;
        let typed = [
            ("--tasks", slurm.tasks.is_some()),
            ("--cpus", slurm.cpus.is_some()),
            ("--sbatch", !slurm.sbatch.is_empty()),
            ("--retries", slurm.retries.is_some()),
            ("--poll", slurm.poll.is_some()),
        ];
        match typed.iter().find(|(_, typed)| *typed) {
            Some((flag, _)) => {
                bail!("{flag} is for a cluster: say --engine slurm, or leave it out")
            }
            None => Ok(()),
        }
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct MergeArgs {
    /// The sweep file
    pub(crate) file: PathBuf,
    /// The folders with parts [default: that of --out]
    #[arg(value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// The folder for results [default: the name of FILE without .toml]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write results even if cells are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Print JSON: what was done, and what went wrong
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PlotArgs {
    /// A folder of results, or its results.csv or results.parquet
    pub(crate) results: PathBuf,
    /// The column along the horizontal axis
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: String,
    /// The column along the vertical axis
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: String,
    /// A line for each value of this column
    #[arg(long, value_name = "COLUMN")]
    pub(crate) by: Option<String>,
    /// A panel for each value of this column
    #[arg(long, value_name = "COLUMN")]
    pub(crate) facet: Option<String>,
    /// Only rows with this value; several times for several columns
    #[arg(long = "where", value_name = "COLUMN=VALUE", value_parser = condition)]
    pub(crate) only: Vec<(String, String)>,
    /// A logarithmic horizontal axis
    #[arg(long)]
    pub(crate) log_x: bool,
    /// A logarithmic vertical axis
    #[arg(long)]
    pub(crate) log_y: bool,
    /// How intervals are drawn
    #[arg(long, value_enum, default_value_t = Intervals::Band)]
    pub(crate) intervals: Intervals,
    /// What stands above the figure
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The file, .svg or .png; several times for several [default: Y-X.svg]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Intervals {
    Band,
    Bars,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReportArgs {
    /// A folder of results, or its results.csv or results.parquet
    pub(crate) results: PathBuf,
    /// The page [default: report.html beside the results]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Options of sbatch that the engine gives itself, and why others would not do.
const TAKEN: [(&str, &str, &str); 7] = [
    ("--array", "-a", "the engine numbers the tasks: say --tasks"),
    ("--cpus-per-task", "-c", "say --cpus"),
    ("--output", "-o", "what tasks say is in the folder slurm beside the results"),
    ("--open-mode", "", "what tasks say is added to what they said before"),
    ("--parsable", "", "the engine says so itself"),
    ("--chdir", "-D", "tasks run where the command is typed, and so find the files of scenarios"),
    ("--wrap", "", "the engine writes the script"),
];

/// Refuse what would make another job than the one that is watched.
fn check_sbatch(option: &str) -> Result<()> {
    let name = option.split('=').next().unwrap_or_default();
    let is_short = |short: &str| !short.is_empty() && option.starts_with(short);
    match TAKEN.iter().find(|(long, short, _)| name == *long || is_short(short)) {
        Some((_, _, why)) => bail!("--sbatch={option}: {why}"),
        None => Ok(()),
    }
}

/// A pause that is none for ever.
fn pause(text: &str) -> Result<f64, String> {
    let seconds = values::number(text)?;
    let fits = (0.01..=3600.0).contains(&seconds);
    if fits { Ok(seconds) } else { Err("expected seconds, from 0.01 to 3600".into()) }
}

fn condition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((column, value)) if !column.is_empty() => Ok((column.into(), value.into())),
        _ => Err(format!("expected COLUMN=VALUE, found `{text}`")),
    }
}
