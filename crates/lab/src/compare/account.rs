//! What is written and said.

use super::figures::Drawn;
use super::rows::rows;
use super::{Contest, Row, Spot, csv, figures, tables};
use crate::gathered::{Gathered, repetitions_in_words};
use crate::study::{self, Account, Means};
use crate::table::Table;

/// What came of a contest.
#[derive(Clone, Debug)]
pub struct Compared {
    /// A row for each protocol in each case.
    pub rows: Vec<Row>,
    /// What is written and said.
    pub account: Account,
}

/// Run everything.
pub fn conduct(contest: &Contest, means: &Means<'_>) -> Compared {
    compared(contest, means.gather(contest.jobs()), means)
}

pub(super) fn compared(contest: &Contest, results: Gathered<Spot>, means: &Means<'_>) -> Compared {
    let rows = rows(contest, &results);
    let table = tables::table(contest, &rows);
    let precision = precision(contest, &results);
    let text = format!("{}\n{precision}\n", table.plain_text());
    let figures = figures::figures(contest, &rows);
    let page = page(&table, &precision, &figures, &results, means);
    let mut files = vec![
        ("results.md".into(), page),
        ("results.csv".into(), csv::results(contest, &rows)),
        ("runs.csv".into(), csv::runs(contest, &results)),
    ];
    files.extend(figures.iter().map(|drawn| (drawn.name.clone(), drawn.figure.svg())));
    let Gathered { failures, planned, finished, .. } = results;
    Compared { rows, account: Account { files, text, failures, planned, finished } }
}

fn precision(contest: &Contest, results: &Gathered<Spot>) -> String {
    let Gathered { planned, finished, .. } = *results;
    let repetitions = repetitions_in_words(contest.repetitions, contest.seed);
    let missing = study::missing(finished, planned);
    format!("{finished} of {planned} runs: {repetitions}.{missing}")
}

fn page(
    table: &Table,
    precision: &str,
    figures: &[Drawn],
    results: &Gathered<Spot>,
    means: &Means<'_>,
) -> String {
    let mut text = format!("# Protocols side by side\n\n```text\n{}\n```\n\n", means.command);
    text.push_str(&format!("{precision}\n\n{}\n", table.markdown()));
    for Drawn { name, what, .. } in figures {
        text.push_str(&format!("![{what} of each protocol]({name})\n\n"));
    }
    match results.failures.as_slice() {
        [] => text.push_str("No promise was broken in any run.\n"),
        failures => {
            text.push_str("## Broken promises\n\n");
            for failure in failures {
                let line = (means.replay)(&failure.scenario);
                text.push_str(&format!("* {}: `{line}`\n", failure.what));
            }
        }
    }
    text
}
