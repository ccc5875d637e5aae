//! Results as one page: [`page`].

use driftlock_lab::report::Page;
use driftlock_lab::stats::Estimate;
use driftlock_lab::table::{Cell, Table};

use crate::axes::{Axes, distinct};
use crate::columns;
use crate::frame::{Column, Frame};
use crate::plot::{self, Wanted};
use crate::summary::{Failure, Summary};

/// What has a figure, and a column in the table of means.
const SHOWN: [&str; 5] =
    ["waiting_mean", "messages_per_entry", "bytes_per_entry", "throughput", "fairness"];
/// An axis that spans more than this many times its least value is logarithmic.
const SPAN_LINEAR: f64 = 30.0;
/// More rows than this are folded away.
const ROWS_OPEN: usize = 60;

/// One page of results. `summary` is what was written beside them, if it is there.
pub fn page(frame: &Frame, summary: Option<&Summary>, name: &str) -> Page {
    let mut page = Page::new(format!("Results of {name}"));
    what_was_run(&mut page, frame, summary);
    what_went_wrong(&mut page, summary);
    figures(&mut page, frame, summary);
    means(&mut page, frame);
    the_data(&mut page, frame);
    page
}

fn what_was_run(page: &mut Page, frame: &Frame, summary: Option<&Summary>) {
    page.heading("What was run");
    if let Some(summary) = summary {
        let Summary { driftlock, command, cells, runs, seed, finished, .. } = summary;
        page.paragraph(&format!(
            "{runs} runs of {cells} cells, with seeds from {seed}, by driftlock {driftlock}. The \
             same command gives the same results on any machine:"
        ));
        page.preformatted(command);
        if finished < cells {
            let missing = cells - finished;
            page.paragraph(&format!("{missing} cells are missing: these are the others."));
        }
        page.details("The sweep file", |page| {
            page.preformatted(&summary.file);
        });
    } else {
        page.paragraph(&format!("{} runs.", frame.rows()));
    }
    let varied = frame.varied();
    if !varied.is_empty() {
        page.paragraph("What was varied:");
        page.list(varied.iter().map(|column| values_of(column)));
    }
    let is_varied = |column: &&Column| varied.iter().any(|varied| varied.name == column.name);
    let same = frame.parameters().iter().filter(|column| !is_varied(column));
    let same: Vec<String> = same
        .filter_map(|column| Some(format!("`{}`: {}", column.name, column.data.shown(0)?)))
        .collect();
    if frame.rows() > 0 && !same.is_empty() {
        page.details("What was the same in all runs", |page| {
            page.list(same);
        });
    }
}

/// `requests_rate`: 0.01, 0.1, 1.
fn values_of(column: &Column) -> String {
    const MOST: usize = 12;
    let values = distinct(column);
    let more = match values.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first: Vec<String> = values.into_iter().take(MOST).collect();
    format!("`{}`: {}{more}", column.name, first.join(", "))
}

fn what_went_wrong(page: &mut Page, summary: Option<&Summary>) {
    let Some(summary) = summary else { return };
    page.heading("What went wrong");
    if !summary.wide.is_empty() {
        let (wide, all) = (summary.wide.len(), summary.cells);
        page.paragraph(&format!(
            "The interval is wider than asked for, after all repetitions, in {wide} of {all} cells."
        ));
    }
    for warning in &summary.warnings {
        page.paragraph(&format!("Warning: {warning}."));
    }
    if summary.failures.is_empty() {
        page.paragraph("All promises held in all runs, and no cell was refused.");
        return;
    }
    page.paragraph(
        "Runs in which a promise was broken are not in means and figures. Each line runs the first \
         such run of its cell again.",
    );
    for Failure { cell, kind, what, runs, replay } in &summary.failures {
        let often = match runs {
            0 | 1 => String::new(),
            runs => format!(" in {runs} runs, first"),
        };
        page.paragraph(&format!("Cell {cell} {kind}{often}: {what}"));
        page.preformatted(replay);
    }
}

/// The metrics that are shown and were measured.
fn shown(frame: &Frame) -> Vec<&Column> {
    let is_measured =
        |column: &&Column| (0..frame.rows()).any(|row| column.data.number(row).is_some());
    SHOWN.iter().filter_map(|name| frame.column(name)).filter(is_measured).collect()
}

fn figures(page: &mut Page, frame: &Frame, summary: Option<&Summary>) {
    let named = summary.map(Summary::varied).unwrap_or_default();
    let Some(axes) = Axes::of(frame, &named) else { return };
    page.heading("Figures");
    if !axes.pooled.is_empty() {
        page.paragraph(&format!(
            "A mark is a mean over all values of {}, for which there would be too many figures: \
             `driftlock plot` with `--where` draws one of them.",
            axes.pooled.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ));
    }
    for choice in axes.choices(frame) {
        if !choice.is_empty() {
            page.subheading(&plot::chosen(&choice));
        }
        for metric in shown(frame) {
            let wanted = wanted(&axes, &choice, frame, metric);
            match plot::figure(frame, &wanted) {
                Ok(figure) => drop(page.figure(&figure, &columns::about(&metric.name).1)),
                Err(why) => drop(page.paragraph(&format!("`{}`: {why}.", metric.name))),
            }
        }
    }
}

fn wanted(axes: &Axes, only: &[(String, String)], frame: &Frame, metric: &Column) -> Wanted {
    let log = |name: &str| frame.column(name).is_some_and(spans_much);
    Wanted {
        x: axes.x.clone(),
        y: metric.name.clone(),
        by: axes.by.clone(),
        facet: axes.facet.clone(),
        only: only.to_vec(),
        log_x: log(&axes.x),
        log_y: log(&metric.name),
        ..Wanted::default()
    }
}

fn spans_much(column: &Column) -> bool {
    let numbers = (0..column.data.len()).filter_map(|row| column.data.number(row));
    let (least, most) = numbers.fold((f64::INFINITY, 0.0_f64), |(a, b), n| (a.min(n), b.max(n)));
    least > 0.0 && most > SPAN_LINEAR * least
}

fn means(page: &mut Page, frame: &Frame) {
    let Some(cells) = frame.column("cell") else { return };
    page.heading("Means");
    let (varied, metrics) = (frame.varied(), shown(frame));
    let mut headers = vec!["cell".to_owned()];
    headers.extend(varied.iter().map(|column| column.name.clone()));
    headers.push("runs".into());
    headers.extend(metrics.iter().map(|column| column.label()));
    let mut table = Table::new("Means with 95 % intervals", headers);
    let held = frame.held();
    let groups = held.chunk_by(|&a, &b| cells.data.number(a) == cells.data.number(b));
    let mut n_rows = 0;
    for rows in groups {
        let value = |column: &&Column| {
            let text = column.data.shown(rows[0]).unwrap_or_default();
            if column.data.is_numeric() { Cell::number(text) } else { Cell::text(text) }
        };
        let mean = |column: &&Column| {
            let samples: Vec<f64> =
                rows.iter().filter_map(|&row| column.data.number(row)).collect();
            Estimate::of(&samples).map_or(Cell::empty(), Cell::from)
        };
        let first = Cell::number(cells.data.shown(rows[0]).unwrap_or_default());
        let front = std::iter::once(first).chain(varied.iter().map(value));
        let runs = std::iter::once(Cell::number(rows.len()));
        table.row(front.chain(runs).chain(metrics.iter().map(mean)));
        n_rows += 1;
    }
    if n_rows <= ROWS_OPEN {
        page.table(&table);
    } else {
        page.details(&format!("{n_rows} cells"), |page| {
            page.table(&table);
        });
    }
}

fn the_data(page: &mut Page, frame: &Frame) {
    page.heading("The data");
    page.paragraph("A row is a run. The files open as they are:");
    page.preformatted(
        "pandas.read_parquet(\"results.parquet\")\npolars.read_parquet(\"results.parquet\")\n\
         duckdb.sql(\"select * from 'results.parquet'\")\nread.csv(\"results.csv\")   # R",
    );
    page.details("What the columns are", |page| {
        let mut table = Table::new("", ["column", "unit", "what it is"]);
        for column in &frame.columns {
            let (unit, about) = columns::about(&column.name);
            let about = if about.is_empty() { "a value of the scenario".into() } else { about };
            table.row([column.name.clone(), unit, about]);
        }
        page.table(&table);
    });
}
