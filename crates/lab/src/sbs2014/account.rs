//! What is written and said.

use super::faults::{self, Fault};
use super::grid::{Effort, Point, Quantity, points};
use super::{claims, figures, formulas, remarks, tables};
use crate::figure::Figure;
use crate::gathered::{Failure, Gathered, repetitions_in_words, widths_in_words};
use crate::report::Page;
use crate::study::{self, Account, Means, Order, Paper, Summary};
use crate::table::Table;

/// The paper of clusters.
pub const PAPER: Paper = Paper {
    name: "cluster",
    aliases: &["sbs", "sbs2014"],
    repetitions: [Effort::DEFAULT.repetitions, Effort::FULL.repetitions],
    runs: |order| {
        let effort = effort(order);
        effort.jobs().len() + effort.fault_jobs().len()
    },
    conduct,
};

fn effort(order: &Order) -> Effort {
    let effort = if order.full { Effort::FULL } else { Effort::DEFAULT };
    Effort { seed: order.seed, repetitions: order.repetitions, ..effort }
}

fn conduct(order: &Order, means: &Means<'_>) -> Account {
    account(&Results::gather(effort(order), means), means)
}

/// What came of all runs.
#[derive(Clone, Debug)]
pub struct Results {
    /// How much was run.
    pub effort: Effort,
    /// The points of the figures.
    pub gathered: Gathered<Point>,
    /// What goes wrong.
    pub faults: Gathered<Fault>,
}

impl Results {
    /// Run everything.
    pub fn gather(effort: Effort, means: &Means<'_>) -> Self {
        let gathered = means.gather(effort.jobs());
        let faults = means.gather(effort.fault_jobs());
        Results { effort, gathered, faults }
    }

    fn counts(&self) -> (usize, usize) {
        let Results { gathered, faults, .. } = self;
        (gathered.finished + faults.finished, gathered.planned + faults.planned)
    }

    fn failures(&self) -> Vec<Failure> {
        [&self.gathered.failures[..], &self.faults.failures[..]].concat()
    }
}

/// All of it.
pub(super) fn account(results: &Results, means: &Means<'_>) -> Account {
    let (finished, planned) = results.counts();
    let summary = summary(results);
    Account {
        files: files(results, &summary, means),
        text: summary.text(),
        planned,
        finished,
        failures: results.failures(),
    }
}

const INTRODUCTION: &str = "Figures 2 to 8 of \"A Token Based Protocol for Mutual Exclusion in \
Mobile Ad Hoc Networks\" (2014): its algorithm for clusters, repaired, beside the ring of Baldoni, \
Virgillito and Petrassi. Its world is a square of 500 m with 20 to 500 nodes that go from one \
random point to another at 8 to 40 m/s and pause for 150 s, for 1,500 s. Not in the paper and \
chosen here: a radio range of 250 m, which is the usual one of the simulator it used; 10 ms for a \
message over a link and for a critical section; and loads: at a light, medium and heavy one a node \
asks 0.01, 0.3 and 10 times in a second that it spends neither waiting nor inside. Messages are \
routed over the shortest path, which costs nothing, and the network is kept in one piece. Clusters \
are those of the lowest identifiers, with the messages that it takes to keep them.";

const HEADING: &str = "Where we differ, and what else there is to see";

fn summary(results: &Results) -> Summary {
    let Results { gathered, faults, .. } = results;
    Summary {
        title: "Clusters: sections 6 to 8 of Sharma, Bhatia and Singh (2014)",
        introduction: INTRODUCTION,
        precision: precision(results),
        tables: vec![
            claims::table(gathered),
            claims::compared(gathered),
            formulas::table(gathered),
            formulas::parts(gathered),
            faults::table(faults),
            faults::claims(faults),
            tables::by_load(gathered),
            tables::by_askers(gathered),
            tables::by_mobility(gathered),
            tables::by_size(gathered),
            tables::by_motion(gathered),
            tables::by_kind(gathered),
            tables::upkeep(gathered),
        ],
        heading: HEADING,
        remarks: remarks::of(results),
    }
}

/// How much was run and how wide the intervals are, in sentences.
fn precision(results: &Results) -> String {
    let effort = &results.effort;
    let (finished, planned) = results.counts();
    let widths = results.gathered.interval_widths(&[
        |metrics| Quantity::Messages.of(metrics),
        |metrics| Quantity::Wait.of(metrics),
    ]);
    format!(
        "{finished} of {planned} runs: {}, {} s each, from a cold start. {}{}",
        repetitions_in_words(effort.repetitions, effort.seed),
        effort.seconds,
        widths_in_words(&widths),
        study::missing(finished, planned),
    )
}

/// The figures with their names.
fn drawn(results: &Gathered<Point>) -> Vec<(&'static str, Figure)> {
    vec![
        ("figure2", figures::by_load(results, Quantity::Hops)),
        ("figure3", figures::by_load(results, Quantity::Traffic)),
        ("messages", figures::by_load(results, Quantity::Messages)),
        ("figure4-6", figures::by_askers(results)),
        ("figure7", figures::by_mobility(results, Quantity::Traffic)),
        ("figure8", figures::by_mobility(results, Quantity::Wait)),
    ]
}

fn files(results: &Results, summary: &Summary, means: &Means<'_>) -> Vec<(String, String)> {
    let Results { gathered, faults, .. } = results;
    let csv = |name: &str, table: &Table| (name.to_owned(), table.csv());
    let mut files = vec![
        csv("claims.csv", &claims::table(gathered)),
        csv("compared.csv", &claims::compared(gathered)),
        csv("formulas.csv", &formulas::table(gathered)),
        csv("parts.csv", &formulas::parts(gathered)),
        csv("faults.csv", &faults::table(faults)),
        csv("by-load.csv", &tables::by_load(gathered)),
        csv("by-askers.csv", &tables::by_askers(gathered)),
        csv("by-mobility.csv", &tables::by_mobility(gathered)),
        csv("by-size.csv", &tables::by_size(gathered)),
        csv("by-motion.csv", &tables::by_motion(gathered)),
        csv("by-kind.csv", &tables::by_kind(gathered)),
        csv("upkeep.csv", &tables::upkeep(gathered)),
        csv("runs.csv", &tables::all_runs(gathered)),
        ("results.md".into(), summary.markdown(means.command)),
    ];
    files.extend(
        drawn(gathered).into_iter().map(|(name, drawn)| (format!("{name}.svg"), drawn.svg())),
    );
    files.push(("index.html".into(), page(results, summary, means).html()));
    files
}

fn page(results: &Results, summary: &Summary, means: &Means<'_>) -> Page {
    let Results { gathered, effort, .. } = results;
    let mut page = Page::new(summary.title);
    page.paragraph(INTRODUCTION).preformatted(means.command).paragraph(&summary.precision);
    study::failures(&mut page, &results.failures(), means.replay);
    page.heading("Figures");
    for (_, figure) in drawn(gathered) {
        page.figure(&figure, "");
    }
    page.heading("Tables");
    for table in &summary.tables {
        page.table(table);
    }
    page.heading(HEADING);
    page.list(&summary.remarks);
    let first: Vec<_> = points().into_iter().map(|point| effort.scenario(point, 0)).collect();
    study::commands(&mut page, &first, effort.repetitions, means.replay);
    page
}
