//! How much of the time of all threads, one to each core, is spent inside the simulator: a sweep of
//! 1,000 cells of RL with 30 nodes, from the sweep file to the results on the disk. It is a ratio,
//! so that it means the same on every machine, and it has to be at least 0.9. That takes work for
//! all cores: cells are planned and results are written by one, so runs are longer where there are
//! more.

// A benchmark measures time and prints.
#![allow(clippy::disallowed_types, clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{Scenario, World};
use driftlock_sweep::engine::{Work, conduct};
use driftlock_sweep::{Author, Folder, Plan, SweepFile, csv, rows};

/// How many entries a run has, for each core.
const ENTRIES: usize = 250;

const SWEEP: &str = "
[scenario]
protocol = 'rl'
network = { nodes = 30, connectivity = 20 }
link-changes = { model = 'toggle' }
measure = { warmup = 50, entries = ENTRIES }
[grid]
'requests.rate' = { from = 0.01, to = 1, steps = 50, scale = 'log' }
'link-changes.rate' = { from = 0.0001, to = 0.01, steps = 20, scale = 'log' }
[repetitions]
count = 2
";

/// At least so much of the time of all cores is spent inside the simulator.
const LEAST: f64 = 0.9;

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let folder = tempfile::tempdir().unwrap();
    let inside = AtomicU64::new(0);
    let run = |scenario: &Scenario| {
        let began = Instant::now();
        let world = World::<Rl>::new(scenario, &Config::default()).unwrap();
        let run = world.in_detail().run();
        inside.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(run)
    };
    let began = Instant::now();
    let text = SWEEP.replace("ENTRIES", &(ENTRIES * threads).to_string());
    let file = SweepFile::parse(Path::new("share.toml"), &text).unwrap();
    let author = Author { program: "driftlock", version: "bench", build: "" };
    let plan = Plan::new(&file, &author, &|_| Ok(()));
    let mut kept = Folder::open(folder.path(), None).unwrap();
    let cells = kept.kept.missing(&plan, None);
    let stop = AtomicBool::new(false);
    let work = Work { plan: &plan, cells: &cells, threads, stop: &stop, run: &run, tell: &|_| () };
    conduct(&work, &|cell, outcome| kept.log.add(plan.cells[cell].key.as_ref().unwrap(), &outcome))
        .unwrap();
    kept.kept.look(folder.path()).unwrap();
    let frame = rows::frame(&plan, &kept.kept.outcomes(&plan));
    std::fs::write(folder.path().join("results.csv"), csv::write(&frame)).unwrap();
    write_parquet(&frame, &folder.path().join("results.parquet"));
    let all = began.elapsed().as_secs_f64();
    let share = inside.into_inner() as f64 / 1e9 / (all * threads as f64);
    println!(
        "{} cells, {} runs of RL with 30 nodes on {threads} threads: {all:.2} s, {:.1} % of the \
         threads' time inside the simulator",
        plan.cells.len(),
        frame.rows(),
        100.0 * share
    );
    assert_eq!((plan.cells.len(), frame.rows()), (1000, 2000));
    assert!(share >= LEAST, "the share is {share:.3}, and at least {LEAST} is expected");
}

#[cfg(feature = "parquet")]
fn write_parquet(frame: &driftlock_sweep::Frame, path: &Path) {
    let mut bytes = Vec::new();
    driftlock_sweep::parquet::write(frame, "{}", "bench", &mut bytes).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &driftlock_sweep::Frame, _: &Path) {}
