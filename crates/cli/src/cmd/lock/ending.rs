//! How a command ends: by itself, or because the lock is lost.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use anyhow::{Context, Result};
use driftlock_client::blocking::Guard;
use driftlock_client::wire::{Lost, Reason};
use nix::sys::signal::Signal;
use tokio::time::Instant;

use super::pack::{Ended, Pack};
use super::{shell, signals, under};
use crate::args::LockArgs;
use crate::terminal::{complain, remark, story};

/// What can happen while the command runs.
pub(super) enum News {
    /// It has ended.
    Ended(Ended),
    /// The lock is lost.
    Lost(Lost),
    /// What `--on-lost` has run has ended.
    Handled(io::Result<ExitStatus>),
}

/// What it takes to bring a command to its end.
pub(super) struct Ending<'a> {
    pub(super) args: &'a LockArgs,
    pub(super) guard: &'a Guard,
    pub(super) pack: &'a Mutex<Option<Pack>>,
    pub(super) tell: Sender<News>,
    pub(super) grace: Duration,
    /// As seen from here, which is later than the node sees it by the time that its word took.
    pub(super) lease_end: Option<Instant>,
}

/// Who has ended so far.
struct Progress {
    ended: Option<Ended>,
    handling: bool,
}

impl Ending<'_> {
    /// Wait for the end of the command, or bring it about. Says whether the node went away, too.
    pub(super) fn attend(&self, news: &Receiver<News>) -> (Ended, bool) {
        let lost = loop {
            match news.recv() {
                Ok(News::Ended(ended)) => return (ended, false),
                Ok(News::Lost(lost)) => break lost,
                Ok(News::Handled(_)) => {}
                Err(_) => return (Ended::Unknown, false),
            }
        };
        let name = &self.args.name;
        complain(&format!("{name} is lost: {}; the command has to stop", lost.message));
        let until = self.kill_at();
        let mut progress = Progress { ended: None, handling: self.stop(lost.reason) };
        progress.wait(until, news);
        if progress.ended.is_none() || progress.handling {
            let who = if progress.ended.is_none() { "it" } else { "--on-lost" };
            remark(&format!("{who} has not stopped in time, and is killed"));
            signals::send(self.pack, Signal::SIGKILL);
            progress.handling = false;
            progress.wait(None, news);
        }
        (progress.ended.unwrap_or(Ended::Unknown), lost.reason == Reason::Disconnected)
    }

    /// When the grace is over, and with it the lease. This process may have slept through a part
    /// of either. `None` is never.
    fn kill_at(&self) -> Option<Instant> {
        let grace_end = Instant::now().checked_add(self.grace);
        grace_end.into_iter().chain(self.lease_end).min()
    }

    /// Have the command stop. Says whether something runs that sees to it.
    fn stop(&self, reason: Reason) -> bool {
        let Some(line) = &self.args.on_lost else {
            signals::send(self.pack, Signal::SIGTERM);
            return false;
        };
        let handled = self.tell.clone();
        let handler = under(self.args, self.guard, shell(line)).and_then(|mut handler| {
            let reason = serde_json::to_value(reason)?;
            handler.env("DRIFTLOCK_LOST", reason.as_str().unwrap_or("")).stdin(Stdio::null());
            self.run_beside(handler, move |status| drop(handled.send(News::Handled(status))))
        });
        if let Err(error) = &handler {
            complain(&format!("--on-lost cannot be run: {}; SIGTERM is sent", story(error)));
            signals::send(self.pack, Signal::SIGTERM);
        }
        handler.is_ok()
    }

    fn run_beside(
        &self,
        handler: Command,
        tell: impl FnOnce(io::Result<ExitStatus>) + Send + 'static,
    ) -> Result<()> {
        let pack = signals::lock(self.pack);
        pack.as_ref().context("there is no command")?.run_beside(handler, tell)
    }
}

impl Progress {
    /// Wait until everybody has ended, or the time is up. That the lock is lost once more is no
    /// news.
    fn wait(&mut self, until: Option<Instant>, news: &Receiver<News>) {
        while self.ended.is_none() || self.handling {
            let left =
                until.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()));
            match news.recv_timeout(left) {
                Ok(News::Ended(ended)) => self.ended = Some(ended),
                Ok(News::Handled(status)) => {
                    // Who is killed for being late has not failed.
                    if core::mem::take(&mut self.handling) {
                        judge(status);
                    }
                }
                Ok(News::Lost(_)) => {}
                Err(_) => return,
            }
        }
    }
}

/// Say so, if `--on-lost` has failed.
fn judge(status: io::Result<ExitStatus>) {
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => complain(&format!("--on-lost has failed: {status}")),
        Err(error) => complain(&format!("it is not known how --on-lost ended: {error}")),
    }
}
