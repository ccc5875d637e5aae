//! Tokens held and in transit stay the same number.

use crate::Promise;
use crate::violation::Broken;

/// Keeps the two sums by what each step changes, so a step costs the same in any network.
#[derive(Clone, Debug)]
pub(crate) struct Conservation {
    expected: u64,
    held: u64,
    in_transit: u64,
}

impl Conservation {
    /// At the start all tokens are held.
    pub(crate) fn new(held: u64) -> Self {
        Conservation { expected: held, held, in_transit: 0 }
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

    #[inline]
    pub(crate) fn conserved(&self) -> Result<(), Broken> {
        let all = self.held.wrapping_add(self.in_transit);
        if all == self.expected { Ok(()) } else { self.broken() }
    }

    #[cold]
    fn broken(&self) -> Result<(), Broken> {
        let what = format!(
            "{} tokens are held and {} in transit, there should be {} in all",
            self.held, self.in_transit, self.expected
        );
        Err((Promise::Tokens, Vec::new(), what))
    }
}
