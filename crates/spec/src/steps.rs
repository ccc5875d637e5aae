//! Every step is defined by the algorithm's text.

use driftlock_core::NodeId;

use crate::{Broken, Promise};

/// The text does not say what `node` should do: it needs the minimum of nothing, say.
#[cold]
pub fn undefined(node: NodeId, what: &str) -> Broken {
    let what = format!("{node} has nothing to go by in {what}");
    Broken { promise: Promise::DefinedStep, nodes: vec![node], what }
}

/// `node` found its contract broken and took the step with a panic.
#[cold]
pub fn gave_up(node: NodeId, complaint: &str) -> Broken {
    let what = format!("{node} gave up: {complaint}");
    Broken { promise: Promise::DefinedStep, nodes: vec![node], what }
}

/// A process sent a message to a node to which it has no link.
#[cold]
pub fn stray_message(from: NodeId, to: NodeId) -> Broken {
    let what = format!("{from} sent a message to {to}, which is not its neighbor");
    Broken { promise: Promise::DefinedStep, nodes: vec![from, to], what }
}
