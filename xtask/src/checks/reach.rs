//! Files that nothing leads to.

use std::collections::BTreeSet;

use crate::Finding;
use crate::items::{Item, items};
use crate::manifest::Manifest;
use crate::tree::{File, Tree};

/// Every Rust file of a crate is a root of it, or a `mod` leads there from a root.
///
/// Modules with a `#[path]`, and files of modules that are written inside a file, are not
/// understood: there are none.
pub(super) fn dead_files(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in Manifest::all(tree) {
        let alive = alive(tree, manifest.roots());
        let folders = ["src/", "tests/", "benches/"];
        let folders = folders.map(|folder| format!("{}{folder}", manifest.file.folder()));
        for file in tree.rust() {
            let is_of_crate = folders.iter().any(|folder| file.path.starts_with(folder));
            if is_of_crate && !alive.contains(&file.path) {
                findings.push(Finding::new(file, 1, "dead: no `mod` and no target leads here"));
            }
        }
    }
    findings
}

/// The paths that `mod`s lead to from `roots`, and the roots. Not all of them need to exist.
fn alive(tree: &Tree, roots: Vec<String>) -> BTreeSet<String> {
    let mut alive: BTreeSet<String> = roots.iter().cloned().collect();
    let mut waiting: Vec<(String, bool)> = roots.into_iter().map(|root| (root, true)).collect();
    while let Some((path, is_root)) = waiting.pop() {
        let Some(file) = tree.file(&path) else { continue };
        for path in children(file, is_root) {
            if alive.insert(path.clone()) {
                waiting.push((path, false));
            }
        }
    }
    alive
}

/// Where the modules that `file` declares may be.
fn children(file: &File, is_root: bool) -> Vec<String> {
    let code = &file.layers.code;
    let is_front = is_root || file.path.ends_with("/mod.rs");
    let stem = file.path.trim_end_matches(".rs");
    let folder = if is_front { file.folder().to_owned() } else { format!("{stem}/") };
    let is_declared = |item: &Item<'_>| code[item.place.clone()].ends_with(';');
    let declared = items(code, "mod").into_iter().filter(is_declared);
    let paths = |name| [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")];
    declared.flat_map(|item| paths(item.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn files_that_nothing_leads_to_are_found() {
        let files = [
            ("a/Cargo.toml", "[package]\nname = 'a'\n[[bench]]\nname = 'named'\n"),
            ("a/src/lib.rs", "mod b;\npub mod d;\n// mod dead;\nmod inline {}\n"),
            ("a/src/b.rs", "#[cfg(test)]\nmod c;\n"),
            ("a/src/b/c.rs", ""),
            ("a/src/d/mod.rs", "mod e;\n"),
            ("a/src/d/e.rs", ""),
            ("a/src/dead.rs", "mod deader;\n"),
            ("a/src/dead/deader.rs", ""),
            ("a/src/inline.rs", ""),
            ("a/tests/main.rs", "mod f;\n"),
            ("a/tests/f.rs", ""),
            ("a/benches/named.rs", ""),
            ("a/benches/unnamed.rs", ""),
        ];
        let dead = ["src/dead.rs", "src/dead/deader.rs", "src/inline.rs", "benches/unnamed.rs"];
        let dead = dead.map(|path| format!("a/{path}:1: dead: no `mod` and no target leads here"));
        assert_eq!(found(dead_files, &files), dead);
    }

    #[test]
    fn tests_that_cargo_was_told_not_to_look_for_are_dead() {
        let manifest = "[package]\nname = 'a'\nautotests = false\n";
        let files = [("a/Cargo.toml", manifest), ("a/tests/main.rs", "")];
        assert_eq!(found(dead_files, &files).len(), 1);
    }
}
