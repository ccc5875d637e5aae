//! `driftlock compare`.
//!
//! `entrants` is about who takes part, `plan` about where and who can; `driftlock_lab::compare`
//! runs and shows it.

mod entrants;
mod plan;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftlock_lab::compare::{self, Compared, Contest};
use driftlock_sim::Scenario;
use serde_json::json;

use self::plan::Plan;
use super::reproduce::{Work, verdict};
use super::sim::threads;
use crate::Verdict;
use crate::lab::args::CompareArgs;
use crate::lab::{command_line, files, interrupt, registry};
use crate::terminal::{remark, say, say_line};

pub(crate) fn run(args: &CompareArgs) -> Result<Verdict> {
    let Plan { origin, contest } = &Plan::of(args)?;
    let stop = interrupt::listen();
    files::make_folder(&args.out).context("--out")?;
    files::check(&args.out.join("results.md")).context("--out")?;
    let command = command_line::typed(std::env::args_os());
    contest.warnings.iter().for_each(|warning| remark(&format!("warning: {warning}")));
    if !args.json {
        say_line(&format!("seed {}  {command}", contest.seed))?;
    }
    let typed = origin.file_needed().map(|path| (path.to_owned(), &origin.plain));
    let scripts = typed.map_or_else(|| scripts(contest, &args.out), |typed| vec![typed]);
    let again = |scenario: &Scenario| {
        let is_its =
            |(_, plain): &&(PathBuf, &Scenario)| scenario.script.starts_with(&plain.script);
        let file = scripts.iter().find(is_its);
        command_line::of(scenario, file.map(|(path, plain)| (path.as_path(), *plain)))
    };
    let work = Work {
        runs: contest.runs(),
        threads: threads(args.threads),
        command: &command,
        replay: &again,
        run: &|scenario| registry::run_in_detail(scenario, &mut |_| interrupt::patience(stop)),
    };
    let Compared { rows, account } = work.with(stop, |means| compare::conduct(contest, means))?;
    for (name, text) in &account.files {
        files::write_text(&args.out.join(name), text)?;
    }
    if origin.file_needed().is_none() {
        for (path, plain) in &scripts {
            files::write_text(path, &plain.to_toml())?;
        }
    }
    if args.json {
        let mut report = json!({
            "driftlock": env!("CARGO_PKG_VERSION"), "command": command, "seed": contest.seed,
            "repetitions": contest.repetitions, "varied": contest.key,
            "compared_with": contest.entrants[contest.reference()].name, "rows": rows,
        });
        if contest.cases.iter().any(|case| case.scenario.trace.is_some()) {
            report["warnings"] = json!(contest.warnings);
        }
        say_line(&serde_json::to_string_pretty(&report)?)?;
    } else {
        say(&account.text)?;
        say_line(&format!("table and figures: {}", args.out.join("results.md").display()))?;
    }
    verdict(&account, "results.md", &again)
}

/// Worlds with a script that cannot be typed, each as the file that its runs can be run again with.
fn scripts<'c>(contest: &'c Contest, folder: &Path) -> Vec<(PathBuf, &'c Scenario)> {
    let mut scripts: Vec<(PathBuf, &Scenario)> = Vec::new();
    for case in &contest.cases {
        let Scenario { script, .. } = &case.scenario;
        let is_known = scripts.iter().any(|(_, plain)| plain.script == *script);
        if !is_known && script.iter().any(|scripted| scripted.crash.is_none()) {
            let name = format!("{}-{}.toml", case.stem, scripts.len() + 1);
            scripts.push((folder.join(name), &case.scenario));
        }
    }
    scripts
}
