//! How fast times and messages grow: fitted exponents.

use super::grid::{
    Algorithm, CLIQUES, DEGREE, DEGREES, Effort, Kind, Load, NODES, Point, Quantity, SIZES,
};
use crate::gathered::Gathered;
use crate::stats::{Estimate, growth};

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// The number of nodes.
    Nodes,
    /// The degree: the largest one for the longest wait, and the average for averages.
    Degree,
}

/// Some points that differ in one respect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Curve {
    /// Who.
    pub algorithm: Algorithm,
    /// On which networks; the degree counts where only the size differs.
    pub kind: Kind,
    /// Hungry when.
    pub load: Load,
    /// In which respect they differ.
    pub along: Along,
}

impl Along {
    /// The kinds of network there are.
    pub fn kinds(self) -> Vec<Kind> {
        let (geometric, moving) = (Kind::Geometric(DEGREE), Kind::Moving(DEGREE));
        match self {
            Along::Nodes => vec![Kind::Path, Kind::Ring, Kind::Grid, geometric, moving],
            Along::Degree => vec![Kind::Clique, geometric, Kind::Random(DEGREE), moving],
        }
    }

    /// The name on an axis.
    pub fn label(self, quantity: Quantity) -> &'static str {
        match (self, quantity) {
            (Along::Nodes, _) => "nodes n",
            (Along::Degree, Quantity::Longest) => "largest degree δ",
            (Along::Degree, _) => "average degree",
        }
    }
}

/// Loads at which a kind of network is run.
pub fn loads(kind: Kind) -> &'static [Load] {
    match kind {
        Kind::Path => &[Load::Once, Load::Lockstep, Load::AGAIN],
        Kind::Moving(_) => &[Load::AGAIN],
        _ => &[Load::Once, Load::AGAIN],
    }
}

impl Curve {
    /// Its points.
    pub fn points(self) -> Vec<Point> {
        let Curve { algorithm, kind, load, along } = self;
        let at = |(kind, nodes)| Point { algorithm, kind, nodes, load };
        let degrees = |kind: fn(u32) -> Kind| DEGREES.map(|degree| (kind(degree), NODES)).to_vec();
        let places: Vec<(Kind, usize)> = match (along, kind) {
            (Along::Nodes, _) => SIZES.map(|nodes| (kind, nodes)).to_vec(),
            (Along::Degree, Kind::Geometric(_)) => degrees(Kind::Geometric),
            (Along::Degree, Kind::Moving(_)) => degrees(Kind::Moving),
            (Along::Degree, Kind::Random(_)) => degrees(Kind::Random),
            (Along::Degree, _) => CLIQUES.map(|nodes| (kind, nodes)).to_vec(),
        };
        places.into_iter().map(at).collect()
    }

    /// The place of a point along it, in the repetition with this seed.
    fn x(self, point: Point, seed: u64, quantity: Quantity) -> Option<f64> {
        match self.along {
            Along::Nodes => Some(point.nodes as f64),
            Along::Degree => {
                let (largest, average) = degrees(point, seed)?;
                Some(if quantity == Quantity::Longest { largest } else { average })
            }
        }
    }

    /// The points, each with its place for this quantity, averaged over the repetitions.
    pub fn places(self, effort: &Effort, quantity: Quantity) -> Vec<(Point, f64)> {
        let mean = |point: Point| {
            let seeds = (0..effort.repetitions).map(|k| effort.seed.wrapping_add(k));
            let all: Option<Vec<f64>> = seeds.map(|seed| self.x(point, seed, quantity)).collect();
            Some((point, Estimate::of(&all?)?.mean))
        };
        self.points().into_iter().filter_map(mean).collect()
    }

    /// The exponent with which a quantity grows: fitted for each seed, and averaged. None if runs
    /// are missing.
    pub fn exponent(self, results: &Gathered<Point>, quantity: Quantity) -> Option<Estimate> {
        let points = self.points();
        let seeds: Vec<u64> = results.runs.get(points.first()?)?.iter().map(|r| r.seed).collect();
        let of_seed = |&seed: &u64| {
            let at = |&point: &Point| {
                let run = results.runs.get(&point)?.iter().find(|run| run.seed == seed)?;
                let x = self.x(point, seed, quantity)?;
                Some((x, quantity.of(&run.metrics, point.kind)))
            };
            growth(&points.iter().map(at).collect::<Option<Vec<_>>>()?)
        };
        Estimate::of(&seeds.iter().map(of_seed).collect::<Option<Vec<f64>>>()?)
    }
}

/// The most neighbors that a node has at first, and how many nodes have on average.
fn degrees(point: Point, seed: u64) -> Option<(f64, f64)> {
    let (graph, _) = point.kind.network(point.nodes).layout(seed).ok()?;
    let largest = graph.nodes().map(|node| graph.neighbors(node).len()).max()?;
    Some((largest as f64, 2.0 * graph.n_links() as f64 / graph.n_nodes() as f64))
}

/// The largest exponent of the longest wait over the kinds of network on which nodes move or not,
/// and over loads.
pub fn steepest(
    results: &Gathered<Point>,
    algorithm: Algorithm,
    along: Along,
    moving: bool,
) -> Option<(Estimate, Curve)> {
    let kinds = along.kinds().into_iter();
    let kinds = kinds.filter(|kind| kind.is_moving() == moving);
    let curves = kinds.flat_map(|kind| {
        loads(kind).iter().map(move |&load| Curve { algorithm, kind, load, along })
    });
    let of = |curve: Curve| Some((curve.exponent(results, Quantity::Longest)?, curve));
    let all = curves.map(of).collect::<Option<Vec<_>>>()?;
    all.into_iter().max_by(|(a, _), (b, _)| a.mean.total_cmp(&b.mean))
}

#[cfg(test)]
mod tests {
    use super::super::grid::points;
    use super::*;

    #[test]
    fn curves_go_through_points_that_are_run() {
        let all = points();
        for along in [Along::Nodes, Along::Degree] {
            for kind in along.kinds() {
                for &load in loads(kind) {
                    for algorithm in kind.algorithms() {
                        let curve = Curve { algorithm, kind, load, along };
                        let missing = |point: &Point| all.binary_search(point).is_err();
                        assert!(!curve.points().iter().any(missing), "{curve:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn degrees_are_those_of_the_drawn_network() {
        let at = |kind, nodes| {
            let (algorithm, load) = (Algorithm::Two, Load::AGAIN);
            degrees(Point { algorithm, kind, nodes, load }, 3).unwrap()
        };
        assert_eq!(at(Kind::Clique, 9), (8.0, 8.0));
        assert_eq!(at(Kind::Grid, 9), (4.0, 24.0 / 9.0));
        let [few, many] = [3, 12].map(|degree| at(Kind::Geometric(degree), 64));
        assert!(few.0 < many.0 && few.1 < many.1 && few.1 < few.0);
    }
}
