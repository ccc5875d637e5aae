//! What is said to Slurm, and what it says: [`submit`], [`look`], [`find`], [`was_cancelled`].

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, thread};

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// What sbatch says when the controller does not answer. It may have taken in the job all the same.
const OUT_OF_REACH: [&str; 4] =
    ["Unable to contact slurm controller", "timed out", "Zero Bytes", "Connection refused"];

/// How long it may take until Ctrl-C is heard.
pub(super) const HEARING: Duration = Duration::from_millis(100);

/// An array job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Job {
    /// What Slurm calls it.
    pub(super) id: String,
    /// How many parts the sweep is cut into.
    pub(super) count: u32,
    /// The cluster, where there are several.
    cluster: Option<String>,
}

/// The tasks of a job that are under way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tasks {
    pub(super) run: usize,
    pub(super) wait: usize,
    /// Why one of them waits.
    pub(super) why: Option<String>,
}

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer<T> {
    Says(T),
    /// Slurm is out of reach, for this reason.
    Nothing(String),
}

impl Job {
    /// As it is written down.
    pub(super) fn text(&self) -> String {
        let cluster = self.cluster.as_ref().map_or(String::new(), |name| format!(" {name}"));
        format!("{} {}{cluster}\n", self.id, self.count)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let (id, count) = (words.next()?, words.next()?);
        let is_id = id.chars().all(|c| c.is_ascii_digit());
        let (count, cluster) = (count.parse().ok()?, words.next().map(Into::into));
        (is_id && words.next().is_none()).then_some(Job { id: id.into(), count, cluster })
    }

    /// From what sbatch prints: `ID` or `ID;CLUSTER`, among what a site says to everyone.
    fn submitted(said: &str, count: u32) -> Option<Self> {
        said.lines().rev().find_map(|line| {
            let (id, cluster) = line.trim().split_once(';').unwrap_or((line.trim(), ""));
            let plain = |text: &str| !text.contains(char::is_whitespace);
            (plain(id) && plain(cluster)).then_some(())?;
            Job::parse(&format!("{id} {count} {cluster}"))
        })
    }

    /// What to type to end it.
    pub(super) fn scancel(&self) -> String {
        let words: Vec<String> = self.at().chain([self.id.clone()]).collect();
        format!("scancel {}", words.join(" "))
    }

    fn at(&self) -> impl Iterator<Item = String> {
        self.cluster.iter().map(|name| format!("--clusters={name}"))
    }
}

impl Tasks {
    pub(super) fn all(&self) -> usize {
        self.run + self.wait
    }

    /// From one line for each task that is not over: its state, and why it is no other.
    fn parse(said: &str) -> Self {
        let mut tasks = Tasks::default();
        for (state, why) in lines(said) {
            if state != "PENDING" {
                tasks.run += 1;
                continue;
            }
            tasks.wait += 1;
            let says_why = !["", "None"].contains(&why);
            tasks.why = tasks.why.or_else(|| says_why.then(|| why.to_owned()));
        }
        tasks
    }
}

/// Hand in an array job.
pub(super) fn submit(words: &[String], script: &Path, count: u32) -> Result<Answer<Job>> {
    let mut sbatch = Command::new("sbatch");
    // It is waited for, whatever happens: it may have handed in the job already.
    let output = apart(sbatch.arg("--parsable").args(words).arg(script)).output();
    let output = output.context(
        "cannot run sbatch: --engine slurm needs a machine from which jobs are submitted",
    )?;
    if !output.status.success() {
        let why = last_words(&output);
        if OUT_OF_REACH.iter().any(|sign| why.contains(sign)) {
            return Ok(Answer::Nothing(why));
        }
        bail!("sbatch refuses: {why}");
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let job = Job::submitted(&said, count).with_context(|| {
        format!(
            "sbatch does not say which job it has submitted, but `{}`: see squeue, and end it \
             with scancel",
            said.trim()
        )
    })?;
    Ok(Answer::Says(job))
}

/// Which tasks of a job are under way.
pub(super) fn look(job: &Job, stop: &AtomicBool) -> Result<Answer<Tasks>> {
    let Some(output) = squeue(job.at().chain(of_tasks(job, "%T %r")), stop)? else {
        return Ok(unheard());
    };
    Ok(match said(&output) {
        Ok(said) => Answer::Says(Tasks::parse(&said)),
        // A job that was over long ago is forgotten.
        Err(why) if why.contains("Invalid job id") => Answer::Says(Tasks::default()),
        Err(why) => Answer::Nothing(why),
    })
}

/// The job that runs a script, if there is one. The script is that of one folder, whatever a job is
/// called.
pub(super) fn find(script: &Path, count: u32, stop: &AtomicBool) -> Result<Answer<Option<Job>>> {
    let words = ["--noheader", "--me", "--format=%F %o"].map(String::from);
    let Some(output) = squeue(words, stop)? else { return Ok(unheard()) };
    Ok(match said(&output) {
        Ok(said) => {
            let script = script.to_string_lossy();
            let found = lines(&said).find(|(_, command)| *command == script);
            Answer::Says(found.and_then(|(id, _)| Job::submitted(id, count)))
        }
        Err(why) => Answer::Nothing(why),
    })
}

/// Whether someone has cancelled all of these tasks of a job that is over. Slurm keeps that in mind
/// for some minutes; if it does not know any more, nobody has.
pub(super) fn was_cancelled(job: &Job, tasks: &[u32], stop: &AtomicBool) -> Result<bool> {
    let all = ["--states=all".into()];
    let output = squeue(job.at().chain(all).chain(of_tasks(job, "%K %T")), stop)?;
    let said = output.and_then(|output| said(&output).ok());
    Ok(said.is_some_and(|said| all_cancelled(&said, tasks)))
}

/// From one line for each task: its number and its state.
fn all_cancelled(said: &str, tasks: &[u32]) -> bool {
    let is_one = |id: &str| id.parse().is_ok_and(|id| tasks.contains(&id));
    let mut states = lines(said).filter(|(id, _)| is_one(id)).map(|(_, state)| state).peekable();
    states.peek().is_some() && states.all(|state| state == "CANCELLED")
}

/// What asks for a line for each task of a job.
fn of_tasks(job: &Job, format: &str) -> [String; 4] {
    let format = format!("--format={format}");
    ["--noheader".into(), "--array".into(), format, format!("--jobs={}", job.id)]
}

/// Ctrl-C means us: a group of its own does not hear of it. Nor may it read what is typed.
fn apart(command: &mut Command) -> &mut Command {
    command.process_group(0).stdin(Stdio::null())
}

/// Nobody waits for the answer any more.
fn unheard<T>() -> Answer<T> {
    Answer::Nothing("nobody waits for an answer".into())
}

/// Ask squeue; nothing if someone wants us to stop before it has answered.
fn squeue(words: impl IntoIterator<Item = String>, stop: &AtomicBool) -> Result<Option<Output>> {
    let mut command = Command::new("squeue");
    // What people have set for themselves would hide tasks from us.
    for (name, _) in env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"SQUEUE_") {
            command.env_remove(name);
        }
    }
    apart(command.args(words)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().context("cannot run squeue, which comes with sbatch")?;
    let (asker, group) = (thread::current(), Pid::from_raw(child.id() as i32));
    let answer = thread::spawn(move || {
        let output = child.wait_with_output();
        asker.unpark();
        output
    });
    while !answer.is_finished() {
        if stop.load(Ordering::Relaxed) {
            // Nobody would end it: it may wait for a controller for long.
            let _ = killpg(group, Signal::SIGTERM);
            return Ok(None);
        }
        thread::park_timeout(HEARING);
    }
    let output = answer.join().expect("who waits does not panic");
    Ok(Some(output.context("cannot hear what squeue says")?))
}

/// What a command has printed, or what it complains of.
fn said(output: &Output) -> Result<String, String> {
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(last_words(output)),
    }
}

/// The first word and the rest of each line. Which cluster it is of is said, too, where there are
/// several.
fn lines(said: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = said.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("CLUSTER:"));
    lines.map(|line| line.split_once(' ').map_or((line, ""), |(one, rest)| (one, rest.trim())))
}

/// The last that a command has complained of.
fn last_words(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    // Where to read more is said after what is wrong.
    let is_hint = |line: &str| line.is_empty() || line.starts_with("Try ");
    let last = said.lines().rev().find(|line| !is_hint(line.trim()));
    last.map_or_else(|| output.status.to_string(), |line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_written_down_and_found_again() {
        for cluster in [None, Some("far".into())] {
            let job = Job { id: "4711".into(), count: 12, cluster };
            assert_eq!(Job::parse(&job.text()), Some(job));
        }
        for text in ["", "12", "x 3", "12 x", " 3", "--help 3", "1 2 far away"] {
            assert_eq!(Job::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_job_is_found_among_what_sites_say() {
        let near = Job { id: "17".into(), count: 3, cluster: None };
        let far = Job { cluster: Some("far".into()), ..near.clone() };
        for (said, job) in [
            ("17\n", Some(&near)),
            ("Welcome!\n17\nYou have 3 hours left\n", Some(&near)),
            ("17;far\n\nmaintenance: 1;2 May\n", Some(&far)),
            ("Submitted batch job 17\n", None),
            ("", None),
        ] {
            assert_eq!(Job::submitted(said, 3).as_ref(), job, "{said}");
        }
        assert_eq!((near.scancel(), far.scancel()), {
            ("scancel 17".into(), "scancel --clusters=far 17".into())
        });
    }

    #[test]
    fn whoever_is_not_pending_runs() {
        let said = "CLUSTER: far\nPENDING None\nPENDING JobHeldUser\nRUNNING None\nCOMPLETING\n\n";
        let why = Some("JobHeldUser".into());
        assert_eq!(Tasks::parse(said), Tasks { run: 2, wait: 2, why });
        assert_eq!(Tasks::parse(""), Tasks::default());
    }

    #[test]
    fn only_if_all_that_is_left_was_cancelled_someone_wished_it() {
        let said = "1 FAILED\n2 CANCELLED\n3 CANCELLED\n";
        assert!(all_cancelled(said, &[2, 3]));
        assert!(!all_cancelled(said, &[1, 2]));
        assert!(!all_cancelled("", &[1, 2]));
    }
}
