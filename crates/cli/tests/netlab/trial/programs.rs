//! The programs of a trial: [`Programs`].

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use driftlock_faults::{Ask, GRACE_MS, Kind, Schedule};

use super::daemons::Daemons;
use super::judge::begun;
use super::outcome::Outcome;
use super::uptime;

/// The command of somebody who lost the lock of a place was told to stop (SIGTERM).
const TOLD: i32 = 128 + 15;

/// That of somebody who did not heed that (SIGKILL).
const KILLED: i32 = 128 + 9;

/// A node has refused because it was forgotten.
const UNAVAILABLE: i32 = 69;

/// What marks every process of a trial, so that all of a node can be found.
const MARK: &str = "TRIAL";

/// All of them, by their numbers.
pub(crate) struct Programs {
    all: Vec<Program>,
    /// How long a command may take to stop, in seconds.
    grace: u64,
    /// Nodes that somebody wanted to be forgotten; all, if they stop when they are alone.
    unsure: BTreeSet<usize>,
    folder: PathBuf,
    wrong: Vec<String>,
}

struct Program {
    ask: Ask,
    state: State,
    /// When it asked first.
    asked_at: f64,
    /// How often it has asked again because its node was killed.
    again: u64,
}

enum State {
    Idle,
    /// It runs as soon as its node serves.
    Asking,
    Runs {
        child: Child,
        /// Its node was killed meanwhile.
        is_bereaved: bool,
    },
    /// The command ran to its end.
    Served,
    /// The command began, and was told to stop.
    CutShort,
    Killed,
    /// It ended as it should not have.
    Failed,
}

impl Programs {
    pub(crate) fn new(schedule: &Schedule, folder: &Path) -> Programs {
        let idle = |ask: &Ask| Program { ask: *ask, state: State::Idle, asked_at: 0.0, again: 0 };
        let all = schedule.asks.iter().map(idle).collect();
        let grace = if schedule.stops_alone { GRACE_MS / 1000 } else { 20 };
        let is_unsure = |i: &usize| schedule.stops_alone || schedule.is_forgotten(*i);
        let unsure = (0..schedule.nodes).filter(is_unsure).collect();
        Programs { all, grace, unsure, folder: folder.to_owned(), wrong: Vec::new() }
    }

    pub(crate) fn ask(&mut self, number: usize) {
        let program = &mut self.all[number];
        (program.state, program.asked_at) = (State::Asking, uptime());
    }

    /// A program is killed (SIGKILL), unless it has ended.
    pub(crate) fn kill(&mut self, number: usize) {
        let state = &mut self.all[number].state;
        if let State::Runs { child, .. } = state {
            // What has ended by itself is seen later.
            if child.try_wait().unwrap().is_some() {
                return;
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if matches!(state, State::Asking | State::Runs { .. }) {
            *state = State::Killed;
        }
    }

    /// A machine has failed: so have all programs that had begun there, with all that they have
    /// started. Those that had a lock may have been told already that their node is gone.
    pub(crate) fn bury(&mut self, node: usize) {
        while kill_all(&mark(&self.folder, node)) {}
        for program in self.all.iter_mut().filter(|program| program.ask.node == node) {
            if let State::Runs { child, .. } = &mut program.state {
                child.wait().unwrap();
            }
            if matches!(program.state, State::Asking | State::Runs { .. }) {
                program.state = State::Killed;
            }
        }
    }

    /// A node was killed: its programs are told.
    pub(crate) fn bereave(&mut self, node: usize) {
        for program in self.all.iter_mut().filter(|program| program.ask.node == node) {
            if let State::Runs { is_bereaved, .. } = &mut program.state {
                *is_bereaved = true;
            }
        }
    }

    /// Start those whose node serves, and see who has ended.
    pub(crate) fn go_on(&mut self, daemons: &mut Daemons) {
        for (number, program) in self.all.iter_mut().enumerate() {
            let ask = program.ask;
            match &mut program.state {
                State::Asking if daemons.serves(ask.node) => {
                    let socket = daemons.lab.socket(ask.node as u32 + 1);
                    let mut command = command(number, &ask, &socket, self.grace);
                    let child = inside(&self.folder, &mut command, number, ask.node).spawn();
                    let child = child.unwrap();
                    program.state = State::Runs { child, is_bereaved: false };
                }
                State::Runs { child, is_bereaved } => {
                    if let Some(status) = child.try_wait().unwrap() {
                        let begun = begun(&self.folder, &ask, number);
                        let is_told = *is_bereaved
                            || ask.lock.kind == Kind::Local && status.code() == Some(TOLD)
                            || self.unsure.contains(&ask.node) && is_stopped(status);
                        program.state = ended(status, is_told, begun);
                        program.again += u64::from(matches!(program.state, State::Asking));
                        if matches!(program.state, State::Failed) {
                            self.wrong.push(format!("program {number}: {status}: {ask:?}"));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn are_over(&self) -> bool {
        let is_over = |program: &Program| {
            !matches!(program.state, State::Idle | State::Asking | State::Runs { .. })
        };
        self.all.iter().all(is_over)
    }

    /// What came of all of them.
    pub(crate) fn conclude(&mut self, outcome: &mut Outcome) {
        outcome.wrong.append(&mut self.wrong);
        for (number, program) in self.all.iter().enumerate() {
            outcome.again += program.again;
            match program.state {
                State::Served => outcome.served += 1,
                State::CutShort => outcome.cut_short += 1,
                State::Killed => outcome.killed += 1,
                State::Failed => {}
                State::Idle | State::Asking | State::Runs { .. } => {
                    outcome.wrong.push(format!("program {number} waits: {:?}", program.ask));
                }
            }
        }
    }

    /// The longest that anybody has waited once all was well, in milliseconds.
    pub(crate) fn worst_wait(&self, folder: &Path, healed_at: f64) -> u64 {
        let wait = |(number, program): (usize, &Program)| {
            let entered_at = begun(folder, &program.ask, number)?;
            Some(entered_at - program.asked_at.max(healed_at))
        };
        let worst = self.all.iter().enumerate().filter_map(wait).fold(0.0, f64::max);
        (worst * 1000.0) as u64
    }
}

/// Whether this is how a program ends that was told to stop, or that its node is not there.
fn is_stopped(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| [TOLD, KILLED, UNAVAILABLE].contains(&code))
}

/// How a program has ended, or whether it asks again.
fn ended(status: ExitStatus, is_told: bool, begun: Option<f64>) -> State {
    match begun {
        Some(_) if status.success() => State::Served,
        Some(_) if is_told => State::CutShort,
        None if is_told => State::Asking,
        _ => State::Failed,
    }
}

/// `driftlock lock`, with a command that says what it sees.
fn command(number: usize, ask: &Ask, socket: &Path, grace: u64) -> Command {
    let Ask { node, lock, group, hold, is_stubborn } = *ask;
    let (kind, whose) = match lock.kind {
        Kind::Exclusive => ("exclusive", node),
        Kind::Permits(_) => ("permits", node),
        Kind::Group => ("group", group.into()),
        Kind::Local => ("local", node),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_driftlock"));
    command.args(["lock", "--grace", &grace.to_string(), "--socket"]).arg(socket).arg(lock.name);
    match lock.kind {
        Kind::Exclusive => {}
        Kind::Permits(permits) => drop(command.args(["--permits", &permits.to_string()])),
        Kind::Group => drop(command.args(["--group", &group.to_string()])),
        Kind::Local => drop(command.arg("--local")),
    }
    let hold = format!("{}.{:03}", hold / 1000, hold % 1000);
    command.args(["--", "sh", "inside.sh", &number.to_string(), kind, lock.name]);
    command.args([&whose.to_string(), &hold, &is_stubborn.to_string()]);
    command
}

/// A command in the folder of the trial, at a node.
fn inside<'a>(
    folder: &Path,
    command: &'a mut Command,
    number: usize,
    node: usize,
) -> &'a mut Command {
    let log = folder.join(format!("program{number}.log"));
    let log = File::options().create(true).append(true).open(log).unwrap();
    // Ctrl-C is not for it.
    command.current_dir(folder).process_group(0).stdin(Stdio::null());
    command.env(MARK, mark(folder, node)).stdout(log.try_clone().unwrap()).stderr(log)
}

/// How the processes of a node are marked.
fn mark(folder: &Path, node: usize) -> String {
    format!("{}:{node}", folder.display())
}

/// Kill all processes with this mark. Says whether there were any.
fn kill_all(mark: &str) -> bool {
    let line = format!("{MARK}={mark}");
    let is_meant = |process: &String| {
        // It may end meanwhile.
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == line.as_bytes())
    };
    let names = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    let processes: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    let meant: Vec<&String> = processes.iter().filter(|process| is_meant(process)).collect();
    if !meant.is_empty() {
        let mut kill = Command::new("kill");
        kill.arg("-KILL").args(&meant).stderr(Stdio::null()).status().unwrap();
    }
    !meant.is_empty()
}

impl Drop for Programs {
    fn drop(&mut self) {
        for program in &mut self.all {
            if let State::Runs { child, .. } = &mut program.state {
                // It may have ended already, which is as good.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}
