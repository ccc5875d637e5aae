//! `driftlock world`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ReadingArgs;
use crate::lab::values;

const INSPECTING: &str = "\
Examples:
  driftlock world inspect rwp30.movements.gz --range 250
  driftlock world inspect city_fcd.xml --radio quasi:80..100 --end 600
  driftlock world inspect scenario_ns2.tcl --radio log-distance:exponent=3,shadow=6,seed=7
  driftlock world inspect contacts.csv --json

Movement: ns-2, BonnMotion (movements and CSV), SUMO's FCD, the ONE's ExternalMovement. Contacts:
BonnMotion's LinkDump, the ONE's and dtnsim2's connectivity, SocioPatterns, Haggle, CSV with
start,end,a,b. Files may be gzipped, or be zip files with one file in them.

Contacts are links already, and take no radio. Positions become links by one of these:
  unit-disk:250       two nodes are linked while they are at most 250 m apart (--range 250)
  quasi:200..250      a link comes up at 200 m and goes down beyond 250 m
  log-distance:power=20,loss=40,exponent=2.7,sensitivity=-85,shadow=4,coherence=10,seed=1
                      path loss with shadows; these are the defaults, and what is left out has them:
                      dBm, dB over the first meter, exponent, dBm, standard deviation of the shadow
                      in dB, seconds for which a shadow lasts (or inf), seed of the shadows

Exit codes: 0 fine, 2 bad input.";

#[derive(Subcommand, Debug)]
pub(crate) enum WorldCommand {
    /// Tell what a trace holds: nodes, time, area, link changes, degree, partitions
    #[command(after_help = INSPECTING)]
    Inspect(InspectArgs),
}

#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// The trace
    pub(crate) file: PathBuf,
    /// Movement: nodes are linked while they are at most so many meters apart [default: 250]
    #[arg(long, value_name = "M", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) range: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
