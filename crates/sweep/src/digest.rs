//! By what a finished cell is recognized: [`Key`].

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use blake2::{Blake2s256, Digest};
use driftlock_sim::Scenario;
use serde::{Deserialize, Serialize};

use crate::columns::METRICS;
use crate::rule::Rule;

/// What results look like. It is raised when a run would be written down differently.
const LAYOUT: u32 = 2;

/// A digest of everything that the results of a cell depend on: its scenario, the files that this
/// names, the rule of its repetitions, what is measured, and the version of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// The key of a cell, whose scenario has the seed of its first repetition.
    pub fn of(scenario: &Scenario, rule: &Rule, version: &str, files: &mut Files) -> Self {
        let rule = serde_json::to_string(rule).expect("a rule can be written");
        let columns: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        let mut hash = Blake2s256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(&LAYOUT.to_le_bytes());
        part(version.as_bytes());
        part(rule.as_bytes());
        part(columns.join(" ").as_bytes());
        part(scenario.to_toml().as_bytes());
        for path in scenario.files() {
            part(files.digest(path));
        }
        Key(hash.finalize().into())
    }
}

/// Digests of files, each of which is read once.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<PathBuf, Vec<u8>>);

impl Files {
    /// If a file cannot be read, the run will say so.
    fn digest(&mut self, path: PathBuf) -> &[u8] {
        let digest = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap_or_default();
            Blake2s256::digest(bytes).to_vec()
        };
        self.0.entry(path).or_insert_with_key(digest)
    }
}

/// A short digest of a text, in hexadecimal digits.
pub fn short(text: &str) -> String {
    short_of_bytes(text.as_bytes())
}

/// The same of any bytes.
pub fn short_of_bytes(bytes: &[u8]) -> String {
    let digest = Blake2s256::digest(bytes);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_results_depend_on_changes_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links.txt");
        fs::write(&path, "0 1\n").unwrap();
        let mut scenario = Scenario { protocol: "rl".into(), ..Scenario::default() };
        scenario.network.file = Some(path.clone());
        let of = |scenario: &Scenario, count: u64, version: &str| {
            Key::of(scenario, &Rule::Count(count), version, &mut Files::default())
        };
        let key = of(&scenario, 6, "1");
        assert_eq!(of(&scenario, 6, "1"), key);
        assert_ne!(of(&scenario, 7, "1"), key);
        assert_ne!(of(&scenario, 6, "2"), key);
        assert_ne!(of(&Scenario { seed: 2, ..scenario.clone() }, 6, "1"), key);
        fs::write(&path, "0 1\n1 2\n").unwrap();
        assert_ne!(of(&scenario, 6, "1"), key);
    }
}
