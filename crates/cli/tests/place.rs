//! A fresh folder to run the binary in: [`Place`].

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that goes when the test does.
pub(crate) struct Place(TempDir);

/// What came of a command.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all that is in it, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// The binary, about to run here.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_driftlock"));
        command.args(words).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Run a line as it would be typed, without the name of the program.
    pub(crate) fn run(&self, line: &str) -> Done {
        self.run_words(line.split_whitespace())
    }

    pub(crate) fn run_words<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Done {
        let output = self.command(words).output().unwrap();
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Run a line that has to be fine.
    pub(crate) fn fine(&self, line: &str) -> Done {
        let done = self.run(line);
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        assert_eq!(done.err, "", "{line}");
        done
    }

    /// Run a line that has to be refused: with one line that has all `parts` in it, and without a
    /// trace.
    pub(crate) fn refused(&self, line: &str, parts: &[&str]) {
        let before = self.names();
        let done = self.run(line);
        done.check_refused(line, parts);
        assert_eq!(self.names(), before, "{line}");
    }
}

impl Done {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }

    pub(crate) fn check_refused(&self, line: &str, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{line}: {self:?}");
        assert_eq!(self.out, "", "{line}");
        assert_eq!(self.err.lines().count(), 1, "{line}: {}", self.err);
        assert!(self.err.starts_with("error: "), "{line}: {}", self.err);
        assert!(!self.err.contains("bug"), "{line}: {}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "{line}: no `{part}` in {}", self.err);
        }
    }

    /// The rest of the last line of standard output that starts like this.
    pub(crate) fn after(&self, start: &str) -> &str {
        let found = self.out.lines().filter_map(|line| line.strip_prefix(start)).next_back();
        found.unwrap_or_else(|| panic!("no `{start}` in {}", self.out)).trim()
    }
}
