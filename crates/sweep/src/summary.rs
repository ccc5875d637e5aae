//! What was done, and what went wrong: [`Summary`].

use std::collections::BTreeSet;

use driftlock_sim::Scenario;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::frame::Frame;
use crate::outcome::{Done, Outcome, Status};
use crate::plan::Plan;
use crate::{Replay, columns, shell};

/// What was done. It is written beside the results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Our version.
    pub driftlock: String,
    /// What to type to do it again.
    pub command: String,
    /// A short name for exactly this sweep.
    pub sweep: String,
    /// The seed of the first repetition of each cell.
    pub seed: u64,
    /// How many cells there are.
    pub cells: usize,
    /// How many of them are finished.
    pub finished: usize,
    /// How many runs are in the results.
    pub runs: usize,
    /// In how many of them a promise was broken.
    pub violated: usize,
    /// The cells whose mean is not known as well as the rule of repetitions wants it, from 1.
    pub wide: Vec<usize>,
    /// What is to be known about the worlds before the results are trusted.
    pub warnings: Vec<String>,
    /// What went wrong, a line to each cell and kind of failure.
    pub failures: Vec<Failure>,
    /// Each column: its name, unit and meaning.
    pub columns: Vec<About>,
    /// The text of the sweep file.
    pub file: String,
}

/// A cell in which something went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Failure {
    /// The number of the cell, from 1.
    pub cell: usize,
    /// `violated`, `refused` or `panicked`.
    pub kind: String,
    /// What the first such run said.
    pub what: String,
    /// In how many of its runs.
    pub runs: usize,
    /// What to type to run the first of them again.
    pub replay: String,
}

/// What a column is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct About {
    /// Its name.
    pub name: String,
    /// Its unit; nothing for a column that is not known.
    pub unit: String,
    /// What it is.
    pub about: String,
}

impl Summary {
    /// What came of a plan.
    pub fn of(
        plan: &Plan,
        outcomes: &[Option<&Outcome>],
        frame: &Frame,
        replay: &Replay<'_>,
    ) -> Self {
        let failures: Vec<Failure> = (0..plan.cells.len())
            .flat_map(|cell| failures(plan, cell, outcomes[cell], replay))
            .collect();
        let violated = failures.iter().filter(|failure| failure.kind == VIOLATED);
        let refused = plan.cells.iter().filter(|cell| cell.key.is_err()).count();
        Summary {
            driftlock: plan.version.clone(),
            command: plan.command(),
            sweep: plan.digest(),
            seed: plan.seed,
            cells: plan.cells.len(),
            finished: outcomes.iter().flatten().count() + refused,
            runs: frame.rows(),
            violated: violated.map(|failure| failure.runs).sum(),
            wide: wide(plan, outcomes),
            warnings: Vec::new(),
            failures,
            columns: about(frame),
            file: plan.text.clone(),
        }
    }

    /// The name of the sweep file, if there is one: what is typed after `sweep`.
    pub fn name(&self) -> Option<String> {
        let (_, typed) = self.command.split_once(" sweep ")?;
        Some(shell::unquoted(typed))
    }

    /// The columns of the parameters that the sweep file varies. A file that cannot be read varies
    /// none.
    pub fn varied(&self) -> BTreeSet<String> {
        let mut varied = BTreeSet::new();
        let file: Table = self.file.parse().unwrap_or_default();
        for part in ["grid", "zip", "points"].iter().filter_map(|name| file.get(*name)) {
            keys("", part, &mut varied);
        }
        varied
    }

    /// As it is written.
    pub fn json(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("a summary can be written");
        json + "\n"
    }
}

/// The kind of failure in which a promise was broken.
pub const VIOLATED: &str = "violated";

/// The names that the keys of a part of a sweep file have as columns. What has `from` is a range.
fn keys(name: &str, value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Table(table) if !table.contains_key("from") => {
            for (key, value) in table {
                let under = if name.is_empty() { "" } else { "_" };
                let key = key.replace(['.', '-'], "_");
                keys(&format!("{name}{under}{key}"), value, into);
            }
        }
        Value::Array(tables) if name.is_empty() => {
            tables.iter().for_each(|table| keys(name, table, into));
        }
        _ => drop(into.insert(name.into())),
    }
}

fn about(frame: &Frame) -> Vec<About> {
    let about = |name: &String| {
        let (unit, about) = columns::about(name);
        About { name: name.clone(), unit, about }
    };
    frame.columns.iter().map(|column| about(&column.name)).collect()
}

/// The cells that ended with all repetitions that they may have, and would have needed more.
fn wide(plan: &Plan, outcomes: &[Option<&Outcome>]) -> Vec<usize> {
    let is_wide = |outcome: &&Outcome| {
        let is_refused = outcome.runs.last().is_none_or(Done::is_refused);
        !is_refused && !plan.rule.is_known_by(&outcome.runs)
    };
    let numbered = (1..).zip(outcomes);
    numbered.filter(|(_, outcome)| outcome.is_some_and(|o| is_wide(&o))).map(|(n, _)| n).collect()
}

/// What went wrong in a cell: the first run of each kind of failure.
fn failures(
    plan: &Plan,
    cell: usize,
    outcome: Option<&Outcome>,
    replay: &Replay<'_>,
) -> Vec<Failure> {
    let told = |kind: &str, what: &str, runs: usize, scenario: &Scenario| Failure {
        cell: cell + 1,
        kind: kind.into(),
        what: what.into(),
        runs,
        replay: replay(scenario),
    };
    if let Err(why) = &plan.cells[cell].key {
        return vec![told("refused", why, 0, &plan.cells[cell].scenario)];
    }
    let mut failures: Vec<Failure> = Vec::new();
    for (k, done) in (0..).zip(outcome.iter().flat_map(|outcome| &outcome.runs)) {
        let (kind, what) = match &done.status {
            Status::Held => continue,
            Status::Violated(what) => (VIOLATED, what),
            Status::Refused(what) => ("refused", what),
            Status::Panicked(what) => ("panicked", what),
        };
        match failures.iter_mut().find(|failure| failure.kind == kind) {
            Some(failure) => failure.runs += 1,
            None => failures.push(told(kind, what, 1, &plan.cells[cell].repetition(k))),
        }
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_varies_is_known_by_its_columns() {
        let file = "
            [scenario]
            delay = 2
            [grid]
            protocol = ['rl', 'krl']
            'link-changes.rate' = { from = 0.1, to = 1, steps = 3 }
            requests.rate = [1, 2]
            [[zip]]
            'network.nodes' = [10, 20]
            [[points]]
            network = { shape = 'ring' }
        ";
        let varied = Summary { file: file.into(), ..Summary::default() }.varied();
        let names: Vec<&str> = varied.iter().map(String::as_str).collect();
        let expected =
            ["link_changes_rate", "network_nodes", "network_shape", "protocol", "requests_rate"];
        assert_eq!(names, expected);
        let unreadable = Summary { file: "[grid".into(), ..Summary::default() };
        assert!(unreadable.varied().is_empty());
    }

    #[test]
    fn the_name_of_the_file_is_whole() {
        for (command, name) in [
            ("driftlock sweep load.toml", "load.toml"),
            ("driftlock sweep 'my sweep run'\\''s.toml'", "my sweep run's.toml"),
            ("driftlock sweep my load.toml", "my load.toml"),
        ] {
            let summary = Summary { command: command.into(), ..Summary::default() };
            assert_eq!(summary.name().as_deref(), Some(name));
        }
        assert_eq!(Summary::default().name(), None);
    }
}
