//! Entry only on request, and the application keeps to its turns.

use driftlock_core::{Input, NodeId, Output, Status};

use crate::{Broken, Promise};

/// A request: the last application event, if any, was a release. Returns the section that follows.
#[inline]
pub fn request(node: NodeId, was: Status) -> Result<Status, Broken> {
    shift(node, was, Status::Remainder, Status::Waiting, Promise::Application, "asked")
}

/// A release: the last application event was an entry.
#[inline]
pub fn release(node: NodeId, was: Status) -> Result<Status, Broken> {
    shift(node, was, Status::Critical, Status::Remainder, Promise::Application, "released")
}

/// An entry: the last application event was a request.
#[inline]
pub fn enter(node: NodeId, was: Status) -> Result<Status, Broken> {
    shift(node, was, Status::Waiting, Status::Critical, Promise::EntryOnRequest, "was let in")
}

/// A demotion: the process was in the critical section and waits again.
#[inline]
pub fn demote(node: NodeId, was: Status) -> Result<Status, Broken> {
    shift(node, was, Status::Critical, Status::Waiting, Promise::EntryOnRequest, "was demoted")
}

/// What the process says of itself has to agree with its events.
#[inline]
pub fn agree(node: NodeId, section: Status, says: Status) -> Result<(), Broken> {
    if section == says { Ok(()) } else { disagree(node, section, says) }
}

/// A whole step: from the section before it to the one after it.
pub fn step<M, T>(
    node: NodeId,
    was: Status,
    input: &Input<M, T>,
    outputs: &[Output<M, T>],
    says: Status,
) -> Result<Status, Broken> {
    let mut section = match input {
        Input::RequestCs(_) => request(node, was)?,
        Input::ReleaseCs => release(node, was)?,
        _ => was,
    };
    for output in outputs {
        match output {
            Output::EnterCs => section = enter(node, section)?,
            Output::Demote => section = demote(node, section)?,
            _ => {}
        }
    }
    agree(node, section, says)?;
    Ok(section)
}

#[inline]
fn shift(
    node: NodeId,
    was: Status,
    from: Status,
    to: Status,
    promise: Promise,
    verb: &str,
) -> Result<Status, Broken> {
    if was == from { Ok(to) } else { out_of_turn(node, was, promise, verb) }
}

#[cold]
fn out_of_turn(node: NodeId, was: Status, promise: Promise, verb: &str) -> Result<Status, Broken> {
    let what = format!("{node} {verb} in its {was:?} section");
    Err(Broken { promise, nodes: vec![node], what })
}

#[cold]
fn disagree(node: NodeId, section: Status, says: Status) -> Result<(), Broken> {
    let what = format!("{node} says it is {says:?}, its events say {section:?}");
    Err(Broken { promise: Promise::EntryOnRequest, nodes: vec![node], what })
}
