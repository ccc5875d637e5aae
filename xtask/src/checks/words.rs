//! Words that may not be written, and paths that are there on one machine only.

use crate::Finding;
use crate::text::{is_of_name, occurrences};
use crate::tree::{File, Tree};

/// In sources of any kind, comments too.
const NOWHERE: [&str; 3] = ["FIXME", "XXX", "TODO"];

/// In Rust code, tests too.
const NOT_IN_CODE: [&str; 4] = ["dbg!(", "todo!(", "unimplemented!(", "#[ignore"];

/// In Rust code, but for tests.
const NOT_OUTSIDE_TESTS: [&str; 1] = [".unwrap()"];

/// What may not be allowed. The second stands for all that start with it.
const NOT_ALLOWED: [&str; 2] = ["dead_code", "unused"];

/// In any file.
const MACHINE_PATHS: [&str; 4] = ["/home/", "/root/", "/work/", "/tmp/"];

/// The words that sources may not have in them. This crate has to spell them.
pub(super) fn forbidden(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in others(tree).filter(|file| is_source(file)) {
        let code = &file.layers.code;
        let mut places: Vec<(usize, &str)> = every(&file.text, &NOWHERE).collect();
        places.extend(every(code, &NOT_IN_CODE));
        places.extend(every(code, &NOT_OUTSIDE_TESTS).filter(|&(place, _)| !file.is_test(place)));
        let finding = |&(k, word): &(usize, &str)| Finding::new(file, file.line(k), show(word));
        findings.extend(places.iter().map(finding));
        findings.extend(allowed(file));
    }
    findings
}

/// No path that is there on one machine only.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in others(tree) {
        for (k, path) in every(&file.text, &MACHINE_PATHS) {
            if !file.text[..k].ends_with(goes_on) {
                findings.push(Finding::new(file, file.line(k), show(path)));
            }
        }
    }
    findings
}

/// Whether a slash after `c` goes on with a path or an address, and does not start one.
fn goes_on(c: char) -> bool {
    is_of_name(c) || ['.', '-', '~', '}', ')'].contains(&c)
}

/// `allow(..)` of what should go away.
fn allowed(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for k in occurrences(&file.layers.code, "allow(") {
        let list = &file.layers.code[k..];
        let list = &list[..list.find(')').unwrap_or(list.len())];
        let names = list.split(|c| !is_of_name(c));
        let is_bad = |name: &&str| NOT_ALLOWED.iter().any(|bad| name.starts_with(bad));
        for name in names.filter(is_bad) {
            findings.push(Finding::new(file, file.line(k), show(&format!("allow({name})"))));
        }
    }
    findings
}

fn others(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|file| !file.path.starts_with("xtask/"))
}

fn is_source(file: &File) -> bool {
    file.is_script() || [".rs", ".toml"].iter().any(|end| file.path.ends_with(end))
}

fn every<'a>(text: &str, words: &'a [&str]) -> impl Iterator<Item = (usize, &'a str)> {
    words.iter().flat_map(|word| occurrences(text, word).into_iter().map(|place| (place, *word)))
}

fn show(word: &str) -> String {
    format!("`{word}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn words_are_found_where_they_may_not_be() {
        let text = "// TODO\nfn a() {\n    b().unwrap();\n    todo!()\n}\n\
            #[allow(missing_docs, dead_code)]\n#[allow(unused_mut)]\n";
        assert_eq!(
            found(forbidden, &[("a.rs", text), ("b.sh", "# FIXME\n")]),
            [
                "a.rs:1: `TODO`",
                "a.rs:4: `todo!(`",
                "a.rs:3: `.unwrap()`",
                "a.rs:6: `allow(dead_code)`",
                "a.rs:7: `allow(unused_mut)`",
                "b.sh:1: `FIXME`",
            ]
        );
    }

    #[test]
    fn tests_may_unwrap_and_may_not_be_ignored() {
        let text = "#[ignore = \"slow\"]\nfn a() { b().unwrap() }\n";
        let tests = format!("/// `a().unwrap()`\n#[cfg(test)]\nmod tests {{\n{text}}}\n");
        assert_eq!(
            found(forbidden, &[("tests/a.rs", text), ("b.rs", &tests)]),
            ["tests/a.rs:1: `#[ignore`", "b.rs:4: `#[ignore`",]
        );
    }

    #[test]
    fn longer_names_and_tidy_itself_are_free() {
        let files = [("a.sh", "mktemp XXXXXX\n"), ("xtask/src/a.rs", "// TODO /tmp/a\n")];
        assert!(found(forbidden, &files).is_empty());
        assert!(found(machine_paths, &files).is_empty());
    }

    #[test]
    fn paths_of_one_machine_are_found_everywhere() {
        let files = [
            ("a.md", "See `/home/me/a`.\n"),
            ("b.rs", "\n#[cfg(test)]\nmod tests { const B: &str = \"/tmp/b\"; }\n"),
            ("c.txt", "https://example.org/work/ ./tmp/ ~/work/\n"),
        ];
        assert_eq!(found(machine_paths, &files), ["a.md:1: `/home/`", "b.rs:3: `/tmp/`"]);
    }
}
