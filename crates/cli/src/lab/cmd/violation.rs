//! A run in which a promise was broken, written down.

use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftlock_sim::Scenario;
use serde::Serialize;

use crate::lab::command_line::quoted;
use crate::lab::{files, registry};
use crate::program;
use crate::terminal::{remark, say, say_line};

/// How many of the last steps before a violation are shown.
const SHOWN_STEPS: usize = 12;

/// A run in which a promise was broken.
#[derive(Serialize)]
pub(crate) struct Counterexample {
    seed: u64,
    violation: String,
    journal: PathBuf,
    /// What to type to run it again.
    replay: String,
    /// In how many repetitions a promise was broken, and of how many.
    #[serde(skip)]
    frequency: (usize, usize),
}

impl Counterexample {
    /// Write the journal of a run, unless `written` has it already. Runs are deterministic, so it
    /// is enough to run it again.
    pub(crate) fn keep(
        job: &Scenario,
        violation: String,
        replay: String,
        written: Option<&Path>,
    ) -> Result<Self> {
        let journal = match written {
            Some(path) => path.into(),
            None => PathBuf::from(format!("violation-{}-seed{}.dlj", job.protocol, job.seed)),
        };
        if written.is_none() {
            let watch = &mut |_| ControlFlow::Continue(());
            files::write(&journal, |to| registry::run(job, Some(to), watch)).with_context(
                || format!("{violation}; replay: {replay}; but its journal is lost"),
            )?;
        }
        Ok(Counterexample { seed: job.seed, violation, journal, replay, frequency: (1, 1) })
    }

    /// There are more like it.
    pub(crate) fn among(self, found: usize, of: usize) -> Self {
        Counterexample { frequency: (found, of), ..self }
    }

    /// Tell of it; in one line, where standard output is for machines.
    pub(crate) fn tell(&self, in_one_line: bool) -> Result<()> {
        let Counterexample { seed, violation, replay, .. } = self;
        let journal = quoted(&self.journal.to_string_lossy());
        if in_one_line {
            remark(&format!("{violation}; journal: {journal}; replay: {replay}"));
            return Ok(());
        }
        let often = match self.frequency {
            (1, 1) => String::new(),
            (found, of) => format!("in {found} of {of} repetitions, first "),
        };
        say_line(&format!("\nVIOLATED {often}with seed {seed}: {violation}"))?;
        say_line("the last steps:")?;
        say(&last_steps(&self.journal)?)?;
        say_line(&format!("journal: {journal}"))?;
        say_line(&format!("replay:  {replay}"))?;
        say_line(&format!("         {} replay {journal} --print", program::name()))
    }
}

fn last_steps(path: &Path) -> Result<String> {
    let name = || path.display().to_string();
    let file = BufReader::new(File::open(path).with_context(name)?);
    let mut reader = registry::read(file).with_context(name)?;
    let mut last = VecDeque::new();
    let replayed = registry::replay_journal(&mut reader, &mut |step| {
        if last.len() == SHOWN_STEPS {
            last.pop_front();
        }
        last.push_back(step());
    });
    replayed.with_context(name)?;
    Ok(last.into_iter().collect())
}
