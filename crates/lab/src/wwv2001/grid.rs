//! The points of the paper's experiments, and the scenario of each.

use driftlock_sim::{ChangeModel, LinkChanges, Measure, Medium, Network, Requests, Scenario};

/// The nodes of all experiments.
pub const NODES: usize = 30;

/// Who competes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Algorithm {
    /// Reverse Link.
    Rl,
    /// Raymond's algorithm over ideal routing.
    Rr,
}

impl Algorithm {
    /// Both.
    pub const ALL: [Algorithm; 2] = [Algorithm::Rl, Algorithm::Rr];

    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Rl => "RL",
            Algorithm::Rr => "RR",
        }
    }

    fn protocol(self) -> &'static str {
        match self {
            Algorithm::Rl => "rl",
            Algorithm::Rr => "raymond",
        }
    }
}

/// The loads that the tables and Figures 6 and 8 single out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Load {
    /// λ_req = 10⁻³.
    Low,
    /// λ_req = 1.
    High,
}

impl Load {
    /// Both.
    pub const ALL: [Load; 2] = [Load::Low, Load::High];

    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Load::Low => "low load",
            Load::High => "high load",
        }
    }

    /// Its place in [`RATES`].
    pub fn rate_index(self) -> usize {
        match self {
            Load::Low => 2,
            Load::High => 8,
        }
    }
}

/// λ_req on the x axes of Figures 5 and 7: two points to a decade from 10⁻⁴ to 1.
pub const RATES: [f64; 9] = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0];

/// The connectivities on the x axes of Figures 6 and 8, in percent.
pub const CONNECTIVITIES: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/// How much links change; the panels of the figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mobility {
    /// λ_mob = 0.
    Zero,
    /// λ_mob = 10⁻².
    Low,
    /// λ_mob = 10⁻¹.
    High,
}

impl Mobility {
    /// All three.
    pub const ALL: [Mobility; 3] = [Mobility::Zero, Mobility::Low, Mobility::High];

    /// The name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Mobility::Zero => "zero mobility",
            Mobility::Low => "low mobility",
            Mobility::High => "high mobility",
        }
    }

    fn rate(self) -> f64 {
        match self {
            Mobility::Zero => 0.0,
            Mobility::Low => 1e-2,
            Mobility::High => 1e-1,
        }
    }
}

/// How the paper's description of link changes is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Model {
    /// One process for the whole network, as the text has it.
    Literal,
    /// Every pair of nodes flips at the rate: a reading found by search, after the fact.
    Toggle,
}

/// What of a run is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// The first entries from time 0 on.
    Cold,
    /// Entries after a warm-up.
    Steady,
}

/// A model and a rule: one of the four readings that are shown.
pub type Reading = (Rule, Model);

/// The four readings, in the order they are shown.
pub const READINGS: [Reading; 4] = [
    (Rule::Cold, Model::Toggle),
    (Rule::Cold, Model::Literal),
    (Rule::Steady, Model::Toggle),
    (Rule::Steady, Model::Literal),
];

/// A reading in words.
pub fn reading_name((rule, model): Reading) -> &'static str {
    match (rule, model) {
        (Rule::Cold, Model::Toggle) => "cold start, toggle",
        (Rule::Cold, Model::Literal) => "cold start, literal",
        (Rule::Steady, Model::Toggle) => "steady state, toggle",
        (Rule::Steady, Model::Literal) => "steady state, literal",
    }
}

/// One point of one curve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Who.
    pub algorithm: Algorithm,
    /// Under which reading.
    pub reading: Reading,
    /// How much links change.
    pub mobility: Mobility,
    /// Initial links in percent of all pairs.
    pub connectivity: u32,
    /// Its place in [`RATES`].
    pub rate_index: usize,
}

impl Point {
    /// Where links stay, both models are the same, and the point is run once.
    pub fn canonical(self) -> Self {
        match (self.mobility, self.reading) {
            (Mobility::Zero, (rule, _)) => Point { reading: (rule, Model::Literal), ..self },
            _ => self,
        }
    }

    /// λ_req.
    pub fn rate(self) -> f64 {
        RATES[self.rate_index]
    }
}

/// How much is run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Repetitions of each point.
    pub repetitions: u64,
    /// The seed of the first repetition; each further one adds 1.
    pub seed: u64,
    /// Entries measured from a cold start.
    pub cold_entries: u64,
    /// Entries passed over before the steady state.
    pub warmup: u64,
    /// Entries measured in the steady state, at most.
    pub steady_entries: u64,
    /// About so many steps a run in the steady state may take; points at which links change much
    /// more often than anyone enters get fewer entries, and so wider intervals.
    pub steps: f64,
}

impl Effort {
    /// What finishes in a few minutes: six repetitions, as in the paper.
    pub const DEFAULT: Effort = Effort {
        repetitions: 6,
        seed: 1,
        cold_entries: 120,
        warmup: 120,
        steady_entries: 2_000,
        steps: 1e6,
    };

    /// What tight intervals take.
    pub const FULL: Effort =
        Effort { repetitions: 30, steady_entries: 10_000, steps: 2e7, ..Effort::DEFAULT };

    /// The scenario of repetition `k` of a point.
    pub fn scenario(&self, point: Point, k: u64) -> Scenario {
        let (rule, model) = point.reading;
        let rate = point.mobility.rate();
        let model = match (rate > 0.0, model) {
            (false, _) => ChangeModel::None,
            (true, Model::Literal) => ChangeModel::Literal,
            (true, Model::Toggle) => ChangeModel::Toggle,
        };
        let connectivity = Some(f64::from(point.connectivity));
        Scenario {
            protocol: point.algorithm.protocol().into(),
            seed: self.seed.wrapping_add(k),
            medium: (point.algorithm == Algorithm::Rr).then_some(Medium::Routed),
            network: Network { nodes: NODES, connectivity, ..Network::default() },
            link_changes: LinkChanges { model, rate, ..LinkChanges::default() },
            requests: Requests { rate: point.rate(), ..Requests::default() },
            measure: Some(match rule {
                Rule::Cold => self.cold(),
                Rule::Steady => self.steady(point),
            }),
            ..Scenario::default()
        }
    }

    fn cold(&self) -> Measure {
        Measure { warmup: 0, entries: Some(self.cold_entries), until: None }
    }

    fn steady(&self, point: Point) -> Measure {
        let entries = (self.steps / steps_per_entry(point)) as u64;
        let entries = entries.clamp(ENTRIES_LEAST, self.steady_entries);
        Measure { warmup: self.warmup.min(entries), entries: Some(entries), until: None }
    }
}

/// Fewer entries than this are no average.
const ENTRIES_LEAST: u64 = 40;

/// Roughly how many steps go by for each entry: the messages of the entry itself, and ten for each
/// link change in the time between two entries.
fn steps_per_entry(point: Point) -> f64 {
    let between = 1.0 / (NODES as f64 * point.rate()).min(0.5);
    let pairs = (NODES * (NODES - 1) / 2) as f64;
    let changes = match point.reading.1 {
        Model::Literal => point.mobility.rate(),
        Model::Toggle => point.mobility.rate() * pairs,
    };
    30.0 + 10.0 * changes * between
}

/// The connectivity, in percent, of a network with one link more than a tree.
pub const NEARLY_A_TREE: u32 = 7;

/// All points of all figures and tables, each once, in order.
pub fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for algorithm in Algorithm::ALL {
        for reading in READINGS {
            for mobility in Mobility::ALL {
                let point = |connectivity, rate_index| {
                    Point { algorithm, reading, mobility, connectivity, rate_index }.canonical()
                };
                for rate_index in 0..RATES.len() {
                    points.extend([20, 80].map(|percent| point(percent, rate_index)));
                }
                for percent in CONNECTIVITIES {
                    points.extend(Load::ALL.map(|load| point(percent, load.rate_index())));
                }
            }
        }
    }
    // RR in a network that has thinned out, for comparison with its mobile columns.
    for rule in [Rule::Cold, Rule::Steady] {
        for load in Load::ALL {
            points.push(Point {
                algorithm: Algorithm::Rr,
                reading: (rule, Model::Literal),
                mobility: Mobility::Zero,
                connectivity: NEARLY_A_TREE,
                rate_index: load.rate_index(),
            });
        }
    }
    points.sort();
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_run_once_and_makes_sense() {
        let points = points();
        // 18 + 20 - 4 points in 5 panels (zero mobility is the same for both models), 2 x 2 ways,
        // and a thin network for RR.
        assert_eq!(points.len(), 34 * 5 * 2 * 2 + 4);
        for point in points {
            Effort::DEFAULT.scenario(point, 0).check().unwrap();
        }
    }

    #[test]
    fn the_loads_of_the_tables_are_on_the_axes() {
        assert_eq!(RATES[Load::Low.rate_index()], 1e-3);
        assert_eq!(RATES[Load::High.rate_index()], 1.0);
    }
}
