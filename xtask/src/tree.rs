//! [`Tree`]: every file of the workspace, read once.

use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use crate::layers::{Layers, split};
use crate::{items, text};

/// What `.gitignore` names at the root, and git's own.
const SKIPPED: [&str; 3] = [".git", "target", "reproduced"];

/// Journals are results, not sources; only those in `seeds` are in git.
const SKIPPED_EXTENSION: &str = ".dlj";

/// All files, in the order of their paths.
pub struct Tree {
    pub(crate) files: Vec<File>,
}

/// One file.
pub(crate) struct File {
    /// The path from the root, with slashes.
    pub(crate) path: String,
    /// What is in it; nothing, if that is not text.
    pub(crate) text: String,
    /// Of a Rust file, the code and the comments, in their places.
    pub(crate) layers: Layers,
    /// Of a Rust file, the items that are compiled for tests only.
    tests: Vec<Range<usize>>,
}

impl Tree {
    /// Read everything below `root`.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let mut files = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let path = format!("{folder}{}", entry.file_name().to_string_lossy());
                let kind = entry.file_type()?;
                if SKIPPED.contains(&&*path) || path.ends_with(SKIPPED_EXTENSION) {
                    continue;
                } else if kind.is_dir() {
                    folders.push(format!("{path}/"));
                } else if kind.is_file() {
                    let text = String::from_utf8(fs::read(entry.path())?).unwrap_or_default();
                    files.push(File::new(&path, &text));
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Tree { files })
    }

    /// A tree of these paths and texts.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|(path, text)| File::new(path, text)).collect() }
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, path: &str) -> bool {
        let is_below = |file: &File| file.path.strip_prefix(path).is_some_and(starts_below);
        path.is_empty() || self.files.iter().any(is_below)
    }

    /// The file at `path`.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }

    /// The pages.
    pub(crate) fn markdown(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.path.ends_with(".md"))
    }

    /// The `mod.rs` of each protocol.
    pub(crate) fn protocols(&self) -> impl Iterator<Item = &File> {
        self.rust().filter(|file| file.is_protocol())
    }
}

fn starts_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

impl File {
    fn new(path: &str, text: &str) -> File {
        let layers = if path.ends_with(".rs") { split(text) } else { Layers::default() };
        let tests = items::tests(&layers.code);
        File { path: path.into(), text: text.into(), layers, tests }
    }

    /// The folder it is in, with a slash at the end.
    pub(crate) fn folder(&self) -> &str {
        &self.path[..self.path.rfind('/').map_or(0, |slash| slash + 1)]
    }

    /// The line, counted from 1, that `offset` is on.
    pub(crate) fn line(&self, offset: usize) -> usize {
        text::line_at(&self.text, offset)
    }

    /// Whether what is at `offset` is compiled for tests only.
    pub(crate) fn is_test(&self, offset: usize) -> bool {
        self.is_all_tests() || self.test_around(offset).is_some()
    }

    /// Whether everything in this is compiled for tests only, as its place says.
    pub(crate) fn is_all_tests(&self) -> bool {
        self.path.split('/').any(|name| ["tests", "benches", "tests.rs"].contains(&name))
    }

    /// The item that is compiled for tests only and has `offset` in it.
    pub(crate) fn test_around(&self, offset: usize) -> Option<&Range<usize>> {
        self.tests.iter().find(|test| test.contains(&offset))
    }

    /// Whether a shell reads this.
    pub(crate) fn is_script(&self) -> bool {
        self.path.ends_with(".sh") || self.text.starts_with("#!/")
    }

    /// Whether this is the `mod.rs` of a protocol.
    pub(crate) fn is_protocol(&self) -> bool {
        let names: Vec<&str> = self.path.split('/').collect();
        matches!(names[..], ["crates", "protocols", "src", _, "mod.rs"])
    }

    /// The lines of the comments that are not documentation: line number and text.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = (usize, &str)> {
        self.comments("//").filter(|(_, text)| !text.starts_with(['/', '!']))
    }

    /// The lines of the documentation of the module itself: line number and text.
    pub(crate) fn module_doc(&self) -> impl Iterator<Item = (usize, &str)> {
        self.comments("//!")
    }

    fn comments(&self, slashes: &'static str) -> impl Iterator<Item = (usize, &str)> {
        let lines = (1..).zip(self.layers.comments.lines());
        lines.filter_map(move |(k, line)| Some((k, line.trim_start().strip_prefix(slashes)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_there_if_a_file_is_in_them() {
        let tree = Tree::of(&[("docs/a.md", "")]);
        assert!(tree.has("docs/a.md"));
        assert!(tree.has("docs"));
        assert!(tree.has(""));
        assert!(!tree.has("doc"));
        assert!(!tree.has("docs/a"));
    }

    #[test]
    fn test_code_is_told_from_the_rest() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {}\n";
        let tree = Tree::of(&[("src/a.rs", text), ("tests/a.rs", text), ("src/tests.rs", text)]);
        let is_test = |file: usize, offset| tree.files[file].is_test(offset);
        assert!(!is_test(0, 0));
        assert!(is_test(0, 30));
        assert!(is_test(1, 0));
        assert!(is_test(2, 0));
    }

    #[test]
    fn remarks_are_no_documentation() {
        let tree = Tree::of(&[("a.rs", "//! a\n/// b\nc(); // d\n// \"e\"\n")]);
        let file = &tree.files[0];
        assert_eq!(file.remarks().collect::<Vec<_>>(), [(3, " d"), (4, " \"e\"")]);
        assert_eq!(file.module_doc().collect::<Vec<_>>(), [(1, " a")]);
    }
}
