//! `driftlock compare`.
//!
//! `entrants` is about who takes part, `plan` about where and who can; `driftlock_lab::compare`
//! runs and shows it.

mod entrants;
mod plan;

use anyhow::{Context, Result};
use driftlock_lab::compare::{self, Compared};
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
    let file = origin.file_needed().map(|path| (path, &origin.plain));
    let again = |scenario: &Scenario| command_line::of(scenario, file);
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
