//! Running the points, and what came of it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use driftlock_sim::{Metrics, Run, Scenario};

use super::grid::{Algorithm, Effort, Load, Mobility, Point, RATES, Reading, points, reading_name};
use super::published::Quantity;
use crate::stats::Estimate;
use crate::sweep;
use crate::table::{Cell, Table};

/// One run of one point.
#[derive(Clone, Debug)]
pub struct PointRun {
    /// The seed.
    pub seed: u64,
    /// What was measured.
    pub metrics: Metrics,
}

/// A run in which a promise was broken.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was run.
    pub scenario: Scenario,
    /// What happened.
    pub what: String,
}

/// What came of all runs.
#[derive(Clone, Debug)]
pub struct Results {
    /// How much was run.
    pub effort: Effort,
    /// The runs of each point, in the order of their seeds. A point without a run has no entry.
    pub runs: BTreeMap<Point, Vec<PointRun>>,
    /// Runs in which a promise was broken.
    pub failures: Vec<Failure>,
    /// How many runs there should have been, and how many there were.
    pub planned: usize,
    /// How many of them were finished.
    pub finished: usize,
}

impl Results {
    /// Run everything. `run` knows the protocols; it is called from `threads` threads, and returns
    /// nothing for a run that was broken off. Once `stop` is set, what is finished is returned.
    pub fn gather(
        effort: Effort,
        threads: usize,
        stop: &AtomicBool,
        run: impl Fn(&Scenario) -> Option<Run> + Sync,
    ) -> Self {
        let jobs: Vec<(Point, Scenario)> = points()
            .into_iter()
            .flat_map(|point| {
                (0..effort.repetitions).map(move |k| (point, effort.scenario(point, k)))
            })
            .collect();
        let done = sweep::all(&jobs, threads, stop, |(_, scenario)| run(scenario));
        let planned = jobs.len();
        let mut results =
            Results { effort, runs: BTreeMap::new(), failures: Vec::new(), planned, finished: 0 };
        for ((point, scenario), run) in jobs.into_iter().zip(done) {
            if let Some(run) = run.flatten() {
                results.add(point, scenario, run);
            }
        }
        results
    }

    fn add(&mut self, point: Point, scenario: Scenario, run: Run) {
        self.finished += 1;
        if let Some(violation) = run.violation {
            self.failures.push(Failure { scenario, what: violation.to_string() });
            return;
        }
        let seed = scenario.seed;
        self.runs.entry(point).or_default().push(PointRun { seed, metrics: run.metrics });
    }

    /// The average of a quantity over the repetitions of a point.
    pub fn estimate(&self, point: Point, quantity: Quantity) -> Option<Estimate> {
        let runs = self.runs.get(&point.canonical())?;
        let samples: Vec<f64> = runs.iter().map(|run| run.value(quantity)).collect();
        Estimate::of(&samples)
    }

    /// The same for a cell of the tables.
    pub fn cell(
        &self,
        quantity: Quantity,
        reading: Reading,
        (algorithm, load): (Algorithm, Load),
        mobility: Mobility,
        connectivity: u32,
    ) -> Option<Estimate> {
        let rate_index = load.rate_index();
        self.estimate(Point { algorithm, reading, mobility, connectivity, rate_index }, quantity)
    }

    /// The half-widths of all intervals relative to their means, sorted.
    pub fn interval_widths(&self) -> Vec<f64> {
        let mut widths: Vec<f64> = self
            .runs
            .keys()
            .flat_map(|&point| Quantity::ALL.map(|quantity| self.estimate(point, quantity)))
            .filter_map(|estimate| estimate?.relative_half_width())
            .collect();
        widths.sort_by(f64::total_cmp);
        widths
    }

    /// Every run with its parameters, its seed and what was measured.
    pub fn all_runs(&self) -> Table {
        let mut table = Table::new(
            "All runs",
            [
                "algorithm",
                "reading",
                "mobility",
                "connectivity_percent",
                "rate",
                "seed",
                "entries",
                "time_mean",
                "time_median",
                "time_p95",
                "time_p99",
                "time_max",
                "messages_per_entry",
                "hops_per_message",
                "throughput",
                "fairness",
                "link_changes",
                "height_raises",
            ],
        );
        for (point, runs) in &self.runs {
            for run in runs {
                table.row(row(*point, run));
            }
        }
        table
    }
}

impl PointRun {
    fn value(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::Time => self.metrics.waiting.mean,
            Quantity::Messages => self.metrics.messages_per_entry,
        }
    }
}

fn row(point: Point, run: &PointRun) -> Vec<Cell> {
    let metrics = &run.metrics;
    let waiting = &metrics.waiting;
    let mut cells = vec![
        Cell::text(point.algorithm.name()),
        Cell::text(reading_name(point.reading)),
        Cell::text(point.mobility.name()),
        Cell::number(point.connectivity),
        Cell::number(RATES[point.rate_index]),
        Cell::number(run.seed),
        Cell::number(metrics.entries),
    ];
    let times = [waiting.mean, waiting.median, waiting.p95, waiting.p99, waiting.max];
    cells.extend(times.map(Cell::number));
    let rest = [
        metrics.messages_per_entry,
        metrics.hops_per_message,
        metrics.throughput,
        metrics.fairness,
    ];
    cells.extend(rest.map(Cell::number));
    cells.push(Cell::number(metrics.link_changes));
    cells.push(Cell::number(metrics.notes.get("RaiseHeight").copied().unwrap_or(0)));
    cells
}
