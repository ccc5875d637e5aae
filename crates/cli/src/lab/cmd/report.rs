//! `driftlock report`.

use anyhow::{Result, anyhow};
use driftlock_sweep::page::page;
use driftlock_sweep::summary::Summary;

use super::plot;
use crate::Verdict;
use crate::lab::args::ReportArgs;
use crate::lab::files;
use crate::terminal::{say_line, story};

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
    let name = summary.as_ref().and_then(Summary::name);
    let name = name.unwrap_or_else(|| args.results.display().to_string());
    let out = args.out.clone().unwrap_or_else(|| folder.join("report.html"));
    let written = files::write_text(&out, &page(&frame, summary.as_ref(), &name).html());
    written.map_err(|error| anyhow!("{}; --out names another file", story(&error)))?;
    say_line(&out.display().to_string())?;
    Ok(Verdict::Held)
}
