//! What is written and said.

use super::crashes::Trial;
use super::grid::{Algorithm, Effort, Point, Quantity, points};
use super::growth::Along;
use super::{figures, findings, picture, tables};
use crate::gathered::{Failure, Gathered, repetitions_in_words, widths_in_words};
use crate::report::Page;
use crate::study::{self, Account, Means, Order, Paper, Summary};
use crate::table::Table;

/// The paper of local mutual exclusion.
pub const PAPER: Paper = Paper {
    name: "lme",
    aliases: &["akw", "akw2008"],
    repetitions: [Effort::DEFAULT.repetitions, Effort::FULL.repetitions],
    runs: |order| {
        let effort = effort(order);
        effort.jobs().len() + effort.crash_jobs().len() + picture::DRAWN.len()
    },
    conduct,
};

fn effort(order: &Order) -> Effort {
    let effort = if order.full { Effort::FULL } else { Effort::DEFAULT };
    Effort { seed: order.seed, repetitions: order.repetitions, ..effort }
}

fn conduct(order: &Order, means: &Means<'_>) -> Account {
    account(Results::gather(effort(order), means), means)
}

/// What came of all runs.
#[derive(Clone, Debug)]
pub struct Results {
    /// How much was run.
    pub effort: Effort,
    /// Times and messages.
    pub gathered: Gathered<Point>,
    /// Nodes that stop.
    pub trials: Gathered<Trial>,
    /// What is drawn.
    pub drawn: Gathered<Algorithm>,
}

impl Results {
    /// Run everything.
    pub fn gather(effort: Effort, means: &Means<'_>) -> Self {
        let gathered = means.gather(effort.jobs());
        let trials = means.gather(effort.crash_jobs());
        let drawn = means.gather(picture::jobs(effort.seed));
        Results { effort, gathered, trials, drawn }
    }

    fn counts(&self) -> (usize, usize) {
        let Results { gathered, trials, drawn, .. } = self;
        let finished = gathered.finished + trials.finished + drawn.finished;
        (finished, gathered.planned + trials.planned + drawn.planned)
    }

    fn failures(&self) -> Vec<Failure> {
        let Results { gathered, trials, drawn, .. } = self;
        [&gathered.failures[..], &trials.failures[..], &drawn.failures[..]].concat()
    }
}

/// All of it.
pub(super) fn account(results: Results, means: &Means<'_>) -> Account {
    let (finished, planned) = results.counts();
    let summary = summary(&results);
    Account {
        files: files(&results, &summary, means),
        text: summary.text(),
        planned,
        finished,
        failures: results.failures(),
    }
}

const INTRODUCTION: &str = "The measurements that \"Efficient and Robust Local Mutual Exclusion in \
Mobile Ad Hoc Networks\" (2008) does not have: its Table 1 with measured columns, how fast waits \
grow with the number of nodes and with the degree, how far from a node that stops others starve, \
and messages. No two neighbors may be inside together. A message takes from 0.1 to 1 time unit, a \
critical section takes 1. Where nodes move, half of them do: half of the time they are on the way \
from one random point to another, and half of the time they pause.";

const HEADING: &str = "What there is to see";

fn summary(results: &Results) -> Summary {
    let Results { gathered, trials, .. } = results;
    Summary {
        title: "Local mutual exclusion (Attiya, Kogan, Welch), measured",
        introduction: INTRODUCTION,
        precision: precision(results),
        tables: vec![
            tables::table1(gathered, trials),
            tables::exponents(gathered, Along::Nodes),
            tables::exponents(gathered, Along::Degree),
            tables::waits(gathered, Quantity::Longest),
            tables::locality(trials),
            tables::shares(trials),
            tables::messages(gathered),
            tables::kinds(gathered),
            findings::times(gathered),
            findings::localities(trials),
            findings::messages(gathered),
        ],
        heading: HEADING,
        remarks: findings::REMARKS.iter().copied().map(Into::into).collect(),
    }
}

/// How much was run and how wide the intervals are, in sentences.
fn precision(results: &Results) -> String {
    let effort = &results.effort;
    let (finished, planned) = results.counts();
    let widths = results
        .gathered
        .interval_widths(&[|metrics| metrics.waiting.mean, |metrics| metrics.messages_per_entry]);
    format!(
        "{finished} of {planned} runs: {}, {} entries to a node in a steady state, or one to a \
         node from a cold start; {} crashes of each algorithm on each network. {}{}",
        repetitions_in_words(effort.repetitions, effort.seed),
        effort.entries,
        effort.n_crashes(),
        widths_in_words(&widths),
        study::missing(finished, planned),
    )
}

fn files(results: &Results, summary: &Summary, means: &Means<'_>) -> Vec<(String, String)> {
    let Results { gathered, trials, drawn, effort } = results;
    let csv = |name: &str, table: &Table| (name.to_owned(), table.csv());
    let response = |along| figures::response(gathered, effort, along).svg();
    vec![
        csv("table1.csv", &tables::table1(gathered, trials)),
        csv("exponents-n.csv", &tables::exponents(gathered, Along::Nodes)),
        csv("exponents-degree.csv", &tables::exponents(gathered, Along::Degree)),
        csv("waits-longest.csv", &tables::waits(gathered, Quantity::Longest)),
        csv("waits-mean.csv", &tables::waits(gathered, Quantity::Mean)),
        csv("locality.csv", &tables::locality(trials)),
        csv("shares.csv", &tables::shares(trials)),
        csv("messages.csv", &tables::messages(gathered)),
        csv("messages-by-kind.csv", &tables::kinds(gathered)),
        csv("findings-times.csv", &findings::times(gathered)),
        csv("findings-locality.csv", &findings::localities(trials)),
        csv("findings-messages.csv", &findings::messages(gathered)),
        csv("runs.csv", &tables::all_runs(gathered, trials)),
        ("response-n.svg".into(), response(Along::Nodes)),
        ("response-degree.svg".into(), response(Along::Degree)),
        ("starving.svg".into(), figures::locality(trials).svg()),
        ("messages.svg".into(), figures::messages(gathered, effort).svg()),
        ("locality.svg".into(), picture::map(drawn).svg()),
        ("results.md".into(), summary.markdown(means.command)),
        ("index.html".into(), page(results, summary, means).html()),
    ]
}

fn page(results: &Results, summary: &Summary, means: &Means<'_>) -> Page {
    let Results { gathered, trials, drawn, effort } = results;
    let mut page = Page::new(summary.title);
    page.paragraph(INTRODUCTION).preformatted(means.command).paragraph(&summary.precision);
    study::failures(&mut page, &results.failures(), means.replay);
    page.heading("Figures");
    page.map(&picture::map(drawn), "Failure locality.");
    page.figure(&figures::locality(trials), "The same over many crashes.");
    for along in [Along::Nodes, Along::Degree] {
        page.figure(&figures::response(gathered, effort, along), "Growth of the longest wait.");
    }
    page.figure(&figures::messages(gathered, effort), "Messages.");
    page.heading("Tables");
    for table in &summary.tables {
        page.table(table);
    }
    page.table(&tables::waits(gathered, Quantity::Mean));
    page.heading(HEADING);
    page.list(findings::REMARKS);
    // A script cannot be typed.
    let typed = points().into_iter().map(|point| effort.scenario(point, 0));
    let first: Vec<_> = typed.filter(|scenario| scenario.script.is_empty()).collect();
    study::commands(&mut page, &first, effort.repetitions, means.replay);
    page
}
