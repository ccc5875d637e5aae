//! Never more than `k` in the critical section.

use driftlock_core::{NodeId, Status};

use crate::Promise;
use crate::violation::Broken;

/// Counts who is inside. Mutual exclusion is `k = 1` (WWV 2001, section 3).
#[derive(Clone, Debug)]
pub(crate) struct Exclusion {
    k: u32,
    inside: u32,
}

impl Exclusion {
    pub(crate) fn at_most(k: u32) -> Self {
        Exclusion { k, inside: 0 }
    }

    /// A process entered; `sections` tells where each is after that.
    pub(crate) fn enter(&mut self, sections: &[Status]) -> Result<(), Broken> {
        self.inside += 1;
        if self.inside <= self.k {
            return Ok(());
        }
        let inside: Vec<NodeId> = (0..sections.len())
            .filter(|&index| sections[index] == Status::Critical)
            .map(NodeId::at)
            .collect();
        let names: Vec<String> = inside.iter().map(NodeId::to_string).collect();
        let what = format!(
            "{} are in the critical section together, at most {} may be",
            names.join(" and "),
            self.k
        );
        Err((Promise::Exclusion, inside, what))
    }

    /// A process left, or was sent back to waiting.
    pub(crate) fn leave(&mut self) {
        self.inside = self.inside.saturating_sub(1);
    }
}
