//! What is written and said.

use driftlock_sim::Metrics;

use super::figures::{Against, popular};
use super::grid::{Effort, Point, Quantity, points};
use super::{findings, tables};
use crate::gathered::{Gathered, repetitions_in_words, widths_in_words};
use crate::report::Page;
use crate::study::{self, Account, Means, Order, Paper, Summary};

/// The paper of group mutual exclusion.
pub const PAPER: Paper = Paper {
    name: "gme",
    aliases: &["jiang", "jiang2002"],
    repetitions: [Effort::DEFAULT.repetitions, Effort::FULL.repetitions],
    runs: |order| points().len() * order.repetitions as usize,
    conduct,
};

fn conduct(order: &Order, means: &Means<'_>) -> Account {
    let effort = if order.full { Effort::FULL } else { Effort::DEFAULT };
    let effort = Effort { seed: order.seed, repetitions: order.repetitions, ..effort };
    account(effort, means.gather(effort.jobs()), means)
}

/// All of it.
pub(super) fn account(effort: Effort, results: Gathered<Point>, means: &Means<'_>) -> Account {
    let summary = summary(&effort, &results);
    Account {
        files: files(&effort, &results, &summary, means),
        text: summary.text(),
        planned: results.planned,
        finished: results.finished,
        failures: results.failures,
    }
}

const INTRODUCTION: &str = "The experiments that \"A Group Mutual Exclusion Algorithm for Ad Hoc \
Mobile Networks\" does not have: 30 nodes with 20 % of all links, a message delay of 1 time unit \
per link, critical sections of 1 and of 10 time units. Nodes ask for one of several resources; \
any number may be inside together for the same one. RL with one lock for everything stands beside \
it. A link change takes a random link away and forms a random one.";

const HEADING: &str = "What there is to see";

fn summary(effort: &Effort, results: &Gathered<Point>) -> Summary {
    let mut shown = Against::ALL.map(|against| tables::by(results, against)).to_vec();
    shown.push(tables::popular(results));
    shown.push(findings::table(results));
    Summary {
        title: "Group mutual exclusion (Jiang), measured",
        introduction: INTRODUCTION,
        precision: precision(effort, results),
        tables: shown,
        heading: HEADING,
        remarks: findings::REMARKS.iter().copied().map(Into::into).collect(),
    }
}

fn precision(effort: &Effort, results: &Gathered<Point>) -> String {
    let Effort { repetitions, seed, warmup, entries } = *effort;
    let quantities: [fn(&Metrics) -> f64; 2] =
        [|metrics| Quantity::Time.of(metrics, 1), |metrics| Quantity::Messages.of(metrics, 1)];
    format!(
        "{} of {} runs: {}, {entries} entries after {warmup}. {}{}",
        results.finished,
        results.planned,
        repetitions_in_words(repetitions, seed),
        widths_in_words(&results.interval_widths(&quantities)),
        study::missing(results.finished, results.planned),
    )
}

fn files(
    effort: &Effort,
    results: &Gathered<Point>,
    summary: &Summary,
    means: &Means<'_>,
) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for against in Against::ALL {
        let stem = against.stem();
        files.push((format!("{stem}.csv"), tables::by(results, against).csv()));
        files.push((format!("{stem}.svg"), against.figure(results).svg()));
    }
    files.push(("popular.csv".into(), tables::popular(results).csv()));
    files.push(("popular.svg".into(), popular(results).svg()));
    files.push(("findings.csv".into(), findings::table(results).csv()));
    files.push(("runs.csv".into(), tables::all_runs(results).csv()));
    files.push(("results.md".into(), summary.markdown(means.command)));
    files.push(("index.html".into(), page(effort, results, summary, means).html()));
    files
}

fn page(effort: &Effort, results: &Gathered<Point>, summary: &Summary, means: &Means<'_>) -> Page {
    let mut page = Page::new(summary.title);
    page.paragraph(INTRODUCTION).preformatted(means.command).paragraph(&summary.precision);
    study::failures(&mut page, &results.failures, means.replay);
    page.heading("Figures");
    for against in Against::ALL {
        page.figure(&against.figure(results), against.title());
    }
    page.figure(&popular(results), "A popular resource.");
    page.heading("Findings");
    page.table(&findings::table(results));
    page.heading(HEADING);
    page.list(findings::REMARKS);
    page.heading("Tables");
    for against in Against::ALL {
        page.table(&tables::by(results, against));
    }
    page.table(&tables::popular(results));
    let first: Vec<_> = points().into_iter().map(|point| effort.scenario(point, 0)).collect();
    study::commands(&mut page, &first, effort.repetitions, means.replay);
    page
}
