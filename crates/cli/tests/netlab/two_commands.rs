//! The two-command campaign: schedules of faults, carried out on real daemons in network namespaces
//! whose locks real commands contend for.
//!
//! `cargo bench -p driftlock --bench faults -- --trials 1000 --first-seed 1 --jobs 8`. Ctrl-C ends
//! it with a report of what is finished, and the same command goes on from there.

// A campaign takes time and prints; a panic is an answer.
#![allow(clippy::unwrap_used, clippy::disallowed_types, clippy::print_stdout)]
#![allow(clippy::print_stderr)]

mod lab;
mod report;
mod results;
mod shell;
mod trial;

use std::io::IsTerminal;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::results::Results;
use crate::trial::outcome::Outcome;

/// Real commands under locks, while everything goes wrong
#[derive(Parser, Debug)]
#[command(name = "cargo bench -p driftlock --bench faults --", max_term_width = 100)]
struct Args {
    /// How many trials, one for each seed
    #[arg(long, default_value_t = 1000)]
    trials: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// How many trials at a time; large networks count as several
    #[arg(long, default_value_t = 8)]
    jobs: usize,
    /// One trial, told as it goes on
    #[arg(long, conflicts_with_all = ["trials", "first_seed"])]
    seed: Option<u64>,
    /// Forget the results of earlier runs
    #[arg(long)]
    fresh: bool,
    /// What cargo says
    #[arg(long, hide = true)]
    bench: bool,
}

/// Set once someone wants us to stop.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() {
    let args = Args::parse();
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            exit(2);
        }
        eprintln!("stopping; what is finished is kept (again to quit at once)");
    };
    ctrlc::set_handler(stop).unwrap();
    let outcomes = match args.seed {
        Some(seed) => trial::run(seed, &STOP, true).into_iter().collect(),
        None => campaign(&args),
    };
    println!("{}", report::report(&outcomes));
    exit(i32::from(outcomes.iter().any(|outcome| !outcome.wrong.is_empty())));
}

/// All seeds that are not in the results yet. Returns what came of all that are finished.
fn campaign(args: &Args) -> Vec<Outcome> {
    let seeds = args.first_seed..args.first_seed + args.trials;
    let mut results = Results::open(args.fresh);
    let bar = bar(args.trials);
    let left: Vec<u64> = seeds.clone().filter(|seed| !results.has(*seed)).collect();
    bar.set_position(args.trials - left.len() as u64);
    bar.reset_eta();
    let mut failed = 0;
    trial::pool::run_all(left.into_iter(), args.jobs.max(1), &STOP, |outcome| {
        if !outcome.wrong.is_empty() {
            failed += 1;
            bar.suspend(|| eprintln!("{}", outcome.complaint()));
            bar.set_message(format!("{failed} failed"));
        }
        results.add(outcome);
        bar.inc(1);
    });
    bar.finish_and_clear();
    let outcomes = results.of(seeds);
    results.write_report(&report::report(&outcomes));
    outcomes
}

/// A bar on a terminal; elsewhere nothing.
fn bar(trials: u64) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(trials), target);
    let template = "trials [{bar:40}] {pos}/{len}, {elapsed} gone, {eta} to go, {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap().progress_chars("=> "));
    bar.set_message("0 failed");
    bar
}
