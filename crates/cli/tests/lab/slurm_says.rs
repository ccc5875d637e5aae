//! What a sweep makes of what Slurm says. Shell scripts stand in for its commands.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::daemon::until;
use crate::place::{Done, Place};

/// Four cells.
const SWEEP: &str = "\
[scenario]
protocol = \"rl\"
network = { nodes = 5, connectivity = 60 }
measure = { warmup = 5, entries = 20 }
[grid]
\"requests.rate\" = [0.1, 0.3, 1, 3]
[repetitions]
count = 1
";

/// How each command begins: it keeps what it was called with, and can run the tasks of the array.
const BEGIN: &str = r#"#!/bin/sh
cd "${0%/*}" || exit 9
echo "$*" >>"said-to-${0##*/}"
run() {
  for i in $(sed 's/.*--array=\([0-9,]*\).*/\1/; s/,/ /g' said-to-sbatch | tail -n 1); do
    SLURM_ARRAY_TASK_ID=$i sh "$(cat script)" >"out-$i" 2>&1
  done
}
first() { [ ! -e "$1" ] && : >"$1"; }
case $0 in
  */squeue) env | grep ^SQUEUE_ >>said-to-squeue;;
  *) for word; do :; done; echo "$word" >script;;
esac
"#;

/// A place where this is what sbatch and squeue do.
fn place(sbatch: &str, squeue: &str) -> Place {
    let place = Place::new();
    place.write("load.toml", SWEEP);
    fs::create_dir(place.path("bin")).unwrap();
    for (name, does) in [("sbatch", sbatch), ("squeue", squeue)] {
        let name = format!("bin/{name}");
        place.write(&name, format!("{BEGIN}{does}\n"));
        fs::set_permissions(place.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

fn sweep(place: &Place, out: &str, more: &str) -> Command {
    let poll = if more.contains("--poll") { "" } else { "--poll 0.01" };
    let line = format!("sweep load.toml --engine slurm --tasks 2 {poll} {more}");
    let mut command = place.command(line.split_whitespace());
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", place.path("bin").display())).args(["--out", out]);
    command
}

fn done(mut command: Command) -> Done {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn fine(place: &Place) -> Done {
    let done = done(sweep(place, "load", ""));
    assert_eq!(done.code, Some(0), "{done:?}");
    done
}

/// What a command was called with, a line for each time.
fn said_to(place: &Place, name: &str) -> Vec<String> {
    let said = String::from_utf8(place.read(&format!("bin/said-to-{name}"))).unwrap();
    said.lines().map(Into::into).collect()
}

#[test]
fn a_job_is_found_among_what_a_site_says_and_its_cluster_is_kept() {
    let place = place("run; echo 'Welcome!'; echo '17;far'; echo 'Bye 4 now'", ":");
    let mut command = sweep(&place, "load", "");
    command.env("SQUEUE_STATES", "RUNNING").env("SQUEUE_PARTITION", "none");
    let done = done(command);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("job 17 is 2 tasks, 4 cells"), "{done:?}");
    assert_eq!(place.read("load/slurm/job"), b"17 2 far\n");
    let asked = said_to(&place, "squeue");
    assert!(asked[0].contains("--clusters=far") && asked[0].contains("--jobs=17"), "{asked:?}");
    assert!(!asked.iter().any(|line| line.starts_with("SQUEUE_")), "{asked:?}");
}

#[test]
fn a_controller_may_be_away_for_a_moment() {
    let away = "echo 'Batch job submission failed: Unable to contact slurm controller' >&2; exit 1";
    // It was not taken in, and is handed in again.
    let lost =
        place(&format!("first away && {{ {away}; }}; run; echo 5"), "first gone && exit 1; :");
    assert!(fine(&lost).err.contains("Slurm is out of reach, and is asked again: "));
    assert_eq!(said_to(&lost, "sbatch").len(), 2);
    // It was taken in, and is found.
    let queue = "case $* in *--me*) echo 4 other; echo \"31 $(cat script)\";; *) run;; esac";
    let taken = place(away, queue);
    assert!(fine(&taken).err.contains("job 31 is 2 tasks, 4 cells"));
    assert_eq!(said_to(&taken, "sbatch").len(), 1);
    assert_eq!(taken.read("load/slurm/job"), b"31 2\n");
    // On another cluster it could not be found.
    let far = place(away, ":");
    let told = done(sweep(&far, "load", "--sbatch=--clusters=far"));
    assert!(told.err.contains("see with squeue whether the other cluster"), "{told:?}");
    assert_eq!((told.code, said_to(&far, "sbatch").len()), (Some(2), 1));
    // Nothing else is worth a second try.
    let refused = place("echo 'sbatch: error: invalid partition' >&2; exit 1", ":");
    let done = done(sweep(&refused, "load", ""));
    assert!(done.err.contains("sbatch refuses: sbatch: error: invalid partition"), "{done:?}");
    assert_eq!((done.code, said_to(&refused, "sbatch").len()), (Some(2), 1));
}

/// Who has handed it in was killed before it could be written down which job it is.
#[test]
fn a_job_without_a_record_is_looked_for_before_another_is_handed_in() {
    let queue = "case $* in *--me*) echo 4 other; echo \"31 $(cat script)\";; *) run;; esac";
    let place = place("echo 5", queue);
    fine(&place);
    for file in ["slurm/job", "cells-1-of-2.log", "cells-2-of-2.log"] {
        fs::remove_file(place.path("load").join(file)).unwrap();
    }
    let done = fine(&place);
    assert!(done.err.contains("job 31 is under way already, and is watched"), "{done:?}");
    assert_eq!(said_to(&place, "sbatch").len(), 1);
    assert_eq!(place.read("load/slurm/job"), b"31 2\n");
}

/// Ctrl-C goes to everything in the foreground, and squeue is not to hear of it. It is heard at
/// once, whether squeue is waited for or the next question is far away.
#[test]
fn ctrl_c_is_heard_at_once_and_by_the_sweep_alone() {
    let trap = "trap ': >heard' INT; ";
    for queue in [": >asked; sleep 1000", ": >asked; echo RUNNING None"] {
        let place = place("echo 7", &format!("{trap}{queue}"));
        let mut command = sweep(&place, "load", "--poll 1000");
        command.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().unwrap();
        until("question", || fs::exists(place.path("bin/asked")).unwrap().then_some(()));
        killpg(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("interrupted: job 7 goes on by itself"), "{said}");
        assert!(!said.contains("out of reach"), "{said}");
        assert!(!fs::exists(place.path("bin/heard")).unwrap(), "{queue}");
    }
}

#[test]
fn what_was_cancelled_is_not_begun_again() {
    let states = "case $* in *--states=all*) echo 1 CANCELLED; echo 2 CANCELLED;; esac";
    let place = place("echo 40", states);
    let done = done(sweep(&place, "load", ""));
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("job 40 was cancelled, and 4 cells are not finished"), "{done:?}");
    assert_eq!(said_to(&place, "sbatch").len(), 1);
}

#[test]
fn what_fails_for_ever_is_named_by_the_tasks_of_this_job() {
    let states = "case $* in *--states=all*) echo 1 FAILED; echo 2 CANCELLED;; esac";
    let place = place("echo 40", states);
    place.fine("sweep load.toml --out load --shard 1/20");
    let done = done(sweep(&place, "load", "--retries 1"));
    assert_eq!(done.code, Some(2), "{done:?}");
    let told = "3 cells are not finished (tasks 1,2 of 2) after 2 attempts";
    assert!(done.err.contains(told), "{done:?}");
}

#[test]
fn why_tasks_wait_is_said_once() {
    let queue = "if first one || first two; then echo PENDING JobHeldUser; else run; fi";
    let done = fine(&place("echo 7", queue));
    assert_eq!(done.err.matches("0 tasks run, 1 wait (JobHeldUser)").count(), 1, "{done:?}");
}

#[test]
fn what_is_finished_needs_no_slurm() {
    let place = Place::new();
    place.write("load.toml", SWEEP);
    place.fine("sweep load.toml");
    fs::create_dir(place.path("load/slurm")).unwrap();
    place.write("load/slurm/job", "12 2\n");
    let mut command = place.command("sweep load.toml --engine slurm".split_whitespace());
    command.env("PATH", "");
    let done = done(command);
    assert_eq!((done.code, &*done.err), (Some(0), ""), "{done:?}");
}

#[test]
fn folders_may_be_called_anything() {
    let place = place("run; echo 3", ":");
    let done = done(sweep(&place, "50% of \"Bob's\" $HOME", ""));
    assert_eq!(done.code, Some(0), "{done:?}");
    let words = said_to(&place, "sbatch");
    assert!(words[0].contains("/50%% of \"Bob's\" $HOME/slurm/task-%a.log "), "{words:?}");
}

#[test]
fn what_the_engine_would_not_heed_is_refused() {
    let place = Place::new();
    place.write("load.toml", SWEEP);
    for flag in ["--tasks 2", "--cpus 2", "--poll 1", "--retries 1", "--sbatch=--time=9"] {
        let name = flag.split([' ', '=']).next().unwrap();
        for engine in ["", "--engine local"] {
            let line = format!("sweep load.toml {engine} {flag}");
            place.refused(&line, &[name, "say --engine slurm"]);
        }
    }
    place.refused("sweep load.toml --engine slurm --threads 2", &["--threads", "say --cpus"]);
    place.refused("sweep load.toml --engine slurm --shard 1/2", &["--shard", "say --tasks"]);
    for option in ["--array=1-3", "-a1-3", "--output=x", "-o", "--cpus-per-task=2", "--chdir=/"] {
        let line = format!("sweep load.toml --engine slurm --sbatch={option}");
        place.refused(&line, &[&format!("--sbatch={option}: ")]);
    }
    place.fine("sweep load.toml --engine local --shard 1/2");
}

#[test]
fn what_sbatch_does_not_know_is_told_in_its_words() {
    let says = "echo \"sbatch: unrecognized option '--frob'\" >&2; \
                echo 'Try \"sbatch --help\" for more information' >&2; exit 1";
    let place = place(says, ":");
    let told = done(sweep(&place, "load", "--sbatch=--frob"));
    assert!(told.err.contains("sbatch refuses: sbatch: unrecognized option '--frob'"), "{told:?}");
}

/// Tasks that begin late run what was handed in.
#[test]
fn a_file_that_is_edited_while_tasks_wait_spoils_nothing() {
    let edit = "sed -i 's/rate\" = .*/rate\" = [7]/' ../load.toml; run; echo 3";
    let place = place(edit, ":");
    fine(&place);
    assert!(String::from_utf8(place.read("load.toml")).unwrap().contains("rate\" = [7]"));
    assert_eq!(place.read("load/slurm/sweep.toml"), SWEEP.as_bytes());
    place.write("load.toml", SWEEP);
    place.fine("sweep load.toml --out here");
    assert_eq!(place.read("load/results.csv"), place.read("here/results.csv"));
}
