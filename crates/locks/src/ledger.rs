//! What a node has given to others and got from them, of one lock: [`Ledger`].
//!
//! Whoever is struck off the list of members takes tokens with it, and nobody can ask it how many.
//! But all others can say what they gave it and what it gave them. Of a lock, those who are left
//! have what they made, and got from those who are gone, less what they gave these; whatever
//! happened among themselves, or among those who are gone, does not matter. What is missing of the
//! lock's tokens was lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Tokens, and the weight of shares of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Amount {
    /// Tokens.
    pub tokens: i64,
    /// Weight.
    pub weight: i64,
}

impl Amount {
    /// Nothing.
    pub const NOTHING: Amount = Amount { tokens: 0, weight: 0 };

    /// Both together.
    pub fn plus(self, other: Amount) -> Amount {
        let tokens = self.tokens.saturating_add(other.tokens);
        Amount { tokens, weight: self.weight.saturating_add(other.weight) }
    }

    /// As much the other way.
    pub fn negative(self) -> Amount {
        let tokens = self.tokens.saturating_neg();
        Amount { tokens, weight: self.weight.saturating_neg() }
    }
}

/// Got from others, less given to them: by the names of their memories.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    made: Amount,
    got: BTreeMap<u64, Amount>,
}

impl Ledger {
    pub(crate) fn make(&mut self, amount: Amount) {
        self.made = self.made.plus(amount);
    }

    pub(crate) fn get(&mut self, from: u64, amount: Amount) {
        let got = self.got.entry(from).or_default();
        *got = got.plus(amount);
        if *got == Amount::NOTHING {
            self.got.remove(&from);
        }
    }

    pub(crate) fn give(&mut self, to: u64, amount: Amount) {
        self.get(to, amount.negative());
    }

    /// Whether nothing was made here, and whatever came went back to where it came from.
    pub(crate) fn is_empty(&self) -> bool {
        self.made == Amount::NOTHING && self.got.is_empty()
    }

    /// What has come here, or was made here, and not from those who are left.
    pub(crate) fn got_from_outside(&self, is_left: impl Fn(u64) -> bool) -> Amount {
        let gone = self.got.iter().filter(|(memory, _)| !is_left(**memory));
        gone.fold(self.made, |sum, (_, amount)| sum.plus(*amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Amount = Amount { tokens: 1, weight: 0 };

    #[test]
    fn only_what_crosses_the_border_counts() {
        // 1 makes a token, gives it to 2, which gives it to 3, which is struck off.
        let (mut one, mut two) = (Ledger::default(), Ledger::default());
        one.make(ONE);
        one.give(2, ONE);
        two.get(1, ONE);
        two.give(3, ONE);
        let are_left = |memory| memory != 3;
        let sum = one.got_from_outside(are_left).plus(two.got_from_outside(are_left));
        assert_eq!(sum, Amount::NOTHING, "it is lost");
        // Before that, 3 had got it from 4, which is gone as well, and had given it to 1.
        one.get(3, ONE);
        let sum = one.got_from_outside(are_left).plus(two.got_from_outside(are_left));
        assert_eq!(sum, ONE);
    }
}
