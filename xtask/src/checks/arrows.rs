//! Which crate may know which.

use crate::manifest::Manifest;
use crate::{Finding, Tree, text};

/// Each crate of ours, and the crates of ours that it may depend on. Its tests may do more.
const ARROWS: [(&str, &[&str]); 23] = [
    ("driftlock-core", &[]),
    ("driftlock-protocols", &["driftlock-core"]),
    ("driftlock-spec", &["driftlock-core"]),
    ("driftlock-journal", &["driftlock-core"]),
    ("driftlock-link", &["driftlock-core"]),
    ("driftlock-locks", &["driftlock-core", "driftlock-journal"]),
    ("driftlock-roster", &["driftlock-core"]),
    // Programs use it; the node has the types of its API from it.
    ("driftlock-client", &[]),
    (
        "driftlock-node",
        &[
            "driftlock-core",
            "driftlock-journal",
            "driftlock-link",
            "driftlock-locks",
            "driftlock-roster",
            "driftlock-client",
        ],
    ),
    // Files of other tools are links and nothing else.
    ("driftlock-traces", &[]),
    ("driftlock-replay", &["driftlock-core", "driftlock-spec", "driftlock-journal"]),
    (
        "driftlock-sim",
        &["driftlock-core", "driftlock-spec", "driftlock-journal", "driftlock-traces"],
    ),
    ("driftlock-check", &["driftlock-core", "driftlock-spec", "driftlock-replay"]),
    // Its tests know the checker and the simulator.
    ("driftlock-mutants", &["driftlock-core", "driftlock-protocols"]),
    ("driftlock-lab", &["driftlock-sim"]),
    ("driftlock-sweep", &["driftlock-sim", "driftlock-lab"]),
    // Tests of all that read bytes from outside use it.
    ("driftlock-fuzz", &[]),
    // Tests of whole nodes use it, simulated ones and real ones.
    ("driftlock-faults", &["driftlock-fuzz"]),
    (
        "driftlock",
        &[
            "driftlock-core",
            "driftlock-protocols",
            "driftlock-spec",
            "driftlock-journal",
            "driftlock-replay",
            "driftlock-sim",
            "driftlock-check",
            "driftlock-lab",
            "driftlock-sweep",
            "driftlock-traces",
            "driftlock-client",
            "driftlock-link",
            "driftlock-locks",
            "driftlock-node",
        ],
    ),
    ("driftlock-python", &["driftlock", "driftlock-sim", "driftlock-sweep"]),
    // The template of a protocol of one's own, which is no part of the workspace.
    ("my-locks", &["driftlock", "driftlock-core"]),
    // Benchmarks, and nothing else.
    ("driftlock-peers", &[]),
    ("xtask", &[]),
];

/// Every arrow from crate to crate is in the table, and so is every crate.
pub(super) fn arrows(tree: &Tree) -> Vec<Finding> {
    let manifests = Manifest::all(tree);
    let ours: Vec<&str> = manifests.iter().map(|manifest| &*manifest.name).collect();
    manifests.iter().flat_map(|manifest| arrows_from(manifest, &ours)).collect()
}

fn arrows_from(manifest: &Manifest<'_>, ours: &[&str]) -> Vec<Finding> {
    let Manifest { file, name, .. } = manifest;
    let finding = |prefix: &str, what: String| {
        Finding::new(file, text::line_starting(&file.text, prefix), what)
    };
    let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| from == name) else {
        return vec![finding("name", format!("`{name}` is new: add it to the table of arrows"))];
    };
    let dependencies = manifest.dependencies();
    let bad = dependencies.iter().filter(|to| ours.contains(to) && !allowed.contains(to));
    bad.map(|to| finding(to, format!("`{name}` may not know `{to}`"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn arrows_not_in_the_table_are_found() {
        let core = "[package]\nname = 'driftlock-core'\n[dependencies]\nserde = '1'\n";
        let sim = "[package]\nname = 'driftlock-sim'\n[dependencies]\n\
            driftlock-core.workspace = true\ndriftlock-lab.workspace = true\n\
            [dev-dependencies]\ndriftlock.workspace = true\n";
        let lab = "[package]\nname = 'driftlock-lab'\n[dependencies]\n\
            driftlock-core = { workspace = true }\n";
        let files = [("a/Cargo.toml", core), ("b/Cargo.toml", sim), ("c/Cargo.toml", lab)];
        assert_eq!(
            found(arrows, &files),
            [
                "b/Cargo.toml:5: `driftlock-sim` may not know `driftlock-lab`",
                "c/Cargo.toml:4: `driftlock-lab` may not know `driftlock-core`",
            ]
        );
    }

    #[test]
    fn new_crates_must_be_added() {
        let files = [("Cargo.toml", "[workspace]\n"), ("a/Cargo.toml", "[package]\nname = 'a'\n")];
        assert_eq!(
            found(arrows, &files),
            ["a/Cargo.toml:2: `a` is new: add it to the table of arrows"]
        );
    }
}
