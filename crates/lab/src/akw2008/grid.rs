//! The points of the experiments on time and messages, and the scenario of each.

use driftlock_sim::{
    ConnectedBy, LinkChanges, Measure, Metrics, Motion, Network, Requests, Scenario, Scripted,
    Shape, Span,
};

/// Who competes. Tsay and Bagrodia's algorithm, which Table 1 has too, cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Algorithm {
    /// Choy and Singh's: Algorithm 1 with colors that are given.
    ChoySingh,
    /// Algorithm 1a: greedy recoloring.
    Greedy,
    /// Algorithm 1b: Linial's recoloring.
    Linial,
    /// Algorithm 2.
    Two,
    /// Algorithm 2 without notifications, which stands for what it improves on.
    Quiet,
    /// Chandy and Misra's, the classic.
    ChandyMisra,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 6] = [
        Algorithm::ChoySingh,
        Algorithm::Greedy,
        Algorithm::Linial,
        Algorithm::Two,
        Algorithm::Quiet,
        Algorithm::ChandyMisra,
    ];

    /// The name in tables and figures.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::ChoySingh => "Choy-Singh",
            Algorithm::Greedy => "1a",
            Algorithm::Linial => "1b",
            Algorithm::Two => "2",
            Algorithm::Quiet => "2, no notices",
            Algorithm::ChandyMisra => "Chandy-Misra",
        }
    }

    /// The name of the protocol.
    pub fn protocol(self) -> &'static str {
        match self {
            Algorithm::ChoySingh => "choy-singh",
            Algorithm::Greedy => "lme1a",
            Algorithm::Linial => "lme1b",
            Algorithm::Two | Algorithm::Quiet => "lme2",
            Algorithm::ChandyMisra => "chandy-misra",
        }
    }

    /// The variant of the protocol, if it is not the default one.
    pub fn variant(self) -> Option<&'static str> {
        (self == Algorithm::Quiet).then_some("quiet")
    }

    /// Whether it is made for nodes that move.
    pub fn is_mobile(self) -> bool {
        !matches!(self, Algorithm::ChoySingh | Algorithm::ChandyMisra)
    }
}

/// A kind of network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Identifiers in order: what waits for smaller ones waits in a chain.
    Path,
    /// The same in a circle.
    Ring,
    /// A square.
    Grid,
    /// Nodes at random places, with this many neighbors on average.
    Geometric(u32),
    /// Links between random pairs, this many to a node on average.
    Random(u32),
    /// Everyone linked to everyone.
    Clique,
    /// As `Geometric`, and half of the nodes move. The others never do, so that their waits are
    /// never broken off.
    Moving(u32),
}

impl Kind {
    /// The name in tables and figures.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Path => "path",
            Kind::Ring => "ring",
            Kind::Grid => "grid",
            Kind::Geometric(_) => "geometric",
            Kind::Random(_) => "random",
            Kind::Clique => "clique",
            Kind::Moving(_) => "moving",
        }
    }

    /// Whether nodes move.
    pub fn is_moving(self) -> bool {
        matches!(self, Kind::Moving(_))
    }

    /// Who can run on it.
    pub fn algorithms(self) -> Vec<Algorithm> {
        let can = |who: &Algorithm| !self.is_moving() || who.is_mobile();
        Algorithm::ALL.into_iter().filter(can).collect()
    }

    /// The network with so many nodes.
    pub fn network(self, nodes: usize) -> Network {
        let (shape, degree, links) = match self {
            Kind::Path => (Shape::Line, None, None),
            Kind::Ring => (Shape::Ring, None, None),
            Kind::Grid => (Shape::Grid, None, None),
            Kind::Clique => (Shape::Clique, None, None),
            Kind::Geometric(degree) | Kind::Moving(degree) => {
                (Shape::Geometric, Some(f64::from(degree)), None)
            }
            Kind::Random(degree) => (Shape::Random, None, Some(nodes * degree as usize / 2)),
        };
        Network { shape, nodes, degree, links, ..Network::default() }
    }

    /// How its nodes move, if they are so many. The larger the network the longer the ways, in
    /// radio ranges and so in time; the pauses are as long, so that nodes of any network move half
    /// of the time.
    pub fn motion(self, nodes: usize) -> Option<Motion> {
        let Kind::Moving(degree) = self else { return None };
        let area = std::f64::consts::PI * (nodes.max(2) - 1) as f64;
        let range = (f64::from(degree) / area).sqrt();
        Some(Motion { pause: Span::Exponential(4.0 / range), moving: 0.5, ..Motion::default() })
    }

    /// Entries passed over for each node before measuring: as many as some make on a path while the
    /// last one waits for its first color.
    fn warmup(self) -> u64 {
        if matches!(self, Kind::Path | Kind::Ring) { 40 } else { 10 }
    }
}

/// When nodes become hungry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Load {
    /// All at time 0 and never again: a cold start, in which everyone needs a color first.
    Once,
    /// The same, and every message takes the full unit. Nothing is left to chance: those in order
    /// wait for each other in order.
    Lockstep,
    /// At the rate in this place of [`RATES`].
    Rate(usize),
}

impl Load {
    /// Hungry again at once, in a steady state.
    pub const AGAIN: Load = Load::Rate(RATES.len() - 1);
}

/// λ_req: two points to a decade from 0.01 to 1, and hungry again at once.
pub const RATES: [f64; 6] = [0.01, 0.03, 0.1, 0.3, 1.0, 100.0];

/// Numbers of nodes, all of them squares.
pub const SIZES: [usize; 5] = [16, 36, 64, 144, 256];

/// The number of nodes where something else is varied.
pub const NODES: usize = 64;

/// Neighbors on average.
pub const DEGREES: [u32; 4] = [3, 6, 12, 24];

/// The degree where something else is varied.
pub const DEGREE: u32 = 6;

/// Sizes of cliques.
pub const CLIQUES: [usize; 5] = [3, 5, 9, 17, 33];

/// How long a message takes: one unit at most, which is what bounds are counted in.
pub const DELAY: Span = Span::Uniform(0.1, 1.0);

/// One point of one curve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Who.
    pub algorithm: Algorithm,
    /// On which network.
    pub kind: Kind,
    /// Of so many nodes.
    pub nodes: usize,
    /// Hungry when.
    pub load: Load,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// The average wait.
    Mean,
    /// The longest wait: what the paper bounds.
    Longest,
    /// Messages per entry.
    Messages,
}

impl Quantity {
    /// The name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Mean => "mean wait (time units)",
            Quantity::Longest => "longest wait (time units)",
            Quantity::Messages => "messages per entry",
        }
    }

    /// Its value in a run. Where nodes move, only the waits of those count that stood still.
    pub fn of(self, metrics: &Metrics, kind: Kind) -> f64 {
        let still = metrics.local.map(|local| local.still);
        let still = still.filter(|_| kind.is_moving());
        match self {
            Quantity::Mean => still.map_or(metrics.waiting.mean, |still| still.mean),
            Quantity::Longest => still.map_or(metrics.waiting.max, |still| still.max),
            Quantity::Messages => metrics.messages_per_entry,
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
    /// Entries measured for each node, where nodes are hungry again and again.
    pub entries: u64,
    /// Crashes in each place for each repetition.
    pub crashes: u64,
}

impl Effort {
    /// What finishes in less than a minute.
    pub const DEFAULT: Effort = Effort { repetitions: 5, seed: 1, entries: 20, crashes: 20 };

    /// What tight intervals take.
    pub const FULL: Effort = Effort { repetitions: 30, entries: 100, ..Self::DEFAULT };

    /// The scenario of repetition `k` of a point.
    pub fn scenario(&self, point: Point, k: u64) -> Scenario {
        let Point { algorithm, kind, nodes, load } = point;
        let plain = local(algorithm, kind, nodes, self.seed.wrapping_add(k));
        let n = nodes as u64;
        let asks = |node| Scripted { request: Some(node), ..Scripted::default() };
        match load {
            Load::Once | Load::Lockstep => Scenario {
                requests: Requests { rate: 0.0, ..Requests::default() },
                script: (0..nodes as u32).map(asks).collect(),
                measure: Some(Measure { warmup: 0, entries: Some(n), until: None }),
                delay: if load == Load::Once { DELAY } else { Span::Constant(1.0) },
                ..plain
            },
            Load::Rate(k) => Scenario {
                requests: Requests { rate: RATES[k], ..Requests::default() },
                measure: Some(Measure {
                    warmup: kind.warmup() * n,
                    entries: Some(self.entries * n),
                    until: None,
                }),
                ..plain
            },
        }
    }

    /// All runs.
    pub fn jobs(&self) -> Vec<(Point, Scenario)> {
        let all = |point| (0..self.repetitions).map(move |k| (point, self.scenario(point, k)));
        points().into_iter().flat_map(all).collect()
    }
}

/// What all scenarios have in common.
pub(super) fn local(algorithm: Algorithm, kind: Kind, nodes: usize, seed: u64) -> Scenario {
    let connected_by = ConnectedBy::Partitions;
    Scenario {
        protocol: algorithm.protocol().into(),
        variant: algorithm.variant().map(Into::into),
        seed,
        network: kind.network(nodes),
        link_changes: LinkChanges { connected_by, ..LinkChanges::default() },
        motion: kind.motion(nodes),
        delay: DELAY,
        ..Scenario::default()
    }
}

/// All points, each once, in order.
pub fn points() -> Vec<Point> {
    let mut points = Vec::new();
    let mut add = |kind: Kind, nodes: usize, load: Load| {
        let at = |algorithm| Point { algorithm, kind, nodes, load };
        points.extend(kind.algorithms().into_iter().map(at));
    };
    for load in [Load::Once, Load::AGAIN] {
        for kind in [Kind::Path, Kind::Ring, Kind::Grid, Kind::Geometric(DEGREE)] {
            SIZES.iter().for_each(|&nodes| add(kind, nodes, load));
        }
        for degree in DEGREES {
            add(Kind::Geometric(degree), NODES, load);
            add(Kind::Random(degree), NODES, load);
        }
        CLIQUES.iter().for_each(|&nodes| add(Kind::Clique, nodes, load));
    }
    SIZES.iter().for_each(|&nodes| add(Kind::Path, nodes, Load::Lockstep));
    SIZES.iter().for_each(|&nodes| add(Kind::Moving(DEGREE), nodes, Load::AGAIN));
    DEGREES.iter().for_each(|&degree| add(Kind::Moving(degree), NODES, Load::AGAIN));
    for k in 0..RATES.len() {
        add(Kind::Geometric(DEGREE), NODES, Load::Rate(k));
        add(Kind::Moving(DEGREE), NODES, Load::Rate(k));
    }
    points.sort();
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use driftlock_sim::metrics::{Local, Still, Waiting};

    use super::*;

    #[test]
    fn every_point_is_run_once_and_makes_sense() {
        // For 6 algorithms, twice: 4 kinds of 5 sizes, 2 kinds of 4 degrees with one point in
        // common, 5 cliques; and 5 sizes in lockstep, and 5 loads. For 4 algorithms: 5 sizes,
        // 4 degrees and 6 loads with one point in common.
        let (fixed, mobile) = (2 * (20 + 7 + 5) + 5 + 5, 5 + 4 + 6 - 2);
        assert_eq!(points().len(), 6 * fixed + 4 * mobile);
        for point in points() {
            Effort::DEFAULT.scenario(point, 0).check().unwrap();
        }
    }

    #[test]
    fn where_nodes_move_only_those_count_that_stood_still() {
        let still = Still { entries: 1, mean: 2.0, max: 3.0 };
        let metrics = Metrics {
            waiting: Waiting { mean: 20.0, max: 30.0, ..Waiting::default() },
            local: Some(Local { demotions: 0, still }),
            ..Metrics::default()
        };
        for (kind, mean, max) in [(Kind::Moving(6), 2.0, 3.0), (Kind::Geometric(6), 20.0, 30.0)] {
            assert_eq!(Quantity::Mean.of(&metrics, kind), mean);
            assert_eq!(Quantity::Longest.of(&metrics, kind), max);
        }
    }
}
