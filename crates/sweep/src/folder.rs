//! The logs of a folder: [`Folder`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::Key;
use crate::log::{Log, LogError};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::shard::Shard;

/// A folder with results, and this process at work in it.
#[derive(Debug)]
pub struct Folder {
    /// Where this process writes finished cells.
    pub log: Log,
    /// What is finished, whoever did it.
    pub kept: Kept,
    /// How many bytes at the end of the own log were of no use.
    pub torn: usize,
}

/// Finished cells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Kept {
    /// By key.
    pub cells: BTreeMap<Key, Outcome>,
    /// The parts whose logs were found.
    pub parts: Vec<Shard>,
}

/// The name of the log of a part, or of someone who does everything.
pub fn log_name(shard: Option<Shard>) -> String {
    match shard {
        None => "cells.log".into(),
        Some(Shard { index, count }) => format!("cells-{index}-of-{count}.log"),
    }
}

/// Which part a log is of; nothing if it is no log.
fn part_of(name: &str) -> Option<Option<Shard>> {
    if name == log_name(None) {
        return Some(None);
    }
    let (index, count) = name.strip_prefix("cells-")?.strip_suffix(".log")?.split_once("-of-")?;
    let shard = Shard { index: index.parse().ok()?, count: count.parse().ok()? };
    (0 < shard.index && shard.index <= shard.count).then_some(Some(shard))
}

impl Folder {
    /// Open the log of a part in a folder that is there, and read all others.
    pub fn open(path: &Path, shard: Option<Shard>) -> Result<Self, LogError> {
        let (log, contents) = Log::open(&path.join(log_name(shard)))?;
        let mut kept = Kept { cells: contents.cells, parts: Vec::new() };
        kept.look(path)?;
        Ok(Folder { log, kept, torn: contents.torn })
    }
}

impl Kept {
    /// Read all logs of a folder. What is torn in them is left alone: someone may be writing it.
    pub fn look(&mut self, path: &Path) -> Result<(), LogError> {
        let failed = |error| LogError::Io { path: path.into(), error };
        let mut logs: Vec<(PathBuf, Option<Shard>)> = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let Some(part) = entry.file_name().to_str().and_then(part_of) {
                logs.push((entry.path(), part));
            }
        }
        logs.sort();
        for (path, part) in logs {
            self.cells.append(&mut Log::look(&path)?.cells);
            self.parts.extend(part);
        }
        self.parts.sort_unstable();
        self.parts.dedup();
        Ok(())
    }

    /// What is finished of a plan, by cell.
    pub fn outcomes<'k>(&'k self, plan: &Plan) -> Vec<Option<&'k Outcome>> {
        let outcome = |key: &Result<Key, String>| self.cells.get(key.as_ref().ok()?);
        plan.cells.iter().map(|cell| outcome(&cell.key)).collect()
    }

    /// The cells of a plan, and of a part of it, that can be run and are not finished.
    pub fn missing(&self, plan: &Plan, shard: Option<Shard>) -> Vec<usize> {
        let is_missing = |cell: &usize| {
            let key = plan.cells[*cell].key.as_ref();
            shard.is_none_or(|shard| shard.has(*cell))
                && key.is_ok_and(|key| !self.cells.contains_key(key))
        };
        (0..plan.cells.len()).filter(is_missing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_recognized_by_their_names() {
        let shard = Shard { index: 3, count: 8 };
        assert_eq!(part_of(&log_name(Some(shard))), Some(Some(shard)));
        assert_eq!(part_of(&log_name(None)), Some(None));
        for name in ["cells", "cells-0-of-3.log", "cells-4-of-3.log", "cells-x-of-3.log", "a.log"] {
            assert_eq!(part_of(name), None, "{name}");
        }
    }
}
