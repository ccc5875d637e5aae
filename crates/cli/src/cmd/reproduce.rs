//! `driftlock reproduce`.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_lab::table::Table;
use driftlock_lab::wwv2001::figures::PLOTS;
use driftlock_lab::wwv2001::grid::READINGS;
use driftlock_lab::wwv2001::published::Quantity;
use driftlock_lab::wwv2001::{Effort, Results, claims, grid, page, tables};
use driftlock_sim::{Run, Scenario};

use super::sim::{check_seeds, threads};
use super::violation::Counterexample;
use crate::args::ReproduceArgs;
use crate::names::unknown;
use crate::terminal::{remark, say, say_line};
use crate::{Verdict, command_line, files, interrupt, progress, registry};

pub(crate) fn run(args: &ReproduceArgs) -> Result<Verdict> {
    if args.paper != "rl" {
        bail!("{}", unknown("paper", &args.paper, ["rl"]));
    }
    let effort = effort(args);
    check_seeds(effort.seed, effort.repetitions)?;
    let stop = interrupt::listen();
    files::make_folder(&args.out)?;
    say_line(&format!("seed {}  {}", effort.seed, command(args)))?;
    let results = gather(effort, threads(args.threads), stop)?;
    write_all(args, &results)?;
    for quantity in Quantity::ALL {
        say(&tables::comparison(&results, quantity).plain_text())?;
        say("\n")?;
    }
    say(&tables::fewer_links(&results).plain_text())?;
    say("\n")?;
    say(&claims::table(&results, claims::CLOSEST).plain_text())?;
    say_line(&format!("\n{}\n", page::precision(&results)))?;
    say_line("Where we differ from the paper, and why:")?;
    for explanation in claims::explanations() {
        say_line(&format!("* {explanation}"))?;
    }
    say_line(&format!(
        "\nall tables, figures and runs: {}",
        args.out.join("index.html").display()
    ))?;
    verdict(&results)
}

fn verdict(results: &Results) -> Result<Verdict> {
    if let Some(first) = results.failures.first() {
        let line = format!("{} --reps 1", command_line::of(&first.scenario, None));
        let kept = Counterexample::keep(&first.scenario, first.what.clone(), line, None)?;
        kept.tell(true)?;
        match results.failures.len() - 1 {
            0 => {}
            more => remark(&format!("and {more} more: see \"Broken promises\" in index.html")),
        }
        return Ok(Verdict::Violated);
    }
    if results.finished < results.planned {
        bail!(
            "interrupted: {} of {} runs are finished, and written",
            results.finished,
            results.planned
        );
    }
    Ok(Verdict::Held)
}

fn effort(args: &ReproduceArgs) -> Effort {
    let effort = if args.full { Effort::FULL } else { Effort::DEFAULT };
    Effort { seed: args.seed, repetitions: args.reps.unwrap_or(effort.repetitions), ..effort }
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

fn gather(effort: Effort, threads: usize, stop: &AtomicBool) -> Result<Results> {
    let runs = grid::points().len() as u64 * effort.repetitions;
    let bar = progress::bar(runs, "runs");
    let trouble = std::sync::Mutex::new(None);
    let results = Results::gather(effort, threads, stop, |scenario| {
        let run = run_one(scenario, stop);
        bar.inc(1);
        run.unwrap_or_else(|error| {
            stop.store(true, Ordering::Relaxed);
            trouble.lock().ok()?.get_or_insert(error);
            None
        })
    });
    bar.finish_and_clear();
    match trouble.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(results),
    }
}

fn run_one(scenario: &Scenario, stop: &AtomicBool) -> Result<Option<Run>> {
    let run = registry::run(scenario, None, &mut |_| interrupt::patience(stop))?;
    Ok((!run.interrupted).then_some(run))
}

fn write_all(args: &ReproduceArgs, results: &Results) -> Result<()> {
    let csv = |name: &str, table: &Table| files::write_text(&args.out.join(name), &table.csv());
    for (k, quantity) in (1..).zip(Quantity::ALL) {
        csv(&format!("table{k}.csv"), &tables::comparison(results, quantity))?;
        let printed = tables::as_printed(results, quantity, claims::CLOSEST).markdown();
        files::write_text(&args.out.join(format!("table{k}.md")), &printed)?;
    }
    csv("rr-fewer-links.csv", &tables::fewer_links(results))?;
    csv("runs.csv", &results.all_runs())?;
    for plot in PLOTS {
        for reading in READINGS {
            let svg = plot.figure(results, reading).svg();
            let name = format!("{}.svg", plot.file_stem(reading));
            files::write_text(&args.out.join(name), &svg)?;
        }
    }
    let replay = |scenario: &Scenario| command_line::of(scenario, None);
    let page = page::page(results, &command(args), &replay);
    files::write_text(&args.out.join("index.html"), &page.html())
}
