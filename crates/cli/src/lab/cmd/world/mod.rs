//! `driftlock world`: what other tools have written to files.

mod figure;
mod hint;
mod tell;

use std::fs::File;

use anyhow::{Context, Result, bail, ensure};
use driftlock_traces::{
    Activity, Format, Inspection, Kind, LinkChanges, Options, Radio, Slice, Span, Trace, UnitDisk,
};

use crate::Verdict;
use crate::lab::args::InspectArgs;
use crate::terminal::{say, say_line};

/// The radio of those who name none: for this range most simulations of ad hoc networks are made.
const USUAL: Radio = Radio::UnitDisk(UnitDisk { range: 250.0 });

/// What a trace holds, and how its links were made.
struct Inspected<'a> {
    args: &'a InspectArgs,
    /// Contacts have none.
    radio: Option<Radio>,
    found: Inspection,
    course: Vec<Slice>,
}

pub(crate) fn inspect(args: &InspectArgs) -> Result<Verdict> {
    let options = options(args)?;
    let trace = driftlock_traces::open(&args.file, &options)?;
    check(args, &trace)?;
    let name = || args.file.display().to_string();
    let changes = changes(args, &trace).with_context(name)?;
    let inspected = Inspected {
        args,
        radio: matches!(trace.kind, Kind::Movement(_)).then(|| radio(args)),
        found: driftlock_traces::inspect(&trace, &changes),
        course: driftlock_traces::course(&trace, &changes, figure::WIDTH),
    };
    if args.json {
        say_line(&serde_json::to_string_pretty(&inspected.json())?)?;
    } else {
        say(&inspected.plain_text())?;
    }
    Ok(Verdict::Held)
}

fn options(args: &InspectArgs) -> Result<Options> {
    let (format, end) = (args.format, args.end);
    let mut options = Options { format, end, ..Options::default() };
    if let Some(path) = &args.activity {
        let name = || format!("--activity: {}", path.display());
        let file = File::open(path).with_context(|| format!("{}: cannot be read", name()))?;
        options.activity = Some(Activity::read(file).with_context(name)?);
    }
    Ok(options)
}

/// Refuse what does not go with the file.
fn check(args: &InspectArgs, trace: &Trace) -> Result<()> {
    let (file, format) = (args.file.display(), trace.format);
    ensure!(
        args.activity.is_none() || format == Format::Ns2,
        "--activity goes with ns-2 movement, and {file} is {format}: leave it out"
    );
    let Span { start, end } = trace.span;
    ensure!(
        start < end,
        "{file} is over when it starts, at {} s: say by --end when it ends, later than that",
        start as f64 / 1e6
    );
    let typed = [
        ("--range", args.range.is_some()),
        ("--radio", args.radio.is_some()),
        ("--step", args.step.is_some()),
    ];
    let typed = typed.into_iter().find(|&(_, is_typed)| is_typed);
    if let (Some((flag, _)), Kind::Contacts(_)) = (typed, &trace.kind) {
        bail!("{flag} goes with movement, and {file} has links already ({format}): leave it out");
    }
    Ok(())
}

fn radio(args: &InspectArgs) -> Radio {
    args.range.or(args.radio).unwrap_or(USUAL)
}

fn changes(args: &InspectArgs, trace: &Trace) -> Result<LinkChanges> {
    let radio = radio(args);
    let Some(step) = args.step else { return Ok(driftlock_traces::links(trace, &radio)?) };
    let micros = (step * 1e6).round() as i64;
    ensure!(micros > 0, "--step: expected a microsecond (1e-6) or more, found {step}");
    Ok(driftlock_traces::sampled(trace, &radio, micros)?)
}
