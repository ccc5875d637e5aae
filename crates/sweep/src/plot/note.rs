//! What stands below a figure: what its marks are, and which runs are not among them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Drawing, shown};
use crate::frame::{Column, Frame};

/// How many lines that are missing are named.
const NAMED_MAX: usize = 8;

/// The note of a figure.
pub(super) fn of(drawing: &Drawing<'_>) -> String {
    let mut note = vec![marks(drawing)];
    if !drawing.wanted.only.is_empty() {
        note.push(format!("Only {}.", chosen(&drawing.wanted.only)));
    }
    for (why, runs) in counted(&drawing.missing) {
        let runs = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
        note.push(format!("{runs} not drawn: {why}."));
    }
    note.extend(lost(drawing));
    note.join(" ")
}

/// Why a run cannot be drawn, if that is so.
pub(super) fn why_missing(frame: &Frame, axes: [&Column; 2], row: usize) -> Option<String> {
    let status = frame.column("status").map(|status| shown(status, row));
    match status.as_deref() {
        None | Some("held") => {}
        Some("violated") => return Some("promises were broken".into()),
        Some(other) => return Some(format!("the status is {other}")),
    }
    // Nothing is a name, too: a network that does not move has no model of motion.
    let is_empty = |column: &&Column| column.data.is_numeric() && column.data.number(row).is_none();
    let empty = axes.into_iter().find(is_empty)?;
    Some(format!("no value of {}", empty.name))
}

/// That there is no figure, because no run has a value, and which ones they have.
pub(super) fn none_has(column: &Column, value: &str, rows: &[usize]) -> String {
    let there: BTreeSet<String> = rows.iter().map(|&row| shown(column, row)).collect();
    let all = there.len();
    let named: Vec<String> = there.into_iter().take(NAMED_MAX).collect();
    let more = match all.saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (name, there) = (&column.name, named.join(", "));
    format!("there is no run to draw: none has {name} = {value}, but {there}{more}")
}

/// That there is no figure, and why.
pub(super) fn nothing_left(missing: &[(usize, String)]) -> String {
    let why = counted(missing).into_iter().map(|(why, runs)| format!("{why} ({runs} runs)"));
    format!("there is no run to draw: {}", why.collect::<Vec<_>>().join(", "))
}

/// Which values were chosen: `protocol = rl, medium = –`.
pub(crate) fn chosen(only: &[(String, String)]) -> String {
    let value = |value: &str| if value.is_empty() { "–".to_owned() } else { value.to_owned() };
    let chosen = only.iter().map(|(name, only)| format!("{name} = {}", value(only)));
    chosen.collect::<Vec<_>>().join(", ")
}

/// How many runs are missing for which reason.
fn counted(missing: &[(usize, String)]) -> BTreeMap<&str, usize> {
    let mut counted = BTreeMap::new();
    for (_, why) in missing {
        *counted.entry(why.as_str()).or_default() += 1;
    }
    counted
}

/// What a mark is.
fn marks(drawing: &Drawing<'_>) -> String {
    if drawing.single {
        return "Marks: a run each, which no line joins.".into();
    }
    let mixed: Vec<&str> = drawing.mixed.iter().map(|column| column.name.as_str()).collect();
    if !mixed.is_empty() {
        return format!("Marks: means over all values of {}; no intervals.", mixed.join(", "));
    }
    let mut runs: BTreeMap<_, usize> = BTreeMap::new();
    for &row in &drawing.rows {
        *runs.entry(drawing.mark(row)).or_default() += 1;
    }
    match runs.values().filter(|runs| **runs == 1).count() {
        0 => "Marks: means with 95 % intervals.".into(),
        alone if alone == runs.len() => "Marks: one run each; no intervals.".into(),
        _ => "Marks: means with 95 % intervals, where there are several runs.".into(),
    }
}

/// The lines and panels of which no run is left.
fn lost(drawing: &Drawing<'_>) -> Option<String> {
    let place = |row: usize| {
        let told = |column: Option<&Column>| {
            column.map(|column| format!("{} = {}", column.name, shown(column, row)))
        };
        (told(drawing.by), told(drawing.facet))
    };
    let drawn: BTreeSet<_> = drawing.rows.iter().map(|&row| place(row)).collect();
    let mut lost: Vec<String> = Vec::new();
    for (line, panel) in drawing.missing.iter().map(|(row, _)| place(*row)) {
        if drawn.contains(&(line.clone(), panel.clone())) {
            continue;
        }
        let has_line = drawn.iter().any(|(drawn, _)| *drawn == line);
        let has_panel = drawn.iter().any(|(_, drawn)| *drawn == panel);
        let told = match (line, panel) {
            (Some(line), Some(panel)) if has_line && has_panel => format!("{line} at {panel}"),
            (Some(line), _) if !has_line => line,
            (_, Some(panel)) => panel,
            _ => continue,
        };
        if !lost.contains(&told) {
            lost.push(told);
        }
    }
    let more = match lost.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    lost.truncate(NAMED_MAX);
    (!lost.is_empty()).then(|| format!("Nothing is left of {}{more}.", lost.join(", ")))
}
