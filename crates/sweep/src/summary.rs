//! What was done, and what went wrong: [`Summary`].

use driftlock_sim::Scenario;
use serde::{Deserialize, Serialize};

use crate::frame::Frame;
use crate::outcome::{Done, Outcome, Status};
use crate::plan::Plan;
use crate::{Replay, columns};

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
    /// Its unit; nothing for a parameter.
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
            failures,
            columns: about(frame),
            file: plan.text.clone(),
        }
    }

    /// As it is written.
    pub fn json(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("a summary can be written");
        json + "\n"
    }
}

/// The kind of failure in which a promise was broken.
pub const VIOLATED: &str = "violated";

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
