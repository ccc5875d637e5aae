//! The numbers behind the figures.

use super::figures::Against;
use super::grid::{
    Bound, CHANGES, LENGTHS, Point, Quantity, RATES, SHARES, Who, popular_wait, unpopular_wait,
};
use crate::gathered::{Gathered, RUN_HEADERS, run_cells};
use crate::table::{Cell, Table};

/// All quantities against what is varied.
pub fn by(results: &Gathered<Point>, against: Against) -> Table {
    let mut headers = vec!["CS", against.name()];
    let mut groups = vec![("", 2)];
    for quantity in Quantity::ALL {
        headers.push("GME");
        groups.push((quantity.label(), 1));
        if quantity != Quantity::Switches {
            headers.push("RL");
            groups.pop();
            groups.push((quantity.label(), 2));
        }
    }
    let mut table = Table::new(against.title(), headers);
    table.groups(groups);
    for length in LENGTHS {
        let [gme, rl] = Who::TWO.map(|who| against.points(who, length));
        for ((gme, x), (rl, _)) in gme.into_iter().zip(rl) {
            let mut cells = vec![Cell::number(length), Cell::number(x)];
            for quantity in Quantity::ALL {
                let of = |metrics: &_| quantity.of(metrics, length);
                let cell = |point| results.estimate(point, of).map_or(Cell::empty(), Cell::from);
                cells.push(cell(gme));
                if quantity != Quantity::Switches {
                    cells.push(cell(rl));
                }
            }
            table.row(cells);
        }
    }
    table
}

/// How long those wait who want the popular resource, and the others.
pub fn popular(results: &Gathered<Point>) -> Table {
    let mut table = Table::new(
        "A popular resource: 3 resources, load 0.1, no mobility",
        [
            "CS",
            "share",
            "bound",
            "popular waits",
            "others wait",
            "all wait",
            "messages",
            "switches",
        ],
    );
    for length in LENGTHS {
        for share in SHARES {
            for bound in Bound::ALL {
                let point = Point::usual(Who::Gme(bound), length).with_share(share);
                let cell = |of: &dyn Fn(&driftlock_sim::Metrics) -> f64| {
                    results.estimate(point, of).map_or(Cell::empty(), Cell::from)
                };
                table.row([
                    Cell::number(length),
                    Cell::number(format!("{share} %")),
                    Cell::text(bound.name()),
                    cell(&popular_wait),
                    cell(&unpopular_wait),
                    cell(&|metrics| Quantity::Time.of(metrics, length)),
                    cell(&|metrics| Quantity::Messages.of(metrics, length)),
                    cell(&|metrics| Quantity::Switches.of(metrics, length)),
                ]);
            }
        }
    }
    table.note("bound: entries for the resource in use once another is asked for");
    table
}

/// Every run with its parameters, its seed and what was measured.
pub fn all_runs(results: &Gathered<Point>) -> Table {
    let first = ["algorithm", "bound", "cs", "rate", "resources", "link_change_rate", "share"];
    let last = ["popular_wait", "unpopular_wait", "switches_per_entry"];
    let headers = first.into_iter().chain(RUN_HEADERS).chain(last);
    let mut table = Table::new("All runs", headers);
    for (point, runs) in &results.runs {
        for run in runs {
            let bound = match point.who {
                Who::Gme(bound) => bound.name(),
                Who::Rl => "",
            };
            let mut cells = vec![
                Cell::text(point.who.name()),
                Cell::text(bound),
                Cell::number(point.length),
                Cell::number(RATES[point.rate_index]),
                Cell::number(point.resources),
                Cell::number(CHANGES[point.changes_index]),
                point.share.map_or(Cell::empty(), Cell::number),
            ];
            cells.extend(run_cells(run));
            let metrics = &run.metrics;
            let rest = [
                popular_wait(metrics),
                unpopular_wait(metrics),
                Quantity::Switches.of(metrics, point.length),
            ];
            let number = |x: f64| if x.is_nan() { Cell::empty() } else { Cell::number(x) };
            cells.extend(rest.map(number));
            table.row(cells);
        }
    }
    table
}
