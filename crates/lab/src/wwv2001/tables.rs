//! Tables 1 and 2: ours beside the paper's.

use super::grid::{
    Algorithm, Load, Mobility, Model, NEARLY_A_TREE, READINGS, Reading, Rule, reading_name,
};
use super::published::{self, CONNECTIVITIES, Quantity, ROWS};
use super::results::Results;
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// The number and title of the table for a quantity.
pub fn title(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Time => "Table 1: time units per CS entry",
        Quantity::Messages => "Table 2: messages per CS entry",
    }
}

/// Every cell of the paper's table as a row: the published value, and for each reading ours with
/// its 95 % interval and the ratio of ours to the paper's.
pub fn comparison(results: &Results, quantity: Quantity) -> Table {
    let mut headers = vec!["mobility", "", "paper"];
    let mut groups = vec![("", 3)];
    for reading in READINGS {
        headers.extend(["ours", "ratio"]);
        groups.push((reading_name(reading), 2));
    }
    let mut table = Table::new(title(quantity), headers);
    table.groups(groups);
    for mobility in Mobility::ALL {
        for row in ROWS {
            for connectivity in CONNECTIVITIES {
                table.row(cells(results, quantity, row, mobility, connectivity));
            }
        }
    }
    table.note("ours: mean ± half-width of the 95 % confidence interval; ratio: ours / paper");
    table.note("at zero mobility both models of link changes are the same runs");
    table
}

fn cells(
    results: &Results,
    quantity: Quantity,
    row: (Algorithm, Load),
    mobility: Mobility,
    connectivity: u32,
) -> Vec<Cell> {
    let (algorithm, load) = row;
    let paper = published::value(quantity, algorithm, load, mobility, connectivity);
    let mut cells = vec![
        Cell::text(mobility.name()),
        Cell::text(format!("{} {} {connectivity} %", algorithm.name(), load.name())),
        paper.map_or(Cell::empty(), Cell::number),
    ];
    for reading in READINGS {
        let ours = results.cell(quantity, reading, row, mobility, connectivity);
        let ratio = ours.zip(paper).and_then(|(ours, paper)| ours.ratio_to(paper));
        cells.push(ours.map_or(Cell::empty(), Cell::from));
        cells.push(ratio.map_or(Cell::empty(), |ratio| Cell::number(short(ratio.mean))));
    }
    cells
}

/// Two digits for a ratio near 1, fewer for a large one.
fn short(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

/// What RR gives in a static network with fewer links than stated, beside the published cells that
/// come closest. Found after the fact, and shown as evidence for what may have happened.
pub fn fewer_links(results: &Results) -> Table {
    let headers = ["published for", "", "paper", "links", "ours", "ratio"];
    let mut table = Table::new("RR in static networks with fewer links (cold start)", headers);
    for quantity in Quantity::ALL {
        for load in [Load::High, Load::Low] {
            for (mobility, stated, instead) in [
                (Mobility::Zero, 20, 10),
                (Mobility::Zero, 80, 40),
                (Mobility::High, 20, NEARLY_A_TREE),
                (Mobility::High, 80, NEARLY_A_TREE),
            ] {
                let paper = published::value(quantity, Algorithm::Rr, load, mobility, stated);
                let row = (Algorithm::Rr, load);
                let reading = (Rule::Cold, Model::Literal);
                let ours = results.cell(quantity, reading, row, Mobility::Zero, instead);
                let ratio = ours.zip(paper).and_then(|(ours, paper)| ours.ratio_to(paper));
                table.row([
                    Cell::text(format!("{}, {stated} %", mobility.name())),
                    Cell::text(format!("{}, {}", load.name(), quantity.label())),
                    paper.map_or(Cell::empty(), Cell::number),
                    Cell::number(format!("{instead} %")),
                    ours.map_or(Cell::empty(), Cell::from),
                    ratio.map_or(Cell::empty(), |ratio| Cell::number(short(ratio.mean))),
                ]);
            }
        }
    }
    table.note("links: of all pairs; 7 % is one link more than a tree");
    table
}

/// The table in the paper's own layout, under one reading, each cell with the paper's value behind
/// ours.
pub fn as_printed(results: &Results, quantity: Quantity, reading: Reading) -> Table {
    let columns = Mobility::ALL.map(|_| CONNECTIVITIES.map(|percent| format!("{percent} %")));
    let mut headers = vec![String::new()];
    headers.extend(columns.into_iter().flatten());
    let name = format!("{} ({})", title(quantity), reading_name(reading));
    let mut table = Table::new(name, headers);
    let groups = Mobility::ALL.map(|mobility| (mobility.name(), CONNECTIVITIES.len()));
    table.groups([("", 1)].into_iter().chain(groups));
    for row in ROWS {
        let mut cells = vec![Cell::text(format!("{} {}", row.0.name(), row.1.name()))];
        for mobility in Mobility::ALL {
            for percent in CONNECTIVITIES {
                let ours = results.cell(quantity, reading, row, mobility, percent);
                let paper = published::value(quantity, row.0, row.1, mobility, percent);
                cells.push(beside(ours, paper));
            }
        }
        table.row(cells);
    }
    table.note("ours ± 95 % confidence interval (the paper's value in brackets)");
    table
}

fn beside(ours: Option<Estimate>, paper: Option<f64>) -> Cell {
    match (ours, paper) {
        (Some(ours), Some(paper)) => Cell::number(format!("{ours} ({paper})")),
        (Some(ours), None) => Cell::from(ours),
        (None, _) => Cell::empty(),
    }
}
