//! Every departure from a paper has a number, a place in the code and a test.

use std::collections::BTreeMap;

use crate::Finding;
use crate::items::items;
use crate::tree::{File, Tree};

/// Where the tests of the protocols are.
const TESTS: &str = "crates/protocols/tests/";

/// What is numbered `**D1.**` in the documentation of a protocol is marked `// D1` in its code and
/// has a test `d1_..`; and what is marked is numbered.
pub(super) fn departures(tree: &Tree) -> Vec<Finding> {
    let tested = tested(tree);
    let mut findings = Vec::new();
    for module in tree.protocols() {
        let numbered = numbered(module);
        let marked = marked(tree, module.folder());
        for (number, line) in &numbered {
            if !marked.iter().any(|(_, _, other)| other == number) {
                let what = format!("D{number} has no `// D{number}` in the code");
                findings.push(Finding::new(module, *line, what));
            }
            if !tested.iter().any(|name| name.starts_with(&format!("d{number}_"))) {
                let what = format!("D{number} has no test `d{number}_..` in {TESTS}");
                findings.push(Finding::new(module, *line, what));
            }
        }
        for (file, line, number) in marked {
            if !numbered.contains_key(&number) {
                let what = format!("`// D{number}`, but no `**D{number}.**` in the module's doc");
                findings.push(Finding::new(file, line, what));
            }
        }
    }
    findings
}

/// The departures in the documentation, each with its line.
fn numbered(module: &File) -> BTreeMap<u32, usize> {
    let mut numbered = BTreeMap::new();
    for (line, text) in module.module_doc() {
        for part in text.split("**D").skip(1) {
            let number = part.split_once(".**").and_then(|(number, _)| number.parse().ok());
            numbered.extend(number.map(|number: u32| (number, line)));
        }
    }
    numbered
}

/// The departures in the code of a module, each with its file and line.
fn marked<'a>(tree: &'a Tree, folder: &str) -> Vec<(&'a File, usize, u32)> {
    let mut marked = Vec::new();
    for file in tree.rust().filter(|file| file.path.starts_with(folder)) {
        for (line, remark) in file.remarks() {
            let numbers = remark.split(',').map_while(leading_number);
            marked.extend(numbers.map(|number| (file, line, number)));
        }
    }
    marked
}

/// The number of a remark, or a part of one, that starts with a departure.
fn leading_number(part: &str) -> Option<u32> {
    let rest = part.trim_start().strip_prefix('D')?;
    let number = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    number.parse().ok()
}

/// The names of the tests of the protocols.
fn tested(tree: &Tree) -> Vec<&str> {
    let mut names = Vec::new();
    for file in tree.rust().filter(|file| file.path.starts_with(TESTS)) {
        let code = &file.layers.code;
        let is_test = |start: usize| {
            let before = &code[..start];
            let item = before.rfind(['}', ';']).map_or(before, |end| &before[end..]);
            item.contains("#[test]")
        };
        let functions = items(code, "fn").into_iter();
        names.extend(functions.filter(|f| is_test(f.place.start)).map(|f| f.name));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    const MODULE: &str = "crates/protocols/src/a/mod.rs";
    const TEST: &str = "crates/protocols/tests/a.rs";

    #[test]
    fn a_departure_with_a_mark_and_a_test_is_tidy() {
        let doc = "//! * **D1.** One.\n//! * **D2.** Two.\n";
        let code = format!("{doc}fn a() {{\n    b(); // D1, D2\n}}\n");
        let tests = "use a;\n#[test]\nfn d1_holds() {}\n/// Two.\n#[test]\nfn d2_holds() {}\n";
        assert!(found(departures, &[(MODULE, &code), (TEST, tests)]).is_empty());
    }

    #[test]
    fn departures_without_mark_or_test_are_found() {
        let code = "//! * **D1.** One.\n/// Not so: D1.\nfn a() {}\n";
        let tests = "#[test]\nfn d10_holds() {}\nfn d1_helper() {}\n";
        assert_eq!(
            found(departures, &[(MODULE, code), (TEST, tests)]),
            [
                format!("{MODULE}:1: D1 has no `// D1` in the code"),
                format!("{MODULE}:1: D1 has no test `d1_..` in {TESTS}"),
            ]
        );
    }

    #[test]
    fn marks_without_departure_are_found() {
        let other = "crates/protocols/src/a/b.rs";
        let files = [(MODULE, "fn a() {} // D9: no. D10.\n"), (other, "// Down.\n// D3, D4\n")];
        let found = found(departures, &files);
        let finding = |file, line, number| {
            format!("{file}:{line}: `// D{number}`, but no `**D{number}.**` in the module's doc")
        };
        assert_eq!(found, [finding(MODULE, 1, 9), finding(other, 2, 3), finding(other, 2, 4)]);
    }
}
