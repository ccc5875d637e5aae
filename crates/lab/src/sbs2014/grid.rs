//! The paper's world, and the points of its figures.
//!
//! The paper gives the area, the numbers of nodes, the speeds, the pause and the time that is
//! simulated. It does not give the radio range, how long a message and a critical section take, or
//! what a light, medium and heavy load is: these are chosen here.

use driftlock_sim::{
    Measure, Medium, Metrics, Motion, MotionModel, Network, Requests, Scenario, Shape, Span, Speed,
};

/// Units of time in a second: a unit is what a message takes over a link, and what a critical
/// section takes. So a message takes 10 ms over a link.
pub const UNITS: f64 = 100.0;

/// The side of the square, in meters.
pub const AREA: f64 = 500.0;

/// The radio range, in meters: what the simulator of the paper has if nothing is said.
pub const RANGE: f64 = 250.0;

/// How long a node stands still between two ways, in seconds.
pub const PAUSE: f64 = 150.0;

/// How many move together, and how far they are from their middle at most, where groups move.
pub const GROUP: u32 = 10;
const SPREAD: f64 = RANGE / 4.0;

/// Who is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Who {
    /// The paper's algorithm, repaired.
    Cluster,
    /// The ring of Baldoni, Virgillito and Petrassi.
    Ring,
}

impl Who {
    /// Both.
    pub const ALL: [Who; 2] = [Who::Cluster, Who::Ring];

    /// The name, of the protocol too.
    pub fn name(self) -> &'static str {
        match self {
            Who::Cluster => "cluster",
            Who::Ring => "ring",
        }
    }
}

/// How nodes move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mobility {
    /// Not at all.
    Still,
    /// As in most experiments of the paper.
    Usual,
    /// The three bands of Figures 7 and 8.
    Low,
    /// The second.
    Medium,
    /// The third.
    High,
    /// As usual, but in groups.
    Groups,
}

impl Mobility {
    /// The bands of Figures 7 and 8.
    pub const BANDS: [Mobility; 3] = [Mobility::Low, Mobility::Medium, Mobility::High];

    /// The name in tables and figures.
    pub fn name(self) -> &'static str {
        match self {
            Mobility::Still => "still",
            Mobility::Usual => "8-40 m/s",
            Mobility::Low => "5-25 m/s",
            Mobility::Medium => "25-100 m/s",
            Mobility::High => "100-200 m/s",
            Mobility::Groups => "groups, 8-40 m/s",
        }
    }

    /// From how many meters per second to how many.
    fn speeds(self) -> Option<(f64, f64)> {
        match self {
            Mobility::Still => None,
            Mobility::Usual | Mobility::Groups => Some((8.0, 40.0)),
            Mobility::Low => Some((5.0, 25.0)),
            Mobility::Medium => Some((25.0, 100.0)),
            Mobility::High => Some((100.0, 200.0)),
        }
    }

    fn motion(self) -> Option<Motion> {
        let (slow, fast) = self.speeds()?;
        let groups = self == Mobility::Groups;
        Some(Motion {
            model: if groups { MotionModel::Convoy } else { MotionModel::Waypoint },
            speed: Some(Speed::uniform(slow / UNITS, fast / UNITS)),
            pause: Span::Constant(PAUSE * UNITS),
            group: groups.then_some(GROUP),
            spread: groups.then_some(SPREAD),
            ..Motion::default()
        })
    }
}

/// Requests of a node in a second that it spends neither waiting nor inside.
pub const LOADS: [f64; 7] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// The places of a light, a medium and a heavy load in [`LOADS`], with names.
pub const NAMED: [(usize, &str); 3] = [(0, "light"), (3, "medium"), (6, "heavy")];

/// The place of the light load.
pub const LIGHT: usize = NAMED[0].0;
/// The place of the heavy load.
pub const HEAVY: usize = NAMED[2].0;

/// Numbers of nodes.
pub const SIZES: [usize; 5] = [20, 50, 100, 200, 500];

/// The number of nodes where something else is varied.
pub const NODES: usize = 100;

/// How many of the nodes ask, in Figures 4 to 6.
pub const ASKERS: [usize; 5] = [5, 10, 20, 50, NODES];

/// The loads of Figures 7 and 8.
pub const BAND_LOADS: [usize; 4] = [0, 2, 4, 6];

/// Sizes of networks that stand still, on which section 6 is checked.
pub const STILL_SIZES: [usize; 3] = [20, 50, 100];

/// One point of one curve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Who.
    pub who: Who,
    /// How nodes move.
    pub mobility: Mobility,
    /// How many there are.
    pub nodes: usize,
    /// How many of them ask.
    pub askers: usize,
    /// The place of the load in [`LOADS`].
    pub load: usize,
}

impl Point {
    /// A point of Figures 2 and 3.
    pub fn usual(who: Who, load: usize) -> Self {
        Point { who, mobility: Mobility::Usual, nodes: NODES, askers: NODES, load }
    }

    /// The same with so many nodes.
    pub fn of(self, nodes: usize) -> Self {
        Point { nodes, askers: nodes, ..self }
    }

    /// The same, where so many ask.
    pub fn asked_by(self, askers: usize) -> Self {
        Point { askers, ..self }
    }

    /// The same with nodes that move so.
    pub fn moving(self, mobility: Mobility) -> Self {
        Point { mobility, ..self }
    }
}

/// The messages that keep clusters, which the paper leaves to others.
const UPKEEP: [&str; 2] = ["Hello", "Beside"];

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Links that messages went over, for each entry. As in the paper, those that keep clusters are
    /// not counted, here and in the next two.
    Hops,
    /// Messages for each entry, however far they went.
    Messages,
    /// Messages in a second, however far they went.
    Traffic,
    /// Messages that keep clusters, in a second. They go over one link.
    Upkeep,
    /// From request to entry, in milliseconds.
    Wait,
}

impl Quantity {
    /// The name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Hops => "hops per entry",
            Quantity::Messages => "messages per entry",
            Quantity::Traffic => "messages per second",
            Quantity::Upkeep => "clustering messages per second",
            Quantity::Wait => "processing time (ms)",
        }
    }

    /// Its value in a run.
    pub fn of(self, metrics: &Metrics) -> f64 {
        let kind = |kind: &&str| metrics.messages_by_kind.get(*kind).copied().unwrap_or(0.0);
        let upkeep: f64 = UPKEEP.iter().map(kind).sum();
        let messages = metrics.messages_per_entry / metrics.hops_per_message.max(1.0) - upkeep;
        match self {
            Quantity::Hops => metrics.messages_per_entry - upkeep,
            Quantity::Messages => messages,
            Quantity::Traffic => messages * metrics.throughput * UNITS,
            Quantity::Upkeep => upkeep * metrics.throughput * UNITS,
            Quantity::Wait => metrics.waiting.mean * 1000.0 / UNITS,
        }
    }
}

/// How much is run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Repetitions of each point.
    pub repetitions: u64,
    /// The seed of the first repetition; each further one adds 1.
    pub seed: u64,
    /// How long, in seconds.
    pub seconds: f64,
}

impl Effort {
    /// What finishes in about a minute.
    pub const DEFAULT: Effort = Effort { repetitions: 5, seed: 1, seconds: 150.0 };

    /// As in the paper.
    pub const FULL: Effort = Effort { repetitions: 10, seconds: 1500.0, ..Self::DEFAULT };

    /// The scenario of repetition `k` of a point.
    pub fn scenario(&self, point: Point, k: u64) -> Scenario {
        let Point { who, mobility, nodes, askers, load } = point;
        let rate = LOADS[load] / UNITS;
        let asks = (askers < nodes).then(|| every(nodes, askers));
        Scenario {
            motion: mobility.motion(),
            requests: Requests { rate, nodes: asks, ..Requests::default() },
            measure: Some(Measure { warmup: 0, entries: None, until: Some(self.seconds * UNITS) }),
            ..plain(who, nodes, self.seed.wrapping_add(k))
        }
    }

    /// All runs.
    pub fn jobs(&self) -> Vec<(Point, Scenario)> {
        let all = |point| (0..self.repetitions).map(move |k| (point, self.scenario(point, k)));
        points().into_iter().flat_map(all).collect()
    }
}

/// What all scenarios have in common.
pub(super) fn plain(who: Who, nodes: usize, seed: u64) -> Scenario {
    let (shape, range, area) = (Shape::Geometric, Some(RANGE), Some(AREA));
    Scenario {
        protocol: who.name().into(),
        seed,
        medium: Some(Medium::Mesh),
        network: Network { shape, nodes, range, area, ..Network::default() },
        ..Scenario::default()
    }
}

/// So many of the nodes, evenly among their identifiers: low ones are heads of clusters.
fn every(nodes: usize, askers: usize) -> Vec<u32> {
    (0..askers).map(|k| (k * nodes / askers) as u32).collect()
}

/// All points, each once, in order.
pub fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for who in Who::ALL {
        points.extend((0..LOADS.len()).map(|load| Point::usual(who, load)));
        for (load, _) in NAMED {
            let usual = Point::usual(who, load);
            points.extend(ASKERS.map(|askers| usual.asked_by(askers)));
            points.extend([Mobility::Still, Mobility::Groups].map(|how| usual.moving(how)));
        }
        for load in BAND_LOADS {
            points.extend(Mobility::BANDS.map(|band| Point::usual(who, load).moving(band)));
        }
        for load in [LIGHT, HEAVY] {
            let usual = Point::usual(who, load);
            points.extend(SIZES.map(|nodes| usual.of(nodes)));
            points.extend(STILL_SIZES.map(|nodes| usual.of(nodes).moving(Mobility::Still)));
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
        // For each: 7 loads; 4 more numbers of askers and 2 more kinds of motion at 3 loads; 3
        // bands at 4 loads; 4 more sizes and 2 more that stand still at 2 loads.
        assert_eq!(points().len(), 2 * (7 + 3 * (4 + 2) + 3 * 4 + 2 * (4 + 2)));
        for point in points() {
            Effort::DEFAULT.scenario(point, 0).check().unwrap();
        }
    }

    #[test]
    fn speeds_are_in_meters_per_second() {
        let scenario = Effort::FULL.scenario(Point::usual(Who::Ring, HEAVY), 0);
        let motion = scenario.motion.unwrap();
        assert_eq!(motion.speed, Some(Speed::uniform(0.08, 0.4)));
        assert_eq!(motion.pause, Span::Constant(15_000.0));
        assert_eq!(scenario.measure.unwrap().until, Some(150_000.0));
        assert_eq!(scenario.requests.rate, 0.1);
    }

    #[test]
    fn those_who_ask_are_anywhere_among_the_nodes() {
        assert_eq!(every(100, 5), [0, 20, 40, 60, 80]);
        let scenario = Effort::DEFAULT.scenario(Point::usual(Who::Ring, 0).asked_by(5), 0);
        assert_eq!(scenario.requests.nodes.unwrap().len(), 5);
    }

    #[test]
    fn messages_are_counted_once_however_far_they_go_and_clusters_for_themselves() {
        let metrics = Metrics {
            messages_per_entry: 6.0,
            messages_by_kind: [("Hello", 0.5), ("Beside", 0.25), ("Req", 5.25)].into(),
            hops_per_message: 1.5,
            throughput: 0.5,
            ..Metrics::default()
        };
        let of = |quantity: Quantity| quantity.of(&metrics);
        assert_eq!((of(Quantity::Hops), of(Quantity::Messages)), (5.25, 3.25));
        assert_eq!((of(Quantity::Traffic), of(Quantity::Upkeep)), (162.5, 37.5));
    }
}
