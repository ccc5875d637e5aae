//! Files of movement and contacts, as they are typed.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use driftlock_sim::{Scenario, Traced};
use driftlock_traces::{Format, Radio};

use crate::lab::values;

/// The world of a file. What is not given keeps the value of the scenario's file, or its default.
#[derive(ClapArgs, Debug, Default)]
#[command(next_help_heading = "Traces: see `driftlock world inspect --help`")]
pub(crate) struct TraceArgs {
    /// Take nodes and links from a file of movement or contacts. With --range, which is in meters
    /// then, or --radio, movement becomes links [default: --range 250]. Who needs a connected
    /// network gets --together
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["nodes", "network", "connectivity", "links", "degree", "area"])]
    #[arg(conflicts_with_all = ["edges", "mobility", "link_changes"])]
    pub(crate) trace: Option<PathBuf>,
    /// How many seconds of the trace a time unit is [default: 1]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) unit: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How a file is read, and what makes links of it.
#[derive(ClapArgs, Debug, Default)]
pub(crate) struct ReadingArgs {
    /// Movement: what makes links of distances: unit-disk:250, quasi:200..250 or
    /// log-distance:exponent=3,shadow=6 [default: unit-disk:250]
    #[arg(long, value_name = "RADIO", conflicts_with = "range")]
    pub(crate) radio: Option<Radio>,
    /// Movement: look at links every S seconds, as the ONE does, instead of at all times
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// The format of the file [default: recognized from its content]
    #[arg(long, value_parser = format())]
    pub(crate) format: Option<Format>,
    /// When the trace starts, in seconds of its own time [default: where the file does]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) start: Option<f64>,
    /// When the trace ends, likewise [default: as the file says, or with the last that happens in
    /// it]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) end: Option<f64>,
    /// ns-2 movement: when nodes exist, from SUMO's activity file [default: the file of the same
    /// name with `activity` for `mobility`, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) activity: Option<PathBuf>,
    /// Haggle: seconds by which each sighting lasts longer [default: 120]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) pad: Option<f64>,
    /// Haggle: there is a link only while both see each other
    #[arg(long)]
    pub(crate) mutual: bool,
    /// Haggle: leave out ids above this one, which are other people's devices
    #[arg(long, value_name = "ID", value_parser = values::whole::<u32>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) internal: Option<u32>,
    /// SocioPatterns: how many seconds before its time a line stands for [default: 20]
    #[arg(long, value_name = "S", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) slot: Option<f64>,
    /// SUMO's FCD: x and y are longitude and latitude [default: as the file says]
    #[arg(long)]
    pub(crate) degrees: bool,
}

impl TraceArgs {
    /// Whether anything was said of a trace.
    pub(crate) fn is_typed(&self) -> bool {
        self.trace.is_some() || self.unit.is_some() || self.reading.is_typed()
    }

    /// Put what was typed into a scenario.
    pub(crate) fn apply(&self, scenario: &mut Scenario) {
        if !self.is_typed() {
            return;
        }
        let trace = scenario.trace.get_or_insert_with(Traced::default);
        if let Some(file) = &self.trace {
            trace.file.clone_from(file);
        }
        trace.unit = self.unit.unwrap_or(trace.unit);
        self.reading.apply(trace);
    }
}

impl ReadingArgs {
    fn is_typed(&self) -> bool {
        let ReadingArgs { radio, step, format, start, end, activity, pad, .. } = self;
        let ReadingArgs { mutual, internal, slot, degrees, .. } = self;
        let numbers = [step, start, end, pad, slot].iter().any(|number| number.is_some());
        let files = radio.is_some() || format.is_some() || activity.is_some();
        numbers || files || internal.is_some() || *mutual || *degrees
    }

    /// Put what was typed into a trace.
    pub(crate) fn apply(&self, trace: &mut Traced) {
        if self.radio.is_some() {
            (trace.radio, trace.range) = (self.radio, None);
        }
        trace.step = self.step.or(trace.step);
        trace.format = self.format.or(trace.format);
        trace.start = self.start.or(trace.start);
        trace.end = self.end.or(trace.end);
        trace.activity = self.activity.clone().or(trace.activity.take());
        trace.pad = self.pad.or(trace.pad);
        trace.mutual |= self.mutual;
        trace.internal = self.internal.or(trace.internal);
        trace.slot = self.slot.or(trace.slot);
        trace.degrees |= self.degrees;
    }
}

/// A format by its name.
fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::key)).try_map(|key: String| key.parse())
}
