//! What every crate must say of itself, and what `core` and `protocols` must not know.

use std::ops::Range;

use crate::Finding;
use crate::items::items;
use crate::text::occurrences;
use crate::tree::{File, Tree};

/// The crates that have no clock, no dice, no float and no order of hashes.
const PURE: [&str; 2] = ["crates/core/src/", "crates/protocols/src/"];

/// What those crates do without.
const ABSENT: [&str; 6] = ["f32", "f64", "HashMap", "std::", "Instant", "println"];

/// Every crate forbids unsafe code, and the pure ones are `no_std`.
pub(super) fn roots(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| is_root(&file.path)) {
        let needs_no_std = PURE.contains(&file.folder());
        let attributes = [("#![forbid(unsafe_code)]", true), ("#![no_std]", needs_no_std)];
        for (attribute, is_needed) in attributes {
            if is_needed && !file.layers.code.contains(attribute) {
                findings.push(Finding::new(file, 1, format!("`{attribute}` is missing")));
            }
        }
    }
    findings
}

fn is_root(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    matches!(
        names[..],
        ["crates", _, "src", "lib.rs" | "main.rs"] | ["xtask", "src", "lib.rs" | "main.rs"]
    )
}

/// The pure crates are pure, and no state of a protocol depends on the size of a pointer.
pub(super) fn absent(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| PURE.iter().any(|folder| file.path.starts_with(folder))) {
        let code = &file.layers.code;
        let words = ABSENT.iter().flat_map(|word| {
            occurrences(code, word).into_iter().map(move |place| (place, format!("`{word}`")))
        });
        let sizes = sizes_in_state(file).into_iter();
        let sizes = sizes.map(|place| (place, "`usize` in the state of a protocol".to_owned()));
        for (place, what) in words.chain(sizes).filter(|(place, _)| !file.is_test(*place)) {
            findings.push(Finding::new(file, file.line(place), what));
        }
    }
    findings
}

fn sizes_in_state(file: &File) -> Vec<usize> {
    if !file.path.starts_with("crates/protocols/") {
        return Vec::new();
    }
    let code = &file.layers.code;
    let structures = items(code, "struct").into_iter().map(|structure| structure.place);
    let sizes = |place: Range<usize>| {
        let start = place.start;
        occurrences(&code[place], "usize").into_iter().map(move |k| start + k)
    };
    structures.flat_map(sizes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn roots_say_what_they_must() {
        let files = [
            ("crates/core/src/lib.rs", "#![forbid(unsafe_code)]\n"),
            ("crates/protocols/src/lib.rs", "#![no_std]\n#![forbid(unsafe_code)]\n"),
            ("crates/a/src/main.rs", "//! `#![forbid(unsafe_code)]`\n"),
            ("crates/a/src/b.rs", ""),
        ];
        assert_eq!(
            found(roots, &files),
            [
                "crates/core/src/lib.rs:1: `#![no_std]` is missing",
                "crates/a/src/main.rs:1: `#![forbid(unsafe_code)]` is missing",
            ]
        );
    }

    #[test]
    fn pure_crates_are_pure() {
        let text = "//! No `f64`.\nuse std::fmt;\nfn a() -> f64 { 1.0 }\n\
            #[cfg(test)]\nmod tests { use std::time::Instant; }\n";
        let files = [("crates/core/src/a.rs", text), ("crates/sim/src/a.rs", text)];
        assert_eq!(
            found(absent, &files),
            ["crates/core/src/a.rs:3: `f64`", "crates/core/src/a.rs:2: `std::`",]
        );
    }

    #[test]
    fn state_has_no_size_of_pointers() {
        let text = "struct A {\n    b: usize,\n}\nfn c(d: usize) {}\nstruct E(usize);\n";
        let files = [("crates/protocols/src/a/mod.rs", text), ("crates/core/src/a.rs", text)];
        assert_eq!(
            found(absent, &files),
            [
                "crates/protocols/src/a/mod.rs:2: `usize` in the state of a protocol",
                "crates/protocols/src/a/mod.rs:5: `usize` in the state of a protocol",
            ]
        );
    }
}
