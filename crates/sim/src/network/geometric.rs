//! Networks of nodes that have places.

use driftlock_core::Graph;

use super::{Drawn, LINKS_MAX, Network, Shape, bad};
use crate::dice::{Dice, Sequence, Stream};
use crate::motion::{Cells, Place};

/// How often a geometric network is drawn before it is given up as too thin to be connected.
const GEOMETRIC_TRIES: u32 = 100;

impl Network {
    /// The side of the square.
    pub(crate) fn area(&self) -> f64 {
        self.area.unwrap_or(1.0)
    }

    /// How far a node is heard, where nodes have places.
    pub(crate) fn radio_range(&self) -> f64 {
        let n = self.nodes;
        let range = match self.degree {
            Some(degree) => (degree / (std::f64::consts::PI * (n.max(2) - 1) as f64)).sqrt(),
            None => default_range(n),
        };
        self.range.unwrap_or(range * self.area())
    }

    /// Draw where nodes are.
    pub(crate) fn places(&self, die: &mut Sequence) -> Vec<Place> {
        let area = self.area();
        (0..self.nodes).map(|_| Place { x: die.unit() * area, y: die.unit() * area }).collect()
    }

    /// The network that a local protocol starts with for this seed, if nodes do not move in groups:
    /// who is linked, and where nodes are, if they have places.
    pub fn layout(&self, seed: u64) -> Drawn<(Graph, Vec<(f64, f64)>)> {
        let mut die = Dice::new(seed).sequence(Stream::Network);
        if self.shape != Shape::Geometric {
            return Ok((self.draw(&mut die)?, Vec::new()));
        }
        let (graph, places) = self.draw_places(&mut die, false, |_| {})?;
        Ok((graph, places.iter().map(|place| (place.x, place.y)).collect()))
    }

    /// Draw places and have them arranged, and link those within range of each other; if wanted,
    /// until that makes a connected network.
    pub(crate) fn draw_places(
        &self,
        die: &mut Sequence,
        connected: bool,
        arrange: impl Fn(&mut [Place]),
    ) -> Drawn<(Graph, Vec<Place>)> {
        let (n, range) = (self.nodes, self.radio_range());
        for _ in 0..GEOMETRIC_TRIES {
            let mut places = self.places(die);
            arrange(&mut places);
            let graph = unit_disk(places.clone(), self.area(), range);
            if !connected || graph.is_connected() {
                return Ok((graph, places));
            }
        }
        let (key, now, then) = match self.degree {
            Some(degree) => ("degree", format!("degree {degree}"), 4.0 * degree),
            None => {
                let enough = 2.0 * range.max(default_range(n) * self.area());
                ("range", format!("range {range}"), enough)
            }
        };
        let what = format!(
            "{n} nodes with {now} were not connected in any of {GEOMETRIC_TRIES} draws: try a \
             larger {key}, e.g. {then:.4}"
        );
        Err(bad(key, &what))
    }

    pub(super) fn check_geometric(&self) -> Drawn<()> {
        let numbers = [("area", self.area), ("range", self.range), ("degree", self.degree)];
        for (key, number) in numbers {
            if let Some(number) = number.filter(|n| !(n.is_finite() && *n > 0.0)) {
                let what = format!("the {key} is a positive number, not {number}");
                return Err(bad(key, &what));
            }
        }
        if self.range.is_some() && self.degree.is_some() {
            return Err(bad("degree", "give either a range or a degree, not both"));
        }
        let (n, reach) = (self.nodes as f64, self.radio_range() / self.area());
        let links = n * n / 2.0 * (std::f64::consts::PI * reach * reach).min(1.0);
        if links > LINKS_MAX as f64 {
            let what = format!("about {links:.0} links are too many, at most {LINKS_MAX} fit");
            let key = if self.degree.is_some() { "degree" } else { "range" };
            return Err(bad(key, &what));
        }
        Ok(())
    }
}

/// A range that makes a network of `n` nodes in a square of side 1 connected more often than not:
/// the connectivity threshold of random geometric graphs (Penrose 1997), with a margin.
fn default_range(n: usize) -> f64 {
    let n = n.max(2) as f64;
    (1.5 * libm::log(n) / (std::f64::consts::PI * n)).sqrt().min(1.5)
}

/// Link all places within `range` of each other.
pub(crate) fn unit_disk(places: Vec<Place>, area: f64, range: f64) -> Graph {
    let mut graph = Graph::new(places.len());
    let mut cells = Cells::new(places, area, range);
    let mut near = Vec::new();
    for a in graph.nodes() {
        cells.near(a, 0.0, |_, place| place, &mut near);
        for &b in near.iter().filter(|&&b| a < b) {
            graph.link(a, b);
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use driftlock_core::NodeId;

    use super::*;

    fn die(seed: u64) -> Sequence {
        Dice::new(seed).sequence(Stream::Network)
    }

    fn geometric(nodes: usize) -> Network {
        Network { shape: Shape::Geometric, nodes, ..Network::default() }
    }

    #[test]
    fn unit_disk_links_are_those_of_all_pairs_within_range() {
        for range in [0.07, 0.2, 0.9] {
            let places = geometric(200).places(&mut die(4));
            let graph = unit_disk(places.clone(), 1.0, range);
            for a in 0..200 {
                for b in a + 1..200 {
                    let near = places[a].reaches(places[b], range);
                    assert_eq!(graph.has(NodeId::at(a), NodeId::at(b)), near);
                }
            }
        }
    }

    /// Nodes are linked where a run has them linked: who stops is told of by distances.
    #[test]
    fn a_layout_has_the_places_that_make_its_links() {
        let network = Network { degree: Some(5.0), ..geometric(60) };
        let (graph, places) = network.layout(7).unwrap();
        let places: Vec<Place> = places.into_iter().map(|(x, y)| Place { x, y }).collect();
        let linked = unit_disk(places, 1.0, network.radio_range());
        assert!(graph.n_links() > 60 && graph.links().eq(linked.links()));
        let ring = Network { shape: Shape::Ring, nodes: 5, ..Network::default() };
        assert_eq!(
            ring.layout(7).map(|(graph, places)| (graph.n_links(), places.len())),
            Ok((5, 0))
        );
    }

    /// The border costs some of the links.
    #[test]
    fn a_degree_is_met_on_average() {
        for (area, degree) in [(1.0, 8.0), (70.0, 8.0), (1.0, 3.0)] {
            let network = Network { degree: Some(degree), area: Some(area), ..geometric(20_000) };
            let places = network.places(&mut die(5));
            let graph = unit_disk(places, area, network.radio_range());
            let mean = 2.0 * graph.n_links() as f64 / 20_000.0;
            assert!((0.95 * degree..degree).contains(&mean), "{mean} for {degree}");
        }
    }

    #[test]
    fn numbers_that_make_no_square_are_refused() {
        let told = |network: Network| network.check().unwrap_err().to_string();
        let with = |area, range, degree| Network { area, range, degree, ..geometric(9) };
        assert!(told(with(Some(0.0), None, None)).contains("network.area: the area is a positive"));
        assert!(told(with(None, Some(0.0), None)).contains("network.range: the range is a posit"));
        assert!(told(with(None, None, Some(-8.0))).contains("positive number, not -8"));
        assert!(told(with(None, None, Some(f64::NAN))).contains("positive number, not NaN"));
        assert!(told(with(None, Some(0.2), Some(8.0))).contains("either a range or a degree"));
        let crowd = Network { degree: Some(500.0), ..geometric(1_000_000) };
        assert!(told(crowd).contains("links are too many"));
    }
}
