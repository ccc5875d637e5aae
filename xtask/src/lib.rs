//! Tidy: the house style, as tests that read the tree as text.
//!
//! What a lint can say, the workspace's lints say. The rest is here: how long functions, files and
//! lines may be, which words may not be written, which crate may know which, and whether the code
//! of a protocol still has every line of its paper. `cargo test` runs all of it, without git and
//! without another cargo.
//!
//! A [`Tree`] is every file, read once. A [`Check`] is a plain function from a tree to its
//! [`Finding`]s, and [`CHECKS`] is the list of them. Each check has a module in `checks`, and under
//! it a test on a tree made up to fail. The test in `tests/main.rs` runs all of them over the real
//! tree and shows every finding at once.
//!
//! The checks know as much of Rust as they need: [`Tree`] tells code from comments and literals,
//! and test code from the rest, and finds items by their braces. They do not expand macros.

#![forbid(unsafe_code)]

mod checks;
mod finding;
mod items;
mod layers;
mod manifest;
mod markdown;
mod text;
mod tree;

pub use checks::{CHECKS, Check, report};
pub use finding::Finding;
pub use tree::Tree;
