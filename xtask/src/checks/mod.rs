//! The checks, and the list of them.

mod arrows;
mod book;
mod departures;
mod layout;
mod lean;
mod length;
mod links;
mod pseudocode;
mod purity;
mod reach;
mod words;

use crate::{Finding, Tree};

/// What a check is.
pub type Check = fn(&Tree) -> Vec<Finding>;

/// All checks, each with what it is about.
pub const CHECKS: [(&str, Check); 16] = [
    ("function length", length::functions),
    ("file length", length::files),
    ("line length", layout::long_lines),
    ("white space", layout::white_space),
    ("unfinished merges", layout::merges),
    ("forbidden words", words::forbidden),
    ("machine paths", words::machine_paths),
    ("crate roots", purity::roots),
    ("purity of core and protocols", purity::absent),
    ("arrows between crates", arrows::arrows),
    ("what a node needs", lean::lean),
    ("dead files", reach::dead_files),
    ("lines of pseudocode", pseudocode::pseudocode),
    ("departures from papers", departures::departures),
    ("links between pages", links::links),
    ("pages of the book", book::book),
];

/// All findings of all checks, one to a line, under the check's name. Empty if all is tidy.
pub fn report(tree: &Tree) -> String {
    let mut report = String::new();
    for (name, check) in CHECKS {
        let mut findings = check(tree);
        findings.sort();
        if !findings.is_empty() {
            report += &format!("{name}: {}\n", findings.len());
        }
        for finding in findings {
            report += &format!("  {finding}\n");
        }
    }
    report
}

/// For the tests of the checks: what `check` finds in a tree of these files.
#[cfg(test)]
fn found(check: Check, files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::of(files)).iter().map(Finding::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_every_finding() {
        let tree = Tree::of(&[("a.sh", "b \n\tc\n"), ("a.rs", "fn a() {}\n")]);
        assert_eq!(
            report(&tree),
            "white space: 2\n  a.sh:1: white space at the end of the line\n  a.sh:2: a tab\n"
        );
        assert_eq!(report(&Tree::of(&[])), "");
    }
}
