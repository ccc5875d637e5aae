//! Every line of a paper's pseudocode is in the code, once.
//!
//! A page in `docs/papers/` names its module, and says in a table which function has which lines:
//!
//! ```text
//! Module: `crates/protocols/src/rl/mod.rs`
//!
//! ## Pseudocode
//!
//! | in the paper | here | lines |
//! |---|---|---|
//! | Procedure ForwardRequest | `forward_request` | 1-2 |
//! ```
//!
//! In the module, a comment of nothing but numbers says which lines of the paper are here. A module
//! of several files has a line `Module: ..` for each of them.

use crate::Finding;
use crate::items::{Item, items};
use crate::markdown::prose;
use crate::tree::{File, Tree};

/// A line of the table.
struct Row<'a> {
    /// Where it is on the page.
    line: usize,
    function: &'a str,
    /// The lines of the paper.
    numbers: Vec<u32>,
}

/// The margins of each module have the numbers that its page promises.
pub(super) fn pseudocode(tree: &Tree) -> Vec<Finding> {
    let pages = tree.markdown().filter(|page| page.path.starts_with("docs/papers/"));
    pages.flat_map(|page| check_page(tree, page)).collect()
}

fn check_page(tree: &Tree, page: &File) -> Vec<Finding> {
    let table = table(&page.text);
    let named = modules(&page.text);
    let Some((first, _)) = named.first() else {
        let what = "a table of pseudocode, but no line `Module: ..`";
        return table.iter().take(1).map(|(line, _)| Finding::new(page, *line, what)).collect();
    };
    let absent = named.iter().find(|(_, path)| tree.file(path).is_none());
    if let Some((line, path)) = absent {
        return vec![Finding::new(page, *line, format!("there is no `{path}`"))];
    }
    if table.is_empty() {
        return vec![Finding::new(page, *first, "no table under `## Pseudocode`")];
    }
    let modules: Vec<&File> = named.iter().filter_map(|(_, path)| tree.file(path)).collect();
    let rows: Vec<Row<'_>> = table.iter().filter_map(|(line, text)| row(*line, text)).collect();
    let unread = table.iter().filter(|(line, text)| row(*line, text).is_none());
    let what = "not like | heading | `function` | 1-3, 5 |";
    let mut findings: Vec<_> = unread.map(|(line, _)| Finding::new(page, *line, what)).collect();
    findings.extend(rows.iter().flat_map(|row| check_row(page, row, &modules)));
    findings.extend(modules.iter().flat_map(|module| strays(module, &rows)));
    findings
}

/// The files of the module that the page is about, and the lines that say so.
fn modules(page: &str) -> Vec<(usize, &str)> {
    let named = prose(page).into_iter().filter_map(|(line, text)| {
        let path = text.strip_prefix("Module: `")?.split('`').next()?;
        Some((line, path))
    });
    named.collect()
}

/// The table under `## Pseudocode`, without its head.
fn table(page: &str) -> Vec<(usize, &str)> {
    let section =
        prose(page).into_iter().skip_while(|(_, line)| line.trim_end() != "## Pseudocode");
    let section = section.skip(1).take_while(|(_, line)| !line.starts_with("## "));
    let mut in_body = false;
    let mut table = Vec::new();
    for (k, line) in section {
        if in_body && line.starts_with('|') {
            table.push((k, line));
        }
        in_body = line.starts_with('|') && (in_body || line.contains("---"));
    }
    table
}

fn row(line: usize, text: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = text.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [_, function, numbers] = cells[..] else { return None };
    let function = function.strip_prefix('`')?.strip_suffix('`')?;
    let mut all = Vec::new();
    for range in numbers.split(',') {
        let (first, last) = range.split_once(['-', '–']).unwrap_or((range, range));
        let [first, last] = [first, last].map(|number| number.trim().parse::<u32>().ok());
        all.extend(first?..=last?);
    }
    Some(Row { line, function, numbers: all })
}

/// The function of `row` is there, and its margin has just the numbers of `row`.
fn check_row(page: &File, row: &Row<'_>, modules: &[&File]) -> Vec<Finding> {
    let named = |function: &Item<'_>| function.name == row.function;
    let Some(module) = modules.iter().find(|module| functions(module).iter().any(named)) else {
        let paths: Vec<&str> = modules.iter().map(|module| module.path.as_str()).collect();
        let what = format!("no function `{}` in {}", row.function, paths.join(" or "));
        return vec![Finding::new(page, row.line, what)];
    };
    let functions = functions(module);
    let same = functions.iter().filter(|function| named(function));
    let first = same.clone().map(|function| module.line(function.place.start)).next().unwrap_or(1);
    let margin: Vec<(usize, u32)> = same.flat_map(|function| margin(module, function)).collect();
    let name = row.function;
    let mut findings = Vec::new();
    for number in &row.numbers {
        let n = margin.iter().filter(|(_, other)| other == number).count();
        if n != 1 {
            let what = format!("`{name}` has line {number} of the paper {n} times, not once");
            findings.push(Finding::new(module, first, what));
        }
    }
    for (line, number) in margin.iter().filter(|(_, number)| !row.numbers.contains(number)) {
        let what = format!("`{name}` has no line {number} in {}", page.path);
        findings.push(Finding::new(module, *line, what));
    }
    findings
}

/// The numbers in functions that the page does not name.
fn strays(module: &File, rows: &[Row<'_>]) -> Vec<Finding> {
    let is_named = |function: &Item<'_>| rows.iter().any(|row| row.function == function.name);
    let functions = functions(module).into_iter().filter(|function| !is_named(function));
    let stray = |function: Item<'_>| {
        let what = format!("`{}` has lines of the paper, but no row on its page", function.name);
        margin(module, &function).first().map(|(line, _)| Finding::new(module, *line, what))
    };
    functions.filter_map(stray).collect()
}

fn functions(module: &File) -> Vec<Item<'_>> {
    items(&module.layers.code, "fn")
}

/// The numbers in the margin of `function`, each with the line of code it is on.
fn margin(module: &File, function: &Item<'_>) -> Vec<(usize, u32)> {
    let lines = module.line(function.place.start)..=module.line(function.place.end);
    let mut margin = Vec::new();
    for (line, remark) in module.remarks().filter(|(line, _)| lines.contains(line)) {
        let numbers = remark.split(',').map(|number| number.trim().parse());
        if let Ok(numbers) = numbers.collect::<Result<Vec<u32>, _>>() {
            margin.extend(numbers.into_iter().map(|number| (line, number)));
        }
    }
    margin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    const MODULE: &str = "crates/protocols/src/a/mod.rs";
    const CODE: &str = "\
fn on_request(b: B) {
    if b {
        //         1
        c(); // 2, 3
    }
    d(); //        5
    // Line 4 is left out.
}

fn helper() {}
";

    fn page(rows: &str) -> String {
        let head = "| in the paper | here | lines |\n|---|---|---|";
        format!("# A\n\nModule: `{MODULE}`\n\n## Pseudocode\n\n{head}\n{rows}\n\n## More\n")
    }

    fn found_with(rows: &str, code: &str) -> Vec<String> {
        found(pseudocode, &[("docs/papers/a.md", &page(rows)), (MODULE, code)])
    }

    #[test]
    fn margins_that_agree_with_the_page_are_tidy() {
        assert!(found_with("| When asked | `on_request` | 1-3, 5 |", CODE).is_empty());
        assert!(found(pseudocode, &[("docs/papers/README.md", "# Papers\n")]).is_empty());
    }

    #[test]
    fn missing_repeated_and_unknown_lines_are_found() {
        let code = CODE.replace("//        5", "//        3, 7");
        assert_eq!(
            found_with("| When asked | `on_request` | 1-3, 5 |", &code),
            [
                format!("{MODULE}:1: `on_request` has line 3 of the paper 2 times, not once"),
                format!("{MODULE}:1: `on_request` has line 5 of the paper 0 times, not once"),
                format!("{MODULE}:6: `on_request` has no line 7 in docs/papers/a.md"),
            ]
        );
    }

    #[test]
    fn functions_are_on_both_sides() {
        assert_eq!(
            found_with("| When left | `on_release` | 1 |", CODE),
            [
                format!("docs/papers/a.md:9: no function `on_release` in {MODULE}"),
                format!("{MODULE}:3: `on_request` has lines of the paper, but no row on its page"),
            ]
        );
    }

    #[test]
    fn pages_that_cannot_be_read_are_found() {
        let rows = "| When asked | `on_request` | 1-3, 5 |\n| When left | on_release | all |";
        let unread = "docs/papers/a.md:10: not like | heading | `function` | 1-3, 5 |";
        assert_eq!(found_with(rows, CODE), [unread]);
        let no_table = "docs/papers/a.md:3: no table under `## Pseudocode`";
        assert_eq!(found_with("", CODE), [no_table]);
        let no_module = page("| When asked | `on_request` | 1 |").replace("Module", "File");
        assert_eq!(
            found(pseudocode, &[("docs/papers/a.md", &no_module)]),
            ["docs/papers/a.md:9: a table of pseudocode, but no line `Module: ..`"]
        );
        let no_file = format!("docs/papers/a.md:3: there is no `{MODULE}`");
        assert_eq!(found(pseudocode, &[("docs/papers/a.md", &page(""))]), [no_file]);
    }
}
