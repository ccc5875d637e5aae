//! Lines: how long they are, and what they end with.

use crate::Finding;
use crate::tree::{File, Tree};

/// In characters.
const LINE_MAX: usize = 100;

/// No line of Rust is too long, unless it has an address in it, which cannot be broken.
pub(super) fn long_lines(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for (k, line) in (1..).zip(file.text.lines()) {
            let n_chars = line.chars().count();
            if n_chars > LINE_MAX && !line.contains("://") {
                let what = format!("{n_chars} characters, over {LINE_MAX}");
                findings.push(Finding::new(file, k, what));
            }
        }
    }
    findings
}

/// No tabs, nothing at the end of a line, and a last line that ends.
pub(super) fn white_space(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_kept(file)) {
        for (k, line) in (1..).zip(file.text.split_inclusive('\n')) {
            let (line, ends) = line.strip_suffix('\n').map_or((line, false), |line| (line, true));
            let mut find = |what| findings.push(Finding::new(file, k, what));
            if line.contains('\t') {
                find("a tab");
            }
            if line.ends_with(char::is_whitespace) {
                find("white space at the end of the line");
            }
            if !ends {
                find("no newline at the end of the file");
            }
        }
    }
    findings
}

/// Nothing is left of a merge that two sides had to be put together for.
pub(super) fn merges(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for (k, line) in (1..).zip(file.text.lines()) {
            if ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)) {
                findings.push(Finding::new(file, k, "a mark of an unfinished merge"));
            }
        }
    }
    findings
}

fn is_kept(file: &File) -> bool {
    file.is_script() || [".rs", ".toml", ".md"].iter().any(|end| file.path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn a_line_of_101_characters_is_too_long() {
        let text = format!("// {}\n// {}\n", "é".repeat(97), "é".repeat(98));
        assert_eq!(found(long_lines, &[("a.rs", &text)]), ["a.rs:2: 101 characters, over 100"]);
        assert!(found(long_lines, &[("a.md", &text)]).is_empty());
    }

    #[test]
    fn addresses_may_be_long() {
        let text = format!("// https://example.org/{}\n", "a".repeat(100));
        assert!(found(long_lines, &[("a.rs", &text)]).is_empty());
    }

    #[test]
    fn a_merge_is_finished() {
        let text = "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n";
        let found = found(merges, &[("a.py", text), ("b.md", "<<< a\n=======\n")]);
        let mark = |line: u32| format!("a.py:{line}: a mark of an unfinished merge");
        assert_eq!(found, [mark(2), mark(6)]);
    }

    #[test]
    fn white_space_has_its_place() {
        let files = [("a.md", "a\n\tb\n"), ("b.rs", "a \nb"), ("c.png", "\t"), ("d", "#!/bin/sh")];
        assert_eq!(
            found(white_space, &files),
            [
                "a.md:2: a tab",
                "b.rs:1: white space at the end of the line",
                "b.rs:2: no newline at the end of the file",
                "d:1: no newline at the end of the file",
            ]
        );
        assert!(found(white_space, &[("a.sh", ""), ("b.toml", "[a]\n\nb = 1\n")]).is_empty());
    }
}
