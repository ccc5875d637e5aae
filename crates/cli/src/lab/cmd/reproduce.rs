//! `driftlock reproduce`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_lab::study::{Account, Means, Order, PAPERS, Paper};
use driftlock_sim::{Run, Scenario};

use super::sim::{check_seeds, threads};
use super::violation::Counterexample;
use crate::Verdict;
use crate::lab::args::ReproduceArgs;
use crate::lab::{command_line, files, interrupt, progress, registry};
use crate::names::unknown;
use crate::program;
use crate::terminal::{remark, say, say_line};

pub(crate) fn run(args: &ReproduceArgs) -> Result<Verdict> {
    let paper = find(&args.paper)?;
    let repetitions = args.reps.unwrap_or(paper.repetitions[usize::from(args.full)]);
    let order = Order { full: args.full, repetitions, seed: args.seed };
    check_seeds(order.seed, order.repetitions)?;
    let args = &ReproduceArgs { paper: paper.name.into(), ..args.clone() };
    let stop = interrupt::listen();
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("reproduced").join(paper.name));
    files::make_folder(&out)?;
    let page = out.join("index.html");
    files::check(&page)?;
    say_line(&format!("seed {}  {}", order.seed, command(args)))?;
    let account = conduct(paper, &order, args, stop)?;
    for (name, text) in &account.files {
        files::write_text(&out.join(name), text)?;
    }
    say(&account.text)?;
    say_line(&format!("\nall tables, figures and runs: {}", page.display()))?;
    verdict(&account, "index.html", &|scenario| command_line::of(scenario, None))
}

/// The paper of that name, which may be that of its authors.
fn find(name: &str) -> Result<&'static Paper> {
    let is_it = |paper: &&Paper| paper.name == name || paper.aliases.contains(&name);
    if let Some(paper) = PAPERS.iter().find(is_it) {
        return Ok(paper);
    }
    let names = PAPERS.iter().map(|paper| paper.name);
    let aliases = PAPERS.iter().flat_map(|paper| paper.aliases.iter().copied());
    bail!("{}", unknown("paper", name, names.chain(aliases)))
}

/// What an account comes to. `page` lists all broken promises; `again` is the line for a scenario.
pub(crate) fn verdict(
    account: &Account,
    page: &str,
    again: &dyn Fn(&Scenario) -> String,
) -> Result<Verdict> {
    if let Some(first) = account.failures.first() {
        let line = format!("{} --reps 1", again(&first.scenario));
        let kept = Counterexample::keep(&first.scenario, first.what.clone(), line, None)?;
        kept.tell(true)?;
        match account.failures.len() - 1 {
            0 => {}
            more => remark(&format!("and {more} more: see \"Broken promises\" in {page}")),
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
    let mut line = format!("{} reproduce {} --seed {}", program::name(), args.paper, args.seed);
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
    let work = Work {
        runs: (paper.runs)(order),
        threads: threads(args.threads),
        command: &command(args),
        replay: &|scenario| command_line::of(scenario, None),
        run: &|scenario| registry::measure(scenario, &mut |_| interrupt::patience(stop)),
    };
    work.with(stop, |means| (paper.conduct)(order, means))
}

/// Many runs for an account.
pub(crate) struct Work<'a> {
    /// How many there are.
    pub(crate) runs: usize,
    pub(crate) threads: usize,
    /// What regenerates the same results.
    pub(crate) command: &'a str,
    /// The line that runs a scenario again.
    pub(crate) replay: &'a dyn Fn(&Scenario) -> String,
    pub(crate) run: &'a (dyn Fn(&Scenario) -> Result<Run> + Sync),
}

impl Work<'_> {
    /// Do it under a progress bar. The first run that cannot be done ends it.
    pub(crate) fn with<T>(
        &self,
        stop: &AtomicBool,
        conduct: impl FnOnce(&Means<'_>) -> T,
    ) -> Result<T> {
        let bar = progress::bar(self.runs as u64, "runs");
        let trouble = Mutex::new(None);
        let run = |scenario: &Scenario| {
            let run = (self.run)(scenario).map(|run| (!run.interrupted).then_some(run));
            bar.inc(1);
            run.unwrap_or_else(|error| {
                stop.store(true, Ordering::Relaxed);
                trouble.lock().ok()?.get_or_insert(error);
                None
            })
        };
        let means = Means {
            threads: self.threads,
            stop,
            run: &run,
            replay: self.replay,
            command: self.command,
        };
        let account = conduct(&means);
        bar.finish_and_clear();
        match trouble.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(account),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Args;

    use super::*;

    /// What help says of papers is so: their names, and how often each point is repeated.
    #[test]
    fn help_knows_every_paper() {
        let mut command = ReproduceArgs::augment_args(clap::Command::new("reproduce"));
        let help = command.render_long_help().to_string();
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for Paper { name, repetitions: [short, full], .. } in &PAPERS {
            assert!(words.contains(&format!("{short} for {name}")), "{name}: {words}");
            let told = [format!("{full} for {name}"), format!("{full} for the others")];
            assert!(told.iter().any(|told| words.contains(told)), "{name}: {words}");
        }
        let names = PAPERS.each_ref().map(|paper| paper.name);
        let [first @ .., last] = &names;
        assert!(words.contains(&format!("{} or {last}", first.join(", "))), "{words}");
    }
}
