//! What is said to Slurm, and what it says: [`Queue`].

use std::cell::Cell;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

/// How often in a row the queue may be out of reach.
const TRIES: u32 = 60;

/// An array job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Job {
    /// What Slurm calls it.
    pub(super) id: String,
    /// How many parts the sweep is cut into.
    count: u32,
}

/// How many tasks of a job are under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tasks {
    pub(super) run: usize,
    pub(super) wait: usize,
}

/// Slurm's queue.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// How often in a row it was out of reach.
    failures: Cell<u32>,
}

impl Job {
    /// As it is written down.
    pub(super) fn text(&self) -> String {
        format!("{} {}\n", self.id, self.count)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let (id, count) = text.trim().split_once(' ')?;
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_ascii_digit());
        is_id.then_some(Job { id: id.into(), count: count.parse().ok()? })
    }
}

impl Tasks {
    pub(super) fn all(self) -> usize {
        self.run + self.wait
    }

    /// From one line with a state for each task that is not over.
    fn parse(states: &str) -> Self {
        let wait = states.lines().filter(|state| state.trim() == "PENDING").count();
        let all = states.lines().filter(|state| !state.trim().is_empty()).count();
        Tasks { run: all - wait, wait }
    }
}

impl Queue {
    /// Hand in an array job.
    pub(super) fn submit(&self, words: &[String], script: &Path, count: u32) -> Result<Job> {
        let output = Command::new("sbatch").arg("--parsable").args(words).arg(script).output();
        let output = output.context(
            "cannot run sbatch: --engine slurm needs a machine from which jobs are submitted",
        )?;
        let said = String::from_utf8_lossy(&output.stdout);
        // On several clusters their name follows.
        let id = said.trim().split(';').next().unwrap_or_default();
        match Job::parse(&format!("{id} {count}")) {
            Some(job) if output.status.success() => Ok(job),
            _ => bail!("sbatch refuses: {}", last_words(&output)),
        }
    }

    /// How many tasks of a job are under way. A queue that is out of reach for a while says as much
    /// as one where everything waits.
    pub(super) fn look(&self, job: &Job) -> Result<Tasks> {
        let words = ["--noheader", "--array", "--format=%T", "--jobs", &job.id];
        let output = Command::new("squeue").args(words).output();
        let output = output.context("cannot run squeue, which comes with sbatch")?;
        if output.status.success() {
            self.failures.set(0);
            return Ok(Tasks::parse(&String::from_utf8_lossy(&output.stdout)));
        }
        // A job that was over long ago is forgotten.
        if last_words(&output).contains("Invalid job id") {
            return Ok(Tasks::default());
        }
        self.failures.set(self.failures.get() + 1);
        if self.failures.get() > TRIES {
            bail!("Slurm is out of reach: {}", last_words(&output));
        }
        Ok(Tasks { run: 0, wait: 1 })
    }
}

/// The last that a command has complained of.
fn last_words(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or_else(|| output.status.to_string(), |line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_written_down_and_found_again() {
        let job = Job { id: "4711".into(), count: 12 };
        assert_eq!(Job::parse(&job.text()), Some(job));
        for text in ["", "12", "x 3", "12 x", " 3", "--help 3"] {
            assert_eq!(Job::parse(text), None, "{text}");
        }
    }

    #[test]
    fn whoever_is_not_pending_runs() {
        assert_eq!(Tasks::parse("PENDING\nRUNNING\nCOMPLETING\n\n"), Tasks { run: 2, wait: 1 });
        assert_eq!(Tasks::parse(""), Tasks::default());
    }
}
