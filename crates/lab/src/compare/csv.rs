//! The same for machines: a row for each protocol in each case, and one for each run. Every column
//! is one thing, and every number is by itself.

use super::quantity::Quantity;
use super::{Contest, Row, Spot};
use crate::gathered::{Gathered, PointRun};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// What is before the quantities in `results.csv`, after the world and what is varied.
const OF_ROW: [&str; 8] =
    ["protocol", "promise", "compared_with", "refused", "runs", "broken", "entered", "held_up"];

/// The rows of the table, with means and half-widths of their 95 % intervals.
pub(super) fn results(contest: &Contest, rows: &[Row]) -> String {
    let mut headers = vec!["world".to_owned(), column(&contest.key)];
    headers.extend(OF_ROW.map(Into::into));
    for quantity in Quantity::ALL {
        let key = quantity.key();
        headers.extend(["", "_half_width", "_runs"].map(|end| format!("{key}{end}")));
        if quantity.has_difference() {
            let ends = ["_difference", "_difference_half_width"];
            headers.extend(ends.map(|end| format!("{key}{end}")));
        }
    }
    let mut table = Table::new("", headers);
    let first = &contest.entrants[contest.reference()].name;
    for row in rows {
        table.row(cells(row, first));
    }
    table.csv()
}

fn cells(row: &Row, first: &str) -> Vec<Cell> {
    let mut cells = vec![
        Cell::text(&row.world),
        Cell::text(&row.value),
        Cell::text(&row.protocol),
        Cell::text(&row.promise),
        Cell::text(first),
        Cell::text(row.refused.as_deref().unwrap_or_default()),
        Cell::number(row.runs),
        Cell::number(row.broken),
        Cell::number(row.entries),
        number(row.held_up),
    ];
    for quantity in Quantity::ALL {
        let measured = row.quantities[quantity.key()];
        cells.extend(both(measured.value));
        cells.push(Cell::number(measured.runs));
        if quantity.has_difference() {
            cells.extend(both(measured.difference));
        }
    }
    cells
}

/// All runs in which no promise was broken.
pub(super) fn runs(contest: &Contest, results: &Gathered<Spot>) -> String {
    let mut headers = vec!["world".to_owned(), column(&contest.key)];
    headers.extend(["protocol", "seed", "entered", "held_up"].map(Into::into));
    headers.extend(Quantity::ALL.map(|quantity| quantity.key().into()));
    let mut table = Table::new("", headers);
    for (&(case, who), runs) in &results.runs {
        let (case, name) = (&contest.cases[case], &contest.entrants[who].name);
        for PointRun { seed, metrics } in runs {
            let mut cells = vec![Cell::text(case.world()), Cell::text(&case.value)];
            cells.extend([Cell::text(name), Cell::number(seed), Cell::number(metrics.entries)]);
            cells.push(number(metrics.held_up));
            cells.extend(Quantity::ALL.map(|quantity| number(quantity.of(metrics))));
            table.row(cells);
        }
    }
    table.csv()
}

/// The name of a flag as that of a column.
fn column(flag: &str) -> String {
    flag.replace('-', "_")
}

fn both(estimate: Option<Estimate>) -> [Cell; 2] {
    let mean = estimate.map(|estimate| estimate.mean);
    [number(mean), number(estimate.and_then(|estimate| estimate.half_width))]
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::empty(), Cell::number)
}
