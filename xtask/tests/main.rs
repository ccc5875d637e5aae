//! The real tree, asked whether it is tidy.

use std::path::Path;

use xtask::Tree;

#[test]
fn the_tree_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tree = Tree::read(&root).expect("the tree can be read");
    assert!(tree.has("crates/protocols/src/rl/mod.rs"), "this is the tree");
    assert!(!tree.has("target"), "and only the tree");
    let report = xtask::report(&tree);
    assert!(report.is_empty(), "not tidy\n\n{report}");
}
