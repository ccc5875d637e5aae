//! Whether the files that scenarios name are still those that cells are recognized by.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::PathBuf;

use anyhow::{Result, bail};
use driftlock_sim::Scenario;
use driftlock_sweep::Plan;

/// What the files of a plan were like when it was made; nothing for one that was not there.
pub(super) struct Files(BTreeMap<PathBuf, Option<Metadata>>);

impl Files {
    pub(super) fn of(plan: &Plan) -> Self {
        let named = plan.cells.iter().flat_map(|cell| cell.scenario.files());
        Files(named.map(|path| (path.clone(), fs::metadata(path).ok())).collect())
    }

    /// Refuse what came of a scenario if one of its files has changed since: it may be of either.
    pub(super) fn check(&self, scenario: &Scenario) -> Result<()> {
        for path in scenario.files() {
            let before = self.0.get(&path).and_then(Option::as_ref);
            if !is_same(before, fs::metadata(&path).ok().as_ref()) {
                bail!(
                    "{} has changed while the sweep ran: what was finished before is kept, and the \
                     same command goes on with the file as it is then",
                    path.display()
                );
            }
        }
        Ok(())
    }
}

fn is_same(before: Option<&Metadata>, after: Option<&Metadata>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => {
            before.len() == after.len() && before.modified().ok() == after.modified().ok()
        }
        (None, None) => true,
        _ => false,
    }
}
