//! A sweep on a Slurm cluster: a real one, of this machine alone.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use driftlock_fuzz::skipped;
use driftlock_sweep::log::Log;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::daemon::until;
use crate::place::Place;

/// A cluster that is there until this is dropped.
struct Cluster {
    config: PathBuf,
    daemons: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

impl Cluster {
    /// Start one with its files in a folder; or say why there is none.
    fn start(folder: &Path) -> Result<Self, String> {
        for program in ["munged", "slurmctld", "slurmd", "sbatch", "squeue"] {
            let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
            if !found.is_ok_and(|found| found.status.success()) {
                return Err(format!("there is no {program} here (Debian: slurm-wlm, munge)"));
            }
        }
        if !nix::unistd::geteuid().is_root() {
            return Err("only root can start slurmd".into());
        }
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let mut cluster = Cluster { config: folder.join("slurm.conf"), daemons: Vec::new() };
        cluster.start_munge(&folder.join("munge"));
        fs::write(&cluster.config, configuration(folder)).unwrap();
        cluster.spawn(Command::new("slurmctld").args(["-D", "-i"]));
        cluster.spawn(Command::new("slurmd").arg("-D"));
        until("idle machine", || {
            let mut sinfo = Command::new("sinfo");
            let told = sinfo.args(["-h", "-o", "%T"]).env("SLURM_CONF", &cluster.config).output();
            (told.unwrap().stdout == b"idle\n").then_some(())
        });
        Ok(cluster)
    }

    /// What tells the machines of a cluster from others.
    fn start_munge(&mut self, folder: &Path) {
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
        let key = folder.join("key");
        fs::write(&key, [7; 1024]).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).unwrap();
        let mut munged = Command::new("munged");
        munged.args(["--foreground", "--force"]);
        for name in ["key-file", "socket", "pid-file", "log-file", "seed-file"] {
            let file = folder.join(name.trim_end_matches("-file"));
            munged.arg(format!("--{name}={}", file.display()));
        }
        self.spawn(&mut munged);
        until("munge", || fs::exists(folder.join("socket")).unwrap().then_some(()));
    }

    fn spawn(&mut self, command: &mut Command) {
        let command = command.env("SLURM_CONF", &self.config).stdin(Stdio::null());
        self.daemons.push(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    }

    fn command(&self, place: &Place, line: &str) -> Command {
        let mut command = place.command(line.split_whitespace());
        command.env("SLURM_CONF", &self.config).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

fn configuration(folder: &Path) -> String {
    let host = Command::new("hostname").arg("-s").output().unwrap().stdout;
    let host = String::from_utf8(host).unwrap();
    let (host, at) = (host.trim(), folder.display());
    let free = || TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (one, two) = (free(), free());
    let port = |socket: &TcpListener| socket.local_addr().unwrap().port();
    let (control, work) = (port(&one), port(&two));
    fs::create_dir(folder.join("state")).unwrap();
    fs::create_dir(folder.join("spool")).unwrap();
    format!(
        "ClusterName=lab\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
         AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={at}/munge/socket\n\
         SlurmctldPort={control}\nSlurmdPort={work}\n\
         StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
         SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\n\
         SlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nMailProg=/bin/true\n\
         SchedulerParameters=sched_min_interval=100000\nReturnToService=2\nKillWait=2\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
         PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}

/// How many cells there are, of which each takes a moment, and how many tasks have a part of them.
const CELLS: usize = 120;
const TASKS: usize = 5;

const SWEEP: &str = "\
[scenario]
network = { connectivity = 40 }
link-changes = { model = \"toggle\", rate = 0.01 }
measure = { warmup = 100, entries = 3000 }
[grid]
protocol = [\"rl\", \"krl\"]
\"requests.rate\" = [0.01, 0.03, 0.1, 0.3, 1, 3]
\"network.nodes\" = { from = 11, to = 20, steps = 10 }
[repetitions]
count = 2
";

/// Kill a task that has finished some cells of its part, and not all; one that is done by the time
/// it is stopped goes on.
fn kill_at_work(out: &Path) -> Option<()> {
    let (task, log) = task_at_work(out)?;
    kill(task, Signal::SIGSTOP).ok()?;
    until("task that stands still", || {
        let state = fs::read_to_string(format!("/proc/{task}/stat")).unwrap_or_default();
        (state.is_empty() || state.contains(") T ") || state.contains(") Z ")).then_some(())
    });
    let is_done = Log::look(&log).unwrap().cells.len() == CELLS / TASKS;
    kill(task, if is_done { Signal::SIGCONT } else { Signal::SIGKILL }).ok()?;
    (!is_done).then_some(())
}

/// A task of the sweep in this folder that has finished a cell, and its log.
fn task_at_work(out: &Path) -> Option<(Pid, PathBuf)> {
    let log_of = |shard: &str| {
        let (index, count) = shard.split_once('/')?;
        let log = out.join(format!("cells-{index}-of-{count}.log"));
        let has_cells = fs::metadata(&log).is_ok_and(|log| log.len() > 200);
        has_cells.then_some(log)
    };
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().parse::<i32>();
        let words = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&str> = words.split('\0').collect();
        let after = |name: &str| words.iter().skip_while(|word| **word != name).nth(1).copied();
        if after("--out") == out.to_str()
            && let Some(log) = after("--shard").and_then(log_of)
            && let Ok(pid) = pid
        {
            return Some((Pid::from_raw(pid), log));
        }
    }
    None
}

#[test]
fn a_sweep_on_a_cluster_is_the_same_though_a_task_is_killed() {
    let place = Place::new();
    let folder = tempfile::Builder::new().prefix("slurm").tempdir().unwrap();
    let cluster = match Cluster::start(folder.path()) {
        Ok(cluster) => cluster,
        Err(why) => return skipped(&why),
    };
    place.write("load.toml", SWEEP);
    // Slurm has a meaning for `%` in names of files.
    let line = "sweep load.toml --out 5%a'r --engine slurm --tasks 5 --poll 0.2";
    let sweep = cluster.command(&place, line).spawn().unwrap();
    let out = fs::canonicalize(place.path("")).unwrap().join("5%a'r");
    until("task at work", || kill_at_work(&out));
    let done = sweep.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("is 5 tasks, 120 cells"), "{said}");
    assert!(said.contains("begins again what is not finished: 1 tasks"), "{said}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("240 runs: all promises held"));
    place.fine("sweep load.toml --out here");
    let parquet = cfg!(feature = "parquet").then_some("results.parquet");
    for file in ["results.csv", "sweep.json"].into_iter().chain(parquet) {
        assert_eq!(place.read(&format!("5%a'r/{file}")), place.read(&format!("here/{file}")));
    }
    assert!(out.join("slurm/task-5.log").exists());
    // Everything is finished, so nothing is handed in.
    let again = cluster.command(&place, line).output().unwrap();
    assert!(again.status.success() && again.stderr.is_empty(), "{again:?}");
}

#[test]
fn where_there_is_no_slurm_it_is_said() {
    let place = Place::new();
    place.write("load.toml", SWEEP);
    let mut command = place.command("sweep load.toml --engine slurm".split_whitespace());
    let done = command.env("PATH", "").output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("cannot run sbatch"), "{said}");
}
