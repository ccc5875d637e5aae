//! Protocols side by side, on the same scenarios and seeds.
//!
//! Whoever calls knows the protocols: who takes part, and who cannot in which case, and why. Runs
//! of one seed have the same network, the same changes of it and the same times to think, so
//! protocols are compared run by run: what is said of two of them is the average of their
//! differences, with an interval of its own.
//!
//! [`worlds`] has those of the papers and `trouble` those that no paper has, [`quantity`] what is
//! measured, `rows` what came of it; `tables`, `figures` and `csv` show it, `account` puts it
//! together.

mod account;
mod csv;
mod figures;
pub mod quantity;
mod rows;
mod tables;
#[cfg(test)]
mod tests;
mod trouble;
pub mod worlds;

use driftlock_sim::Scenario;

pub use self::account::{Compared, conduct};
pub use self::rows::{Measured, Row};

/// One scenario that all protocols are put into.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// What is on top of the figures that it is in.
    pub title: String,
    /// What their files are called after; may be empty.
    pub stem: String,
    /// What tells it from others in those figures, a panel each; may be empty.
    pub panel: String,
    /// What is varied has this value here.
    pub value: String,
    /// The scenario, without a protocol.
    pub scenario: Scenario,
}

/// Who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The name in tables and figures.
    pub name: String,
    /// Who may be inside together: only those who promise the same have a difference.
    pub promise: String,
}

/// Everything that is to be run.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What is varied.
    pub key: String,
    /// Where.
    pub cases: Vec<Case>,
    /// Who; the others are compared with the first who can take part anywhere.
    pub entrants: Vec<Entrant>,
    /// For each case and each entrant the scenario of the first repetition, or why there is none.
    pub scenarios: Vec<Vec<Result<Scenario, String>>>,
    /// What is to be known about the worlds before anything is measured in them.
    pub warnings: Vec<String>,
    /// Repetitions; each further one adds 1 to the seed.
    pub repetitions: u64,
    /// The seed of the first repetition.
    pub seed: u64,
}

/// The place of a case, and that of an entrant.
type Spot = (usize, usize);

impl Case {
    /// The world, in words.
    pub fn world(&self) -> String {
        let comma = if self.panel.is_empty() { "" } else { ", " };
        format!("{}{comma}{}", self.title, self.panel)
    }

    /// Whether a script makes trouble here.
    pub(super) fn has_trouble(&self) -> bool {
        self.scenario.script.iter().any(|scripted| scripted.request.is_none())
    }
}

impl Contest {
    /// How many runs there are.
    pub fn runs(&self) -> usize {
        let taken = self.scenarios.iter().flatten().filter(|scenario| scenario.is_ok());
        taken.count() * self.repetitions as usize
    }

    /// Who the others are compared with.
    pub fn reference(&self) -> usize {
        let takes_part = |&who: &usize| self.scenarios.iter().any(|case| case[who].is_ok());
        (0..self.entrants.len()).find(takes_part).unwrap_or(0)
    }

    /// All runs.
    fn jobs(&self) -> Vec<(Spot, Scenario)> {
        let mut jobs = Vec::new();
        for (case, scenarios) in self.scenarios.iter().enumerate() {
            for (who, scenario) in scenarios.iter().enumerate() {
                let Ok(scenario) = scenario else { continue };
                let run = |k| Scenario { seed: scenario.seed.wrapping_add(k), ..scenario.clone() };
                jobs.extend((0..self.repetitions).map(|k| ((case, who), run(k))));
            }
        }
        jobs
    }

    /// Whether any world is from a file, and so has an end.
    fn is_traced(&self) -> bool {
        self.cases.iter().any(|case| case.scenario.trace.is_some())
    }

    /// Whether a script makes trouble anywhere.
    fn has_trouble(&self) -> bool {
        self.cases.iter().any(Case::has_trouble)
    }
}
