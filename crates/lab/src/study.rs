//! Experiments by their names, and what is written and said of each.

use std::sync::atomic::AtomicBool;

use driftlock_sim::{Run, Scenario};

use crate::gathered::{Failure, Gathered};
use crate::report::Page;
use crate::table::Table;
use crate::{akw2008, jiang, sbs2014, wcm2001, wwv2001};

/// A paper whose experiments can be run, by its protocol.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The name of the protocol.
    pub name: &'static str,
    /// What else it is called: by its authors, with and without its year.
    pub aliases: &'static [&'static str],
    /// Repetitions of each point, if nothing is said: in the short form and in the full one.
    pub repetitions: [u64; 2],
    /// How many runs an order takes.
    pub runs: fn(&Order) -> usize,
    /// Run everything.
    pub conduct: fn(&Order, &Means<'_>) -> Account,
}

/// All papers.
pub static PAPERS: [Paper; 5] =
    [wwv2001::PAPER, wcm2001::PAPER, jiang::PAPER, akw2008::PAPER, sbs2014::PAPER];

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Take the time that tight intervals need.
    pub full: bool,
    /// Repetitions of each point.
    pub repetitions: u64,
    /// The seed of the first repetition; each further one adds 1.
    pub seed: u64,
}

/// What it is done with.
#[expect(missing_debug_implementations, reason = "there is nothing to see in a function")]
pub struct Means<'a> {
    /// How many threads run.
    pub threads: usize,
    /// Once it is set, what is finished is all there is.
    pub stop: &'a AtomicBool,
    /// Runs a scenario, and knows the protocols; nothing is a run that was broken off.
    pub run: &'a (dyn Fn(&Scenario) -> Option<Run> + Sync),
    /// Tells how to run a scenario again.
    pub replay: &'a dyn Fn(&Scenario) -> String,
    /// What regenerates the same results.
    pub command: &'a str,
}

/// What is written and said of an experiment.
#[derive(Clone, Debug)]
pub struct Account {
    /// The files, by name.
    pub files: Vec<(String, String)>,
    /// What is printed.
    pub text: String,
    /// Runs in which a promise was broken that should have held.
    pub failures: Vec<Failure>,
    /// How many runs there should have been.
    pub planned: usize,
    /// How many of them were finished.
    pub finished: usize,
}

impl Means<'_> {
    /// Run these jobs.
    pub fn gather<P: Ord + Copy + Sync>(&self, jobs: Vec<(P, Scenario)>) -> Gathered<P> {
        Gathered::gather(jobs, self.threads, self.stop, self.run)
    }
}

/// An experiment in words and tables, the same on a terminal and in a document.
pub(crate) struct Summary {
    pub(crate) title: &'static str,
    pub(crate) introduction: &'static str,
    /// How much was run and how wide the intervals are.
    pub(crate) precision: String,
    pub(crate) tables: Vec<Table>,
    /// What the remarks are about, and the remarks.
    pub(crate) heading: &'static str,
    pub(crate) remarks: Vec<String>,
}

impl Summary {
    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            text.push_str(&format!("{}\n", table.plain_text()));
        }
        text.push_str(&format!("{}\n\n{}:\n", self.precision, self.heading));
        for remark in &self.remarks {
            text.push_str(&format!("* {remark}\n"));
        }
        text
    }

    /// For a document. `command` is what regenerates it.
    pub(crate) fn markdown(&self, command: &str) -> String {
        let Summary { title, introduction, precision, heading, .. } = self;
        let mut text = format!("# {title}\n\n{introduction}\n\n```text\n{command}\n```\n\n");
        text.push_str(&format!("{precision}\n\n"));
        for table in &self.tables {
            text.push_str(&format!("{}\n", table.markdown()));
        }
        text.push_str(&format!("## {heading}\n\n"));
        for remark in &self.remarks {
            text.push_str(&format!("* {remark}\n"));
        }
        text
    }
}

/// What is missing, in a sentence; nothing if nothing is.
pub(crate) fn missing(finished: usize, planned: usize) -> &'static str {
    if finished < planned {
        " The run was interrupted: what is missing is left out, not estimated."
    } else {
        ""
    }
}

/// The broken promises on a page, each with how to see it again.
pub(crate) fn failures(
    page: &mut Page,
    failures: &[Failure],
    replay: &dyn Fn(&Scenario) -> String,
) {
    if failures.is_empty() {
        page.paragraph("No promise was broken in any run.");
        return;
    }
    page.heading("Broken promises");
    let line = |failure: &Failure| format!("{}: `{}`", failure.what, replay(&failure.scenario));
    page.list(failures.iter().map(line));
}

/// The commands on a page that run each point by itself.
pub(crate) fn commands(
    page: &mut Page,
    first_runs: &[Scenario],
    repetitions: u64,
    replay: &dyn Fn(&Scenario) -> String,
) {
    page.heading("Commands");
    page.paragraph("Every point can be run by itself:");
    page.details("All points", |page| {
        let line = |scenario: &Scenario| format!("{} --reps {repetitions}", replay(scenario));
        let lines: Vec<String> = first_runs.iter().map(line).collect();
        page.preformatted(&lines.join("\n"));
    });
}
