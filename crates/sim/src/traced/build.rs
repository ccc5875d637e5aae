//! From a file to a plan.

use std::error::Error;
use std::fs::File;

use driftlock_core::NodeId;
use driftlock_traces::{
    Activity, Format, Haggle, Kind, LinkChange, LinkChanges, Options, Slot, Trace, Track, inspect,
    links, open, sampled,
};

use super::Plan;
use super::parts::Parts;
use crate::changes::Change;
use crate::scenario::{ScenarioError, Traced};
use crate::span::UNITS_MAX;

/// Read the file of a trace, and say when its links change. What is said of the trace has to go
/// with what is in the file.
pub fn read(traced: &Traced) -> Result<(Trace, LinkChanges), ScenarioError> {
    traced.check_numbers()?;
    let trace = open(&traced.file, &options(traced)?)
        .map_err(|error| ScenarioError::value("trace.file", &told(&error)))?;
    check(traced, &trace)?;
    let changes = match traced.step {
        Some(step) => sampled(&trace, &traced.radio(), (step * 1e6).round() as i64),
        None => links(&trace, &traced.radio()),
    };
    let name = traced.file.display();
    let changes =
        changes.map_err(|error| ScenarioError::value("trace.file", &format!("{name}: {error}")))?;
    Ok((trace, changes))
}

/// An error with what it comes from.
fn told(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", told(source)),
        None => error.to_string(),
    }
}

fn options(traced: &Traced) -> Result<Options, ScenarioError> {
    let plain = Haggle::default();
    let activity = |path: &std::path::PathBuf| {
        let name = path.display();
        let refuse = |what: String| ScenarioError::value("trace.activity", &what);
        let file =
            File::open(path).map_err(|error| refuse(format!("{name}: cannot be read: {error}")))?;
        Activity::read(file).map_err(|error| refuse(format!("{name}: {}", told(&error))))
    };
    Ok(Options {
        format: traced.format,
        start: traced.start,
        end: traced.end,
        activity: traced.activity.as_ref().map(activity).transpose()?,
        degrees: traced.degrees.then_some(true),
        slot: traced.slot.map_or(Slot::default(), Slot),
        haggle: Haggle {
            mutual: traced.mutual,
            internal: traced.internal.map(u64::from),
            pad: traced.pad.unwrap_or(plain.pad),
        },
        ..Options::default()
    })
}

/// Refuse what does not go with the file.
fn check(traced: &Traced, trace: &Trace) -> Result<(), ScenarioError> {
    let (file, format) = (traced.file.display(), trace.format);
    let is_movement = matches!(trace.kind, Kind::Movement(_));
    let said = [
        ("activity", traced.activity.is_some(), Format::Ns2),
        ("pad", traced.pad.is_some(), Format::Haggle),
        ("mutual", traced.mutual, Format::Haggle),
        ("internal", traced.internal.is_some(), Format::Haggle),
        ("slot", traced.slot.is_some(), Format::SocioPatterns),
        ("degrees", traced.degrees, Format::Fcd),
    ];
    if let Some((key, _, of)) = said.into_iter().find(|&(_, is_said, of)| is_said && format != of) {
        let what = format!("it goes with {of}, and {file} is {format}: leave it out");
        return Err(ScenarioError::value(&format!("trace.{key}"), &what));
    }
    if let Some(key) = traced.about_movement().filter(|_| !is_movement) {
        let what =
            format!("it goes with movement, and {file} has links already ({format}): leave it out");
        return Err(ScenarioError::value(key, &what));
    }
    if matches!(&trace.kind, Kind::Contacts(contacts) if contacts.is_empty()) {
        let notes: String = trace.notes.iter().map(|note| format!(" {note}")).collect();
        let pad = if format == Format::Haggle { " See --pad." } else { "" };
        let when = if traced.start.or(traced.end).is_some() { "this time of it" } else { "it" };
        let what = format!("{file}: there are no contacts in {when}.{notes}{pad}");
        return Err(ScenarioError::value("trace.file", &what));
    }
    if trace.span.start >= trace.span.end {
        let start = trace.span.start as f64 / 1e6;
        let what = format!(
            "{file} is over when it starts, at {start} s: say when it ends, later than that"
        );
        return Err(ScenarioError::value("trace.end", &what));
    }
    Ok(())
}

/// Make a plan of a trace. If it is to stay together, parts of the start are joined by the links
/// that join them first, and who is never joined to most of the others is left out.
pub(super) fn plan(traced: &Traced) -> Result<Plan, ScenarioError> {
    let (trace, changes) = read(traced)?;
    let refuse = |what: String| Err(ScenarioError::value("trace.file", &what));
    let file = traced.file.display();
    let there: Vec<bool> = (0..trace.nodes.len()).map(|node| is_there(&trace, node)).collect();
    let (joining, kept) = match traced.together {
        true => joined(&changes, &there),
        false => (Vec::new(), there.clone()),
    };
    let Some(numbers) = Numbers::of(&kept) else {
        return refuse(format!("{file} has no node in this time"));
    };
    let length = traced.ticks(trace.span.end - trace.span.start);
    if length == 0 || length as f64 > UNITS_MAX {
        let what = format!("{file} does not fit into time units of {} s", traced.unit);
        return Err(ScenarioError::value("trace.unit", &what));
    }
    let named = |is_wanted: &dyn Fn(usize) -> bool| {
        let nodes = trace.nodes.iter().enumerate();
        nodes.filter(|(node, _)| is_wanted(*node)).map(|(_, name)| name.clone()).collect()
    };
    let n_initial = changes.changes.iter().take_while(|change| change.at == trace.span.start);
    let presence = presence(traced, &trace, &kept);
    Ok(Plan {
        nodes: named(&|node| kept[node]),
        left_out: named(&|node| there[node] && !kept[node]),
        seconds: trace.span.seconds(),
        share_connected: inspect(&trace, &changes).share_connected,
        share_absent: presence.as_deref().map_or(0.0, |times| share_absent(times, length)),
        notes: trace.notes.clone(),
        length,
        n_initial: n_initial.filter(|change| kept[change.a as usize]).count(),
        changes: planned(traced, &trace, &changes, &numbers),
        joining: joining.iter().filter_map(|&(a, b)| numbers.pair(a, b)).collect(),
        presence,
        has_roles: matches!(trace.kind, Kind::Movement(_)),
    })
}

/// The numbers of nodes, some of which may be left out.
struct Numbers(Vec<Option<NodeId>>);

impl Numbers {
    /// Those that are kept have numbers, if there are any.
    fn of(kept: &[bool]) -> Option<Self> {
        let mut next = 0;
        let number = |&kept: &bool| {
            next += usize::from(kept);
            kept.then(|| NodeId::at(next - 1))
        };
        let numbers = Numbers(kept.iter().map(number).collect());
        (next > 0).then_some(numbers)
    }

    fn pair(&self, a: u32, b: u32) -> Option<(NodeId, NodeId)> {
        self.0[a as usize].zip(self.0[b as usize])
    }
}

/// The links that join the parts of the start, in the order of time; and who is in the greatest
/// part that comes of all links.
fn joined(changes: &LinkChanges, there: &[bool]) -> (Vec<(u32, u32)>, Vec<bool>) {
    let mut parts = Parts::new(changes.n_nodes);
    let mut joining = Vec::new();
    for &LinkChange { at, a, b, up } in &changes.changes {
        if up && parts.join(a, b) && at > changes.span.start {
            joining.push((a, b));
        }
    }
    (joining, parts.greatest(there))
}

/// Whether a node is there at some time. Contacts do not tell who is not.
fn is_there(trace: &Trace, node: usize) -> bool {
    match &trace.kind {
        Kind::Contacts(_) => true,
        Kind::Movement(tracks) => times(trace, &tracks[node]).next().is_some(),
    }
}

/// When a node is there, in microseconds from the start on.
fn times<'t>(trace: &'t Trace, track: &'t Track) -> impl Iterator<Item = (i64, Option<i64>)> + 't {
    let micros = |seconds: f64| (seconds * 1e6).round() as i64;
    let span = trace.span;
    track.stretches.iter().filter_map(move |stretch| {
        let (from, until) = (micros(stretch.start()), micros(stretch.until));
        let until = Some(until).filter(|&until| until <= span.end);
        let is_in = from <= span.end && until.is_none_or(|until| until > span.start);
        is_in.then(|| (from.max(span.start) - span.start, until.map(|until| until - span.start)))
    })
}

/// When the nodes that are kept are there, in ticks, unless all are all the time.
fn presence(traced: &Traced, trace: &Trace, kept: &[bool]) -> Option<Vec<Vec<(u64, u64)>>> {
    let Kind::Movement(tracks) = &trace.kind else { return None };
    let tracks = tracks.iter().zip(kept).filter(|(_, kept)| **kept);
    let ticks = |(from, until): (i64, Option<i64>)| {
        (traced.ticks(from), until.map_or(u64::MAX, |until| traced.ticks(until)))
    };
    let of = |track| times(trace, track).map(ticks).collect::<Vec<_>>();
    let presence: Vec<Vec<(u64, u64)>> = tracks.map(|(track, _)| of(track)).collect();
    let is_whole = |times: &Vec<(u64, u64)>| times == &[(0, u64::MAX)];
    (!presence.iter().all(is_whole)).then_some(presence)
}

/// The share of this time in which a node is absent, on average, if they are there at these times.
fn share_absent(presence: &[Vec<(u64, u64)>], length: u64) -> f64 {
    let times = presence.iter().flatten();
    let there: u64 = times.map(|&(from, until)| until.min(length).saturating_sub(from)).sum();
    1.0 - there as f64 / (length as f64 * presence.len() as f64)
}

/// The changes among the nodes that are kept.
fn planned(
    traced: &Traced,
    trace: &Trace,
    changes: &LinkChanges,
    numbers: &Numbers,
) -> Vec<(u64, Change)> {
    let moves = |node: u32, at: i64| match &trace.kind {
        Kind::Movement(tracks) => tracks[node as usize].moves_at(at as f64 / 1e6),
        Kind::Contacts(_) => false,
    };
    let planned = |&LinkChange { at, a, b, up }: &LinkChange| {
        let (one, two) = numbers.pair(a, b)?;
        let change = match up {
            // Who stands still is static; if both move or neither does, the smaller one is.
            true if moves(a, at) && !moves(b, at) => Change::Up(two, one),
            true => Change::Up(one, two),
            false => Change::Down(one, two),
        };
        Some((traced.ticks(at - trace.span.start), change))
    };
    changes.changes.iter().filter_map(planned).collect()
}
