//! Neighbors who compete have different colors.

use driftlock_core::NodeId;

use crate::{Broken, Promise};

/// Two neighbors, each with the color with which it competes if it does (Attiya, Kogan and Welch
/// 2008, Lemma 3).
#[inline]
pub fn differ(
    (a, color_a): (NodeId, Option<i64>),
    (b, color_b): (NodeId, Option<i64>),
) -> Result<(), Broken> {
    match color_a {
        Some(color) if color_a == color_b => same(a, b, color),
        _ => Ok(()),
    }
}

#[cold]
fn same(a: NodeId, b: NodeId, color: i64) -> Result<(), Broken> {
    let what = format!("{a} and {b} are neighbors and compete with the same color, {color}");
    Err(Broken { promise: Promise::Colors, nodes: vec![a, b], what })
}
