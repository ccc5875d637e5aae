//! A command, its keeper, and the process group that they are in: [`Pack`].

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpgrp};

use super::foreground::Foreground;
use super::this_program;

/// Between two looks whether everybody has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    Code(i32),
    Signal(Signal),
    /// Somebody else has taken the answer.
    Unknown,
}

impl Ended {
    /// As shells have it.
    pub(super) fn code(self) -> u8 {
        match self {
            Ended::Code(code) => code as u8,
            Ended::Signal(signal) => 128 + signal as u8,
            Ended::Unknown => 70,
        }
    }
}

/// A process group that is killed when this is dropped, and when this process dies.
pub(super) struct Pack {
    keeper: Child,
    foreground: Foreground,
    /// The command, once there is one.
    leader: Option<Pid>,
}

impl Pack {
    /// A group with nobody in it but its keeper, which has the session too.
    pub(super) fn new(session: OwnedFd) -> Result<Self> {
        let mut keeper = Command::new(this_program()?);
        keeper.arg("lock-keeper").process_group(0);
        keeper.stdin(Stdio::piped()).stdout(session).stderr(Stdio::null());
        Ok(Pack { keeper: keeper.spawn()?, foreground: Foreground::default(), leader: None })
    }

    /// Run the command in the group, and say when it has ended, and how.
    pub(super) fn run(
        &mut self,
        command: Result<Command>,
        tell: impl FnOnce(Ended) + Send + 'static,
    ) -> Result<()> {
        let group = self.group();
        self.foreground = Foreground::give_to(group);
        let child = command?.process_group(group.as_raw()).spawn()?;
        let (leader, foreground) = (Pid::from_raw(child.id() as i32), self.foreground);
        self.leader = Some(leader);
        thread::Builder::new().spawn(move || tell(wait(leader, group, foreground)))?;
        Ok(())
    }

    /// Run something else in the group, which is told who the command is, and say how it ended.
    pub(super) fn run_beside(
        &self,
        mut other: Command,
        tell: impl FnOnce(io::Result<ExitStatus>) + Send + 'static,
    ) -> Result<()> {
        if let Some(leader) = self.leader {
            other.env("DRIFTLOCK_PID", leader.to_string());
        }
        let mut child = other.process_group(self.group().as_raw()).spawn()?;
        thread::Builder::new().spawn(move || tell(child.wait()))?;
        Ok(())
    }

    /// Send a signal to the whole group.
    pub(super) fn send(&self, signal: Signal) {
        // A group that is empty needs no signal.
        let _ = killpg(self.group(), signal);
    }

    /// The number of the keeper.
    pub(super) fn keeper(&self) -> u32 {
        self.keeper.id()
    }

    fn group(&self) -> Pid {
        Pid::from_raw(self.keeper.id() as i32)
    }
}

impl Drop for Pack {
    fn drop(&mut self) {
        // The keeper is not waited for yet, so that the number is still that of this group.
        self.send(Signal::SIGKILL);
        let _ = self.keeper.wait();
        // As long as somebody is in it, no other group has the number.
        while !members(self.group()).is_empty() {
            self.send(Signal::SIGKILL);
            thread::park_timeout(PAUSE);
        }
        self.foreground.take_back();
    }
}

/// Kill everybody in the own group but this process, until nobody is left.
pub(super) fn kill_others() {
    let me = std::process::id();
    loop {
        let others = members(getpgrp()).into_iter().filter(|pid| *pid != me);
        let others: Vec<u32> = others.collect();
        if others.is_empty() {
            return;
        }
        for pid in others {
            let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
        }
        thread::park_timeout(PAUSE);
    }
}

/// Who is in a group and has not ended.
fn members(group: Pid) -> Vec<u32> {
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|pid| is_in(*pid, group) == Some(true)).collect()
}

fn is_in(pid: u32, group: Pid) -> Option<bool> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program comes before, and may have anything in it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let is_alive = !["Z", "X"].contains(&fields.next()?);
    Some(is_alive && fields.nth(1)?.parse() == Ok(group.as_raw()))
}

/// Wait for the end of the command, and stop along with it on a terminal.
fn wait(leader: Pid, group: Pid, foreground: Foreground) -> Ended {
    loop {
        match waitpid(leader, Some(WaitPidFlag::WUNTRACED)) {
            Ok(WaitStatus::Exited(_, code)) => return Ended::Code(code),
            Ok(WaitStatus::Signaled(_, signal, _)) => return Ended::Signal(signal),
            Ok(WaitStatus::Stopped(..)) => foreground.stop_along(group),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return Ended::Unknown,
        }
    }
}
