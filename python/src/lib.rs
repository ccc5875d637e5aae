//! The lab of driftlock for Python: what `driftlock/__init__.py` calls.
//!
//! Everything crosses the border as JSON, which both sides have; what people see is made of it in
//! Python. The lock of the interpreter is let go while simulations run, and Ctrl-C ends them.
#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use driftlock::lab;
use driftlock_sim::Scenario;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

/// All protocols, as JSON.
#[pyfunction]
fn protocols() -> PyResult<String> {
    told(serde_json::to_string(lab::protocols()).context("the protocols"))
}

/// Run a scenario: as JSON, or from a TOML file. The answer is JSON.
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
        (Some(json), None) => Ok(serde_json::from_str(json)?),
        (None, Some(path)) => Ok(Scenario::from_file(&path)?),
        _ => bail!("give a scenario or a file"),
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
    module.add_function(wrap_pyfunction!(run, module)?)
}
