//! Sweeps for programs, which want the table: [`table`] and [`table_in`].

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use driftlock_sweep::engine::{Work, conduct};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::{Folder, Plan, Shard, SweepFile};

use super::results::Results;
use super::unchanged::Files;
use super::{keep, plan_of, runner};
use crate::lab::files;

/// Run a sweep, or a part of it, and return its table as Parquet: what `driftlock sweep` writes, to
/// the byte. Once `stop` is set it gives up.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use driftlock::lab::{study, sweep};
///
/// let text = "[scenario]\nmeasure = { entries = 50 }\n[grid]\nprotocol = [\"rl\", \"rr\"]";
/// let bytes = sweep(&study(text).unwrap(), None, 2, &AtomicBool::new(false)).unwrap();
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
    let run = runner(stop);
    let work = Work { plan: &plan, cells: &cells, threads, stop, run: &run, tell: &|_| {} };
    conduct::<anyhow::Error>(&work, &|cell, outcome| {
        let key = plan.cells[cell].key.clone().map_err(anyhow::Error::msg)?;
        kept.lock().expect("nobody panics while keeping").cells.insert(key, outcome);
        Ok(())
    })?;
    let kept = kept.into_inner().expect("nobody panics while keeping");
    results(&plan, &kept, shard)?.parquet()
}

/// The same, with a folder: what is finished there is not run again, what gets finished is kept
/// there at once, and in the end the results are written there, as `driftlock sweep --out` does.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use driftlock::lab::{study, sweep, sweep_in};
///
/// let text = "[scenario]\nmeasure = { entries = 50 }\n[grid]\nprotocol = [\"rl\", \"rr\"]";
/// let (study, stop) = (study(text).unwrap(), AtomicBool::new(false));
/// let folder = tempfile::tempdir().unwrap();
/// let bytes = sweep_in(folder.path(), &study, None, 2, &stop).unwrap();
/// assert_eq!(bytes, sweep(&study, None, 2, &stop).unwrap());
/// assert_eq!(bytes, std::fs::read(folder.path().join("results.parquet")).unwrap());
/// ```
pub fn table_in(
    out: &Path,
    file: &SweepFile,
    shard: Option<Shard>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<u8>> {
    let unchanged = Files::of(file);
    let plan = plan_of(file)?;
    files::make_folder(out)?;
    let mut folder = Folder::open(out, shard)?;
    let cells = folder.kept.missing(&plan, shard);
    let run = runner(stop);
    let work = Work { plan: &plan, cells: &cells, threads, stop, run: &run, tell: &|_| {} };
    let passing = keep(&work, &folder, &unchanged)?;
    folder.kept.look(out)?;
    folder.kept.cells.extend(passing);
    let results = results(&plan, &folder.kept, shard)?;
    if shard.is_none() {
        results.write(out)?;
    }
    results.parquet()
}

/// What came of it, if it is finished.
fn results(plan: &Plan, kept: &Kept, shard: Option<Shard>) -> Result<Results> {
    if !kept.missing(plan, shard).is_empty() {
        bail!("interrupted");
    }
    Ok(Results::new(plan, kept, shard))
}
