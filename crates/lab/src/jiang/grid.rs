//! The points of the experiments, and the scenario of each.

use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Metrics, Network, Requests, Scenario, Session, Span,
};

/// The nodes of all experiments.
pub const NODES: usize = 30;

/// Links in percent of all pairs.
const CONNECTIVITY: f64 = 20.0;

/// Who competes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Who {
    /// Group mutual exclusion, with a bound on sessions.
    Gme(Bound),
    /// RL with one lock for all resources.
    Rl,
}

/// How many may still enter for the resource in use once another is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// The protocol's default: 16.
    Usual,
    /// A quarter of that.
    Tight,
    /// As many as come, as in the paper.
    None,
}

impl Bound {
    /// All three, the loosest first.
    pub const ALL: [Bound; 3] = [Bound::None, Bound::Usual, Bound::Tight];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Usual => "at most 16",
            Bound::Tight => "at most 4",
            Bound::None => "no bound",
        }
    }

    fn session(self) -> Session {
        match self {
            Bound::Usual => Session::AtMost(16),
            Bound::Tight => Session::AtMost(4),
            Bound::None => Session::Off,
        }
    }
}

impl Who {
    /// Group mutual exclusion as it is by default, and RL.
    pub const TWO: [Who; 2] = [Who::Gme(Bound::Usual), Who::Rl];

    /// The name in tables and figures.
    pub fn name(self) -> &'static str {
        match self {
            Who::Gme(_) => "GME",
            Who::Rl => "RL",
        }
    }
}

/// λ_req: two points to a decade from 10⁻³ to 1.
pub const RATES: [f64; 7] = [1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0];

/// How many resources there are to choose from.
pub const RESOURCES: [u32; 5] = [1, 2, 3, 5, 10];

/// How many links are replaced in a unit of time.
pub const CHANGES: [f64; 5] = [0.0, 2e-3, 2e-2, 2e-1, 1.0];

/// The share of requests that are for the popular resource, in percent.
pub const SHARES: [u32; 5] = [50, 70, 80, 90, 95];

/// How long a critical section takes.
pub const LENGTHS: [u32; 2] = [1, 10];

/// One point of one curve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Who.
    pub who: Who,
    /// How long a critical section takes.
    pub length: u32,
    /// The place of λ_req in [`RATES`].
    pub rate_index: usize,
    /// How many resources there are.
    pub resources: u32,
    /// The place of the rate of link changes in [`CHANGES`].
    pub changes_index: usize,
    /// The share of the popular resource in percent; none if all are alike.
    pub share: Option<u32>,
}

impl Point {
    /// Three resources, all alike, at load 0.1 in a static network.
    pub fn usual(who: Who, length: u32) -> Self {
        Point { who, length, rate_index: 4, resources: 3, changes_index: 0, share: None }
            .canonical()
    }

    /// For one lock it does not matter what it is for.
    pub fn canonical(self) -> Self {
        match self.who {
            Who::Rl => Point { resources: 1, share: None, ..self },
            Who::Gme(_) => self,
        }
    }

    /// The same with another load.
    pub fn at_load(self, rate_index: usize) -> Self {
        Point { rate_index, ..self }
    }

    /// The same with another number of resources.
    pub fn of_resources(self, resources: u32) -> Self {
        Point { resources, ..self }.canonical()
    }

    /// The same with links that change.
    pub fn moving(self, changes_index: usize) -> Self {
        Point { changes_index, ..self }
    }

    /// The same with a popular resource.
    pub fn with_share(self, share: u32) -> Self {
        Point { share: Some(share), ..self }.canonical()
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// From request to entry.
    Time,
    /// Per entry.
    Messages,
    /// How many are inside, on average over time.
    Concurrency,
    /// Entries for another resource than the one before, of all.
    Switches,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 4] =
        [Quantity::Time, Quantity::Messages, Quantity::Concurrency, Quantity::Switches];

    /// The name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Time => "time units per entry",
            Quantity::Messages => "messages per entry",
            Quantity::Concurrency => "nodes inside",
            Quantity::Switches => "switches per entry",
        }
    }

    /// Its value in a run with critical sections of this length. Those inside are counted by
    /// Little's law, which serves for one lock as well. What a run does not have is not a number.
    pub fn of(self, metrics: &Metrics, length: u32) -> f64 {
        match self {
            Quantity::Time => metrics.waiting.mean,
            Quantity::Messages => metrics.messages_per_entry,
            Quantity::Concurrency => metrics.throughput * f64::from(length),
            Quantity::Switches => {
                metrics.choice.as_ref().map_or(f64::NAN, |choice| choice.switches_per_entry)
            }
        }
    }
}

/// How long those waited who wanted the popular resource. Not a number if there is none.
pub fn popular_wait(metrics: &Metrics) -> f64 {
    let first = metrics.choice.as_ref().and_then(|choice| choice.resources.first());
    first.filter(|used| used.entries > 0).map_or(f64::NAN, |used| used.waiting)
}

/// How long the others waited. Not a number if none of them got in.
pub fn unpopular_wait(metrics: &Metrics) -> f64 {
    let others = metrics.choice.iter().flat_map(|choice| choice.resources.iter().skip(1));
    let (entries, waited) = others.fold((0, 0.0), |(entries, waited), used| {
        (entries + used.entries, waited + used.entries as f64 * used.waiting)
    });
    if entries == 0 { f64::NAN } else { waited / entries as f64 }
}

/// How much is run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Repetitions of each point.
    pub repetitions: u64,
    /// The seed of the first repetition; each further one adds 1.
    pub seed: u64,
    /// Entries passed over before measuring.
    pub warmup: u64,
    /// Entries measured.
    pub entries: u64,
}

impl Effort {
    /// What finishes in less than a minute.
    pub const DEFAULT: Effort = Effort { repetitions: 5, seed: 1, warmup: 500, entries: 10_000 };

    /// What tight intervals take.
    pub const FULL: Effort = Effort { repetitions: 30, entries: 50_000, ..Effort::DEFAULT };

    /// The scenario of repetition `k` of a point.
    pub fn scenario(&self, point: Point, k: u64) -> Scenario {
        let rate = CHANGES[point.changes_index];
        let model = if rate > 0.0 { ChangeModel::Literal } else { ChangeModel::None };
        let (protocol, session) = match point.who {
            Who::Gme(bound) => ("gme", Some(bound.session())),
            Who::Rl => ("rl", None),
        };
        let popular = point.share.map(|percent| f64::from(percent) / 100.0);
        Scenario {
            protocol: protocol.into(),
            resources: Some(point.resources),
            session,
            seed: self.seed.wrapping_add(k),
            network: Network {
                nodes: NODES,
                connectivity: Some(CONNECTIVITY),
                ..Network::default()
            },
            link_changes: LinkChanges { model, rate, ..LinkChanges::default() },
            critical_section: Span::Constant(f64::from(point.length)),
            requests: Requests { rate: RATES[point.rate_index], popular, ..Requests::default() },
            measure: Some(Measure {
                warmup: self.warmup,
                entries: Some(self.entries),
                until: None,
            }),
            ..Scenario::default()
        }
    }

    /// All runs.
    pub fn jobs(&self) -> Vec<(Point, Scenario)> {
        let all = |point| (0..self.repetitions).map(move |k| (point, self.scenario(point, k)));
        points().into_iter().flat_map(all).collect()
    }
}

/// All points, each once, in order.
pub fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for length in LENGTHS {
        for who in Who::TWO {
            let usual = Point::usual(who, length);
            points.extend((0..RATES.len()).map(|k| usual.at_load(k)));
            points.extend((0..CHANGES.len()).map(|k| usual.moving(k)));
            points.extend(RESOURCES.map(|n| usual.of_resources(n)));
        }
        for bound in Bound::ALL {
            let usual = Point::usual(Who::Gme(bound), length);
            points.extend(SHARES.map(|share| usual.with_share(share)));
        }
    }
    points.sort();
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use driftlock_sim::metrics::{Choice, ResourceUse};

    use super::*;

    #[test]
    fn every_point_is_run_once_and_makes_sense() {
        // 7 loads, 5 rates of changes and 5 numbers of resources with one point in common, for RL
        // without resources; 5 shares for each of 3 bounds.
        assert_eq!(points().len(), 2 * ((7 + 5 + 5 - 2) + (7 + 5 - 1) + 5 * 3));
        for point in points() {
            Effort::DEFAULT.scenario(point, 0).check().unwrap();
        }
    }

    #[test]
    fn the_unpopular_are_averaged_by_their_entries() {
        let used = |entries, waiting| ResourceUse { entries, waiting };
        let resources = vec![used(9, 1.0), used(1, 10.0), used(3, 2.0)];
        let choice = Some(Choice { switches_per_entry: 0.5, resources });
        let metrics = Metrics { choice, ..Metrics::default() };
        assert_eq!(popular_wait(&metrics), 1.0);
        assert_eq!(unpopular_wait(&metrics), 4.0);
        assert!(unpopular_wait(&Metrics::default()).is_nan());
        assert!(popular_wait(&Metrics::default()).is_nan());
    }
}
