//! `driftlock sweep --engine slurm`: the cells of a sweep as the tasks of an array job.
//!
//! Each task runs one part of the sweep, as `--shard` does, and writes its own log into the folder,
//! which all machines see. What is finished is seen in these logs and nowhere else: Slurm is asked
//! only whether anything is still under way. Whoever is not finished then is begun again, and goes
//! on where it was. `queue` talks to Slurm.

mod queue;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::{Plan, Shard};

use self::queue::{Job, Queue};
use crate::lab::args::{SlurmArgs, SweepArgs};
use crate::lab::command_line::quoted;
use crate::lab::{files, progress};
use crate::program;
use crate::terminal::remark;

/// A task takes seconds to begin, so there should be some work in it.
const CELLS_PER_TASK: usize = 4;
/// More tasks than this in one array are refused by many clusters.
const TASKS: usize = 64;

/// A sweep on a cluster.
struct Cluster<'a> {
    args: &'a SlurmArgs,
    plan: &'a Plan,
    /// The sweep file and the folder of results, as every machine finds them.
    file: PathBuf,
    out: PathBuf,
    queue: Queue,
}

/// Run everything that is missing in a folder.
pub(super) fn conduct(
    args: &SweepArgs,
    plan: &Plan,
    out: &Path,
    kept: &mut Kept,
    stop: &AtomicBool,
) -> Result<()> {
    let absolute = |path: &Path| fs::canonicalize(path).with_context(|| path.display().to_string());
    let (file, out) = (absolute(&args.file)?, absolute(out)?);
    files::make_folder(&out.join("slurm"))?;
    let cluster = Cluster { args: &args.slurm, plan, file, out, queue: Queue::default() };
    cluster.conduct(kept, stop)
}

impl Cluster<'_> {
    fn conduct(&self, kept: &mut Kept, stop: &AtomicBool) -> Result<()> {
        let bar = progress::bar(self.plan.cells.len() as u64, "cells");
        let mut begun = 0;
        let mut job = self.under_way()?;
        loop {
            kept.look(&self.out)?;
            let missing = kept.missing(self.plan, None);
            if missing.is_empty() {
                break;
            }
            let current = match job.take() {
                Some(job) => {
                    remark(&format!("job {} is under way already, and is watched", job.id));
                    job
                }
                None if begun > self.args.retries => return self.give_up(kept, &missing),
                None => {
                    begun += 1;
                    self.submit(&missing, begun)?
                }
            };
            self.watch(&current, kept, &bar, stop)?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// The job that another process has begun in this folder, if it is not over.
    fn under_way(&self) -> Result<Option<Job>> {
        let Ok(text) = fs::read_to_string(self.record()) else { return Ok(None) };
        let Some(job) = Job::parse(&text) else { return Ok(None) };
        Ok((self.queue.look(&job)?.all() > 0).then_some(job))
    }

    /// Begin a job for the parts that cells are missing of.
    fn submit(&self, missing: &[usize], begun: u32) -> Result<Job> {
        let count = self.args.tasks.unwrap_or_else(|| usual_tasks(self.plan.cells.len()));
        let parts = lacking(missing, count);
        let script = self.out.join("slurm/sweep.sh");
        files::write_text(&script, &self.script(count)?)?;
        let mut words = vec![
            format!("--job-name={}-{}", program::name(), self.stem()),
            format!("--array={}", list(&parts)),
            format!("--cpus-per-task={}", self.args.cpus),
            format!("--output={}", self.out.join("slurm/task-%a.log").display()),
            "--open-mode=append".into(),
        ];
        words.extend(self.args.sbatch.iter().cloned());
        let job = self.queue.submit(&words, &script, count)?;
        files::write_text(&self.record(), &job.text())?;
        let tasks = parts.len();
        let what = if begun == 1 { "is" } else { "begins again what is not finished:" };
        remark(&format!("job {} {what} {tasks} tasks, {} cells", job.id, missing.len()));
        Ok(job)
    }

    /// What a task does. It has its part from its place in the array, and the number of parts from
    /// here: where some are begun again, the array is smaller than that.
    fn script(&self, count: u32) -> Result<String> {
        let program = env::current_exe().context("cannot tell where this program is")?;
        let word = |path: &Path| quoted(&path.to_string_lossy());
        let (program, file, out) = (word(&program), word(&self.file), word(&self.out));
        let threads = self.args.cpus;
        Ok(format!(
            "#!/bin/sh\n\
             # Written by `{} sweep --engine slurm`: a part of the cells for each task.\n\
             exec {program} sweep {file} --out {out} \\\n  \
             --shard \"$SLURM_ARRAY_TASK_ID/{count}\" --threads {threads}\n",
            program::name(),
        ))
    }

    /// Wait until nothing of a job is under way, or everything is finished.
    fn watch(
        &self,
        job: &Job,
        kept: &mut Kept,
        bar: &indicatif::ProgressBar,
        stop: &AtomicBool,
    ) -> Result<()> {
        loop {
            let tasks = self.queue.look(job)?;
            kept.look(&self.out)?;
            let missing = kept.missing(self.plan, None).len();
            bar.set_position((self.plan.cells.len() - missing) as u64);
            bar.set_message(format!("cells, {} tasks run, {} wait", tasks.run, tasks.wait));
            if tasks.all() == 0 || missing == 0 {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                bail!(
                    "interrupted: job {id} goes on by itself; the same command watches it again, \
                     and `scancel {id}` ends it",
                    id = job.id
                );
            }
            thread::park_timeout(Duration::from_secs_f64(self.args.poll));
        }
    }

    fn give_up(&self, kept: &Kept, missing: &[usize]) -> Result<()> {
        let count = kept.parts.iter().map(|part| part.count).max();
        let parts = count.map_or(String::new(), |count| {
            format!(" (tasks {} of {count})", list(&lacking(missing, count)))
        });
        bail!(
            "{} cells are not finished{parts} after {} attempts; {} says why; what is finished is \
             kept: the same command goes on",
            missing.len(),
            self.args.retries + 1,
            self.out.join("slurm/task-*.log").display()
        );
    }

    /// Where it is written which job is under way.
    fn record(&self) -> PathBuf {
        self.out.join("slurm/job")
    }

    fn stem(&self) -> String {
        let stem = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| "sweep".into())
    }
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
    fn only_parts_that_lack_something_are_begun_again() {
        assert_eq!(list(&lacking(&[0, 1, 2, 3], 3)), "1,2,3");
        assert_eq!(list(&lacking(&[4, 10, 13], 3)), "2");
        assert!(lacking(&[], 3).is_empty());
    }
}
