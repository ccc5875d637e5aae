//! By what a finished cell is recognized: [`Key`].

use std::collections::BTreeMap;
use std::fs;

use blake2::{Blake2s256, Digest};
use driftlock_sim::Scenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns::METRICS;
use crate::rule::Rule;

/// What results look like. It is raised when a run would be written down differently.
const LAYOUT: u32 = 1;

/// The keys of a scenario under which there are names of files.
const PATHS: [&str; 2] = ["file", "activity"];

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
        for path in files_of(scenario) {
            part(files.digest(&path));
        }
        Key(hash.finalize().into())
    }
}

/// Digests of files, each of which is read once.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// If a file cannot be read, the run will say so.
    fn digest(&mut self, path: &str) -> &[u8] {
        let digest = |path: &String| {
            let mut hash = Blake2s256::new();
            hash.update(fs::read(path).unwrap_or_default());
            // BonnMotion keeps what belongs to a file in another one beside it.
            let stem = path.strip_suffix(".gz").unwrap_or(path);
            if let Some(stem) = stem.strip_suffix(".movements") {
                hash.update(fs::read(format!("{stem}.params")).unwrap_or_default());
                hash.update(fs::read(format!("{stem}.params.gz")).unwrap_or_default());
            }
            hash.finalize().to_vec()
        };
        let path = path.to_owned();
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

/// The files that a scenario names: every value with one of [`PATHS`] as its key.
fn files_of(scenario: &Scenario) -> Vec<String> {
    let value = serde_json::to_value(scenario).expect("a scenario can be written");
    let mut files = Vec::new();
    collect(&value, &mut files);
    files
}

fn collect(value: &Value, files: &mut Vec<String>) {
    let Some(table) = value.as_object() else { return };
    for (key, value) in table {
        match value.as_str() {
            Some(path) if PATHS.contains(&key.as_str()) => files.push(path.into()),
            _ => collect(value, files),
        }
    }
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
