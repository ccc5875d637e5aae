//! The initial networks.

pub(crate) mod geometric;

use std::path::{Path, PathBuf};

use driftlock_core::{Graph, NodeId};
use serde::{Deserialize, Serialize};

use crate::dice::Sequence;
use crate::scenario::ScenarioError;

/// The shape of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A uniformly random tree, plus links between random pairs up to the wanted number.
    #[default]
    Random,
    /// Nodes at random places of a square, linked if within range of each other.
    Geometric,
    /// Each node linked to the next.
    Line,
    /// A line whose ends are linked.
    Ring,
    /// Rows and columns, as square as can be.
    Grid,
    /// A complete binary tree.
    Tree,
    /// Everyone linked to everyone.
    Clique,
    /// The links listed in a file.
    File,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Shape::Random => "random",
            Shape::Geometric => "geometric",
            Shape::Line => "line",
            Shape::Ring => "ring",
            Shape::Grid => "grid",
            Shape::Tree => "tree",
            Shape::Clique => "clique",
            Shape::File => "file",
        }
    }
}

/// The network a run starts with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Network {
    /// Its shape.
    pub shape: Shape,
    /// How many nodes. A file has as many as it mentions, whatever is said here.
    pub nodes: usize,
    /// For `random`: links in percent of all pairs, rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connectivity: Option<f64>,
    /// For `random`: links as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<usize>,
    /// For `geometric`: the radio range, in the same measure as the area; enough to connect the
    /// network more often than not if neither it nor the degree is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<f64>,
    /// For `geometric`: how many neighbors a node has on average, away from the border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<f64>,
    /// For `geometric`: the side of the square; 1 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// For `file`: where the list of links is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl Default for Network {
    /// The smallest network of the paper: 30 nodes with a fifth of all links.
    fn default() -> Self {
        Network {
            shape: Shape::Random,
            nodes: 30,
            connectivity: None,
            links: None,
            range: None,
            degree: None,
            area: None,
            file: None,
        }
    }
}

/// The connectivity of a random network of which nothing is said, in percent.
const DEFAULT_CONNECTIVITY: f64 = 20.0;
/// More nodes than this do not fit into the memory of today's machines.
const NODES_MAX: usize = 20_000_000;
/// More links than this do not either.
const LINKS_MAX: usize = 60_000_000;

type Drawn<T> = Result<T, ScenarioError>;

impl Network {
    /// Draw the network. It is connected.
    pub fn draw(&self, die: &mut Sequence) -> Drawn<Graph> {
        let n = self.nodes;
        match self.shape {
            Shape::Random => Ok(random(n, self.wanted_links()?, die)),
            Shape::Geometric => self.draw_places(die, true, |_| {}).map(|(graph, _)| graph),
            Shape::Line => Ok(from_links(n, (1..n).map(|k| (k - 1, k)))),
            Shape::Ring => Ok(from_links(n, (0..n).map(|k| (k, (k + 1) % n)))),
            Shape::Grid => Ok(grid(n)),
            Shape::Tree => Ok(from_links(n, (1..n).map(|k| ((k - 1) / 2, k)))),
            Shape::Clique => {
                Ok(from_links(n, (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)))))
            }
            Shape::File => read_links(self.file_path()?),
        }
    }

    /// How many nodes it has. A file has those that it mentions; what is wrong with it is told when
    /// the network is drawn.
    pub fn n_nodes(&self) -> usize {
        let links = || self.file_path().and_then(listed_links).ok();
        match self.shape {
            Shape::File => links().map_or(self.nodes, |links| mentioned(&links)),
            _ => self.nodes,
        }
    }

    /// Say what is wrong with the description, before anything is drawn.
    pub(crate) fn check(&self) -> Drawn<()> {
        let n = self.nodes;
        if self.shape != Shape::File && n == 0 {
            return Err(bad("nodes", "a network has at least 1 node"));
        }
        if self.shape != Shape::File && n > NODES_MAX {
            return Err(bad("nodes", &format!("{n} nodes are too many, at most {NODES_MAX} fit")));
        }
        self.check_belongs("connectivity", self.connectivity.is_some(), Shape::Random)?;
        self.check_belongs("links", self.links.is_some(), Shape::Random)?;
        self.check_belongs("range", self.range.is_some(), Shape::Geometric)?;
        self.check_belongs("degree", self.degree.is_some(), Shape::Geometric)?;
        self.check_belongs("area", self.area.is_some(), Shape::Geometric)?;
        self.check_belongs("file", self.file.is_some(), Shape::File)?;
        match self.shape {
            Shape::Random => self.wanted_links().map(drop),
            Shape::File => self.file_path().map(drop),
            Shape::Ring if n == 2 => Err(bad("nodes", "a ring has 1 node or at least 3")),
            Shape::Clique if pairs(n) > LINKS_MAX => {
                Err(bad("nodes", &format!("a clique of {n} nodes has too many links to fit")))
            }
            Shape::Geometric => self.check_geometric(),
            _ => Ok(()),
        }
    }

    fn check_belongs(&self, key: &str, given: bool, shape: Shape) -> Drawn<()> {
        if !given || self.shape == shape {
            return Ok(());
        }
        let (has, wants) = (self.shape.name(), shape.name());
        Err(bad(key, &format!("only a `{wants}` network has this, the network is `{has}`")))
    }

    /// How many links a random network shall have.
    fn wanted_links(&self) -> Drawn<usize> {
        let (n, all) = (self.nodes, pairs(self.nodes));
        let links = match (self.links, self.connectivity) {
            (Some(_), Some(_)) => {
                return Err(bad("links", "give either links or connectivity, not both"));
            }
            (Some(links), None) => links,
            (None, percent) => {
                let percent = percent.unwrap_or(DEFAULT_CONNECTIVITY);
                if !(percent.is_finite() && (0.0..=100.0).contains(&percent)) {
                    let what = format!("connectivity is from 0 to 100 percent, not {percent}");
                    return Err(bad("connectivity", &what));
                }
                (percent * all as f64 / 100.0) as usize
            }
        };
        if links > all {
            let what = format!("{n} nodes have {all} pairs, not enough for {links} links");
            return Err(bad("links", &what));
        }
        if links > LINKS_MAX {
            let what = format!("{links} links are too many, at most {LINKS_MAX} fit");
            return Err(bad("links", &what));
        }
        let least = n.saturating_sub(1);
        if links < least {
            let percent = 100.0 * least as f64 / all as f64;
            let what = format!(
                "{links} links cannot connect {n} nodes: it takes {least}, a connectivity of at \
                 least {percent:.4} %"
            );
            let key = if self.links.is_some() { "links" } else { "connectivity" };
            return Err(bad(key, &what));
        }
        Ok(links)
    }

    fn file_path(&self) -> Drawn<&Path> {
        self.file.as_deref().ok_or_else(|| bad("file", "a `file` network needs the path of a file"))
    }
}

fn bad(key: &str, what: &str) -> ScenarioError {
    ScenarioError::value(&format!("network.{key}"), what)
}

/// Pairs of nodes.
fn pairs(n: usize) -> usize {
    n.saturating_mul(n.saturating_sub(1)) / 2
}

fn from_links(n: usize, links: impl Iterator<Item = (usize, usize)>) -> Graph {
    let mut graph = Graph::new(n);
    for (a, b) in links.filter(|(a, b)| a != b) {
        graph.link(NodeId::at(a), NodeId::at(b));
    }
    graph
}

fn random(n: usize, links: usize, die: &mut Sequence) -> Graph {
    let mut graph = random_tree(n, die);
    if links == pairs(n) {
        return from_links(n, (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))));
    }
    while graph.n_links() < links {
        let (a, b) = random_pair(n, die);
        graph.link(a, b);
    }
    graph
}

/// Two different nodes, each pair with the same probability.
pub(crate) fn random_pair(n: usize, die: &mut Sequence) -> (NodeId, NodeId) {
    let a = die.below(n as u64) as usize;
    let b = die.below(n as u64 - 1) as usize;
    (NodeId::at(a), NodeId::at(if b < a { b } else { b + 1 }))
}

/// A tree drawn uniformly from all trees on `n` nodes, by its Prüfer sequence.
fn random_tree(n: usize, die: &mut Sequence) -> Graph {
    let mut graph = Graph::new(n);
    if n < 2 {
        return graph;
    }
    let sequence: Vec<usize> = (2..n).map(|_| die.below(n as u64) as usize).collect();
    let mut degree = vec![1u32; n];
    for &node in &sequence {
        degree[node] += 1;
    }
    // `scan` walks once over all nodes; a node that becomes a leaf behind it is used at once.
    let next_leaf = |degree: &[u32], from: usize| (from..n).find(|&node| degree[node] == 1);
    let mut scan = next_leaf(&degree, 0).expect("a tree has a leaf");
    let mut leaf = scan;
    for &node in &sequence {
        graph.link(NodeId::at(leaf), NodeId::at(node));
        degree[leaf] = 0;
        degree[node] -= 1;
        if degree[node] == 1 && node < scan {
            leaf = node;
        } else {
            scan = next_leaf(&degree, scan).expect("a tree has a leaf");
            leaf = scan;
        }
    }
    let last = (0..n).rev().find(|&node| degree[node] == 1 && node != leaf);
    graph.link(NodeId::at(leaf), NodeId::at(last.expect("a tree has two leaves")));
    graph
}

fn grid(n: usize) -> Graph {
    let columns = (1..=n).find(|c| c * c >= n).unwrap_or(1);
    let right = (0..n).filter(move |k| (k + 1) % columns != 0 && k + 1 < n).map(|k| (k, k + 1));
    let below = (0..n).filter(move |k| k + columns < n).map(move |k| (k, k + columns));
    from_links(n, right.chain(below))
}

/// The network that a list of links makes.
fn read_links(path: &Path) -> Drawn<Graph> {
    let links = listed_links(path)?;
    let graph = from_links(mentioned(&links), links.into_iter());
    if graph.n_nodes() == 0 {
        return Err(ScenarioError::file(path, "lists no link and so no node"));
    }
    if !graph.is_connected() {
        let apart = graph.distances(NodeId(0)).iter().position(Option::is_none).unwrap_or(0);
        let what = format!("no path of its links joins the nodes 0 and {apart}");
        return Err(ScenarioError::file(path, &what));
    }
    Ok(graph)
}

/// Read a list of links: a line each with two node numbers; empty lines and `#` comments are
/// passed over.
fn listed_links(path: &Path) -> Drawn<Vec<(usize, usize)>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ScenarioError::file(path, &format!("cannot be read: {error}")))?;
    let mut links = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            links.push(parse_link(line).map_err(|what| ScenarioError::line(path, k + 1, &what))?);
        }
    }
    Ok(links)
}

/// How many nodes a list of links mentions.
fn mentioned(links: &[(usize, usize)]) -> usize {
    links.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0)
}

fn parse_link(line: &str) -> Result<(usize, usize), String> {
    let numbers: Vec<&str> = line.split_whitespace().collect();
    let [a, b] = numbers[..] else {
        return Err(format!("expected two node numbers, found `{line}`"));
    };
    let number = |text: &str| match text.parse::<usize>() {
        Ok(number) if number < NODES_MAX => Ok(number),
        Ok(number) => Err(format!("node {number} is too large, at most {} fits", NODES_MAX - 1)),
        Err(_) => Err(format!("expected a node number, found `{text}`")),
    };
    let (a, b) = (number(a)?, number(b)?);
    if a == b {
        return Err(format!("node {a} cannot have a link to itself"));
    }
    Ok((a, b))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::dice::{Dice, Stream};

    fn die(seed: u64) -> Sequence {
        Dice::new(seed).sequence(Stream::Network)
    }

    #[test]
    fn random_networks_have_exactly_the_links_of_the_paper() {
        for (connectivity, links) in [(10.0, 43), (20.0, 87), (80.0, 348), (100.0, 435)] {
            let network = Network { connectivity: Some(connectivity), ..Network::default() };
            let graph = network.draw(&mut die(1)).unwrap();
            assert_eq!(graph.n_links(), links);
            assert!(graph.is_connected());
        }
    }

    /// There are 16 trees on 4 nodes; each has to come up equally often.
    #[test]
    fn random_trees_are_uniform() {
        let mut count: BTreeMap<Vec<(NodeId, NodeId)>, u32> = BTreeMap::new();
        let mut die = die(2);
        for _ in 0..16_000 {
            let tree = random_tree(4, &mut die);
            assert!(tree.is_connected() && tree.n_links() == 3);
            *count.entry(tree.links().collect()).or_default() += 1;
        }
        assert_eq!(count.len(), 16);
        assert!(count.values().all(|n| (850..1150).contains(n)), "{count:?}");
    }

    #[test]
    fn random_trees_of_any_size_are_trees() {
        for n in 1..60 {
            let tree = random_tree(n, &mut die(n as u64));
            assert!(tree.is_connected());
            assert_eq!(tree.n_links(), n - 1);
        }
    }

    #[test]
    fn shapes_have_the_links_they_should() {
        let links = |shape, nodes| {
            let network = Network { shape, nodes, ..Network::default() };
            let graph = network.draw(&mut die(3)).unwrap();
            assert!(graph.is_connected(), "{shape:?} {nodes}");
            graph.n_links()
        };
        assert_eq!(links(Shape::Line, 5), 4);
        assert_eq!(links(Shape::Ring, 5), 5);
        assert_eq!(links(Shape::Grid, 9), 12);
        assert_eq!(links(Shape::Grid, 7), 8);
        assert_eq!(links(Shape::Tree, 7), 6);
        assert_eq!(links(Shape::Clique, 6), 15);
        assert_eq!(links(Shape::Line, 1), 0);
    }

    #[test]
    fn links_are_refused_with_what_was_expected() {
        assert_eq!(parse_link("3 4"), Ok((3, 4)));
        assert_eq!(parse_link("3"), Err("expected two node numbers, found `3`".into()));
        assert_eq!(parse_link("3 x"), Err("expected a node number, found `x`".into()));
        assert_eq!(parse_link("3 3"), Err("node 3 cannot have a link to itself".into()));
    }
}
