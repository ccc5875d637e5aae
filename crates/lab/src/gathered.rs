//! The runs of an experiment: [`Gathered`].

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use driftlock_sim::{Metrics, Run, Scenario};

use crate::figure::{self, Ink, Series};
use crate::stats::{self, Estimate};
use crate::sweep;
use crate::table::Cell;

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

/// The runs of all points of an experiment.
#[derive(Clone, Debug)]
pub struct Gathered<P> {
    /// The runs of each point, in the order of their seeds. A point without a run has no entry.
    pub runs: BTreeMap<P, Vec<PointRun>>,
    /// Runs in which a promise was broken.
    pub failures: Vec<Failure>,
    /// How many runs there should have been.
    pub planned: usize,
    /// How many of them were finished.
    pub finished: usize,
}

impl<P: Ord + Copy + Sync> Gathered<P> {
    /// Run everything. `run` knows the protocols; it is called from `threads` threads, and returns
    /// nothing for a run that was broken off. Once `stop` is set, what is finished is returned.
    pub fn gather(
        jobs: Vec<(P, Scenario)>,
        threads: usize,
        stop: &AtomicBool,
        run: impl Fn(&Scenario) -> Option<Run> + Sync,
    ) -> Self {
        let done = sweep::all(&jobs, threads, stop, |(_, scenario)| run(scenario));
        let planned = jobs.len();
        let mut gathered =
            Gathered { runs: BTreeMap::new(), failures: Vec::new(), planned, finished: 0 };
        for ((point, scenario), run) in jobs.into_iter().zip(done) {
            if let Some(run) = run.flatten() {
                gathered.add(point, scenario, run);
            }
        }
        gathered
    }

    fn add(&mut self, point: P, scenario: Scenario, run: Run) {
        self.finished += 1;
        if let Some(violation) = run.violation {
            self.failures.push(Failure { scenario, what: violation.to_string() });
            return;
        }
        let seed = scenario.seed;
        self.runs.entry(point).or_default().push(PointRun { seed, metrics: run.metrics });
    }

    /// The average of a quantity over the repetitions of a point.
    pub fn estimate(&self, point: P, of: impl Fn(&Metrics) -> f64) -> Option<Estimate> {
        let samples: Vec<f64> = self.runs.get(&point)?.iter().map(|run| of(&run.metrics)).collect();
        Estimate::of(&samples)
    }

    /// How many times the quantity of `b` that of `a` is. Runs of one seed have the same network,
    /// and its changes come at the same times, so each is compared with its like.
    pub fn ratio(&self, a: P, b: P, of: impl Fn(&Metrics) -> f64) -> Option<Estimate> {
        let (above, below) = (self.runs.get(&a)?, self.runs.get(&b)?);
        let like = |run: &PointRun| {
            let other = below.iter().find(|other| other.seed == run.seed)?;
            Some(of(&run.metrics) / of(&other.metrics))
        };
        Estimate::of(&above.iter().filter_map(like).collect::<Vec<f64>>())
    }

    /// A curve through the averages of some points, each with its x. Points without runs are left
    /// out.
    pub fn curve(
        &self,
        name: &str,
        ink: Ink,
        points: impl IntoIterator<Item = (P, f64)>,
        of: impl Fn(&Metrics) -> f64,
    ) -> Series {
        let at = |(point, x)| Some(figure::Point::of_estimate(x, &self.estimate(point, &of)?));
        Series::measured(name, ink, points.into_iter().filter_map(at).collect())
    }

    /// The half-widths of the intervals of some quantities relative to their means, sorted.
    pub fn interval_widths(&self, quantities: &[fn(&Metrics) -> f64]) -> Vec<f64> {
        let of_point = |&point: &P| quantities.iter().map(move |of| self.estimate(point, of));
        let mut widths: Vec<f64> = self
            .runs
            .keys()
            .flat_map(of_point)
            .filter_map(|estimate| estimate?.relative_half_width())
            .collect();
        widths.sort_by(f64::total_cmp);
        widths
    }
}

/// The cells of a run in a table of all runs, after those of its point: [`RUN_HEADERS`].
pub fn run_cells(run: &PointRun) -> Vec<Cell> {
    let metrics = &run.metrics;
    let waiting = &metrics.waiting;
    let mut cells = vec![Cell::number(run.seed), Cell::number(metrics.entries)];
    let numbers = [
        waiting.mean,
        waiting.median,
        waiting.p95,
        waiting.p99,
        waiting.max,
        metrics.messages_per_entry,
        metrics.throughput,
        metrics.fairness,
    ];
    cells.extend(numbers.map(Cell::number));
    let raises = ["RaiseHeight", "raiseHeight"].iter().filter_map(|name| metrics.notes.get(name));
    cells.push(Cell::number(metrics.link_changes));
    cells.push(Cell::number(raises.sum::<u64>()));
    cells
}

/// What [`run_cells`] shows.
pub const RUN_HEADERS: [&str; 12] = [
    "seed",
    "entries",
    "time_mean",
    "time_median",
    "time_p95",
    "time_p99",
    "time_max",
    "messages_per_entry",
    "throughput",
    "fairness",
    "link_changes",
    "height_raises",
];

/// How wide intervals are, from their half-widths relative to the means, in a sentence.
pub fn widths_in_words(widths: &[f64]) -> String {
    let percent = |fraction| stats::quantile(widths, fraction).map(|width| 100.0 * width);
    match (percent(0.5), percent(0.9), percent(1.0)) {
        (Some(median), Some(most), Some(widest)) => format!(
            "Half-widths of the 95 % intervals: median {median:.1} % of the mean, 90 % of them \
             below {most:.1} %, the widest {widest:.1} %."
        ),
        _ => "There are no intervals: that takes two repetitions.".into(),
    }
}

/// Which repetitions there were, in words.
pub fn repetitions_in_words(repetitions: u64, seed: u64) -> String {
    match repetitions {
        1 => format!("one repetition of each point with the seed {seed}"),
        several => {
            let last = seed.wrapping_add(several - 1);
            format!("{several} repetitions of each point with the seeds {seed} to {last}")
        }
    }
}
