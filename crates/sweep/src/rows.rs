//! Results as a table, a row to each run: [`frame`].

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use driftlock_sim::{Scenario, Shape};
use serde_json::Value as Json;

use crate::columns::{self, METRICS};
use crate::frame::{Column, Data, Frame};
use crate::outcome::{Done, Outcome, Status, Value};
use crate::plan::Plan;

/// A row: the cell, and one of its repetitions, counted from 0.
struct Row<'a> {
    cell: usize,
    k: u64,
    done: &'a Done,
}

/// All runs of all cells that are finished, by cell and by seed. Which columns there are, and of
/// which types, depends on the plan and, for what is counted by kind, on what was counted.
pub fn frame(plan: &Plan, outcomes: &[Option<&Outcome>]) -> Frame {
    let mut rows = Vec::new();
    for (cell, outcome) in outcomes.iter().enumerate() {
        let runs = outcome.iter().flat_map(|outcome| (0..).zip(&outcome.runs));
        let runs = runs.filter(|(_, done)| done.is_run());
        rows.extend(runs.map(|(k, done)| Row { cell, k, done }));
    }
    let int = |number: u64| i64::try_from(number).ok();
    let column = |name: &str, data: Data| Column { name: name.into(), data };
    let cells = rows.iter().map(|row| int(row.cell as u64 + 1)).collect();
    let mut columns = vec![column("cell", Data::Int(cells))];
    columns.extend(parameters(plan, &rows));
    let seeds = rows.iter().map(|row| int(plan.seed + row.k)).collect();
    columns.push(column("seed", Data::Int(seeds)));
    let statuses = rows.iter().map(|row| Some(status(&row.done.status).to_owned())).collect();
    columns.push(column("status", Data::Text(statuses)));
    columns.push(column("steps", Data::Int(rows.iter().map(|r| int(r.done.steps)).collect())));
    let ended = rows.iter().map(|row| Some(row.done.ended_at)).collect();
    columns.push(column("ended_at", Data::Float(ended)));
    columns.extend(measured(&rows));
    columns.extend(by_kind(plan, &rows));
    Frame { columns }
}

fn status(status: &Status) -> &'static str {
    match status {
        Status::Held => "held",
        Status::Violated(_) => "violated",
        Status::Refused(_) => "refused",
        Status::Panicked(_) => "panicked",
    }
}

/// The values of a scenario by the names of their columns. The seed is no parameter, and a variant
/// stands with its protocol: `rl:published`.
pub fn flat(scenario: &Scenario) -> BTreeMap<String, Json> {
    let mut scenario = scenario.clone();
    if let Some(variant) = scenario.variant.take() {
        scenario.protocol = format!("{}:{variant}", scenario.protocol);
    }
    let is_traced = scenario.trace.is_some();
    let is_listed = scenario.network.shape == Shape::File;
    let value = serde_json::to_value(scenario).expect("a scenario can be written");
    let mut flat = BTreeMap::new();
    flatten("", value, &mut flat);
    flat.remove("seed");
    // Whose links a file says has no other network.
    if is_traced {
        flat.retain(|name, _| !name.starts_with("network_"));
    }
    if is_listed {
        flat.remove("network_nodes");
    }
    flat
}

fn flatten(name: &str, value: Json, into: &mut BTreeMap<String, Json>) {
    match value {
        Json::Object(table) => {
            for (key, value) in table {
                let under = if name.is_empty() { "" } else { "_" };
                flatten(&format!("{name}{under}{}", key.replace('-', "_")), value, into);
            }
        }
        Json::Null => {}
        value => drop(into.insert(name.into(), value)),
    }
}

/// The protocol first, and the others by name.
fn parameters(plan: &Plan, rows: &[Row<'_>]) -> Vec<Column> {
    let can_run = |cell: &crate::plan::Cell| cell.key.is_ok().then(|| flat(&cell.scenario));
    let cells: Vec<Option<BTreeMap<String, Json>>> = plan.cells.iter().map(can_run).collect();
    let all = || cells.iter().flatten();
    let names: BTreeSet<&String> = all().flat_map(BTreeMap::keys).collect();
    let (first, others): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| *name == "protocol");
    let column = |name: &String| {
        let usual = usual(name);
        let of_plan: Vec<&Json> = all().filter_map(|flat| flat.get(name)).chain(&usual).collect();
        let value = |row: &Row<'_>| {
            let flat = cells[row.cell].as_ref()?;
            flat.get(name).or(usual.as_ref().filter(|_| applies(name, flat)))
        };
        let values: Vec<Option<&Json>> = rows.iter().map(value).collect();
        Column { name: name.clone(), data: typed(&of_plan, &values) }
    };
    first.into_iter().chain(others).map(column).collect()
}

/// What a scenario has that does not say it, where that is one value for all of them.
fn usual(name: &str) -> Option<Json> {
    let usual = match name {
        "tokens" | "resources" => 1.into(),
        "loss" => 0.0.into(),
        "medium" => "links".into(),
        "trace_unit" => 1.0.into(),
        "motion_start" => "cold".into(),
        "motion_together" | "trace_together" | "trace_mutual" | "trace_degrees" => false.into(),
        _ => return None,
    };
    Some(usual)
}

/// Whether a scenario has a value of this name at all: those of a trace are for a trace.
fn applies(name: &str, flat: &BTreeMap<String, Json>) -> bool {
    let without = |part: &str, key: &str| name.starts_with(part) && !flat.contains_key(key);
    !without("trace_", "trace_file") && !without("motion_", "motion_model")
}

/// The narrowest type that has room for every value of the plan.
fn typed(of_plan: &[&Json], values: &[Option<&Json>]) -> Data {
    let each = || values.iter();
    if of_plan.iter().all(|value| value.is_i64()) {
        Data::Int(each().map(|value| value.and_then(Json::as_i64)).collect())
    } else if of_plan.iter().all(|value| value.is_number()) {
        Data::Float(each().map(|value| value.and_then(Json::as_f64)).collect())
    } else if of_plan.iter().all(|value| value.is_boolean()) {
        Data::Bool(each().map(|value| value.and_then(Json::as_bool)).collect())
    } else {
        let text = |value: &Json| match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        Data::Text(each().map(|value| value.map(text)).collect())
    }
}

/// Every metric, also those that do not apply to any run: tables of one version have the same
/// columns.
fn measured(rows: &[Row<'_>]) -> Vec<Column> {
    let each = METRICS.iter().enumerate().map(|(at, metric)| {
        let value = |row: &Row<'_>| row.done.values.get(at).copied().unwrap_or_default();
        let data = if metric.whole {
            let int = |value: Value| match value {
                Value::Int(number) => Some(number),
                _ => None,
            };
            Data::Int(rows.iter().map(|row| int(value(row))).collect())
        } else {
            Data::Float(rows.iter().map(|row| value(row).number()).collect())
        };
        Column { name: metric.name.into(), data }
    });
    each.collect()
}

/// Messages by kind, and notes. What others with the same protocol have counted and this run has
/// not was counted 0 times; if nothing was measured, neither was this.
fn by_kind(plan: &Plan, rows: &[Row<'_>]) -> Vec<Column> {
    let kinds = |row: &Row<'_>| {
        let kinds = row.done.kinds.iter();
        added(kinds.map(|(kind, n)| (named(columns::MESSAGES, kind), *n)))
    };
    let notes = |row: &Row<'_>| {
        let notes = row.done.notes.iter();
        added(notes.map(|(what, n)| (named(columns::NOTES, what), *n as i64)))
    };
    let messages = counted(plan, rows, kinds, |done| !done.kinds.is_empty());
    let messages = messages.into_iter().map(|(name, values)| (name, Data::Float(values)));
    let notes = counted(plan, rows, notes, |done| !done.values.is_empty());
    let notes = notes.into_iter().map(|(name, values)| (name, Data::Int(values)));
    messages.chain(notes).map(|(name, data)| Column { name, data }).collect()
}

/// Counts by name; two kinds may have one name, as `Req` and `REQ`.
fn added<T: AddAssign + Default>(counts: impl Iterator<Item = (String, T)>) -> BTreeMap<String, T> {
    let mut sums = BTreeMap::new();
    for (name, n) in counts {
        *sums.entry(name).or_default() += n;
    }
    sums
}

fn named(prefix: &str, kind: &str) -> String {
    format!("{prefix}{}", columns::snake(kind))
}

/// What was counted in each run, by name.
fn counted<T: Copy + Default>(
    plan: &Plan,
    rows: &[Row<'_>],
    read: impl Fn(&Row<'_>) -> BTreeMap<String, T>,
    is_measured: impl Fn(&Done) -> bool,
) -> BTreeMap<String, Vec<Option<T>>> {
    let protocol = |row: &Row<'_>| {
        let Scenario { protocol, variant, .. } = &plan.cells[row.cell].scenario;
        (protocol, variant)
    };
    let each: Vec<BTreeMap<String, T>> = rows.iter().map(read).collect();
    let mut known: BTreeMap<_, BTreeSet<&String>> = BTreeMap::new();
    for (row, counts) in rows.iter().zip(&each) {
        known.entry(protocol(row)).or_default().extend(counts.keys());
    }
    let mut columns = BTreeMap::new();
    for (at, (row, counts)) in rows.iter().zip(&each).enumerate() {
        for name in known[&protocol(row)].iter().filter(|_| is_measured(row.done)) {
            let column = columns.entry((*name).clone());
            let count = counts.get(*name).copied().unwrap_or_default();
            column.or_insert_with(|| vec![None; rows.len()])[at] = Some(count);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_with_one_name_are_counted_together() {
        let counts = [("Req", 1.5), ("REQ", 2.0), ("Reply", 1.0)];
        let sums = added(counts.map(|(kind, n)| (named(columns::MESSAGES, kind), n)).into_iter());
        let expected = [("messages_reply", 1.0), ("messages_req", 3.5)];
        assert_eq!(sums, expected.map(|(name, n)| (name.into(), n)).into());
    }
}
