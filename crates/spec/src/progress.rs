//! Storm, then calm, then progress.
//!
//! An adversary that changes links for ever can starve anyone, so the papers promise progress only
//! once link changes cease (WWV 2001, Theorem 2). A run therefore has a stormy and a calm part: in
//! the calm, links stay as they are and nobody asks anew. Then everyone who waits has to get
//! in, and after that the network has to fall silent, both within a bound. Where the network may
//! fall apart, that is owed to those who have a token in their part; the others have to know that
//! there is none, and be silent too. Where a token can be made anew, it is owed to those who are in
//! one part with more than half of all nodes.

use driftlock_core::{NodeId, ResourceId, Status};

use crate::{Broken, Promise};

/// How the calm ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calm {
    /// There was nothing left to happen.
    Silent,
    /// Something was still going on when the bound was reached.
    Restless,
}

/// Whether a part of the network with so many living nodes has more than half of all nodes.
pub fn has_quorum(living: usize, n_nodes: usize) -> bool {
    2 * living > n_nodes
}

/// At the end of the calm nobody waits who has a token within reach, and nothing happens, if the
/// protocol promises silence.
pub fn settled(
    calm: Calm,
    sections: &[Status],
    within_reach: impl Fn(NodeId) -> bool,
    silent: bool,
) -> Result<(), Broken> {
    let waiting: Vec<NodeId> = (0..sections.len())
        .filter(|&index| sections[index] == Status::Waiting)
        .map(NodeId::at)
        .filter(|&node| within_reach(node))
        .collect();
    let (promise, what) = match calm {
        Calm::Restless if waiting.is_empty() && !silent => return Ok(()),
        Calm::Silent if waiting.is_empty() => return Ok(()),
        Calm::Silent => {
            (Promise::NoStarvation, format!("{} for ever, nothing is in transit", list(&waiting)))
        }
        Calm::Restless if waiting.is_empty() => {
            (Promise::Silence, "messages go round although nobody waits for what can be had".into())
        }
        Calm::Restless => {
            let what = format!("{} although link changes and requests ceased", list(&waiting));
            (Promise::NoStarvation, what)
        }
    };
    Err(Broken { promise, nodes: waiting, what })
}

/// Whether a node says that no token can be reached is whether it is so.
pub fn reported(node: NodeId, within_reach: bool, says_missing: bool) -> Result<(), Broken> {
    let what = match (within_reach, says_missing) {
        (true, false) | (false, true) => return Ok(()),
        (true, true) => format!("{node} says that no token can be reached, and one can"),
        (false, false) => format!("{node} cannot reach a token and does not say so"),
    };
    Err(Broken { promise: Promise::Reachability, nodes: vec![node], what })
}

/// When nothing but releases can happen and all who are interested want the same resource, nobody
/// waits who has a token within reach: `interested` are those who wait or are inside, with what
/// they want.
pub fn entered_together(
    interested: impl Iterator<Item = (NodeId, Status, ResourceId)> + Clone,
    within_reach: impl Fn(NodeId) -> bool,
) -> Result<(), Broken> {
    let mut all = interested.clone();
    let Some((_, _, wanted)) = all.next() else { return Ok(()) };
    if all.any(|(_, _, other)| other != wanted) {
        return Ok(());
    }
    let waiting: Vec<NodeId> = interested
        .filter(|&(node, section, _)| section == Status::Waiting && within_reach(node))
        .map(|(node, ..)| node)
        .collect();
    if waiting.is_empty() {
        return Ok(());
    }
    let what = format!("{} for {wanted}, and nobody wants anything else", list(&waiting));
    Err(Broken { promise: Promise::ConcurrentEntering, nodes: waiting, what })
}

/// In some run or other everyone who may ask has got in: a network that cannot move breaks no
/// other promise.
pub fn possible(never_in: &[NodeId]) -> Result<(), Broken> {
    if never_in.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = never_in.iter().map(NodeId::to_string).collect();
    let what = format!("there is no run in which {} gets in", names.join(" or "));
    Err(Broken { promise: Promise::Possible, nodes: never_in.to_vec(), what })
}

fn list(waiting: &[NodeId]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = waiting.iter().take(SHOWN).map(NodeId::to_string).collect();
    let more = waiting.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let verb = if waiting.len() == 1 { "waits" } else { "wait" };
    format!("{}{rest} {verb}", names.join(", "))
}
