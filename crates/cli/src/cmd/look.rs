//! `driftlock status`, `neighbors`, `locks` and `queue`.

use anyhow::Result;
use driftlock_client::wire::{Locks, Neighbors, Status};
use serde::Serialize;

use crate::Verdict;
use crate::args::{LookArgs, QueueArgs};
use crate::cmd::views;
use crate::session::connect;
use crate::terminal::{say, say_line};

pub(crate) fn status(args: &LookArgs) -> Result<Verdict> {
    let status = connect(&args.socket)?.status()?;
    show(args, &status, || views::status(&status))
}

pub(crate) fn neighbors(args: &LookArgs) -> Result<Verdict> {
    let client = connect(&args.socket)?;
    let neighbors = Neighbors { neighbors: client.neighbors()? };
    let Status { uptime_ms, .. } = client.status()?;
    show(args, &neighbors, || views::neighbors(&neighbors.neighbors, uptime_ms))
}

pub(crate) fn locks(args: &LookArgs) -> Result<Verdict> {
    let client = connect(&args.socket)?;
    let locks = Locks { locks: client.locks()?, more: false };
    let Status { uptime_ms, .. } = client.status()?;
    show(args, &locks, || views::locks(&locks.locks, uptime_ms))
}

pub(crate) fn queue(args: &QueueArgs) -> Result<Verdict> {
    let client = connect(&args.look.socket)?;
    let queue = client.queue(&args.name)?;
    let Status { uptime_ms, .. } = client.status()?;
    show(&args.look, &queue, || views::queue(&queue, uptime_ms))
}

pub(crate) fn show(
    args: &LookArgs,
    json: &impl Serialize,
    plain: impl FnOnce() -> String,
) -> Result<Verdict> {
    if args.json {
        say_line(&serde_json::to_string_pretty(json)?)?;
    } else {
        say(&plain())?;
    }
    Ok(Verdict::Held)
}
