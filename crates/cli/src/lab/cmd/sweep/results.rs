//! What came of a sweep, written and told: [`Results`].

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use driftlock_sim::Scenario;
use driftlock_sweep::folder::Kept;
use driftlock_sweep::summary::{Summary, VIOLATED};
use driftlock_sweep::{Frame, Outcome, Plan, Shard, csv, rows};

use super::merge::ranges;
use super::warnings;
use crate::Verdict;
use crate::lab::{command_line, files, registry};
use crate::terminal::{say, say_line};

/// How many failures are told on the terminal.
const SHOWN: usize = 20;

/// What came of a sweep, or of a part of it.
pub(super) struct Results {
    frame: Frame,
    pub(super) summary: Summary,
}

impl Results {
    pub(super) fn new(plan: &Plan, kept: &Kept, shard: Option<Shard>) -> Self {
        let mut outcomes = kept.outcomes(plan);
        for (cell, outcome) in outcomes.iter_mut().enumerate() {
            if shard.is_some_and(|shard| !shard.has(cell)) {
                *outcome = None;
            }
        }
        Results::of(plan, &outcomes, shard)
    }

    fn of(plan: &Plan, outcomes: &[Option<&Outcome>], shard: Option<Shard>) -> Self {
        let frame = rows::frame(plan, outcomes);
        let replay = |scenario: &Scenario| format!("{} --reps 1", command_line::of(scenario, None));
        let mut summary = Summary::of(plan, outcomes, &frame, &replay);
        summary.warnings = warnings::of(plan);
        if let Some(shard) = shard {
            summary.failures.retain(|failure| shard.has(failure.cell - 1));
        }
        Results { frame, summary }
    }

    /// Write everything into a folder. If there is nothing, what was there before stays.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        if self.summary.runs == 0 {
            return Ok(());
        }
        files::write_text(&folder.join("results.csv"), &csv::write(&self.frame))?;
        self.write_parquet(&folder.join("results.parquet"))?;
        files::write_text(&folder.join("sweep.json"), &self.summary.json())
    }

    #[cfg(feature = "parquet")]
    fn write_parquet(&self, path: &Path) -> Result<()> {
        let bytes = self.parquet()?;
        files::write(path, |to| Ok(to.write_all(&bytes)?))
    }

    /// The table as Parquet.
    #[cfg(feature = "parquet")]
    pub(super) fn parquet(&self) -> Result<Vec<u8>> {
        let Summary { driftlock, command, sweep, seed, cells, columns, .. } = &self.summary;
        let Summary { warnings, failures, wide, .. } = &self.summary;
        let metadata = serde_json::json!({
            "driftlock": driftlock, "command": command, "sweep": sweep, "seed": seed,
            "cells": cells, "columns": columns, "warnings": warnings, "failures": failures,
            "wide": wide,
        });
        let mut bytes = Vec::new();
        let text = metadata.to_string();
        driftlock_sweep::parquet::write(&self.frame, &text, driftlock, &mut bytes)?;
        Ok(bytes)
    }

    /// This build cannot write it, and an old one would not go with the results.
    #[cfg(not(feature = "parquet"))]
    fn write_parquet(&self, path: &Path) -> Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Tell what came of it.
    pub(super) fn tell(&self, json: bool, shard: Option<Shard>, out: &Path) -> Result<Verdict> {
        let Summary { runs, violated, failures, .. } = &self.summary;
        if json {
            say(&self.summary.json())?;
        } else {
            self.tell_failures()?;
            tell_unknown(&self.summary)?;
            let held = match violated {
                0 if *runs == 0 => "nothing was run".into(),
                0 => "all promises held".into(),
                violated => format!("a promise was broken in {violated}"),
            };
            say_line(&format!("{runs} runs: {held}"))?;
            say_line(&match shard {
                Some(shard) => format!("part {shard} is finished: {}", out.display()),
                None if *runs == 0 => "no results were written".into(),
                None => format!("results: {}", shown(out).join(", ")),
            })?;
        }
        if *violated > 0 {
            return Ok(Verdict::Violated);
        }
        if let Some(bug) = failures.iter().find(|failure| failure.kind == "panicked") {
            // With protocols of other people it may be theirs.
            let whose = if registry::has_others() { "" } else { ", please report it" };
            bail!("there is a bug in cell {}{whose}: {}", bug.cell, bug.what);
        }
        match failures.first() {
            // Another part may have better luck.
            Some(first) if *runs == 0 && shard.is_none() => {
                bail!("nothing of it can be run: {}", first.what)
            }
            _ => Ok(Verdict::Held),
        }
    }

    /// What went wrong, with what to type to see it again.
    fn tell_failures(&self) -> Result<()> {
        let failures = &self.summary.failures;
        for failure in failures.iter().take(SHOWN) {
            let runs = match (failure.runs, failure.kind == VIOLATED) {
                (0, _) | (_, false) => String::new(),
                (1, true) => " in 1 run".into(),
                (runs, true) => format!(" in {runs} runs"),
            };
            say_line(&format!("cell {} {}{runs}: {}", failure.cell, failure.kind, failure.what))?;
            say_line(&format!("  replay: {}", failure.replay))?;
        }
        match failures.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => say_line(&format!("and {more} more: sweep.json has them all")),
        }
    }
}

/// The results that are there.
fn shown(out: &Path) -> Vec<String> {
    let paths = ["results.csv", "results.parquet"].map(|name| out.join(name));
    let there = paths.iter().filter(|path| fs::exists(path).unwrap_or(false));
    there.map(|path| path.display().to_string()).collect()
}

/// Cells whose means are not known as well as was asked for.
fn tell_unknown(summary: &Summary) -> Result<()> {
    match summary.wide.as_slice() {
        [] => Ok(()),
        wide => say_line(&format!(
            "the interval is wider than asked for, after all repetitions, in {} of {} cells: {}",
            wide.len(),
            summary.cells,
            ranges(wide)
        )),
    }
}
