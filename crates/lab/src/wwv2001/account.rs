//! What is written and said.

use super::figures::PLOTS;
use super::grid::{READINGS, points};
use super::published::Quantity;
use super::{Effort, Results, claims, page, tables};
use crate::study::{Account, Means, Order, Paper};
use crate::table::Table;

/// The paper of RL.
pub const PAPER: Paper = Paper {
    name: "rl",
    aliases: &["wwv", "wwv2001"],
    repetitions: [Effort::DEFAULT.repetitions, Effort::FULL.repetitions],
    runs: |order| points().len() * order.repetitions as usize,
    conduct,
};

fn conduct(order: &Order, means: &Means<'_>) -> Account {
    let effort = if order.full { Effort::FULL } else { Effort::DEFAULT };
    let effort = Effort { seed: order.seed, repetitions: order.repetitions, ..effort };
    let results = Results::gather(effort, means.threads, means.stop, means.run);
    Account {
        files: files(&results, means),
        text: text(&results),
        planned: results.gathered.planned,
        finished: results.gathered.finished,
        failures: results.gathered.failures,
    }
}

fn text(results: &Results) -> String {
    let mut text = String::new();
    for quantity in Quantity::ALL {
        text.push_str(&tables::comparison(results, quantity).plain_text());
        text.push('\n');
    }
    text.push_str(&tables::fewer_links(results).plain_text());
    text.push('\n');
    text.push_str(&claims::table(results, claims::CLOSEST).plain_text());
    text.push_str(&format!("\n{}\n\n", page::precision(results)));
    text.push_str("Where we differ from the paper, and why:\n");
    for explanation in claims::explanations() {
        text.push_str(&format!("* {explanation}\n"));
    }
    text
}

fn files(results: &Results, means: &Means<'_>) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let csv = |name: &str, table: &Table| (name.to_owned(), table.csv());
    for (k, quantity) in (1..).zip(Quantity::ALL) {
        files.push(csv(&format!("table{k}.csv"), &tables::comparison(results, quantity)));
        let printed = tables::as_printed(results, quantity, claims::CLOSEST).markdown();
        files.push((format!("table{k}.md"), printed));
    }
    files.push(csv("rr-fewer-links.csv", &tables::fewer_links(results)));
    files.push(csv("runs.csv", &results.all_runs()));
    for plot in PLOTS {
        for reading in READINGS {
            let svg = plot.figure(results, reading).svg();
            files.push((format!("{}.svg", plot.file_stem(reading)), svg));
        }
    }
    let page = page::page(results, means.command, means.replay);
    files.push(("index.html".into(), page.html()));
    files
}
