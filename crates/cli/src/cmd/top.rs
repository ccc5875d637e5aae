//! `driftlock top`: a node, watched.

mod screen;

use std::io::{IsTerminal, Read, stdin, stdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Result;
use driftlock_client::LookError;
use driftlock_client::blocking::Client;
use driftlock_client::wire::{LockState, LockView, Neighbor, Status};
use nix::sys::signal::{SigSet, Signal};
use serde::Serialize;

use self::screen::Screen;
use crate::Verdict;
use crate::args::TopArgs;
use crate::cmd::views;
use crate::session::connect;
use crate::terminal::{say, say_line};

/// What was seen at a glance.
#[derive(Serialize)]
struct Glance {
    status: Status,
    neighbors: Vec<Neighbor>,
    locks: Vec<LockView>,
}

impl Glance {
    fn take(client: &Client) -> Result<Self, LookError> {
        let (neighbors, mut locks) = (client.neighbors()?, client.locks()?);
        // What happens comes first; the order of names is kept otherwise.
        locks.sort_by_key(|lock| lock.state == LockState::Idle);
        Ok(Glance { status: client.status()?, neighbors, locks })
    }

    fn text(&self) -> String {
        let Glance { status, neighbors, locks } = self;
        let now = status.uptime_ms;
        let parts =
            [views::status(status), views::neighbors(neighbors, now), views::locks(locks, now)];
        parts.join("\n")
    }
}

pub(crate) fn run(args: &TopArgs) -> Result<Verdict> {
    let (tell, ends) = channel();
    let is_live = !args.look.json && stdout().is_terminal();
    if is_live {
        // Before there are other threads, which could be hit.
        listen(tell.clone())?;
    }
    let client = connect(&args.look.socket)?;
    let screen = if is_live { Some(Screen::open()?) } else { None };
    watch(args, &client, screen.as_ref(), &ends)?;
    // As long as this lives, somebody might ask for the end.
    drop(tell);
    Ok(Verdict::Held)
}

fn watch(
    args: &TopArgs,
    client: &Client,
    screen: Option<&Screen>,
    ends: &Receiver<()>,
) -> Result<()> {
    let mut looks = 0;
    loop {
        let glance = Glance::take(client)?;
        match screen {
            Some(screen) => screen.show(&glance.text())?,
            None if args.look.json => say_line(&serde_json::to_string(&glance)?)?,
            None => say(&format!("{}\n", glance.text()))?,
        }
        looks += 1;
        let is_last = args.count.is_some_and(|count| looks >= count);
        if is_last || ends.recv_timeout(args.interval).is_ok() {
            return Ok(());
        }
    }
}

/// Tell when `q` or Ctrl-C is typed, or somebody else wants us to end.
fn listen(tell: Sender<()>) -> Result<()> {
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    signals.thread_block()?;
    let typed = tell.clone();
    thread::Builder::new().spawn(move || {
        if signals.wait().is_ok() {
            let _ = tell.send(());
        }
    })?;
    thread::Builder::new().spawn(move || {
        let quits = |byte| matches!(byte, Ok(b'q' | b'Q' | 3));
        if stdin().lock().bytes().any(quits) {
            let _ = typed.send(());
        }
    })?;
    Ok(())
}
