//! What section 6 says of messages and times, beside what is counted in networks that stand still.
//!
//! With `m` clusters of `n` nodes each: `2 + 1/n` messages for an entry under heavy load, `1 + m`
//! at most under light load; one message from an exit to the next entry; and from `2` to `m + 1`
//! messages from a request to the entry. `T` is the time of a message, here over one link.

use driftlock_sim::Metrics;
use driftlock_sim::dice::{Dice, Stream};

use super::grid::{HEAVY, LIGHT, Mobility, Point, Quantity, STILL_SIZES, Who, plain};
use crate::gathered::{Gathered, PointRun};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// The neighbors of each node.
pub(super) type Neighbors = Vec<Vec<usize>>;

/// The clusters of the lowest identifiers: who hears no lower head is a head.
pub(super) fn heads(neighbors: &Neighbors) -> Vec<usize> {
    let mut heads: Vec<usize> = Vec::new();
    for (i, around) in neighbors.iter().enumerate() {
        if !around.iter().any(|j| heads.contains(j)) {
            heads.push(i);
        }
    }
    heads
}

/// The network of a run in which nothing moves.
pub(super) fn network(nodes: usize, seed: u64) -> Option<Neighbors> {
    let network = plain(Who::Cluster, nodes, seed).network;
    let graph = network.draw(&mut Dice::new(seed).sequence(Stream::Network)).ok()?;
    let around = |i| graph.neighbors(i).iter().map(|j| j.index()).collect();
    Some(graph.nodes().map(around).collect())
}

/// A number that section 6 has, or that is counted, of a run with so many nodes and clusters.
type Of = fn(&Metrics, f64, f64) -> f64;

/// What is compared: a name, the load, what the paper states, and what is counted.
struct Row {
    name: &'static str,
    load: usize,
    stated: &'static str,
    formula: Of,
    counted: Of,
}

const ROWS: [Row; 5] = [
    Row {
        name: "messages per entry, heavy load",
        load: HEAVY,
        stated: "2 + 1/n",
        formula: |_, nodes, m| 2.0 + m / nodes,
        counted: |metrics, _, _| Quantity::Messages.of(metrics),
    },
    Row {
        name: "the same with over and over&out",
        load: HEAVY,
        stated: "3 + 1/n (ours)",
        formula: |_, nodes, m| 3.0 + m / nodes,
        counted: |metrics, _, _| Quantity::Messages.of(metrics),
    },
    Row {
        name: "messages per entry, light load",
        load: LIGHT,
        stated: "1 + m at most",
        formula: |_, _, m| 1.0 + m,
        counted: |metrics, _, _| Quantity::Messages.of(metrics),
    },
    Row {
        name: "from an exit to the next entry, heavy load",
        load: HEAVY,
        stated: "T",
        formula: |_, _, _| 1.0,
        counted: |metrics, _, _| synchronization(metrics),
    },
    Row {
        name: "from a request to the entry, light load",
        load: LIGHT,
        stated: "2T to (m + 1)T",
        formula: |_, _, m| 1.0 + m,
        counted: |metrics, _, _| metrics.waiting.mean,
    },
];

/// How long nobody is inside between two entries, where there is always somebody who waits. A
/// critical section takes a unit.
fn synchronization(metrics: &Metrics) -> f64 {
    if metrics.throughput > 0.0 { 1.0 / metrics.throughput - 1.0 } else { 0.0 }
}

/// Section 6 and what is counted.
pub fn table(results: &Gathered<Point>) -> Table {
    let headers = ["", "nodes", "clusters m", "stated", "that is", "counted"];
    let mut table = Table::new("Section 6, in networks that stand still", headers);
    for row in &ROWS {
        for nodes in STILL_SIZES {
            let at = |of| estimate(results, row.load, nodes, of);
            let cell = |estimate: Option<Estimate>| estimate.map_or(Cell::empty(), Cell::from);
            table.row([
                Cell::text(row.name),
                Cell::number(nodes),
                cell(at(|_, _, m| m)),
                Cell::text(row.stated),
                cell(at(row.formula)),
                cell(at(row.counted)),
            ]);
        }
    }
    table.note(
        "n: nodes in a cluster, m: clusters, T: the time of a message over one link, a unit of 10 \
         ms; messages count once, however many links they go over; a head sends itself nothing",
    );
    table
}

/// Over all runs, each with the clusters of its network.
fn estimate(results: &Gathered<Point>, load: usize, nodes: usize, of: Of) -> Option<Estimate> {
    let point = Point::usual(Who::Cluster, load).of(nodes).moving(Mobility::Still);
    let of_run = |run: &PointRun| {
        let m = heads(&network(nodes, run.seed)?).len() as f64;
        Some(of(&run.metrics, nodes as f64, m))
    };
    let samples: Option<Vec<f64>> = results.runs.get(&point)?.iter().map(of_run).collect();
    Estimate::of(&samples?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_hear_no_lower_head() {
        let line = vec![vec![1], vec![0, 2], vec![1, 3], vec![2, 4], vec![3]];
        assert_eq!(heads(&line), [0, 2, 4]);
        let drawn = network(50, 1).unwrap();
        assert!((2..10).contains(&heads(&drawn).len()));
    }

    #[test]
    fn nobody_is_inside_for_what_is_left_of_the_time() {
        let metrics = Metrics { throughput: 0.25, ..Metrics::default() };
        assert_eq!(synchronization(&metrics), 3.0);
        assert_eq!(synchronization(&Metrics::default()), 0.0);
    }
}
