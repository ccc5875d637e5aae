//! `driftlock lock`: a command under a lock, with the habits of flock(1).
//!
//! Three processes take part. This one has the session with the node, and with it the lock. The
//! **keeper** leads a process group and waits for the end of a pipe from this one, whatever ends
//! it: then it kills everybody else in the group. The command joins that group. As the end of the
//! pipe is open in whatever was forked and has not become the command yet, there is no moment in
//! which this process can die and leave something behind. The keeper has the session as well, and
//! ends when nobody else is left: until then the lock is held, whoever has died.
//!
//! Signals are blocked here, and taken by a thread that passes them on. The keeper and the command
//! inherit that: to the keeper it is welcome, and the command is run by way of `lock-become`, which
//! undoes it.

mod ending;
mod foreground;
mod pack;
mod signals;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use driftlock_client::blocking::Guard;
use driftlock_client::{AcquireError, Lock};
use tokio::time::Instant;

use self::ending::{Ending, News};
use self::pack::{Ended, Pack};
use crate::Verdict;
use crate::args::{BecomeArgs, LockArgs};
use crate::session::{UNAVAILABLE, connect};
use crate::terminal::complain;

pub(crate) fn run(args: &LockArgs) -> Result<Verdict> {
    let grace = args.grace()?;
    let pack = Arc::new(Mutex::new(None));
    signals::pass_on(Arc::clone(&pack)).context("cannot listen for signals")?;
    let client = connect(&args.socket)?;
    let session = client.share().context("cannot share the session")?;
    let started = Pack::new(session).context("cannot start the keeper of the command")?;
    let guard = match client.acquire(wanted(args, grace).kept_by(started.keeper())) {
        Ok(guard) => guard,
        Err(AcquireError::Timeout(_) | AcquireError::Busy(_)) => {
            return Ok(Verdict::Exit(args.conflict_exit_code));
        }
        Err(error) => return Err(error.into()),
    };
    // By then others may be let in.
    let grace = guard.alone().map_or(grace, |alone| grace.min(alone));
    let lease_end = args.lease.map(|lease| Instant::now() + lease);
    let (tell, news) = channel();
    let (told, ended) = (tell.clone(), tell.clone());
    guard.on_lost(move |lost| drop(told.send(News::Lost(lost.clone()))));
    {
        let mut pack = signals::lock(&pack);
        let mut started = started;
        let ended = move |end| drop(ended.send(News::Ended(end)));
        started.run(command(args, &guard), ended).context("cannot start the command")?;
        *pack = Some(started);
    }
    let ending = Ending { args, guard: &guard, pack: &pack, tell, grace, lease_end };
    let ended = ending.attend(&news);
    // Nothing of the group is left when the lock goes.
    drop(signals::lock(&pack).take());
    release(guard, ended)
}

/// What is asked for.
fn wanted(args: &LockArgs, grace: Duration) -> Lock {
    let lock = Lock::of(&args.name, args.kind.kind()).grace(grace);
    let lock = match args.lease {
        Some(lease) => lock.lease(lease),
        None => lock,
    };
    match args.wait {
        _ if args.nonblock => lock.try_now(),
        Some(wait) => lock.wait(wait),
        None => lock,
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

/// The command.
fn command(args: &LockArgs, guard: &Guard) -> Result<Command> {
    let words = match &args.command {
        Some(line) => shell(line),
        None => args.words.clone(),
    };
    under(args, guard, words)
}

/// Words for a shell that runs a line.
fn shell(line: &OsString) -> Vec<OsString> {
    let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty());
    vec![shell.unwrap_or("/bin/sh".into()), "-c".into(), line.clone()]
}

/// A command that knows the lock it is under, by way of `lock-become`.
fn under(args: &LockArgs, guard: &Guard, words: Vec<OsString>) -> Result<Command> {
    let mut command = Command::new(this_program()?);
    command.args(["lock-become", "--"]).args(words);
    let kind = serde_json::to_value(args.kind.kind().name())?;
    command.env("DRIFTLOCK_NAME", &args.name).env("DRIFTLOCK_KIND", kind.as_str().unwrap_or(""));
    command.env("DRIFTLOCK_FENCE", guard.fence().to_string());
    command.env("DRIFTLOCK_GRANT", guard.grant().to_string());
    Ok(command)
}

fn this_program() -> Result<std::path::PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// `driftlock lock-keeper`: wait for the end of standard input, and kill the own group. Standard
/// output is the session with the node, which lasts until this process has ended.
pub(crate) fn keep() -> Result<Verdict> {
    signals::be_deaf()?;
    let ended = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    // However it ended.
    drop(ended);
    pack::kill_others();
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
