//! `driftlock reproduce`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_lab::study::{Account, Means, Order, PAPERS, Paper};
use driftlock_sim::{Run, Scenario};

use super::sim::{check_seeds, threads};
use super::violation::Counterexample;
use crate::args::ReproduceArgs;
use crate::names::unknown;
use crate::terminal::{remark, say, say_line};
use crate::{Verdict, command_line, files, interrupt, progress, registry};

pub(crate) fn run(args: &ReproduceArgs) -> Result<Verdict> {
    let Some(paper) = PAPERS.iter().find(|paper| paper.name == args.paper) else {
        bail!("{}", unknown("paper", &args.paper, PAPERS.map(|paper| paper.name)));
    };
    let repetitions = args.reps.unwrap_or(paper.repetitions[usize::from(args.full)]);
    let order = Order { full: args.full, repetitions, seed: args.seed };
    check_seeds(order.seed, order.repetitions)?;
    let stop = interrupt::listen();
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("reproduced").join(paper.name));
    files::make_folder(&out)?;
    say_line(&format!("seed {}  {}", order.seed, command(args)))?;
    let account = conduct(paper, &order, args, stop)?;
    for (name, text) in &account.files {
        files::write_text(&out.join(name), text)?;
    }
    say(&account.text)?;
    let page = out.join("index.html");
    say_line(&format!("\nall tables, figures and runs: {}", page.display()))?;
    verdict(&account)
}

fn verdict(account: &Account) -> Result<Verdict> {
    if let Some(first) = account.failures.first() {
        let line = format!("{} --reps 1", command_line::of(&first.scenario, None));
        let kept = Counterexample::keep(&first.scenario, first.what.clone(), line, None)?;
        kept.tell(true)?;
        match account.failures.len() - 1 {
            0 => {}
            more => remark(&format!("and {more} more: see \"Broken promises\" in index.html")),
        }
        return Ok(Verdict::Violated);
    }
    if account.finished < account.planned {
        bail!(
            "interrupted: {} of {} runs are finished, and written",
            account.finished,
            account.planned
        );
    }
    Ok(Verdict::Held)
}

/// What regenerates the same results.
fn command(args: &ReproduceArgs) -> String {
    let mut line = format!("driftlock reproduce {} --seed {}", args.paper, args.seed);
    if args.full {
        line.push_str(" --full");
    }
    if let Some(reps) = args.reps {
        line.push_str(&format!(" --reps {reps}"));
    }
    line
}

fn conduct(
    paper: &Paper,
    order: &Order,
    args: &ReproduceArgs,
    stop: &AtomicBool,
) -> Result<Account> {
    let bar = progress::bar((paper.runs)(order) as u64, "runs");
    let trouble = Mutex::new(None);
    let run = |scenario: &Scenario| {
        let run = run_one(scenario, stop);
        bar.inc(1);
        run.unwrap_or_else(|error| {
            stop.store(true, Ordering::Relaxed);
            trouble.lock().ok()?.get_or_insert(error);
            None
        })
    };
    let means = Means {
        threads: threads(args.threads),
        stop,
        run: &run,
        replay: &|scenario| command_line::of(scenario, None),
        command: &command(args),
    };
    let account = (paper.conduct)(order, &means);
    bar.finish_and_clear();
    match trouble.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(account),
    }
}

fn run_one(scenario: &Scenario, stop: &AtomicBool) -> Result<Option<Run>> {
    let run = registry::measure(scenario, &mut |_| interrupt::patience(stop))?;
    Ok((!run.interrupted).then_some(run))
}
