//! Scenarios and sweeps, from files or from texts that a program has made: what is wrong is told in
//! plain words, with the line and the key of a file, and with the key alone of a text.

use std::path::Path;

use anyhow::{Result, anyhow};
use driftlock_sim::Scenario;
use driftlock_sweep::SweepFile;

use crate::lab::words::in_plain_words;

/// Read a scenario file.
pub fn read_scenario(path: &Path) -> Result<Scenario> {
    Scenario::from_file(path).map_err(|error| plainly(&error.to_string()))
}

/// Understand the text of a scenario.
///
/// ```
/// let error = driftlock::lab::scenario("network.nodes = \"ten\"").unwrap_err();
/// assert!(error.to_string().starts_with("network.nodes: "), "{error}");
/// ```
pub fn scenario(text: &str) -> Result<Scenario> {
    driftlock_sweep::file::scenario(text).map_err(|what| plainly(&what))
}

/// Read a sweep file.
pub fn read_study(path: &Path) -> Result<SweepFile> {
    SweepFile::open(path).map_err(|error| plainly(&error.to_string()))
}

/// Understand the text of a sweep, which has no file: results name it as `sweep.toml`.
pub fn study(text: &str) -> Result<SweepFile> {
    SweepFile::parse(Path::new("sweep.toml"), text).map_err(|error| plainly(error.what()))
}

fn plainly(message: &str) -> anyhow::Error {
    anyhow!(in_plain_words(message))
}
