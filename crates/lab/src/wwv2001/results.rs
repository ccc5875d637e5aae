//! Running the points, and what came of it.

use std::sync::atomic::AtomicBool;

use driftlock_sim::{Metrics, Run, Scenario};

use super::grid::{Algorithm, Effort, Load, Mobility, Point, RATES, Reading, points, reading_name};
use super::published::Quantity;
use crate::gathered::{Gathered, PointRun};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// What came of all runs.
#[derive(Clone, Debug)]
pub struct Results {
    /// How much was run.
    pub effort: Effort,
    /// The runs.
    pub gathered: Gathered<Point>,
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
        Results { effort, gathered: Gathered::gather(jobs, threads, stop, run) }
    }

    /// The average of a quantity over the repetitions of a point.
    pub fn estimate(&self, point: Point, quantity: Quantity) -> Option<Estimate> {
        self.gathered.estimate(point.canonical(), value(quantity))
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
        self.gathered.interval_widths(&Quantity::ALL.map(value))
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
        for (point, runs) in &self.gathered.runs {
            for run in runs {
                table.row(row(*point, run));
            }
        }
        table
    }
}

fn value(quantity: Quantity) -> fn(&Metrics) -> f64 {
    match quantity {
        Quantity::Time => |metrics| metrics.waiting.mean,
        Quantity::Messages => |metrics| metrics.messages_per_entry,
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
