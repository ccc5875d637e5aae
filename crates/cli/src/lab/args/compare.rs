//! What can be typed after `driftlock compare`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser};

use super::WorldArgs;
use crate::lab::values::{self, Sweep};

pub(super) const COMPARING: &str = "\
Examples:
  driftlock compare rl rr krl --load 0.1 --mobility 0.1
  driftlock compare rl rl:published --sweep load=0.01,0.1,1
  driftlock compare lme2 --network geometric --nodes 64 --degree 6 --motion waypoint
  driftlock compare --connected-by partitions --crash 3@40 --until 200
  driftlock compare --trace rwp30.movements.gz --range 250 --sweep load=0.01,0.1
  driftlock compare

With one protocol, all others that promise the same are compared with it; with none, all that let
one in at a time, or as many as there are --tokens, or with --local all that exclude neighbors.
Without a scenario it is done in the worlds of the papers, and in some with trouble: a link that the
network hangs by goes and another one comes, messages get lost, nodes stop. That takes two minutes.

All have the same networks, changes and seeds, and differences to the first protocol are between
runs of one seed. Who cannot do what the scenario asks for is in the table with the reason.
A trace is taken as it is if all live with partitions, and otherwise held together for all.

Writes results.md, results.csv and runs.csv (a row for each protocol in each case, and for each run,
every number in a column of its own), and waiting time, messages, bytes, fairness and recovery as
SVG. Ctrl-C stops and writes what is finished.";

#[derive(ClapArgs, Debug)]
pub(crate) struct CompareArgs {
    /// The protocols, each with a variant if it is not the default one: rl, rl:published
    #[arg(value_name = "PROTOCOL[:VARIANT]")]
    pub(crate) protocols: Vec<String>,
    /// Read the scenario from a TOML file; flags override it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// Compare the local protocols, if none is named
    #[arg(long, conflicts_with = "protocols")]
    pub(crate) local: bool,
    /// Vary a flag of the scenario, for instance load=0.01,0.1,1
    #[arg(long, value_name = "KEY=V1,V2,...", value_parser = values::sweep)]
    pub(crate) sweep: Option<Sweep>,
    /// Repetitions; the seeds count up from SEED
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = values::point_repetitions)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) reps: u64,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// The folder for results; files of the same names in it are replaced
    #[arg(long, value_name = "DIR", default_value = "compared")]
    pub(crate) out: PathBuf,
    /// Print JSON: every protocol in every case
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

/// A scenario by itself, as one value of a sweep says it.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(crate) struct SweptArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

impl WorldArgs {
    /// Whether anything was said of the world but its seed.
    pub(crate) fn is_typed(&self) -> bool {
        let WorldArgs { variant, seed: _, nodes, network, connectivity, links, .. } = self;
        let WorldArgs { range, degree, area, edges, tokens, resources, session, .. } = self;
        let WorldArgs { popular, load, requesters, mobility, link_changes, .. } = self;
        let WorldArgs { connected_by, crash, loss, timeout, delay, medium, .. } = self;
        let WorldArgs { critical_section, .. } = self;
        let WorldArgs {
            warmup, entries, until, cold, undefined, calm_limit, motion, trace, ..
        } = self;
        let numbers =
            [connectivity, range, degree, area, popular, load, mobility, loss, timeout, until];
        let network = network.is_some() || nodes.is_some() || links.is_some() || edges.is_some();
        let shared = tokens.is_some() || resources.is_some() || session.is_some();
        let asked = requesters.is_some() || critical_section.is_some() || variant.is_some();
        let changed = link_changes.is_some() || connected_by.is_some() || crash.is_some();
        let carried = delay.is_some() || medium.is_some() || undefined.is_some();
        let measured = warmup.or(*entries).or(*cold).is_some() || calm_limit.is_some();
        let moved = motion.is_typed() || trace.is_typed();
        let some = [network, shared, asked, changed, carried, measured, moved];
        some.contains(&true) || numbers.iter().any(|number| number.is_some())
    }
}
