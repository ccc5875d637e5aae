//! Storm, then calm, then progress.
//!
//! An adversary that changes links for ever can starve anyone, so the papers promise progress only
//! once link changes cease (WWV 2001, Theorem 2). A run therefore has a stormy and a calm part: in
//! the calm, links stay as they are and nobody asks anew. Then everyone who waits has to get
//! in, and after that the network has to fall silent, both within a bound.

use driftlock_core::{NodeId, Status};

use crate::{Broken, Promise};

/// How the calm ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calm {
    /// There was nothing left to happen.
    Silent,
    /// Something was still going on when the bound was reached.
    Restless,
}

/// At the end of the calm nobody waits, nobody is inside, and nothing happens.
pub fn settled(calm: Calm, sections: &[Status]) -> Result<(), Broken> {
    let waiting: Vec<NodeId> = (0..sections.len())
        .filter(|&index| sections[index] == Status::Waiting)
        .map(NodeId::at)
        .collect();
    let (promise, what) = match calm {
        Calm::Silent if waiting.is_empty() => return Ok(()),
        Calm::Silent => {
            (Promise::NoStarvation, format!("{} for ever, nothing is in transit", list(&waiting)))
        }
        Calm::Restless if waiting.is_empty() => {
            (Promise::Silence, "messages go round although nobody waits".into())
        }
        Calm::Restless => {
            let what = format!("{} although link changes and requests ceased", list(&waiting));
            (Promise::NoStarvation, what)
        }
    };
    Err(Broken { promise, nodes: waiting, what })
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
