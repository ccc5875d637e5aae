//! What came of it: a row for each protocol in each case.

use std::collections::BTreeMap;

use driftlock_sim::Scenario;
use serde::Serialize;

use super::quantity::Quantity;
use super::{Contest, Spot};
use crate::gathered::{Gathered, PointRun};
use crate::stats::Estimate;

/// A protocol in a case.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The world.
    pub world: String,
    /// What is varied has this value here.
    pub value: String,
    /// Who.
    pub protocol: String,
    /// Who may be inside together.
    pub promise: String,
    /// Why it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Runs in which all promises held: those that are measured.
    pub runs: usize,
    /// Runs in which a promise was broken.
    pub broken: usize,
    /// Entries in all runs that are measured.
    pub entries: u64,
    /// For which share of their time links of a trace were held up, where it is held together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_up: Option<f64>,
    /// What was measured, by the names of the quantities.
    pub quantities: BTreeMap<&'static str, Measured>,
}

/// A quantity over all runs of a row.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The average over the runs that have it.
    pub value: Option<Estimate>,
    /// By how much it is more than with the first protocol, averaged over pairs of runs of one
    /// seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Estimate>,
    /// How many runs have it.
    pub runs: usize,
}

/// All rows, case by case.
pub(super) fn rows(contest: &Contest, results: &Gathered<Spot>) -> Vec<Row> {
    let spots = |case| (0..contest.entrants.len()).map(move |who| (case, who));
    let all = (0..contest.cases.len()).flat_map(spots);
    all.map(|spot| row(contest, results, spot)).collect()
}

fn row(contest: &Contest, results: &Gathered<Spot>, spot: Spot) -> Row {
    let (case, who) = (&contest.cases[spot.0], &contest.entrants[spot.1]);
    let runs = runs_of(results, spot);
    let first = contest.reference();
    let comparable = spot.1 != first && who.promise == contest.entrants[first].promise;
    let reference = if comparable { runs_of(results, (spot.0, first)) } else { &[] };
    let measured = |quantity: Quantity| (quantity.key(), measured(quantity, runs, reference));
    Row {
        world: case.world(),
        value: case.value.clone(),
        protocol: who.name.clone(),
        promise: who.promise.clone(),
        refused: contest.scenarios[spot.0][spot.1].as_ref().err().cloned(),
        runs: runs.len(),
        broken: broken(contest, results, spot),
        entries: runs.iter().map(|run| run.metrics.entries).sum(),
        held_up: held_up(runs),
        quantities: Quantity::ALL.into_iter().map(measured).collect(),
    }
}

/// The average over the runs that have it.
fn held_up(runs: &[PointRun]) -> Option<f64> {
    let shares: Vec<f64> = runs.iter().filter_map(|run| run.metrics.held_up).collect();
    Estimate::of(&shares).map(|share| share.mean)
}

/// In how many runs a promise was broken.
fn broken(contest: &Contest, results: &Gathered<Spot>, spot: Spot) -> usize {
    let Ok(first) = &contest.scenarios[spot.0][spot.1] else { return 0 };
    let of_spot = |scenario: &Scenario| Scenario { seed: first.seed, ..scenario.clone() } == *first;
    results.failures.iter().filter(|failure| of_spot(&failure.scenario)).count()
}

fn runs_of(results: &Gathered<Spot>, spot: Spot) -> &[PointRun] {
    results.runs.get(&spot).map_or(&[], Vec::as_slice)
}

/// A quantity over some runs, and by how much it is more than in those of the reference.
pub(super) fn measured(quantity: Quantity, runs: &[PointRun], reference: &[PointRun]) -> Measured {
    let of = |run: &PointRun| quantity.of(&run.metrics);
    let difference = |run: &PointRun| {
        let like = reference.iter().find(|other| other.seed == run.seed)?;
        Some(of(run)? - of(like)?)
    };
    let values: Vec<f64> = runs.iter().filter_map(of).collect();
    let differences: Vec<f64> = runs.iter().filter_map(difference).collect();
    Measured {
        value: Estimate::of(&values),
        difference: Estimate::of(&differences),
        runs: values.len(),
    }
}
