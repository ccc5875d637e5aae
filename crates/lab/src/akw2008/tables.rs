//! The numbers: Table 1 of the paper with measured columns, and what is behind them.

use super::crashes::{self, PLACES, Trial, bound, farthest, share, starving};
use super::figures::{DISTANCES, SHOWN};
use super::grid::{Algorithm, DEGREE, Kind, Load, NODES, Point, Quantity, RATES, SIZES};
use super::growth::{Along, Curve, loads, steepest};
use crate::gathered::{Gathered, PointRun, RUN_HEADERS, run_cells};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

fn cell(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::empty(), Cell::from)
}

/// What Table 1 states: failure locality, and response time with and without motion.
fn stated(algorithm: Algorithm) -> [&'static str; 3] {
    match algorithm {
        Algorithm::ChoySingh => ["4", "O(δ²)", ""],
        Algorithm::Greedy => ["n", "O((n+δ²)δ)", "O((n+δ³)δ)"],
        Algorithm::Linial => ["max(log* n, 4)+2", "O((log* n+δ³)δ)", "O((log* n+δ⁴)δ)"],
        Algorithm::Two => ["2", "O(n)", "O(n²)"],
        Algorithm::Quiet => ["", "", ""],
        Algorithm::ChandyMisra => ["n (not in the table)", "O(n) (not in the table)", ""],
    }
}

/// Table 1 with measured columns.
pub fn table1(results: &Gathered<Point>, trials: &Gathered<Trial>) -> Table {
    let headers = ["", "stated", "seen", "stated", "in n", "in δ", "stated", "in n", "in δ"];
    let title = "Table 1: failure locality and response time, stated and measured";
    let mut table = Table::new(title, headers);
    table.groups([("", 1), ("failure locality", 2), ("static", 3), ("mobile", 3)]);
    for algorithm in Algorithm::ALL {
        let steep = |along, moving| {
            cell(steepest(results, algorithm, along, moving).map(|(estimate, _)| estimate))
        };
        let [locality, still, mobile] = stated(algorithm);
        table.row([
            Cell::text(algorithm.name()),
            Cell::text(locality),
            farthest(trials, algorithm).map_or(Cell::empty(), Cell::number),
            Cell::text(still),
            steep(Along::Nodes, false),
            steep(Along::Degree, false),
            Cell::text(mobile),
            steep(Along::Nodes, true),
            steep(Along::Degree, true),
        ]);
        if algorithm == Algorithm::ChoySingh {
            let empty = Cell::empty;
            let missing = Cell::text("Tsay-Bagrodia: not measured");
            let stated = (Cell::text("2"), Cell::text("O(n²)"));
            table.row([
                missing,
                stated.0,
                empty(),
                stated.1,
                empty(),
                empty(),
                empty(),
                empty(),
                empty(),
            ]);
        }
    }
    table.note(
        "in n, in δ: the exponent with which the longest wait grows, the largest over all kinds of \
         network and loads; stated bounds are upper bounds on worst cases, so an exponent below \
         is no contradiction",
    );
    table.note(
        "Tsay and Bagrodia's pseudocode is not to be had, so their algorithm is not here; \
         Algorithm 2 without notifications (no notices) stands for what the paper improves on",
    );
    table
}

/// All exponents in one respect, of mean and longest waits.
pub fn exponents(results: &Gathered<Point>, along: Along) -> Table {
    let title = match along {
        Along::Nodes => "Exponents in n: 16 to 256 nodes, on average 6 neighbors where places vary",
        Along::Degree => "Exponents in δ: cliques of 3 to 33, others 64 nodes of 3 to 24 neighbors",
    };
    let headers = ["", "network", "mean", "longest", "longest", "mean", "longest", "messages"];
    let mut table = Table::new(title, headers);
    let groups = [("all hungry at once", 2), ("in lockstep", 1), ("hungry again at once", 3)];
    table.groups([("", 2)].into_iter().chain(groups));
    for algorithm in Algorithm::ALL {
        for kind in along.kinds() {
            if !kind.algorithms().contains(&algorithm) {
                continue;
            }
            let exponent = |load, quantity| {
                let runs = loads(kind).contains(&load);
                let curve = Curve { algorithm, kind, load, along };
                cell(curve.exponent(results, quantity).filter(|_| runs))
            };
            table.row([
                Cell::text(algorithm.name()),
                Cell::text(kind.name()),
                exponent(Load::Once, Quantity::Mean),
                exponent(Load::Once, Quantity::Longest),
                exponent(Load::Lockstep, Quantity::Longest),
                exponent(Load::AGAIN, Quantity::Mean),
                exponent(Load::AGAIN, Quantity::Longest),
                exponent(Load::AGAIN, Quantity::Messages),
            ]);
        }
    }
    table.note("moving: the waits of those who stood still meanwhile, which is what is bounded");
    match along {
        Along::Nodes => table.note(
            "in lockstep: all hungry at once and every message takes the full unit, which leaves \
             nothing to chance",
        ),
        Along::Degree => {
            table.note("by the largest degree for the longest wait, by the average for the others")
        }
    };
    table
}

/// Waits by the number of nodes.
pub fn waits(results: &Gathered<Point>, quantity: Quantity) -> Table {
    let first = ["network", "hungry", "n"].into_iter();
    let headers = first.chain(Algorithm::ALL.map(Algorithm::name));
    let title = match quantity {
        Quantity::Mean => "Mean wait by the number of nodes, in time units",
        _ => "Longest wait by the number of nodes, in time units",
    };
    let mut table = Table::new(title, headers);
    for kind in Along::Nodes.kinds() {
        for &load in loads(kind) {
            for nodes in SIZES {
                let hungry = match load {
                    Load::Once => "at once",
                    Load::Lockstep => "in lockstep",
                    Load::Rate(_) => "again",
                };
                let mut cells =
                    vec![Cell::text(kind.name()), Cell::text(hungry), Cell::number(nodes)];
                cells.extend(Algorithm::ALL.map(|algorithm| {
                    let point = Point { algorithm, kind, nodes, load };
                    cell(results.estimate(point, |metrics| quantity.of(metrics, kind)))
                }));
                table.row(cells);
            }
        }
    }
    table
}

/// How far others starved, and how many.
pub fn locality(trials: &Gathered<Trial>) -> Table {
    let first = ["network", "n"].into_iter();
    let headers = first.chain(Algorithm::ALL.map(Algorithm::name));
    let title = "Failure locality: the farthest that starved, and how many starve on average";
    let mut table = Table::new(title, headers);
    let bounds = Algorithm::ALL.map(|algorithm| match bound(algorithm) {
        Some(_) if algorithm == Algorithm::Quiet => Cell::text(""),
        Some(links) => Cell::text(links.to_string()),
        None => Cell::text("n"),
    });
    table.row([Cell::text("stated"), Cell::empty()].into_iter().chain(bounds));
    for place @ (kind, nodes) in PLACES {
        let mut cells = vec![Cell::text(kind.name()), Cell::number(nodes)];
        cells.extend(Algorithm::ALL.map(|algorithm| {
            let trial = (algorithm, place);
            match (crashes::reach(trials, trial), starving(trials, trial)) {
                (Some(reach), Some(many)) => Cell::text(format!("{reach} ({many})")),
                _ => Cell::empty(),
            }
        }));
        table.row(cells);
    }
    table
}

/// The share of nodes that starve, by distance.
pub fn shares(trials: &Gathered<Trial>) -> Table {
    let first = ["network", "links away"].into_iter();
    let headers = first.chain(Algorithm::ALL.map(Algorithm::name));
    let mut table = Table::new("The share of nodes that starve, in percent, by distance", headers);
    for place @ (kind, nodes) in SHOWN {
        for distance in 1..=DISTANCES {
            let name = format!("{} {nodes}", kind.name());
            let mut cells = vec![Cell::text(name), Cell::number(distance)];
            cells.extend(Algorithm::ALL.map(|algorithm| {
                let share = share(trials, (algorithm, place), distance);
                cell(share.and_then(|share| share.ratio_to(0.01)))
            }));
            table.row(cells);
        }
    }
    table
}

/// Messages per entry by load.
pub fn messages(results: &Gathered<Point>) -> Table {
    let first = ["network", "load"].into_iter();
    let headers = first.chain(Algorithm::ALL.map(Algorithm::name));
    let mut table =
        Table::new("Messages per entry by load: 64 nodes, 6 neighbors on average", headers);
    for kind in [Kind::Geometric(DEGREE), Kind::Moving(DEGREE)] {
        for (k, rate) in RATES.iter().enumerate() {
            let mut cells = vec![Cell::text(kind.name()), Cell::number(rate)];
            cells.extend(Algorithm::ALL.map(|algorithm| {
                let point = Point { algorithm, kind, nodes: NODES, load: Load::Rate(k) };
                cell(results.estimate(point, |metrics| metrics.messages_per_entry))
            }));
            table.row(cells);
        }
    }
    table.note("at a load of 100 nodes are hungry again at once");
    table
}

/// The loads of [`kinds`]: hardly any, and as much as there can be.
const EXTREMES: [usize; 2] = [0, RATES.len() - 1];

/// Messages per entry by kind.
pub fn kinds(results: &Gathered<Point>) -> Table {
    let headers = ["", "message", "0.01", "100", "0.01", "100"];
    let mut table = Table::new("Messages per entry by kind and load: 64 nodes, degree 6", headers);
    table.groups([("", 2), ("static", 2), ("moving", 2)]);
    for algorithm in Algorithm::ALL {
        let at = |kind, k| Point { algorithm, kind, nodes: NODES, load: Load::Rate(k) };
        let points: Vec<Point> = [Kind::Geometric(DEGREE), Kind::Moving(DEGREE)]
            .into_iter()
            .flat_map(|kind| EXTREMES.map(|k| at(kind, k)))
            .collect();
        let first = points.iter().find_map(|point| results.runs.get(point)?.first());
        let Some(PointRun { metrics, .. }) = first else { continue };
        for &message in metrics.messages_by_kind.keys() {
            let of = |&point: &Point| {
                results.estimate(point, |metrics| {
                    metrics.messages_by_kind.get(message).copied().unwrap_or(0.0)
                })
            };
            let all: Vec<Option<Estimate>> = points.iter().map(of).collect();
            if all.iter().flatten().any(|estimate| estimate.mean > 0.0) {
                let start = [Cell::text(algorithm.name()), Cell::text(message)];
                table.row(start.into_iter().chain(all.into_iter().map(cell)));
            }
        }
    }
    table
}

/// Every run with its parameters, its seed and what was measured.
pub fn all_runs(results: &Gathered<Point>, trials: &Gathered<Trial>) -> Table {
    let first = ["algorithm", "network", "degree", "nodes", "rate"].into_iter();
    let last = ["demotions", "still_mean", "still_max", "crashed", "starving", "reach"];
    let mut table = Table::new("All runs", first.chain(RUN_HEADERS).chain(last));
    for (point, runs) in &results.runs {
        let rate = match point.load {
            Load::Once => Cell::text("once"),
            Load::Lockstep => Cell::text("lockstep"),
            Load::Rate(k) => Cell::number(RATES[k]),
        };
        for run in runs {
            table.row(cells((point.algorithm, (point.kind, point.nodes)), rate.clone(), run));
        }
    }
    for (&trial, runs) in &trials.runs {
        for run in runs {
            table.row(cells(trial, Cell::text("crash"), run));
        }
    }
    table
}

fn cells((algorithm, (kind, nodes)): Trial, rate: Cell, run: &PointRun) -> Vec<Cell> {
    let degree = match kind {
        Kind::Geometric(degree) | Kind::Random(degree) | Kind::Moving(degree) => Some(degree),
        _ => None,
    };
    let mut cells = vec![
        Cell::text(algorithm.name()),
        Cell::text(kind.name()),
        degree.map_or(Cell::empty(), Cell::number),
        Cell::number(nodes),
        rate,
    ];
    cells.extend(run_cells(run));
    let (local, after) = (run.metrics.local, run.metrics.aftermath);
    cells.push(local.map_or(Cell::empty(), |local| Cell::number(local.demotions)));
    cells.push(local.map_or(Cell::empty(), |local| Cell::number(local.still.mean)));
    cells.push(local.map_or(Cell::empty(), |local| Cell::number(local.still.max)));
    cells.push(after.map_or(Cell::empty(), |after| Cell::number(after.crashed)));
    cells.push(after.map_or(Cell::empty(), |after| Cell::number(after.starving)));
    cells.push(after.and_then(|after| after.reach).map_or(Cell::empty(), Cell::number));
    cells
}
