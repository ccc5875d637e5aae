//! What came of trials, kept in a file, so that a campaign can go on where it was ended:
//! [`Results`].

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use crate::trial::outcome::Outcome;

/// A line for each trial.
pub(crate) struct Results {
    outcomes: Vec<Outcome>,
    file: File,
    folder: PathBuf,
}

impl Results {
    /// Those of the same programs, unless nobody wants to know of them. What other builds have done
    /// is kept in other files.
    pub(crate) fn open(is_fresh: bool) -> Results {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{:016x}.jsonl", programs()));
        if is_fresh && path.exists() {
            fs::remove_file(&path).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        // The last line may have been cut short.
        let outcomes = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let file = File::options().create(true).append(true).open(&path).unwrap();
        Results { outcomes, file, folder }
    }

    pub(crate) fn has(&self, seed: u64) -> bool {
        self.outcomes.iter().any(|outcome| outcome.seed == seed)
    }

    pub(crate) fn add(&mut self, outcome: Outcome) {
        let line = format!("{}\n", serde_json::to_string(&outcome).unwrap());
        self.file.write_all(line.as_bytes()).unwrap();
        self.outcomes.push(outcome);
    }

    /// What came of these seeds, in their order.
    pub(crate) fn of(&self, seeds: Range<u64>) -> Vec<Outcome> {
        let wanted = self.outcomes.iter().filter(|outcome| seeds.contains(&outcome.seed));
        let mut wanted: Vec<Outcome> = wanted.cloned().collect();
        wanted.sort_by_key(|outcome| outcome.seed);
        wanted
    }

    pub(crate) fn write_report(&self, report: &str) {
        let path = self.folder.join("report.md");
        fs::write(&path, report).unwrap();
        println!("{} is what follows\n", path.display());
    }
}

/// A number for the daemon and this program: results of others are not theirs.
fn programs() -> u64 {
    let mut hasher = DefaultHasher::new();
    let this = std::env::current_exe().unwrap();
    for program in [this, env!("CARGO_BIN_EXE_driftlock").into()] {
        hasher.write(&fs::read(program).unwrap());
    }
    hasher.finish()
}
