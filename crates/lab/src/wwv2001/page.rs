//! Everything on one page.

use super::claims;
use super::figures::PLOTS;
use super::grid::{Effort, READINGS, points, reading_name};
use super::published::Quantity;
use super::results::Results;
use super::tables;
use crate::gathered::{Gathered, repetitions_in_words, widths_in_words};
use crate::report::Page;
use crate::study;

/// The page. `command` is what regenerates it; `replay` tells how to run a scenario again.
pub fn page(
    results: &Results,
    command: &str,
    replay: &dyn Fn(&driftlock_sim::Scenario) -> String,
) -> Page {
    let mut page = Page::new("RL and RR: Walter, Welch, Vaidya (2001), regenerated");
    page.paragraph(
        "Tables 1 and 2 and Figures 5 to 8 of section 6 of \"A Mutual Exclusion Algorithm for Ad \
         Hoc Mobile Networks\" (Wireless Networks 7(6), 2001), from simulations with 30 nodes, a \
         critical section of 1 time unit and a message delay of 1 time unit per link.",
    );
    page.preformatted(command);
    page.paragraph(&precision(results));
    study::failures(&mut page, &results.gathered.failures, replay);
    page.heading("Tables");
    for quantity in Quantity::ALL {
        page.table(&tables::comparison(results, quantity));
    }
    page.table(&tables::fewer_links(results));
    page.details("In the paper's layout", |page| {
        for quantity in Quantity::ALL {
            for reading in READINGS {
                page.table(&tables::as_printed(results, quantity, reading));
            }
        }
    });
    page.heading("Figures");
    for plot in PLOTS {
        page.subheading(&plot.title());
        for reading in READINGS {
            page.figure(&plot.figure(results, reading), reading_name(reading));
        }
    }
    page.heading("What the paper says in words");
    for reading in READINGS {
        page.table(&claims::table(results, reading));
    }
    page.heading("Where we differ, and why");
    page.list(claims::explanations());
    let first = points().into_iter().map(|point| results.effort.scenario(point, 0));
    let first: Vec<_> = first.collect();
    study::commands(&mut page, &first, results.effort.repetitions, replay);
    page
}

/// How much was run and how wide the intervals are, in sentences.
pub fn precision(results: &Results) -> String {
    let Effort { repetitions, seed, cold_entries, warmup, steady_entries, .. } = results.effort;
    let each = repetitions_in_words(repetitions, seed);
    let Gathered { finished, planned, .. } = results.gathered;
    format!(
        "{finished} of {planned} runs: {each}; a cold start measures the first {cold_entries} \
         entries, the steady state up to {steady_entries} after {warmup} (fewer where links change \
         much more often than anyone enters). {}{}",
        widths_in_words(&results.interval_widths()),
        study::missing(finished, planned),
    )
}
