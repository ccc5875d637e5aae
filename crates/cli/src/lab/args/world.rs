//! `driftlock world`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use driftlock_traces::{Format, Radio, UnitDisk};

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
    #[arg(long, value_name = "M", value_parser = range, allow_negative_numbers = true)]
    #[arg(conflicts_with = "radio")]
    pub(crate) range: Option<Radio>,
    /// Movement: what makes links of distances, see below [default: unit-disk:250]
    #[arg(long, value_name = "RADIO")]
    pub(crate) radio: Option<Radio>,
    /// Movement: look at links every S seconds, as the ONE does, instead of at all times
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// The format of the file [default: recognized from its content]
    #[arg(long, value_parser = format())]
    pub(crate) format: Option<Format>,
    /// When the trace ends, in seconds of its own time [default: as the file says, or with the last
    /// that happens in it]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) end: Option<f64>,
    /// ns-2 movement: when nodes exist, from SUMO's activity file [default: the file of the same
    /// name with `activity` for `mobility`, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) activity: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The range of a unit disk.
fn range(text: &str) -> Result<Radio, String> {
    let radio = Radio::UnitDisk(UnitDisk { range: values::number(text)? });
    radio.check().map(|()| radio)
}

/// A format by its name.
fn format() -> impl TypedValueParser<Value = Format> {
    let named = |key: String| {
        let found = Format::ALL.into_iter().find(|format| format.key() == key);
        found.ok_or("there is no such format")
    };
    PossibleValuesParser::new(Format::ALL.map(Format::key)).try_map(named)
}
