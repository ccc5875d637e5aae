//! A sweep without a folder, for programs: [`table`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_sim::Scenario;
use driftlock_sweep::engine::{Work, conduct};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::{Shard, SweepFile};

use super::plan_of;
use super::results::Results;
use crate::lab::{interrupt, registry};
use crate::terminal::story;

/// Run a sweep, or a part of it, and return its table as Parquet: what `driftlock sweep` writes, to
/// the byte. Once `stop` is set it gives up.
///
/// ```
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use driftlock::lab::sweep;
/// use driftlock_sweep::SweepFile;
///
/// let text = "[scenario]\nmeasure = { entries = 50 }\n[grid]\nprotocol = [\"rl\", \"rr\"]";
/// let file = SweepFile::parse(Path::new("study.toml"), text).unwrap();
/// let bytes = sweep(&file, None, 2, &AtomicBool::new(false)).unwrap();
/// assert!(bytes.starts_with(b"PAR1"));
/// ```
pub fn table(
    file: &SweepFile,
    shard: Option<Shard>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<u8>> {
    let plan = plan_of(file)?;
    let cells = Kept::default().missing(&plan, shard);
    let kept = Mutex::new(Kept::default());
    let run = |scenario: &Scenario| {
        let run = registry::run_in_detail(scenario, &mut |_| interrupt::patience(stop));
        run.map_err(|error| story(&error))
    };
    let work = Work { plan: &plan, cells: &cells, threads, stop, run: &run, tell: &|_| {} };
    conduct::<anyhow::Error>(&work, &|cell, outcome| {
        let key = plan.cells[cell].key.clone().map_err(anyhow::Error::msg)?;
        kept.lock().expect("nobody panics while keeping").cells.insert(key, outcome);
        Ok(())
    })?;
    let kept = kept.into_inner().expect("nobody panics while keeping");
    if stop.load(Ordering::Relaxed) && !kept.missing(&plan, shard).is_empty() {
        bail!("interrupted");
    }
    Results::new(&plan, &kept, shard).parquet()
}
