//! Everything on one page.

use super::claims;
use super::figures::PLOTS;
use super::grid::{Effort, READINGS, points, reading_name};
use super::published::Quantity;
use super::results::Results;
use super::tables;
use crate::report::Page;
use crate::stats;

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
    failures(&mut page, results, replay);
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
    commands(&mut page, &results.effort, replay);
    page
}

/// How much was run and how wide the intervals are, in sentences.
pub fn precision(results: &Results) -> String {
    let Effort { repetitions, seed, cold_entries, warmup, steady_entries, .. } = results.effort;
    let each = match repetitions {
        1 => format!("one repetition of each point with the seed {seed}"),
        several => {
            let last = seed.wrapping_add(several - 1);
            format!("{several} repetitions of each point with the seeds {seed} to {last}")
        }
    };
    let mut text = format!(
        "{} of {} runs: {each}; a cold start measures the first {cold_entries} entries, the steady \
         state up to {steady_entries} after {warmup} (fewer where links change much more often \
         than anyone enters). {}",
        results.finished,
        results.planned,
        interval_widths(results),
    );
    if results.finished < results.planned {
        text.push_str(" The run was interrupted: what is missing is left out, not estimated.");
    }
    text
}

fn interval_widths(results: &Results) -> String {
    let widths = results.interval_widths();
    let percent = |fraction| stats::quantile(&widths, fraction).map(|width| 100.0 * width);
    match (percent(0.5), percent(0.9), percent(1.0)) {
        (Some(median), Some(most), Some(widest)) => format!(
            "Half-widths of the 95 % intervals: median {median:.1} % of the mean, 90 % of them \
             below {most:.1} %, the widest {widest:.1} %."
        ),
        _ => "There are no intervals: that takes two repetitions.".into(),
    }
}

fn failures(
    page: &mut Page,
    results: &Results,
    replay: &dyn Fn(&driftlock_sim::Scenario) -> String,
) {
    if results.failures.is_empty() {
        page.paragraph("No promise was broken in any run.");
        return;
    }
    page.heading("Broken promises");
    let lines: Vec<String> = results
        .failures
        .iter()
        .map(|failure| format!("{}: `{}`", failure.what, replay(&failure.scenario)))
        .collect();
    page.list(lines);
}

fn commands(page: &mut Page, effort: &Effort, replay: &dyn Fn(&driftlock_sim::Scenario) -> String) {
    page.heading("Commands");
    page.paragraph("Every point can be run by itself:");
    page.details("All points", |page| {
        let lines: Vec<String> = points()
            .into_iter()
            .map(|point| {
                let command = replay(&effort.scenario(point, 0));
                format!("{command} --reps {}", effort.repetitions)
            })
            .collect();
        page.preformatted(&lines.join("\n"));
    });
}
