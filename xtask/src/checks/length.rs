//! How long functions and files may be.

use crate::Finding;
use crate::items::items;
use crate::tree::{File, Tree};

/// Thirty lines are the aim; this is the limit.
const FUNCTION_LINES_MAX: usize = 70;

/// Of a file before its tests.
const FILE_LINES_MAX: usize = 500;

/// Of a protocol's `mod.rs` before its tests: papers may be long.
const PROTOCOL_LINES_MAX: usize = 600;

/// No function outside of tests is too long, from its `fn` to its last brace.
pub(super) fn functions(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for function in items(&file.layers.code, "fn") {
            let (first, last) = (file.line(function.place.start), file.line(function.place.end));
            let n_lines = last - first + 1;
            if n_lines > FUNCTION_LINES_MAX && !file.is_test(function.place.start) {
                let name = function.name;
                let what = format!("`{name}` has {n_lines} lines, over {FUNCTION_LINES_MAX}");
                findings.push(Finding::new(file, first, what));
            }
        }
    }
    findings
}

/// No file of a crate's sources is too long before its tests.
pub(super) fn files(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| is_source(&file.path)) {
        let max = if file.is_protocol() { PROTOCOL_LINES_MAX } else { FILE_LINES_MAX };
        let n_lines = lines_before_tests(file);
        if n_lines > max {
            let what = format!("{n_lines} lines before the tests, over {max}");
            findings.push(Finding::new(file, max + 1, what));
        }
    }
    findings
}

fn is_source(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    matches!(names[..], ["crates", _, "src", ..] | ["xtask", "src", ..])
}

/// A file that is nothing but tests has no line before them.
fn lines_before_tests(file: &File) -> usize {
    if file.is_all_tests() {
        return 0;
    }
    let code = &file.layers.code;
    let modules = items(code, "mod").into_iter().filter(|module| module.name == "tests");
    match modules.filter_map(|module| file.test_around(module.place.start)).next() {
        Some(test) => file.line(test.start) - 1,
        None => code.lines().count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    fn function(n_lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    \"}\";\n".repeat(n_lines - 2))
    }

    #[test]
    fn a_function_of_71_lines_is_too_long() {
        let text = format!("{}\n{}", function(70), function(71));
        let found = found(functions, &[("a/b.rs", &text)]);
        assert_eq!(found, ["a/b.rs:72: `long` has 71 lines, over 70"]);
    }

    #[test]
    fn tests_may_be_long() {
        let text = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(100));
        assert!(found(functions, &[("a.rs", &text), ("tests/b.rs", &function(100))]).is_empty());
    }

    #[test]
    fn a_file_of_501_lines_is_too_long() {
        let (short, long) = ("\n".repeat(500), "\n".repeat(501));
        let tests = format!("{short}#[cfg(test)]\nmod tests {{\n{short}}}\n");
        let files = [
            ("crates/a/src/b.rs", &*short),
            ("crates/a/src/c/d.rs", &*long),
            ("crates/a/src/e.rs", &*tests),
            ("crates/a/src/f/tests.rs", &*long),
            ("crates/a/tests/g.rs", &*long),
            ("crates/protocols/src/h/mod.rs", &*long),
            ("xtask/src/lib.rs", &*long),
        ];
        assert_eq!(
            found(super::files, &files),
            [
                "crates/a/src/c/d.rs:501: 501 lines before the tests, over 500",
                "xtask/src/lib.rs:501: 501 lines before the tests, over 500",
            ]
        );
    }

    #[test]
    fn only_a_module_of_tests_ends_the_count() {
        let text = format!("#[cfg(test)]\nuse a;\n{}mod tests {{}}\n", "\n".repeat(500));
        assert_eq!(found(files, &[("crates/a/src/b.rs", &text)]).len(), 1);
    }
}
