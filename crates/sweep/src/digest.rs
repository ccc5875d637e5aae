//! By what a finished cell is recognized: [`Key`].

use std::fs;
use std::path::Path;

use blake2::{Blake2s256, Digest};
use driftlock_sim::Scenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns::METRICS;
use crate::rule::Rule;

/// What results look like. It is raised when a run would be written down differently.
const LAYOUT: u32 = 1;

/// A digest of everything that the results of a cell depend on: its scenario, the files that this
/// names, the rule of its repetitions, what is measured, and our version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// The key of a cell, whose scenario has the seed of its first repetition.
    pub fn of(scenario: &Scenario, rule: &Rule, version: &str) -> Self {
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
        for file in files_of(scenario) {
            // If it cannot be read, the run will say so.
            part(&fs::read(Path::new(&file)).unwrap_or_default());
        }
        Key(hash.finalize().into())
    }
}

/// A short digest of a text, in hexadecimal digits.
pub fn short(text: &str) -> String {
    let digest = Blake2s256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The files that a scenario names: every value whose key is `file`.
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
            Some(path) if key == "file" => files.push(path.into()),
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
        let key = Key::of(&scenario, &Rule::Count(6), "1");
        assert_eq!(Key::of(&scenario, &Rule::Count(6), "1"), key);
        assert_ne!(Key::of(&scenario, &Rule::Count(7), "1"), key);
        assert_ne!(Key::of(&scenario, &Rule::Count(6), "2"), key);
        let other = Scenario { seed: 2, ..scenario.clone() };
        assert_ne!(Key::of(&other, &Rule::Count(6), "1"), key);
        fs::write(&path, "0 1\n1 2\n").unwrap();
        assert_ne!(Key::of(&scenario, &Rule::Count(6), "1"), key);
    }
}
