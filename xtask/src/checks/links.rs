//! Links from page to file.

use crate::markdown;
use crate::{Finding, Tree};

/// The pages of the book, which is read without the repository around it.
const BOOK: &str = "docs/";

/// Every relative link on a page leads to a file or folder of the tree, and those on a page of the
/// book to one of the book.
pub(super) fn links(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in tree.markdown() {
        for (line, text) in markdown::prose(&page.text) {
            for link in markdown::links(text) {
                let path = link.split('#').next().unwrap_or_default();
                let is_address = path.contains("://") || path.starts_with("mailto:");
                if path.is_empty() || is_address {
                    continue;
                }
                let target = follow(page.folder(), path).filter(|path| tree.has(path));
                let what = match target {
                    None => format!("there is no `{link}`"),
                    Some(target) if page.path.starts_with(BOOK) && !target.starts_with(BOOK) => {
                        format!("`{link}` leads out of the book")
                    }
                    Some(_) => continue,
                };
                findings.push(Finding::new(page, line, what));
            }
        }
    }
    findings
}

/// Where `link` leads to from `folder`; none if that is outside of the tree.
fn follow(folder: &str, link: &str) -> Option<String> {
    let mut names = Vec::new();
    let folder = if link.starts_with('/') { "" } else { folder };
    for name in folder.split('/').chain(link.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "[a](b.md) [c](../src)\n[d](../src/e.rs#f), [g](../../h)\n\n[i](b.md#j)\n";
        let files = [("docs/a.md", text), ("docs/b.md", ""), ("src/lib.rs", "")];
        assert_eq!(
            found(links, &files),
            [
                "docs/a.md:1: `../src` leads out of the book",
                "docs/a.md:2: there is no `../src/e.rs#f`",
                "docs/a.md:2: there is no `../../h`",
            ]
        );
    }

    #[test]
    fn addresses_and_places_on_the_page_are_not_followed() {
        let text = "[a](https://example.org/a) [b](#c) [d](mailto:e@example.org)\n";
        assert!(found(links, &[("a.md", text)]).is_empty());
    }
}
