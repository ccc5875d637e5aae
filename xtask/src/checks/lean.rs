//! What a machine that runs a node has to build.

use crate::manifest::Manifest;
use crate::{Finding, Tree, text};

/// The crates of ours that the binary needs without its feature `lab`. The arrows between crates
/// keep these from knowing the others.
const NEEDED: [&str; 6] = [
    "driftlock-client",
    "driftlock-core",
    "driftlock-link",
    "driftlock-locks",
    "driftlock-node",
    "driftlock-protocols",
];

/// Everything else of ours that the binary depends on is optional.
pub(super) fn lean(tree: &Tree) -> Vec<Finding> {
    let manifests = Manifest::all(tree);
    let is_ours = |name: &str| manifests.iter().any(|manifest| manifest.name == name);
    let Some(binary) = manifests.iter().find(|manifest| manifest.name == "driftlock") else {
        return Vec::new();
    };
    let needed = binary.needed().into_iter();
    let too_many = needed.filter(|name| is_ours(name) && !NEEDED.contains(name));
    let finding = |name| {
        let line = text::line_starting(&binary.file.text, name);
        Finding::new(binary.file, line, format!("`{name}` is no part of a node: make it optional"))
    };
    too_many.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::found;

    #[test]
    fn what_a_node_does_not_need_has_to_be_optional() {
        let binary = "[package]\nname = 'driftlock'\n[dependencies]\n\
            driftlock-node.workspace = true\ndriftlock-sim.workspace = true\n\
            driftlock-lab = { workspace = true, optional = true }\nserde = '1'\n\
            [dev-dependencies]\ndriftlock-check.workspace = true\n";
        let other = |name| format!("[package]\nname = '{name}'\n");
        let names = ["driftlock-node", "driftlock-sim", "driftlock-lab", "driftlock-check"];
        let [node, sim, lab, check] = names.map(other);
        let files = [
            ("a/Cargo.toml", binary),
            ("b/Cargo.toml", &node),
            ("c/Cargo.toml", &sim),
            ("d/Cargo.toml", &lab),
            ("e/Cargo.toml", &check),
        ];
        let expected = "a/Cargo.toml:5: `driftlock-sim` is no part of a node: make it optional";
        assert_eq!(found(lean, &files), [expected]);
    }
}
