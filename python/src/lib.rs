//! The lab of driftlock for Python: what `package/driftlock/__init__.py` calls.
//!
//! Scenarios and sweeps cross the border as paths of files or as texts of such, in TOML; what
//! people see is made in Python of JSON and Parquet. The lock of the interpreter is let go while
//! simulations run, and Ctrl-C ends them.
#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use driftlock::lab;
use driftlock_sim::Scenario;
use driftlock_sweep::{Shard, SweepFile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

/// All protocols, as JSON.
#[pyfunction]
fn protocols() -> PyResult<String> {
    told(serde_json::to_string(lab::protocols()).context("the protocols"))
}

/// Run a scenario: of this text, or of a file. The answer is JSON.
#[pyfunction]
fn run(py: Python<'_>, scenario: Option<&str>, file: Option<PathBuf>) -> PyResult<String> {
    let mut interrupted = None;
    let done = py.detach(|| {
        let mut scenario = read(scenario, file)?;
        lab::complete(&mut scenario)?;
        let run =
            lab::run_watched(&scenario, &mut |_| match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    interrupted = Some(error);
                    ControlFlow::Break(())
                }
            })?;
        let told = json!({
            "scenario": scenario,
            "warnings": lab::warnings(&scenario),
            "violation": run.violation.as_ref().map(ToString::to_string),
            "steps": run.steps,
            "ended_at": run.ended_at,
            "metrics": run.metrics,
        });
        Ok(told.to_string())
    });
    interrupted.map_or_else(|| told(done), Err)
}

fn read(scenario: Option<&str>, file: Option<PathBuf>) -> Result<Scenario> {
    match (scenario, file) {
        (Some(text), None) => lab::scenario(text),
        (None, Some(path)) => lab::read_scenario(&path),
        _ => bail!("give a scenario or a file"),
    }
}

/// Run a sweep, or a part of it: of this text, or of a file. What is finished is kept in the folder
/// `out`, if there is one. The answer is a Parquet file.
#[pyfunction]
fn sweep<'py>(
    py: Python<'py>,
    study: Option<&str>,
    file: Option<PathBuf>,
    threads: Option<usize>,
    shard: u32,
    shards: u32,
    out: Option<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    let stop = AtomicBool::new(false);
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    let (done, interrupted) = py.detach(|| {
        thread::scope(|scope| {
            let caller = thread::current();
            let (stop, told) = (&stop, study);
            let work = scope.spawn(move || {
                let done = study_of(told, file)
                    .and_then(|study| Ok((study, part(shard, shards)?)))
                    .and_then(|(study, part)| match out {
                        Some(out) => lab::sweep_in(&out, &study, part, threads, stop),
                        None => lab::sweep(&study, part, threads, stop),
                    });
                caller.unpark();
                done
            });
            // Only the thread that has called hears of Ctrl-C.
            let mut interrupted = None;
            while !work.is_finished() {
                thread::park_timeout(LOOK_EVERY);
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(error);
                }
            }
            (work.join(), interrupted)
        })
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    let bytes = done.unwrap_or_else(|_| bail!("there is a bug in the sweep, please report it"));
    Ok(PyBytes::new(py, &told(bytes)?))
}

/// How often it is looked for signals.
const LOOK_EVERY: Duration = Duration::from_millis(100);

fn study_of(study: Option<&str>, file: Option<PathBuf>) -> Result<SweepFile> {
    match (study, file) {
        (Some(text), None) => lab::study(text),
        (None, Some(path)) => lab::read_study(&path),
        _ => bail!("give a sweep or a file"),
    }
}

/// Which part; nothing if it is everything.
fn part(index: u32, count: u32) -> Result<Option<Shard>> {
    match (index, count) {
        (1, 1) => Ok(None),
        (1.., _) if index <= count => Ok(Some(Shard { index, count })),
        _ => bail!("shard: expected (i, n) with i from 1 to n, found ({index}, {count})"),
    }
}

/// What is wrong, with everything that led to it.
fn told<T>(result: Result<T>) -> PyResult<T> {
    result.map_err(|error| PyValueError::new_err(format!("{error:#}")))
}

/// What Python imports.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(protocols, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(sweep, module)?)
}
