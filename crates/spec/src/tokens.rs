//! Tokens held and in transit stay the same number, weights come out even, and each link has one
//! fork.

use driftlock_core::NodeId;

use crate::{Broken, Promise};

/// As many tokens as there were at the start.
#[inline]
pub fn conserved(expected: u64, held: u64, in_transit: u64) -> Result<(), Broken> {
    if held.wrapping_add(in_transit) == expected {
        Ok(())
    } else {
        not_conserved(expected, held, in_transit)
    }
}

#[cold]
fn not_conserved(expected: u64, held: u64, in_transit: u64) -> Result<(), Broken> {
    let what = format!(
        "{held} tokens are held and {in_transit} in transit, there should be {expected} in all"
    );
    Err(Broken { promise: Promise::Tokens, nodes: Vec::new(), what })
}

/// The weight that is out, held or in transit, is what was handed out: the sum is nothing.
#[inline]
pub fn balanced(sum: i64) -> Result<(), Broken> {
    if sum == 0 { Ok(()) } else { not_balanced(sum) }
}

#[cold]
fn not_balanced(sum: i64) -> Result<(), Broken> {
    let what = match sum {
        1.. => format!("there is {sum} more of the weight than was handed out"),
        _ => format!("{} of the weight that was handed out is gone", sum.unsigned_abs()),
    };
    Err(Broken { promise: Promise::Weights, nodes: Vec::new(), what })
}

/// The link between `a` and `b` has one fork: at an end of it, or in transit.
pub fn one_fork(
    (a, at_a): (NodeId, bool),
    (b, at_b): (NodeId, bool),
    in_transit: u32,
) -> Result<(), Broken> {
    let forks = in_transit.saturating_add(u32::from(at_a) + u32::from(at_b));
    if forks == 1 {
        return Ok(());
    }
    let what = format!("the link {a}-{b} has {forks} forks, {in_transit} of them in transit");
    Err(Broken { promise: Promise::Forks, nodes: vec![a, b], what })
}

/// Keeps the two sums by what each step changes, so a step costs the same in any network.
#[derive(Clone, Debug)]
pub(crate) struct Conservation {
    expected: u64,
    held: u64,
    in_transit: u64,
    weight: i64,
}

impl Conservation {
    /// At the start all tokens and all of the weight are held.
    pub(crate) fn new(held: u64, weight: i64) -> Self {
        Conservation { expected: held, held, in_transit: 0, weight }
    }

    /// Before a step: what the process holds, and what the message brings, leave the sums. A
    /// message that brings what was never sent shows in `conserved`, not here.
    #[inline]
    pub(crate) fn before(&mut self, held: u32, carried: u32) {
        self.held = self.held.wrapping_sub(u64::from(held));
        self.in_transit = self.in_transit.wrapping_sub(u64::from(carried));
    }

    /// After a step: what the process holds, and what it sent, enter the sums.
    #[inline]
    pub(crate) fn after(&mut self, held: u32, carried: u32) {
        self.held = self.held.wrapping_add(u64::from(held));
        self.in_transit = self.in_transit.wrapping_add(u64::from(carried));
    }

    /// Whether there are any tokens.
    pub(crate) fn exist(&self) -> bool {
        self.expected > 0
    }

    #[inline]
    pub(crate) fn conserved(&self) -> Result<(), Broken> {
        conserved(self.expected, self.held, self.in_transit)
    }

    #[inline]
    pub(crate) fn balanced(&self) -> Result<(), Broken> {
        balanced(self.weight)
    }

    /// A step changes the weight of a process, and takes and sends some of it.
    #[inline]
    pub(crate) fn weigh(&mut self, change: i64) {
        self.weight = self.weight.wrapping_add(change);
    }
}
