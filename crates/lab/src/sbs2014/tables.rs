//! The numbers behind the figures.

use super::grid::{
    ASKERS, BAND_LOADS, HEAVY, LIGHT, LOADS, Mobility, NAMED, NODES, Point, Quantity, SIZES, UNITS,
    Who,
};
use crate::gathered::{Gathered, RUN_HEADERS, run_cells};
use crate::table::{Cell, Table};

fn cell(results: &Gathered<Point>, point: Point, quantity: Quantity) -> Cell {
    let estimate = results.estimate(point, |metrics| quantity.of(metrics));
    estimate.map_or(Cell::empty(), Cell::from)
}

/// All quantities against the load: Figures 2 and 3.
pub fn by_load(results: &Gathered<Point>) -> Table {
    let quantities = [Quantity::Hops, Quantity::Messages, Quantity::Traffic, Quantity::Wait];
    let pairs = quantities.iter().flat_map(|_| Who::ALL.map(Who::name));
    let title = format!("Figures 2 and 3: {NODES} nodes at 8 to 40 m/s");
    let mut table = Table::new(title, ["requests/s"].into_iter().chain(pairs));
    let groups = quantities.iter().map(|quantity| (quantity.label(), 2));
    table.groups([("", 1)].into_iter().chain(groups));
    for (load, rate) in LOADS.iter().enumerate() {
        let mut cells = vec![Cell::number(rate)];
        for quantity in quantities {
            cells.extend(Who::ALL.map(|who| cell(results, Point::usual(who, load), quantity)));
        }
        table.row(cells);
    }
    table.note(
        "requests/s: of each node, while it neither waits nor is inside; messages that keep \
         clusters are in another table",
    );
    table
}

/// Messages per entry against the number of those who ask: Figures 4 to 6.
pub fn by_askers(results: &Gathered<Point>) -> Table {
    let pairs = NAMED.iter().flat_map(|_| Who::ALL.map(Who::name));
    let title = "Figures 4 to 6: messages per entry by the number of nodes that ask";
    let mut table = Table::new(title, ["nodes that ask"].into_iter().chain(pairs));
    table.groups([("", 1)].into_iter().chain(NAMED.map(|(_, name)| (name, 2))));
    for askers in ASKERS {
        let mut cells = vec![Cell::number(askers)];
        for (load, _) in NAMED {
            let at = |who| Point::usual(who, load).asked_by(askers);
            cells.extend(Who::ALL.map(|who| cell(results, at(who), Quantity::Messages)));
        }
        table.row(cells);
    }
    table.note("the more nodes ask, each at the rate of the load, the more requests there are");
    table
}

/// Messages and times by how fast nodes are: Figures 7 and 8.
pub fn by_mobility(results: &Gathered<Point>) -> Table {
    let quantities = [Quantity::Traffic, Quantity::Wait];
    let bands = quantities.iter().flat_map(|_| Mobility::BANDS.map(Mobility::name));
    let title = format!("Figures 7 and 8: {NODES} nodes, by speed");
    let mut table = Table::new(title, ["", "requests/s"].into_iter().chain(bands));
    let groups = quantities.iter().map(|quantity| (quantity.label(), 3));
    table.groups([("", 2)].into_iter().chain(groups));
    for who in Who::ALL {
        for load in BAND_LOADS {
            let mut cells = vec![Cell::text(who.name()), Cell::number(LOADS[load])];
            for quantity in quantities {
                let at = |band| Point::usual(who, load).moving(band);
                cells.extend(Mobility::BANDS.map(|band| cell(results, at(band), quantity)));
            }
            table.row(cells);
        }
    }
    table
}

/// By the number of nodes.
pub fn by_size(results: &Gathered<Point>) -> Table {
    let loads = [LIGHT, HEAVY];
    let pairs = loads.iter().flat_map(|_| Who::ALL.map(Who::name));
    let pairs: Vec<&str> = pairs.collect();
    let headers = ["nodes"].into_iter().chain(pairs.iter().copied()).chain(pairs.iter().copied());
    let mut table = Table::new("By the number of nodes, at 8 to 40 m/s", headers);
    table.groups([
        ("", 1),
        ("messages, light", 2),
        ("messages, heavy", 2),
        ("wait (ms), light", 2),
        ("wait (ms), heavy", 2),
    ]);
    for nodes in SIZES {
        let mut cells = vec![Cell::number(nodes)];
        for quantity in [Quantity::Messages, Quantity::Wait] {
            for load in loads {
                let at = |who| Point::usual(who, load).of(nodes);
                cells.extend(Who::ALL.map(|who| cell(results, at(who), quantity)));
            }
        }
        table.row(cells);
    }
    table
}

/// By how nodes move.
pub fn by_motion(results: &Gathered<Point>) -> Table {
    let pairs = NAMED.iter().flat_map(|_| Who::ALL.map(Who::name));
    let title = "Messages per entry by how nodes move";
    let mut table = Table::new(title, [""].into_iter().chain(pairs));
    table.groups([("", 1)].into_iter().chain(NAMED.map(|(_, name)| (name, 2))));
    for mobility in [Mobility::Still, Mobility::Usual, Mobility::Groups] {
        let mut cells = vec![Cell::text(mobility.name())];
        for (load, _) in NAMED {
            let at = |who| Point::usual(who, load).moving(mobility);
            cells.extend(Who::ALL.map(|who| cell(results, at(who), Quantity::Messages)));
        }
        table.row(cells);
    }
    table
}

/// What it takes to keep clusters.
pub fn upkeep(results: &Gathered<Point>) -> Table {
    let title = format!("Keeping clusters: {NODES} nodes, light load");
    let mut table = Table::new(title, ["", "link changes/s", "messages/s", "the algorithm's/s"]);
    use Mobility::{Groups, High, Low, Medium, Still, Usual};
    for mobility in [Still, Groups, Low, Usual, Medium, High] {
        let point = Point::usual(Who::Cluster, LIGHT).moving(mobility);
        let changes = results
            .estimate(point, |metrics| metrics.link_changes as f64 / metrics.time.max(1.0) * UNITS);
        table.row([
            Cell::text(mobility.name()),
            changes.map_or(Cell::empty(), Cell::from),
            cell(results, point, Quantity::Upkeep),
            cell(results, point, Quantity::Traffic),
        ]);
    }
    table
}

/// Links that messages of each kind go over, for an entry.
pub fn by_kind(results: &Gathered<Point>) -> Table {
    let headers = ["", "message"].into_iter().chain(NAMED.map(|(_, name)| name));
    let mut table =
        Table::new("Hops per entry by kind of message: 100 nodes, 8 to 40 m/s", headers);
    for who in Who::ALL {
        let first = results.runs.get(&Point::usual(who, LIGHT)).and_then(|runs| runs.first());
        let Some(run) = first else { continue };
        for &kind in run.metrics.messages_by_kind.keys() {
            let of = |(load, _)| {
                let point = Point::usual(who, load);
                results.estimate(point, |metrics| {
                    metrics.messages_by_kind.get(kind).copied().unwrap_or(0.0)
                })
            };
            let all = NAMED.map(of);
            if all.iter().flatten().any(|estimate| estimate.mean > 0.0) {
                let start = [Cell::text(who.name()), Cell::text(kind)];
                let cells = all.map(|estimate| estimate.map_or(Cell::empty(), Cell::from));
                table.row(start.into_iter().chain(cells));
            }
        }
    }
    table
}

/// Every run with its parameters, its seed and what was measured.
pub fn all_runs(results: &Gathered<Point>) -> Table {
    let first = ["protocol", "mobility", "nodes", "askers", "requests_per_second"].into_iter();
    let last = ["hops_per_message"];
    let mut table = Table::new("All runs", first.chain(RUN_HEADERS).chain(last));
    for (point, runs) in &results.runs {
        for run in runs {
            let mut cells = vec![
                Cell::text(point.who.name()),
                Cell::text(point.mobility.name()),
                Cell::number(point.nodes),
                Cell::number(point.askers),
                Cell::number(LOADS[point.load]),
            ];
            cells.extend(run_cells(run));
            cells.push(Cell::number(run.metrics.hops_per_message));
            table.row(cells);
        }
    }
    table
}
