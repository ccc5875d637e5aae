//! The pages of the book.

use crate::markdown;
use crate::{Finding, Tree};

/// Where the book is, and its table of contents.
const BOOK: &str = "docs/";
const CONTENTS: &str = "docs/SUMMARY.md";

/// Every page in `docs` is in the table of contents, once.
pub(super) fn book(tree: &Tree) -> Vec<Finding> {
    let Some(contents) = tree.markdown().find(|page| page.path == CONTENTS) else {
        return Vec::new();
    };
    let prose = markdown::prose(&contents.text);
    let listed: Vec<String> = prose
        .into_iter()
        .flat_map(|(_, text)| markdown::links(text))
        .map(|link| format!("{BOOK}{link}"))
        .collect();
    let mut findings = Vec::new();
    for page in tree.markdown().filter(|page| page.path.starts_with(BOOK)) {
        let times = listed.iter().filter(|path| **path == page.path).count();
        if page.path != CONTENTS && times != 1 {
            let what = format!("is {times} times in {CONTENTS}, expected once");
            findings.push(Finding::new(page, 1, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn pages_that_nobody_finds_are_found() {
        let contents = "# Summary\n\n- [A](a.md)\n  - [B](b/README.md)\n- [A again](a.md)\n";
        let files = [
            (CONTENTS, contents),
            ("docs/a.md", ""),
            ("docs/b/README.md", ""),
            ("docs/c.md", ""),
            ("README.md", ""),
        ];
        assert_eq!(
            found(book, &files),
            [
                "docs/a.md:1: is 2 times in docs/SUMMARY.md, expected once",
                "docs/c.md:1: is 0 times in docs/SUMMARY.md, expected once",
            ]
        );
    }
}
