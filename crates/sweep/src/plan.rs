//! The cells of a sweep, in order: [`Plan`].

use std::collections::BTreeSet;

use driftlock_sim::Scenario;

use crate::digest::{self, Files, Key};
use crate::rule::Rule;
use crate::{Complete, SweepFile, shell};

/// Whose results these are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Author<'a> {
    /// The name of the program, as it is typed.
    pub program: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What tells two programs of that version apart, if there are several: results of one are not
    /// those of the other.
    pub build: &'a str,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The name of the sweep file.
    pub name: String,
    /// The text of the sweep file.
    pub text: String,
    /// The name of the program that does it.
    pub program: String,
    /// Its version, which is part of what results depend on.
    pub version: String,
    /// How many repetitions a cell has.
    pub rule: Rule,
    /// The seed of the first of them.
    pub seed: u64,
    /// All cells. The first has number 1.
    pub cells: Vec<Cell>,
}

/// One choice of all values.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The scenario of its first repetition, as far as it could be completed.
    pub scenario: Scenario,
    /// By what its results are recognized, or why there cannot be any.
    pub key: Result<Key, String>,
}

impl Cell {
    /// A repetition, counted from 0.
    pub fn repetition(&self, k: u64) -> Scenario {
        Scenario { seed: self.scenario.seed + k, ..self.scenario.clone() }
    }
}

impl Plan {
    /// The cells of a sweep file.
    pub fn new(file: &SweepFile, author: &Author<'_>, complete: &Complete<'_>) -> Self {
        let Author { program, version, build } = *author;
        let code = format!("{version} {build}");
        let mut files = Files::default();
        let mut keys = BTreeSet::new();
        let cell = |mut scenario: Scenario| {
            let completed = complete(&mut scenario);
            let key = completed.map(|()| Key::of(&scenario, &file.rule, &code, &mut files));
            Cell { scenario, key }
        };
        let cells = file.scenarios().into_iter().map(cell);
        // What is the same by another name is one cell.
        let is_new = |cell: &Cell| cell.key.as_ref().map_or(true, |key| keys.insert(*key));
        Plan {
            name: file.name(),
            text: file.text.clone(),
            program: program.into(),
            version: version.into(),
            rule: file.rule.clone(),
            seed: file.seed,
            cells: cells.filter(is_new).collect(),
        }
    }

    /// What to type to do all this.
    pub fn command(&self) -> String {
        format!("{} sweep {}", self.program, shell::quoted(&self.name))
    }

    /// A short name for exactly this sweep.
    pub fn digest(&self) -> String {
        let keys = self.cells.iter().map(|cell| match &cell.key {
            Ok(key) => format!("{:?}", key.0),
            Err(why) => why.clone(),
        });
        digest::short(&keys.collect::<Vec<_>>().join("\n"))
    }

    /// Why nothing can be run, if that is so.
    pub fn refused_whole(&self) -> Option<&str> {
        let first = self.cells.first()?.key.as_ref().err()?;
        self.cells.iter().all(|cell| cell.key.is_err()).then_some(first)
    }
}
