//! What of a page is prose, and where its links lead.

/// The lines outside of fenced blocks, each with its number.
pub(crate) fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (k, line) in (1..).zip(page.lines()) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            lines.push((k, line));
        }
    }
    lines
}

/// Where the links on `line` lead, without titles.
pub(crate) fn links(line: &str) -> Vec<String> {
    let line = without_code(line);
    let target = |(k, _): (usize, &str)| {
        let target = &line[k + 2..];
        let target = &target[..target.find(')')?];
        Some(target.split_whitespace().next()?.trim_matches(['<', '>']).to_owned())
    };
    line.match_indices("](").filter_map(target).collect()
}

/// `line`, without what stands between two backticks.
fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let n = parts.len();
    let is_prose = |&(k, _): &(usize, &&str)| k % 2 == 0 || k + 1 == n;
    parts.iter().enumerate().filter(is_prose).map(|(_, part)| *part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_blocks_are_no_prose() {
        assert_eq!(prose("a\n```sh\nb\n```\nc"), [(1, "a"), (5, "c")]);
    }

    #[test]
    fn links_are_found_outside_of_code() {
        assert_eq!(
            links("[a](b.md) ![`c`](<d/e.png>) `[f](g)` [h](i#j \"k\")"),
            ["b.md", "d/e.png", "i#j"]
        );
        assert!(links("a[k](").is_empty());
    }
}
