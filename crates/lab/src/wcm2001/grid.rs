//! The points of the paper's experiments, and the scenario of each.

use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Medium, Metrics, Network, Requests, Scenario, Undefined,
};

/// The nodes of all experiments.
pub const NODES: usize = 30;

/// How many may be inside together.
pub const TOKENS: u32 = 3;

/// Who competes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Algorithm {
    /// KRL, repaired.
    Krl,
    /// KRL with token forwarding, repaired.
    Krlf,
    /// KRL with forwarding that adapts to the load.
    Krla,
    /// Raymond's algorithm of permissions over ideal routing.
    Rk,
    /// KRL to the letter of the paper.
    KrlPublished,
    /// KRLF to the letter of the paper.
    KrlfPublished,
}

impl Algorithm {
    /// Those of the paper.
    pub const PAPER: [Algorithm; 2] = [Algorithm::Krl, Algorithm::Krlf];
    /// Those of the paper and what we add.
    pub const OURS: [Algorithm; 4] =
        [Algorithm::Krl, Algorithm::Krlf, Algorithm::Krla, Algorithm::Rk];
    /// Those of the paper to the letter.
    pub const PUBLISHED: [Algorithm; 2] = [Algorithm::KrlPublished, Algorithm::KrlfPublished];

    /// The name in the figures.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Krl => "KRL",
            Algorithm::Krlf => "KRLF",
            Algorithm::Krla => "KRLA",
            Algorithm::Rk => "RK",
            Algorithm::KrlPublished => "KRL published",
            Algorithm::KrlfPublished => "KRLF published",
        }
    }

    fn protocol(self) -> &'static str {
        match self {
            Algorithm::Krl | Algorithm::KrlPublished => "krl",
            Algorithm::Krlf | Algorithm::KrlfPublished => "krlf",
            Algorithm::Krla => "krla",
            Algorithm::Rk => "raymond-k",
        }
    }

    fn is_published(self) -> bool {
        Algorithm::PUBLISHED.contains(&self)
    }
}

/// λ_req on the x axes of Figures 6 and 7: two points to a decade from 10⁻³ to 1.
pub const RATES: [f64; 7] = [1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0];

/// The place in [`RATES`] of the load of Figures 8 and 9: a mean of 10 between requests.
pub const FIXED: usize = 4;

/// The connectivities of Figures 6 and 7, in percent.
pub const TWO: [u32; 2] = [20, 80];

/// The connectivities on the x axes of Figures 8 and 9, in percent.
pub const CONNECTIVITIES: [u32; 8] = [10, 20, 30, 40, 50, 60, 70, 80];

/// How much links change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mobility {
    /// Not at all.
    Zero,
    /// One change in 500 units of time.
    Low,
    /// One change in 50.
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
            Mobility::Low => 1.0 / 500.0,
            Mobility::High => 1.0 / 50.0,
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Figures 6 and 8.
    Time,
    /// Figures 7 and 9.
    Messages,
}

impl Quantity {
    /// Both.
    pub const ALL: [Quantity; 2] = [Quantity::Time, Quantity::Messages];

    /// The name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Time => "time units per CS entry",
            Quantity::Messages => "messages per CS entry",
        }
    }

    /// Where it is found.
    pub fn of(self) -> fn(&Metrics) -> f64 {
        match self {
            Quantity::Time => |metrics| metrics.waiting.mean,
            Quantity::Messages => |metrics| metrics.messages_per_entry,
        }
    }
}

/// One point of one curve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Who.
    pub algorithm: Algorithm,
    /// How much links change.
    pub mobility: Mobility,
    /// Initial links in percent of all pairs.
    pub connectivity: u32,
    /// Its place in [`RATES`].
    pub rate_index: usize,
}

impl Point {
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
    /// Entries measured, from time 0 on.
    pub entries: u64,
    /// Tokens that are forwarded all the time take many steps where few ask; there this many
    /// entries have to do.
    pub entries_idle: u64,
}

impl Effort {
    /// What finishes in less than a minute: five repetitions, as in the paper.
    pub const DEFAULT: Effort =
        Effort { repetitions: 5, seed: 1, entries: 3_000, entries_idle: 1_000 };

    /// What tight intervals take.
    pub const FULL: Effort =
        Effort { repetitions: 30, entries: 15_000, entries_idle: 5_000, ..Effort::DEFAULT };

    /// The scenario of repetition `k` of a point.
    pub fn scenario(&self, point: Point, k: u64) -> Scenario {
        let Point { algorithm, mobility, connectivity, .. } = point;
        let rate = mobility.rate();
        let model = if rate > 0.0 { ChangeModel::Literal } else { ChangeModel::None };
        // 44 links are 10 % of the pairs in the paper, which rounds up.
        let links = Some((NODES * (NODES - 1) / 2 * connectivity as usize + 50) / 100);
        let published = algorithm.is_published();
        let entries = if point.rate() < 1e-2 { self.entries_idle } else { self.entries };
        Scenario {
            protocol: algorithm.protocol().into(),
            variant: published.then(|| "published".into()),
            undefined: if published { Undefined::Skip } else { Undefined::Stop },
            tokens: Some(TOKENS),
            seed: self.seed.wrapping_add(k),
            medium: (algorithm == Algorithm::Rk).then_some(Medium::Routed),
            network: Network { nodes: NODES, links, ..Network::default() },
            link_changes: LinkChanges { model, rate, ..LinkChanges::default() },
            requests: Requests { rate: point.rate(), ..Requests::default() },
            measure: Some(Measure { warmup: 0, entries: Some(entries), until: None }),
            ..Scenario::default()
        }
    }

    /// All runs of some points.
    pub fn jobs(&self, points: Vec<Point>) -> Vec<(Point, Scenario)> {
        let all = |point| (0..self.repetitions).map(move |k| (point, self.scenario(point, k)));
        points.into_iter().flat_map(all).collect()
    }

    /// Runs of several lengths of KRLF.
    pub fn ageing(&self) -> Vec<((Algorithm, u64), Scenario)> {
        let mut jobs = Vec::new();
        for algorithm in [Algorithm::Krlf, Algorithm::KrlfPublished] {
            for entries in AGES {
                let effort = Effort { entries, ..*self };
                let run = |k| ((algorithm, entries), effort.scenario(aged(algorithm), k));
                jobs.extend((0..self.repetitions).map(run));
            }
        }
        jobs
    }
}

/// All points of all figures for some algorithms, each once, in order.
pub fn points(algorithms: &[Algorithm]) -> Vec<Point> {
    let mut points = Vec::new();
    for &algorithm in algorithms {
        for mobility in Mobility::ALL {
            let at =
                |connectivity, rate_index| Point { algorithm, mobility, connectivity, rate_index };
            for rate_index in 0..RATES.len() {
                points.extend(TWO.map(|percent| at(percent, rate_index)));
            }
            points.extend(CONNECTIVITIES.map(|percent| at(percent, FIXED)));
        }
    }
    points.sort();
    points.dedup();
    points
}

/// Where runs of several lengths are compared: a static network with 80 % of all links, at the
/// fixed load.
pub fn aged(algorithm: Algorithm) -> Point {
    Point { algorithm, mobility: Mobility::Zero, connectivity: 80, rate_index: FIXED }
}

/// After how many entries it is counted what KRLF has sent by then.
pub const AGES: [u64; 4] = [100, 300, 1_000, 10_000];

/// The places in [`RATES`] that the shorter tables have: 10⁻², 10⁻¹ and 1.
pub const COMPARED: [usize; 3] = [2, FIXED, 6];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_run_once_and_makes_sense() {
        // 14 points in Figures 6 and 7 and 8 in Figures 8 and 9, of which 2 are the same.
        let points = [&Algorithm::OURS[..], &Algorithm::PUBLISHED].map(points);
        assert_eq!(points[0].len(), 4 * 3 * (14 + 8 - 2));
        let jobs = points.into_iter().flat_map(|points| Effort::DEFAULT.jobs(points));
        for (_, scenario) in jobs {
            scenario.check().unwrap();
        }
        for (_, scenario) in Effort::DEFAULT.ageing() {
            scenario.check().unwrap();
        }
    }

    #[test]
    fn links_are_as_many_as_the_paper_says() {
        let links = |connectivity| {
            let (algorithm, mobility) = (Algorithm::Krl, Mobility::Zero);
            let point = Point { algorithm, mobility, connectivity, rate_index: FIXED };
            Effort::DEFAULT.scenario(point, 0).network.links
        };
        assert_eq!([10, 20, 80].map(links), [Some(44), Some(87), Some(348)]);
    }

    #[test]
    fn the_fixed_load_is_a_request_in_ten_units() {
        assert_eq!(RATES[FIXED], 0.1);
    }
}
