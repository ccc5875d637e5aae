//! The numbers behind the figures, and what the figures do not show.

use driftlock_sim::Metrics;

use super::grid::{
    AGES, Algorithm, COMPARED, CONNECTIVITIES, Effort, FIXED, Mobility, Point, Quantity, RATES,
    TWO, aged,
};
use crate::gathered::{Gathered, RUN_HEADERS, run_cells};
use crate::table::{Cell, Table};

type Of = fn(&Metrics) -> f64;

/// A quantity at the loads of Figures 6 and 7.
pub fn by_load(results: &Gathered<Point>, quantity: Quantity) -> Table {
    let title = match quantity {
        Quantity::Time => "Figure 6: time units per CS entry",
        Quantity::Messages => "Figure 7: messages per CS entry",
    };
    let mut table = Table::new(title, headers(["mobility", "links", "load"]));
    for mobility in Mobility::ALL {
        for connectivity in TWO {
            for (rate_index, rate) in RATES.iter().enumerate() {
                let mut cells = vec![
                    Cell::text(mobility.name()),
                    Cell::number(format!("{connectivity} %")),
                    Cell::number(rate),
                ];
                let at = |algorithm| Point { algorithm, mobility, connectivity, rate_index };
                cells.extend(Algorithm::OURS.map(|who| cell(results, at(who), quantity.of())));
                table.row(cells);
            }
        }
    }
    table
}

/// A quantity at the connectivities of Figures 8 and 9.
pub fn by_connectivity(results: &Gathered<Point>, quantity: Quantity) -> Table {
    let title = match quantity {
        Quantity::Time => "Figure 8: time units per CS entry at load 0.1",
        Quantity::Messages => "Figure 9: messages per CS entry at load 0.1",
    };
    let mut table = Table::new(title, headers(["mobility", "links"]));
    for mobility in Mobility::ALL {
        for connectivity in CONNECTIVITIES {
            let mut cells =
                vec![Cell::text(mobility.name()), Cell::number(format!("{connectivity} %"))];
            let at = |algorithm| Point { algorithm, mobility, connectivity, rate_index: FIXED };
            cells.extend(Algorithm::OURS.map(|who| cell(results, at(who), quantity.of())));
            table.row(cells);
        }
    }
    table
}

fn headers<const N: usize>(first: [&'static str; N]) -> Vec<&'static str> {
    first.into_iter().chain(Algorithm::OURS.map(Algorithm::name)).collect()
}

fn cell(results: &Gathered<Point>, point: Point, of: Of) -> Cell {
    results.estimate(point, of).map_or(Cell::empty(), Cell::from)
}

/// Who gets in: what an average over entries does not show.
pub fn fairness(results: &Gathered<Point>) -> Table {
    let quantities: [(&str, Of); 3] = [
        ("fairness", |metrics| metrics.fairness),
        ("longest wait", |metrics| metrics.waiting.max),
        ("entries per unit", |metrics| metrics.throughput),
    ];
    let mut table = Table::new("Who gets in", headers(["", "mobility", "links", "load"]));
    for (name, of) in quantities {
        for mobility in [Mobility::Zero, Mobility::High] {
            for connectivity in TWO {
                for rate_index in COMPARED {
                    let mut cells = vec![
                        Cell::text(name),
                        Cell::text(mobility.name()),
                        Cell::number(format!("{connectivity} %")),
                        Cell::number(RATES[rate_index]),
                    ];
                    let at = |algorithm| Point { algorithm, mobility, connectivity, rate_index };
                    cells.extend(Algorithm::OURS.map(|who| cell(results, at(who), of)));
                    table.row(cells);
                }
            }
        }
    }
    table.note("fairness: Jain's index of the nodes' entries, 1 if all have the same number");
    table
}

/// The repaired text beside the published one.
pub fn published(results: &Gathered<Point>, literal: &Gathered<Point>, effort: &Effort) -> Table {
    let mut table = Table::new(
        "The published text beside the repaired one",
        [
            "",
            "mobility",
            "links",
            "load",
            "time",
            "messages",
            "without Ack",
            "time",
            "messages",
            "broken",
        ],
    );
    table.groups([("", 4), ("repaired", 3), ("published", 3)]);
    let without: Of = |metrics| {
        metrics.messages_per_entry - metrics.messages_by_kind.get("Ack").copied().unwrap_or(0.0)
    };
    let (time, messages) = (Quantity::Time.of(), Quantity::Messages.of());
    for (repaired, algorithm) in Algorithm::PAPER.into_iter().zip(Algorithm::PUBLISHED) {
        for mobility in Mobility::ALL {
            for connectivity in TWO {
                for rate_index in COMPARED {
                    let ours = Point { algorithm: repaired, mobility, connectivity, rate_index };
                    let theirs = Point { algorithm, ..ours };
                    table.row([
                        Cell::text(repaired.name()),
                        Cell::text(mobility.name()),
                        Cell::number(format!("{connectivity} %")),
                        Cell::number(RATES[rate_index]),
                        cell(results, ours, time),
                        cell(results, ours, messages),
                        cell(results, ours, without),
                        cell(literal, theirs, time),
                        cell(literal, theirs, messages),
                        broken(literal, theirs, effort),
                    ]);
                }
            }
        }
    }
    table.note(
        "broken: runs of the published text in which a promise was broken, of all; its averages \
         are over the others, and what it leaves undefined is skipped",
    );
    table
}

/// What KRLF tells its neighbors of heights, the longer a run lasts.
pub fn ageing(results: &Gathered<(Algorithm, u64)>) -> Table {
    let headers = ["entries", "repaired", "published"];
    let title = "LinkInfo per entry of KRLF, static, 80 %, load 0.1, by the length of the run";
    let mut table = Table::new(title, headers);
    let told: Of = |metrics| metrics.messages_by_kind.get("LinkInfo").copied().unwrap_or(0.0);
    for entries in AGES {
        let of = |algorithm| {
            results.estimate((algorithm, entries), told).map_or(Cell::empty(), Cell::from)
        };
        let both = [Algorithm::Krlf, Algorithm::KrlfPublished].map(of);
        table.row([Cell::number(entries)].into_iter().chain(both));
    }
    table
}

fn broken(literal: &Gathered<Point>, point: Point, effort: &Effort) -> Cell {
    let like = |k| effort.scenario(point, k);
    let failed = (0..effort.repetitions)
        .filter(|&k| literal.failures.iter().any(|failure| failure.scenario == like(k)))
        .count();
    let kept = literal.runs.get(&point).map_or(0, Vec::len);
    match failed + kept {
        0 => Cell::empty(),
        all => Cell::number(format!("{failed} of {all}")),
    }
}

/// Every run with its parameters, its seed and what was measured.
pub fn all_runs(all: [&Gathered<Point>; 2], ageing: &Gathered<(Algorithm, u64)>) -> Table {
    let first = ["algorithm", "mobility", "connectivity_percent", "rate"];
    let mut table = Table::new("All runs", first.into_iter().chain(RUN_HEADERS));
    let points = all.into_iter().flat_map(|gathered| &gathered.runs);
    let points = points.map(|(&point, runs)| (point, runs));
    let aged = ageing.runs.iter().map(|(&(algorithm, _), runs)| (aged(algorithm), runs));
    for (point, runs) in points.chain(aged) {
        for run in runs {
            let mut cells = vec![
                Cell::text(point.algorithm.name()),
                Cell::text(point.mobility.name()),
                Cell::number(point.connectivity),
                Cell::number(point.rate()),
            ];
            cells.extend(run_cells(run));
            table.row(cells);
        }
    }
    table
}
