//! Whether the files that scenarios name are still those that cells are recognized by.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use driftlock_sim::Scenario;
use driftlock_sweep::outcome::Done;
use driftlock_sweep::{Outcome, SweepFile};

/// What the files that a sweep names were like before it was planned; nothing for one that was not
/// there.
pub(super) struct Files(BTreeMap<PathBuf, Option<Metadata>>);

impl Files {
    /// To be called before there is a plan: what changes while that reads them is noticed, too.
    pub(super) fn of(file: &SweepFile) -> Self {
        let scenarios = file.scenarios();
        let named: BTreeSet<PathBuf> = scenarios.iter().flat_map(Scenario::files).collect();
        let look = |path: PathBuf| {
            let about = fs::metadata(&path).ok();
            (path, about)
        };
        Files(named.into_iter().map(look).collect())
    }

    /// Whether a run was refused and one of its files, though it was there, cannot be read: another
    /// time it may be.
    pub(super) fn may_be_the_reason(&self, scenario: &Scenario, outcome: &Outcome) -> bool {
        let was_there = |path: &PathBuf| self.0.get(path).is_some_and(Option::is_some);
        outcome.runs.iter().any(Done::is_refused)
            && scenario.files().iter().any(|path| was_there(path) && read(path).is_err())
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

/// Read a file, to see whether that can be done.
fn read(path: &Path) -> io::Result<u64> {
    io::copy(&mut File::open(path)?, &mut io::sink())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_before_there_is_a_plan_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.txt");
        fs::write(&path, "0 1\n").unwrap();
        let text = format!("[scenario]\nnetwork = {{ shape = 'file', file = {path:?} }}\n");
        let study = SweepFile::parse(Path::new("a.toml"), &text).unwrap();
        let files = Files::of(&study);
        let scenario = &study.scenarios()[0];
        files.check(scenario).unwrap();
        fs::write(&path, "0 1\n1 2\n").unwrap();
        assert!(files.check(scenario).is_err());
    }
}
