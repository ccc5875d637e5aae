//! What is wrong with a scenario: [`ScenarioError`].

use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a scenario. Nothing was run and nothing was written.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioError {
    pub(super) place: Place,
    pub(super) what: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Place {
    Value(String),
    File(PathBuf),
    Line(PathBuf, usize),
    Text(Option<usize>),
}

impl ScenarioError {
    pub(crate) fn value(key: &str, what: &str) -> Self {
        ScenarioError { place: Place::Value(key.into()), what: what.into() }
    }

    pub(crate) fn file(path: &Path, what: &str) -> Self {
        ScenarioError { place: Place::File(path.into()), what: what.into() }
    }

    pub(crate) fn line(path: &Path, line: usize, what: &str) -> Self {
        ScenarioError { place: Place::Line(path.into(), line), what: what.into() }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Value(key) => write!(f, "{key}: ")?,
            Place::File(path) => write!(f, "{}: ", path.display())?,
            Place::Line(path, line) => write!(f, "{}, line {line}: ", path.display())?,
            Place::Text(Some(line)) => write!(f, "line {line}: ")?,
            Place::Text(None) => {}
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ScenarioError {}
