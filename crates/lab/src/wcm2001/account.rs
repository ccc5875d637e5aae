//! What is written and said.

use super::figures::{Cast, PLOTS};
use super::grid::{Algorithm, Effort, Point, Quantity, points};
use super::{claims, tables};
use crate::gathered::{Gathered, repetitions_in_words, widths_in_words};
use crate::report::Page;
use crate::study::{self, Account, Means, Order, Paper, Summary};
use crate::table::Table;

/// The paper of KRL.
pub const PAPER: Paper = Paper {
    name: "krl",
    aliases: &["wcm", "wcm2001"],
    repetitions: [Effort::DEFAULT.repetitions, Effort::FULL.repetitions],
    runs: |order| {
        let effort = effort(order);
        let jobs = CASTS.map(|cast| effort.jobs(points(cast)).len());
        jobs.iter().sum::<usize>() + effort.ageing().len()
    },
    conduct,
};

const CASTS: [&[Algorithm]; 2] = [&Algorithm::OURS, &Algorithm::PUBLISHED];

/// What came of all runs.
#[derive(Clone, Debug)]
pub struct Results {
    /// How much was run.
    pub effort: Effort,
    /// The runs of what keeps its promises.
    pub gathered: Gathered<Point>,
    /// The runs of the published text, which may break them.
    pub literal: Gathered<Point>,
    /// Runs of KRLF of several lengths, of either text.
    pub ageing: Gathered<(Algorithm, u64)>,
}

impl Results {
    /// Run everything.
    pub fn gather(effort: Effort, means: &Means<'_>) -> Self {
        let [gathered, literal] = CASTS.map(|cast| means.gather(effort.jobs(points(cast))));
        let ageing = means.gather(effort.ageing());
        Results { effort, gathered, literal, ageing }
    }

    fn counts(&self) -> (usize, usize) {
        let Results { gathered, literal, ageing, .. } = self;
        let finished = [gathered.finished, literal.finished, ageing.finished];
        let planned = [gathered.planned, literal.planned, ageing.planned];
        (finished.iter().sum(), planned.iter().sum())
    }
}

fn effort(order: &Order) -> Effort {
    let effort = if order.full { Effort::FULL } else { Effort::DEFAULT };
    Effort { seed: order.seed, repetitions: order.repetitions, ..effort }
}

fn conduct(order: &Order, means: &Means<'_>) -> Account {
    account(Results::gather(effort(order), means), means)
}

/// All of it.
pub(super) fn account(results: Results, means: &Means<'_>) -> Account {
    let (finished, planned) = results.counts();
    Account {
        files: files(&results, means),
        text: summary(&results).text(),
        planned,
        finished,
        failures: results.gathered.failures,
    }
}

fn summary(results: &Results) -> Summary {
    let Results { gathered, literal, ageing, effort } = results;
    let mut shown = Quantity::ALL.map(|quantity| tables::by_load(gathered, quantity)).to_vec();
    shown.extend(Quantity::ALL.map(|quantity| tables::by_connectivity(gathered, quantity)));
    shown.push(tables::fairness(gathered));
    shown.push(tables::published(gathered, literal, effort));
    shown.push(tables::ageing(ageing));
    shown.push(claims::table(gathered, claims::REPAIRED));
    shown.push(claims::table(literal, claims::PUBLISHED));
    shown.push(claims::goals(gathered));
    Summary {
        title: "KRL and KRLF: section 6 of Walter, Cao and Mohanty (2001)",
        introduction: INTRODUCTION,
        precision: precision(results),
        tables: shown,
        heading: HEADING,
        remarks: claims::EXPLANATIONS.iter().copied().map(Into::into).collect(),
    }
}

const HEADING: &str = "Where we differ, and what else there is to see";

const INTRODUCTION: &str = "Figures 6 to 9 of \"A k-Mutual Exclusion Algorithm for Wireless Ad \
Hoc Networks\" (2001), from simulations with 30 nodes, 3 tokens, a critical section of 1 time \
unit and a message delay of 1 time unit per link; a link change takes a random link away and \
forms a random one. KRLA, which forwards tokens while there is something to do, and RK, Raymond's \
permission-based algorithm over ideal routing, are our additions.";

/// How much was run and how wide the intervals are, in sentences.
fn precision(results: &Results) -> String {
    let Effort { repetitions, seed, entries, entries_idle } = results.effort;
    let (finished, planned) = results.counts();
    format!(
        "{finished} of {planned} runs: {}, measured from time 0 on, as in the paper, for {entries} \
         entries ({entries_idle} at loads below 0.01). {}{}",
        repetitions_in_words(repetitions, seed),
        widths_in_words(&results.gathered.interval_widths(&Quantity::ALL.map(Quantity::of))),
        study::missing(finished, planned),
    )
}

fn files(results: &Results, means: &Means<'_>) -> Vec<(String, String)> {
    let Results { gathered, literal, ageing, effort } = results;
    let csv = |name: &str, table: &Table| (name.to_owned(), table.csv());
    let [time, messages] = Quantity::ALL;
    let mut files = vec![
        csv("time-by-load.csv", &tables::by_load(gathered, time)),
        csv("messages-by-load.csv", &tables::by_load(gathered, messages)),
        csv("time-by-connectivity.csv", &tables::by_connectivity(gathered, time)),
        csv("messages-by-connectivity.csv", &tables::by_connectivity(gathered, messages)),
        csv("fairness.csv", &tables::fairness(gathered)),
        csv("published.csv", &tables::published(gathered, literal, effort)),
        csv("ageing.csv", &tables::ageing(ageing)),
        csv("claims.csv", &claims::table(gathered, claims::REPAIRED)),
        csv("claims-published.csv", &claims::table(literal, claims::PUBLISHED)),
        csv("goals.csv", &claims::goals(gathered)),
        csv("runs.csv", &tables::all_runs([gathered, literal], ageing)),
        ("results.md".into(), summary(results).markdown(means.command)),
    ];
    for plot in PLOTS {
        for cast in Cast::ALL {
            files.push((plot.file_name(cast), plot.figure(gathered, cast).svg()));
        }
    }
    files.push(("index.html".into(), page(results, means).html()));
    files
}

fn page(results: &Results, means: &Means<'_>) -> Page {
    let Results { gathered, literal, ageing, effort } = results;
    let mut page = Page::new("KRL and KRLF: Walter, Cao, Mohanty (2001), regenerated");
    page.paragraph(INTRODUCTION).preformatted(means.command).paragraph(&precision(results));
    study::failures(&mut page, &gathered.failures, means.replay);
    page.heading("Figures");
    for plot in PLOTS {
        page.subheading(&plot.title());
        page.figure(&plot.figure(gathered, Cast::Paper), "As in the paper.");
        page.figure(&plot.figure(gathered, Cast::Ours), "With our additions.");
    }
    page.heading("What the paper says in words, and what we want of KRLA");
    page.table(&claims::table(gathered, claims::REPAIRED));
    page.table(&claims::table(literal, claims::PUBLISHED));
    page.table(&claims::goals(gathered));
    page.heading(HEADING);
    page.list(claims::EXPLANATIONS);
    page.heading("Tables");
    page.table(&tables::fairness(gathered));
    page.table(&tables::published(gathered, literal, effort));
    page.table(&tables::ageing(ageing));
    for quantity in Quantity::ALL {
        page.table(&tables::by_load(gathered, quantity));
    }
    for quantity in Quantity::ALL {
        page.table(&tables::by_connectivity(gathered, quantity));
    }
    let all = CASTS.into_iter().flat_map(points);
    let first: Vec<_> = all.map(|point| effort.scenario(point, 0)).collect();
    study::commands(&mut page, &first, effort.repetitions, means.replay);
    page
}
