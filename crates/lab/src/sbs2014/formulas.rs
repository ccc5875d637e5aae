//! What section 6 says of messages and times, beside what is counted in networks that stand still.
//!
//! With `m` clusters of `n` nodes each: `2 + 1/n` messages for an entry under heavy load, `1 + m`
//! at most under light load; one message from an exit to the next entry; and from `2` to `m + 1`
//! messages from a request to the entry. `T` is the "propagation time of a single message", and the
//! paper does not say whether a message between heads that are several links apart takes several.
//! So times are told twice: `T` as the time over one link, and as that of a message on average.

use driftlock_sim::Metrics;
use driftlock_sim::dice::{Dice, Stream};

use super::grid::{HEAVY, LIGHT, Mobility, Point, Quantity, STILL_SIZES, Who, plain};
use crate::claim::{Bounds, Verdict};
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

/// A number of a run with so many nodes and clusters.
type Of = fn(&Metrics, f64, f64) -> f64;

/// What is compared: a name, the load, what the paper states, between which numbers that is, and
/// what is counted. Where nothing is stated about one side there is no bound.
struct Row {
    name: &'static str,
    load: usize,
    stated: &'static str,
    least: Option<Of>,
    most: Option<Of>,
    counted: Of,
}

const ROWS: [Row; 6] = [
    Row {
        name: "messages per entry, heavy load",
        load: HEAVY,
        stated: "2 + 1/n",
        least: Some(|_, nodes, m| 2.0 + m / nodes),
        most: Some(|_, nodes, m| 2.0 + m / nodes),
        counted: |metrics, _, _| Quantity::Messages.of(metrics),
    },
    Row {
        name: "messages per entry, light load",
        load: LIGHT,
        stated: "1 + m at most",
        least: None,
        most: Some(|_, _, m| 1.0 + m),
        counted: |metrics, _, _| Quantity::Messages.of(metrics),
    },
    Row {
        name: "from an exit to the next entry, heavy load",
        load: HEAVY,
        stated: "T",
        least: Some(|_, _, _| 1.0),
        most: Some(|_, _, _| 1.0),
        counted: |metrics, _, _| synchronization(metrics),
    },
    Row {
        name: "the same in messages",
        load: HEAVY,
        stated: "T",
        least: Some(|_, _, _| 1.0),
        most: Some(|_, _, _| 1.0),
        counted: |metrics, _, _| in_messages(synchronization(metrics), metrics),
    },
    Row {
        name: "from a request to the entry, light load",
        load: LIGHT,
        stated: "2T to (m + 1)T",
        least: Some(|_, _, _| 2.0),
        most: Some(|_, _, m| 1.0 + m),
        counted: |metrics, _, _| metrics.waiting.mean,
    },
    Row {
        name: "the same in messages",
        load: LIGHT,
        stated: "2T to (m + 1)T",
        least: Some(|_, _, _| 2.0),
        most: Some(|_, _, m| 1.0 + m),
        counted: |metrics, _, _| in_messages(metrics.waiting.mean, metrics),
    },
];

/// What is counted may be below the least and above the most by this share of them.
const TOLERANCE: f64 = 0.05;

/// How long nobody is inside between two entries, where there is always somebody who waits. A
/// critical section takes a unit.
fn synchronization(metrics: &Metrics) -> f64 {
    if metrics.throughput > 0.0 { 1.0 / metrics.throughput - 1.0 } else { 0.0 }
}

/// How many messages one after the other take as long, if each goes over as many links as a message
/// of that run does on average, which takes a unit for each link.
fn in_messages(time: f64, metrics: &Metrics) -> f64 {
    let links = Quantity::Hops.of(metrics) / Quantity::Messages.of(metrics);
    if links > 0.0 { time / links } else { 0.0 }
}

/// Section 6 and what is counted, with a verdict for each number of nodes.
pub fn table(results: &Gathered<Point>) -> Table {
    let headers = ["", "nodes", "clusters m", "stated", "at least", "at most", "counted", "holds"];
    let mut table = Table::new("Section 6, in networks that stand still", headers);
    for row in &ROWS {
        for nodes in STILL_SIZES {
            let at =
                |of: Of| estimate(results, row.load, nodes, of).map_or(Cell::empty(), Cell::from);
            let bound = |of: Option<Of>| of.map_or(Cell::text("-"), at);
            let verdict = judge(results, row, nodes);
            table.row([
                Cell::text(row.name),
                Cell::number(nodes),
                at(|_, _, m| m),
                Cell::text(row.stated),
                bound(row.least),
                bound(row.most),
                at(row.counted),
                verdict.map_or(Cell::empty(), |verdict| Cell::text(verdict.to_string())),
            ]);
        }
    }
    table.note(format!(
        "n: nodes in a cluster, m: clusters, T: the time of a message over one link, a unit of 10 \
         ms; in messages: T is how long a message takes on average, those between heads going \
         over several links; messages count once, however many links they go over; bounds are \
         stated for each request, and what is counted is the mean of all; it holds if the whole \
         95 % interval of what is counted is inside, give or take {:.0} %, and is open if a part \
         of it is; each run is compared with the clusters of its own network",
        100.0 * TOLERANCE
    ));
    table
}

/// Whether what is counted is where it is stated to be. One bound that fails is enough to fail.
fn judge(results: &Gathered<Point>, row: &Row, nodes: usize) -> Option<Verdict> {
    let sides =
        [(row.least, Bounds::above(1.0 - TOLERANCE)), (row.most, Bounds::below(1.0 + TOLERANCE))];
    let mut verdict = Verdict::Yes;
    for (stated, bounds) in sides {
        let Some(stated) = stated else { continue };
        let ratio = |metrics: &Metrics, nodes: f64, m: f64| {
            (row.counted)(metrics, nodes, m) / stated(metrics, nodes, m)
        };
        match bounds.judge(&estimate(results, row.load, nodes, ratio)?) {
            Verdict::Yes => {}
            Verdict::No => return Some(Verdict::No),
            Verdict::Open | Verdict::Partly => verdict = Verdict::Open,
        }
    }
    Some(verdict)
}

/// Where the messages of an entry under heavy load go. Members and heads hear each other where
/// nothing moves, so only what goes between heads goes over several links.
const PARTS: [(&str, Of); 5] = [
    ("Req", |metrics, _, _| kinds(metrics, &["Req"])),
    ("Local", |metrics, _, _| kinds(metrics, &["Local"])),
    ("over the head", |metrics, nodes, m| kinds(metrics, &["Local"]) - (1.0 - m / nodes)),
    ("Over, OverOut", |metrics, _, _| kinds(metrics, &["Over", "OverOut"])),
    ("between heads", |metrics, _, _| {
        Quantity::Messages.of(metrics) - kinds(metrics, &["Req", "Local", "Over", "OverOut"])
    }),
];

fn kinds(metrics: &Metrics, kinds: &[&str]) -> f64 {
    kinds.iter().filter_map(|kind| metrics.messages_by_kind.get(kind)).sum()
}

/// What the messages of an entry under heavy load are.
pub fn parts(results: &Gathered<Point>) -> Table {
    let headers = ["nodes", "1/n"].into_iter().chain(PARTS.map(|(name, _)| name)).chain(["all"]);
    let title = "Messages of an entry under heavy load, in networks that stand still";
    let mut table = Table::new(title, headers);
    for nodes in STILL_SIZES {
        let at = |of: Of| estimate(results, HEAVY, nodes, of).map_or(Cell::empty(), Cell::from);
        let mut cells = vec![Cell::number(nodes), at(|_, nodes, m| m / nodes)];
        cells.extend(PARTS.map(|(_, of)| at(of)));
        cells.push(at(|metrics, _, _| Quantity::Messages.of(metrics)));
        table.row(cells);
    }
    table.note(
        "1/n: the share of nodes that are heads, which send themselves nothing; over the head: \
         what there is of Local beyond one for each entry of a member, because the next in the \
         queue was out of range and the head had to send it on; between heads: Global and Wake",
    );
    table
}

/// Over all runs, each with the clusters of its network.
fn estimate(
    results: &Gathered<Point>,
    load: usize,
    nodes: usize,
    of: impl Fn(&Metrics, f64, f64) -> f64,
) -> Option<Estimate> {
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

    /// Ten messages over 25 links, of which none keeps clusters.
    #[test]
    fn a_message_takes_as_long_as_the_links_it_goes_over() {
        let metrics =
            Metrics { messages_per_entry: 25.0, hops_per_message: 2.5, ..Metrics::default() };
        assert_eq!(in_messages(5.0, &metrics), 2.0);
        assert_eq!(in_messages(5.0, &Metrics::default()), 0.0, "there were no messages");
    }

    #[test]
    fn what_goes_over_the_head_is_more_than_one_local_token_for_each_member() {
        let metrics = Metrics { messages_by_kind: [("Local", 1.25)].into(), ..Metrics::default() };
        let [_, (_, local), (name, relayed), ..] = PARTS;
        assert_eq!((name, local(&metrics, 8.0, 2.0)), ("over the head", 1.25));
        assert_eq!(relayed(&metrics, 8.0, 2.0), 0.5);
    }
}
