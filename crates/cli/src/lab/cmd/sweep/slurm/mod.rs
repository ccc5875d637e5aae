//! `driftlock sweep --engine slurm`: the cells of a sweep as the tasks of an array job.
//!
//! Each task runs one part of the sweep, as `--shard` does, and writes its own log into the folder,
//! which all machines see. What is finished is seen in these logs and nowhere else: Slurm is asked
//! only whether anything is still under way. Whoever is not finished then is begun again, and goes
//! on where it was, unless someone has cancelled it. `queue` talks to Slurm, and `patience` is for
//! when it does not answer.

mod patience;
mod queue;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::{Plan, Shard};
use tokio::time::Instant;

use self::patience::Patience;
use self::queue::{Answer, Job, Tasks};
use crate::lab::args::{SlurmArgs, SweepArgs};
use crate::lab::command_line::quoted;
use crate::lab::files;
use crate::lab::progress::Steps;
use crate::program;

/// A task takes seconds to begin, so there should be some work in it.
const CELLS_PER_TASK: usize = 4;
/// More tasks than this in one array are refused by many clusters.
const TASKS: usize = 64;
/// The place of a task in its array, as a script has it.
const TASK: &str = "$SLURM_ARRAY_TASK_ID";
/// Seconds between two looks at the queue, if nobody says.
const POLL: f64 = 5.0;
/// How often tasks are begun again, if nobody says.
const RETRIES: u32 = 3;

/// A sweep on a cluster.
struct Cluster<'a> {
    args: &'a SlurmArgs,
    plan: &'a Plan,
    /// The folder of results, as every machine finds it.
    out: PathBuf,
    steps: Steps,
    stop: &'a AtomicBool,
}

/// Run everything that is missing in a folder.
pub(super) fn conduct(
    args: &SweepArgs,
    plan: &Plan,
    out: &Path,
    kept: &mut Kept,
    stop: &AtomicBool,
) -> Result<()> {
    // Where nothing is left to do, no cluster is needed.
    if kept.missing(plan, None).is_empty() {
        return Ok(());
    }
    let absolute = |path: &Path| fs::canonicalize(path).with_context(|| path.display().to_string());
    let out = absolute(out)?;
    files::make_folder(&out.join("slurm"))?;
    let steps = Steps::new(plan.cells.len() as u64, "cells");
    Cluster { args: &args.slurm, plan, out, steps, stop }.conduct(kept)
}

impl Cluster<'_> {
    fn conduct(&self, kept: &mut Kept) -> Result<()> {
        let retries = self.args.retries.unwrap_or(RETRIES);
        let mut begun = 0;
        let mut job = self.under_way()?;
        self.steps.were_done(self.finished(&kept.missing(self.plan, None)));
        loop {
            kept.look(&self.out)?;
            let missing = kept.missing(self.plan, None);
            if missing.is_empty() {
                break;
            }
            let current = match job.take() {
                Some(job) => {
                    self.steps
                        .remark(&format!("job {} is under way already, and is watched", job.id));
                    job
                }
                None if begun > retries => return self.give_up(&missing, begun),
                None if self.stop.load(Ordering::Relaxed) => bail!(
                    "interrupted: {} cells are not finished; what is finished is kept: the same \
                     command goes on",
                    missing.len()
                ),
                None => {
                    begun += 1;
                    self.submit(&missing, begun)?
                }
            };
            self.watch(&current, kept)?;
        }
        Ok(())
    }

    /// How many cells are finished, or cannot be run.
    fn finished(&self, missing: &[usize]) -> u64 {
        (self.plan.cells.len() - missing.len()) as u64
    }

    /// The job that another process has begun in this folder, if it is not over.
    fn under_way(&self) -> Result<Option<Job>> {
        let record = fs::read_to_string(self.record()).ok();
        if let Some(job) = record.and_then(|text| Job::parse(&text))
            && queue::look(&job, self.stop)? != Answer::Says(Tasks::default())
        {
            return Ok(Some(job));
        }
        self.unrecorded()
    }

    /// A job of which there is no record: who has handed it in came to an end before that.
    fn unrecorded(&self) -> Result<Option<Job>> {
        let script = fs::read_to_string(self.script_path()).unwrap_or_default();
        let Some(count) = count_in(&script).filter(|_| !self.is_elsewhere()) else {
            return Ok(None);
        };
        let found = match queue::find(&self.script_path(), count, self.stop)? {
            Answer::Says(found) => found,
            // Whoever hands in a job is told so as well.
            Answer::Nothing(_) => None,
        };
        if let Some(job) = &found {
            files::write_text(&self.record(), &job.text())?;
        }
        Ok(found)
    }

    /// Begin a job for the parts that cells are missing of.
    fn submit(&self, missing: &[usize], begun: u32) -> Result<Job> {
        let count = self.count();
        let parts = lacking(missing, count);
        let script = self.script_path();
        files::write_text(&self.copy(), &self.plan.text)?;
        files::write_text(&script, &self.script(count)?)?;
        let mut words = vec![
            format!("--job-name={}-{}", program::name(), self.stem()),
            format!("--array={}", list(&parts)),
            format!("--cpus-per-task={}", self.cpus()),
            format!("--output={}", log_pattern(&self.out)),
            "--open-mode=append".into(),
        ];
        words.extend(self.args.sbatch.iter().cloned());
        let job = self.hand_in(&words, &script, count)?;
        files::write_text(&self.record(), &job.text())?;
        let tasks = parts.len();
        let what = if begun == 1 { "is" } else { "begins again what is not finished:" };
        self.steps.remark(&format!("job {} {what} {tasks} tasks, {} cells", job.id, missing.len()));
        Ok(job)
    }

    /// Hand in a job, once: where nobody answers, it may have been taken in all the same.
    fn hand_in(&self, words: &[String], script: &Path, count: u32) -> Result<Job> {
        let mut patience = Patience::default();
        let mut known = Answer::Says(None);
        loop {
            let why = match known {
                Answer::Says(Some(job)) => return Ok(job),
                Answer::Says(None) => match queue::submit(words, script, count)? {
                    Answer::Says(job) => return Ok(job),
                    Answer::Nothing(why) => why,
                },
                Answer::Nothing(why) => why,
            };
            if self.is_elsewhere() {
                bail!(
                    "{why}: see with squeue whether the other cluster has taken in a job; the same \
                     command tries again"
                );
            }
            self.bear(&mut patience, &why)?;
            self.pause();
            known = queue::find(script, count, self.stop)?;
            if self.stop.load(Ordering::Relaxed) && !matches!(known, Answer::Says(Some(_))) {
                bail!(
                    "interrupted: Slurm did not say whether it has taken in a job: see squeue; \
                     what is finished is kept: the same command goes on"
                );
            }
        }
    }

    /// What a task does. It has its part from its place in the array, and the number of parts from
    /// here: where some are begun again, the array is smaller than that.
    fn script(&self, count: u32) -> Result<String> {
        let program = env::current_exe().context("cannot tell where this program is")?;
        let word = |path: &Path| quoted(&path.to_string_lossy());
        let (program, file, out) = (word(&program), word(&self.copy()), word(&self.out));
        let threads = self.cpus();
        Ok(format!(
            "#!/bin/sh\n# From `{} sweep --engine slurm`: a part of the cells for each task.\n\
             exec {program} sweep {file} --out {out} \\\n  \
             --shard \"{TASK}/{count}\" --threads {threads}\n",
            program::name(),
        ))
    }

    /// Wait until nothing of a job is under way, or everything is finished.
    fn watch(&self, job: &Job, kept: &mut Kept) -> Result<()> {
        let mut patience = Patience::default();
        let mut told = None;
        loop {
            let answer = queue::look(job, self.stop)?;
            kept.look(&self.out)?;
            let missing = kept.missing(self.plan, None);
            self.steps.are_done(self.finished(&missing));
            if missing.is_empty() {
                return Ok(());
            }
            if self.stop.load(Ordering::Relaxed) {
                bail!(
                    "interrupted: job {} goes on by itself; the same command watches it again, \
                     and `{}` ends it",
                    job.id,
                    job.scancel()
                );
            }
            match answer {
                Answer::Says(tasks) if tasks.all() == 0 => return self.check_wish(job, &missing),
                Answer::Says(tasks) => {
                    patience.restore();
                    self.tell(tasks, &mut told);
                }
                Answer::Nothing(why) => self.bear(&mut patience, &why)?,
            }
            self.pause();
        }
    }

    /// What was cancelled is not begun again: someone wanted it to end.
    fn check_wish(&self, job: &Job, missing: &[usize]) -> Result<()> {
        if queue::was_cancelled(job, &lacking(missing, job.count), self.stop)? {
            bail!(
                "job {} was cancelled, and {} cells are not finished; what is finished is kept: \
                 the same command goes on",
                job.id,
                missing.len()
            );
        }
        Ok(())
    }

    /// Say how many tasks run, and why others do not: on the bar, or once for each reason.
    fn tell(&self, tasks: Tasks, told: &mut Option<String>) {
        let Tasks { run, wait, why } = tasks;
        let reason = why.as_ref().map_or(String::new(), |why| format!(" ({why})"));
        self.steps.are_called(format!("cells, {run} tasks run, {wait} wait{reason}"));
        if !self.steps.are_drawn() && why.is_some() && why != *told {
            self.steps.remark(&format!("{run} tasks run, {wait} wait{reason}"));
            *told = why;
        }
    }

    /// Slurm did not answer: say so, and fail if that has lasted.
    fn bear(&self, patience: &mut Patience, why: &str) -> Result<()> {
        if patience.is_fresh() && !self.steps.are_drawn() {
            self.steps.remark(&format!("Slurm is out of reach, and is asked again: {why}"));
        }
        self.steps.are_called(format!("cells, Slurm is out of reach ({why})"));
        if patience.bears(Instant::now()) {
            return Ok(());
        }
        bail!(
            "Slurm is out of reach: {why}; what is finished is kept, and what runs goes on: the \
             same command watches it again"
        );
    }

    /// Wait for the next question, or for somebody who does not want to.
    fn pause(&self) {
        let mut left = Duration::from_secs_f64(self.args.poll.unwrap_or(POLL));
        while !left.is_zero() && !self.stop.load(Ordering::Relaxed) {
            let next = left.min(queue::HEARING);
            thread::park_timeout(next);
            left -= next;
        }
    }

    fn give_up(&self, missing: &[usize], begun: u32) -> Result<()> {
        let count = self.count();
        bail!(
            "{} cells are not finished (tasks {} of {count}) after {begun} attempts; {} says why; \
             what is finished is kept: the same command goes on",
            missing.len(),
            list(&lacking(missing, count)),
            self.out.join("slurm/task-*.log").display()
        );
    }

    /// How many parts the sweep is cut into.
    fn count(&self) -> u32 {
        self.args.tasks.unwrap_or_else(|| usual_tasks(self.plan.cells.len()))
    }

    /// Whether sbatch is sent to another cluster than squeue: a job could not be found there.
    fn is_elsewhere(&self) -> bool {
        let typed = |word: &String| word.starts_with("--cluster") || word.starts_with("-M");
        self.args.sbatch.iter().any(typed) || env::var_os("SBATCH_CLUSTERS").is_some()
    }

    fn cpus(&self) -> u32 {
        self.args.cpus.unwrap_or(1)
    }

    /// Where it is written which job is under way.
    fn record(&self) -> PathBuf {
        self.out.join("slurm/job")
    }

    /// What tasks run.
    fn script_path(&self) -> PathBuf {
        self.out.join("slurm/sweep.sh")
    }

    /// What tasks read: who edits the sweep file while they wait means the next time.
    fn copy(&self) -> PathBuf {
        self.out.join("slurm/sweep.toml")
    }

    fn stem(&self) -> String {
        let stem = Path::new(&self.plan.name).file_stem();
        stem.map_or("sweep".into(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// How many parts a script cuts its sweep into.
fn count_in(script: &str) -> Option<u32> {
    let (_, behind) = script.split_once(&format!("{TASK}/"))?;
    behind.split_once('"')?.0.parse().ok()
}

/// How many tasks there are if nobody says.
fn usual_tasks(cells: usize) -> u32 {
    cells.div_ceil(CELLS_PER_TASK).clamp(1, TASKS) as u32
}

/// The parts, out of `count`, that some of these cells belong to.
fn lacking(missing: &[usize], count: u32) -> Vec<u32> {
    let has = |index: &u32| {
        let shard = Shard { index: *index, count };
        missing.iter().any(|cell| shard.has(*cell))
    };
    (1..=count).filter(has).collect()
}

/// Where each task writes what it says, as Slurm takes it.
fn log_pattern(out: &Path) -> String {
    let folder = out.join("slurm").to_string_lossy().replace('%', "%%");
    format!("{folder}/task-%a.log")
}

/// Numbers as Slurm takes them.
fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_some_work() {
        assert_eq!([1, 4, 5, 100, 100_000].map(usual_tasks), [1, 1, 2, 25, 64]);
    }

    #[test]
    fn a_script_says_into_how_many_parts_it_cuts() {
        let script =
            "exec d sweep a.toml --out o \\\n  --shard \"$SLURM_ARRAY_TASK_ID/12\" --threads 1\n";
        assert_eq!(count_in(script), Some(12));
        for other in ["", "exec d sweep", "$SLURM_ARRAY_TASK_ID/", "$SLURM_ARRAY_TASK_ID/x\""] {
            assert_eq!(count_in(other), None, "{other}");
        }
    }

    #[test]
    fn only_parts_that_lack_something_are_begun_again() {
        assert_eq!(list(&lacking(&[0, 1, 2, 3], 3)), "1,2,3");
        assert_eq!(list(&lacking(&[4, 10, 13], 3)), "2");
        assert!(lacking(&[], 3).is_empty());
    }
}
