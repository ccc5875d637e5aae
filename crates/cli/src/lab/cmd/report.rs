//! `driftlock report`.

use anyhow::{Result, anyhow};
use driftlock_sweep::page::page;
use driftlock_sweep::summary::Summary;

use super::plot;
use crate::Verdict;
use crate::lab::args::ReportArgs;
use crate::lab::files;
use crate::terminal::say_line;

pub(crate) fn run(args: &ReportArgs) -> Result<Verdict> {
    let (folder, frame) = plot::open(&args.results)?;
    let beside = folder.join("sweep.json");
    let summary: Option<Summary> = match std::fs::read_to_string(&beside) {
        Err(_) => None,
        Ok(text) => {
            let read = serde_json::from_str(&text);
            Some(read.map_err(|error| anyhow!("{}: {error}", beside.display()))?)
        }
    };
    let command = summary.as_ref().and_then(|summary| summary.command.split(' ').next_back());
    let name = match command {
        Some(name) => name.to_owned(),
        None => args.results.display().to_string(),
    };
    let out = args.out.clone().unwrap_or_else(|| folder.join("report.html"));
    files::write_text(&out, &page(&frame, summary.as_ref(), &name).html())?;
    say_line(&out.display().to_string())?;
    Ok(Verdict::Held)
}
