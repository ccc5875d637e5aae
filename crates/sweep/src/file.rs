//! The sweep file: [`SweepFile`].

mod fault;
mod read;

use std::fmt;
use std::path::{Path, PathBuf};

use driftlock_sim::Scenario;
use serde::Deserialize;
use toml::{Table, Value};

use self::fault::Fault;
use crate::rule::Rule;

/// A sweep has at most so many cells.
pub const CELLS_MAX: usize = 1_000_000;

/// What is varied, and how often each cell is repeated.
///
/// ```
/// use driftlock_sweep::SweepFile;
/// let file = SweepFile::parse("load.toml".as_ref(), r#"
///     [scenario]
///     network = { nodes = 30, connectivity = 20 }
///     [grid]
///     protocol = ["rl", "rl:published"]
///     "requests.rate" = { from = 0.01, to = 1, steps = 3, scale = "log" }
///     [repetitions]
///     count = 6
/// "#).unwrap();
/// assert_eq!(file.scenarios().len(), 6);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SweepFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
    /// How many repetitions a cell has.
    pub rule: Rule,
    /// The seed of the first of them.
    pub seed: u64,
    base: Table,
    axes: Vec<Axis>,
    points: Vec<Vec<Setting>>,
}

/// Values that are chosen together: one key with its values, or several that go together.
#[derive(Clone, PartialEq, Debug)]
struct Axis {
    steps: Vec<Vec<Setting>>,
}

/// A key of a scenario, and a value for it.
#[derive(Clone, PartialEq, Debug)]
struct Setting {
    key: String,
    value: Value,
    line: usize,
}

/// What is wrong with a sweep file, and where. Nothing was run and nothing was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    path: PathBuf,
    line: Option<usize>,
    what: String,
}

impl FileError {
    /// What is wrong, with its key, for those who have no file with lines.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.path.display(), self.what),
            None => write!(f, "{}: {}", self.path.display(), self.what),
        }
    }
}

impl std::error::Error for FileError {}

impl SweepFile {
    /// Read a sweep file.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path).map_err(|error| FileError {
            path: path.into(),
            line: None,
            what: format!("cannot be read: {error}"),
        })?;
        SweepFile::parse(path, &text)
    }

    /// The first line in which a protocol is named, with a variant or without one.
    pub fn line_naming(&self, protocol: &str) -> Option<usize> {
        let is_named = |line: &str, quote: char| {
            [quote, ':'].iter().any(|end| line.contains(&format!("{quote}{protocol}{end}")))
        };
        let has = |line: &str| is_named(line, '"') || is_named(line, '\'');
        self.text.lines().position(has).map(|at| at + 1)
    }

    /// Understand the text of a sweep file.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        read::parse(text).map_err(|(line, what)| FileError { path: path.into(), line, what }).map(
            |read::Parts { base, axes, points, rule, seed }| SweepFile {
                path: path.into(),
                text: text.into(),
                rule,
                seed,
                base,
                axes,
                points,
            },
        )
    }

    /// The name of the file, without its folder.
    pub fn name(&self) -> String {
        self.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// How many combinations and points there are.
    pub fn combinations(&self) -> usize {
        let product: usize = self.axes.iter().map(|axis| axis.steps.len()).product();
        let alone = self.axes.is_empty() && !self.points.is_empty();
        if alone { self.points.len() } else { product + self.points.len() }
    }

    /// The scenario of every cell, in order: all combinations, the first key varying slowest, then
    /// the points. Each is there once.
    pub fn scenarios(&self) -> Vec<Scenario> {
        let mut seen = std::collections::BTreeSet::new();
        let scenarios = self.choices().into_iter().map(|chosen| {
            let scenario = scenario_of(&self.base, chosen.iter().copied());
            Scenario { seed: self.seed, ..scenario.expect("every value was tried by itself") }
        });
        scenarios.filter(|scenario| seen.insert(scenario.to_toml())).collect()
    }

    fn choices(&self) -> Vec<Vec<&Setting>> {
        let mut choices: Vec<Vec<&Setting>> = vec![Vec::new()];
        for axis in &self.axes {
            let longer = choices.iter().flat_map(|chosen| {
                axis.steps.iter().map(|step| chosen.iter().copied().chain(step).collect())
            });
            choices = longer.collect();
        }
        if self.axes.is_empty() && !self.points.is_empty() {
            choices.clear();
        }
        choices.extend(self.points.iter().map(|point| point.iter().collect()));
        choices
    }
}

/// Understand the text of a scenario. What is wrong is told with its key, and without its line.
pub fn scenario(text: &str) -> Result<Scenario, String> {
    toml::from_str(text).map_err(|error| Fault::of(&error).numbered(text).told())
}

/// The scenario with values put into it.
fn scenario_of<'a>(
    base: &Table,
    settings: impl Iterator<Item = &'a Setting>,
) -> Result<Scenario, Fault> {
    let mut table = base.clone();
    for setting in settings {
        set(&mut table, &setting.key, setting.value.clone()).map_err(Fault::from)?;
    }
    split_protocol(&mut table);
    Scenario::deserialize(table).map_err(|error| Fault::of(&error))
}

/// A protocol may be named with its variant: `rl:published`. That is taken apart in the end, so
/// that the name of another protocol takes the place of both.
fn split_protocol(table: &mut Table) {
    let named = table.get("protocol").and_then(Value::as_str).and_then(|name| name.split_once(':'));
    if let Some((protocol, variant)) = named {
        let (protocol, variant) = (Value::from(protocol), Value::from(variant));
        table.insert("protocol".into(), protocol);
        table.insert("variant".into(), variant);
    }
}

/// Put a value into a scenario.
fn set(table: &mut Table, key: &str, value: Value) -> Result<(), String> {
    match key.split_once('.') {
        None => drop(table.insert(key.into(), value)),
        Some((outer, inner)) => {
            let empty = || Value::Table(Table::new());
            let below = table.entry(outer).or_insert_with(empty).as_table_mut();
            set(below.ok_or_else(|| format!("`{outer}` has no keys below it"))?, inner, value)?;
        }
    }
    Ok(())
}
