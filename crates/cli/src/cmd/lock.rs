//! `driftlock lock`: a command under a lock, with the habits of flock(1).
//!
//! Three processes take part. This one has the session with the node, and with it the lock. The
//! **keeper** leads a process group and waits for the end of a pipe from this one, whatever ends
//! it: then it kills the group, and so itself. The command joins that group. As the end of the
//! pipe is open in whatever was forked and has not become the command yet, there is no moment in
//! which this process can die and leave something behind.
//!
//! Signals are blocked here, and taken by a thread that passes them on. The keeper and the command
//! inherit that: to the keeper it is welcome, and the command is run by way of `lock-become`, which
//! undoes it.

mod foreground;
mod pack;
mod signals;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use driftlock_client::blocking::Guard;
use driftlock_client::wire::{Lost, Reason};
use driftlock_client::{AcquireError, Lock};

use self::pack::{Ended, Pack};
use crate::Verdict;
use crate::args::{BecomeArgs, LockArgs};
use crate::session::{UNAVAILABLE, connect};
use crate::terminal::{complain, remark};

/// What can happen while the command runs.
enum News {
    /// It has ended.
    Ended(Ended),
    /// The lock is lost.
    Lost(Lost),
}

pub(crate) fn run(args: &LockArgs) -> Result<Verdict> {
    let pack = Arc::new(Mutex::new(None));
    signals::pass_on(Arc::clone(&pack)).context("cannot listen for signals")?;
    let client = connect(&args.socket)?;
    let lock = Lock::of(&args.name, args.kind.kind());
    let lock = match args.wait {
        _ if args.nonblock => lock.try_now(),
        Some(wait) => lock.wait(wait),
        None => lock,
    };
    let started = Pack::new().context("cannot start the keeper of the command")?;
    let guard = match client.acquire(lock) {
        Ok(guard) => guard,
        Err(AcquireError::Timeout(_) | AcquireError::Busy(_)) => {
            return Ok(Verdict::Exit(args.conflict_exit_code));
        }
        Err(error) => return Err(error.into()),
    };
    let (tell, news) = channel();
    let told = tell.clone();
    guard.on_lost(move |lost| drop(told.send(News::Lost(lost.clone()))));
    {
        let mut pack = signals::lock(&pack);
        let mut started = started;
        let ended = move |ended| drop(tell.send(News::Ended(ended)));
        started.run(command(args, &guard), ended).context("cannot start the command")?;
        *pack = Some(started);
    }
    let ended = attend(args, &pack, &news);
    // Nothing of the group is left when the lock goes.
    drop(signals::lock(&pack).take());
    release(guard, ended)
}

/// Wait for the end of the command, or bring it about.
fn attend(args: &LockArgs, pack: &Mutex<Option<Pack>>, news: &Receiver<News>) -> (Ended, bool) {
    let lost = match news.recv() {
        Ok(News::Ended(ended)) => return (ended, false),
        Ok(News::Lost(lost)) => lost,
        Err(_) => return (Ended::Unknown, false),
    };
    complain(&format!("{} is lost: {}; the command has to stop", args.name, lost.message));
    let is_gone = lost.reason == Reason::Disconnected;
    signals::send(pack, nix::sys::signal::Signal::SIGTERM);
    if let Some(ended) = end_within(args.grace, news) {
        return (ended, is_gone);
    }
    remark("it has not stopped in time, and is killed");
    signals::send(pack, nix::sys::signal::Signal::SIGKILL);
    (end_within(Duration::MAX, news).unwrap_or(Ended::Unknown), is_gone)
}

/// The end of the command, if it comes in time. That the lock is lost once more is no news.
fn end_within(time: Duration, news: &Receiver<News>) -> Option<Ended> {
    loop {
        match news.recv_timeout(time) {
            Ok(News::Ended(ended)) => return Some(ended),
            Ok(News::Lost(_)) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Give the lock back. If the node went away, nobody knows whether the lock held to the end.
fn release(guard: Guard, (ended, is_gone): (Ended, bool)) -> Result<Verdict> {
    let code = ended.code();
    if is_gone || guard.release().is_err() {
        complain("the node went away before the lock was released");
        return Ok(Verdict::Exit(if code == 0 { UNAVAILABLE } else { code }));
    }
    Ok(Verdict::Exit(code))
}

/// The command, by way of `lock-become`.
fn command(args: &LockArgs, guard: &Guard) -> Result<Command> {
    let mut words = vec!["lock-become".into(), "--".into()];
    match &args.command {
        Some(line) => {
            let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty());
            words.extend([shell.unwrap_or("/bin/sh".into()), "-c".into(), line.clone()]);
        }
        None => words.extend(args.words.iter().cloned()),
    }
    let mut command = Command::new(this_program()?);
    command.args::<Vec<OsString>, _>(words);
    let kind = serde_json::to_value(args.kind.kind().name())?;
    command.env("DRIFTLOCK_NAME", &args.name).env("DRIFTLOCK_KIND", kind.as_str().unwrap_or(""));
    command.env("DRIFTLOCK_FENCE", guard.fence().to_string());
    command.env("DRIFTLOCK_GRANT", guard.grant().to_string());
    Ok(command)
}

fn this_program() -> Result<std::path::PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// `driftlock lock-keeper`: wait for the end of standard input, and kill the own group.
pub(crate) fn keep() -> Result<Verdict> {
    signals::be_deaf()?;
    let ended = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    // However it ended.
    drop(ended);
    nix::sys::signal::killpg(nix::unistd::getpgrp(), nix::sys::signal::Signal::SIGKILL)?;
    Ok(Verdict::Held)
}

/// `driftlock lock-become`: become a command that hears signals. The exit codes are the shells'.
pub(crate) fn become_command(args: &BecomeArgs) -> Result<Verdict> {
    let (program, rest) = args.words.split_first().context("there is no command")?;
    signals::hear()?;
    let error = Command::new(program).args(rest).exec();
    complain(&format!("cannot run {}: {error}", program.to_string_lossy()));
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    Ok(Verdict::Exit(if is_missing { 127 } else { 126 }))
}
