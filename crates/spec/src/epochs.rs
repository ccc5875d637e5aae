//! Where tokens are made anew, each epoch has one token at most, held or in transit.

use std::collections::BTreeSet;

use crate::{Broken, Promise};

/// No two of the tokens that there are, are of one epoch.
///
/// ```
/// use driftlock_spec::epochs::one_token_each;
///
/// assert!(one_token_each([7, 8]).is_ok());
/// assert!(one_token_each([7, 8, 7]).is_err());
/// ```
pub fn one_token_each(epochs: impl IntoIterator<Item = u64>) -> Result<(), Broken> {
    let mut seen = BTreeSet::new();
    epochs.into_iter().find(|epoch| !seen.insert(*epoch)).map_or(Ok(()), second)
}

#[cold]
fn second(epoch: u64) -> Result<(), Broken> {
    let what = format!("there is a second token of epoch {epoch}");
    Err(Broken { promise: Promise::Epochs, nodes: Vec::new(), what })
}

/// Follows a run. Who takes a step has no more tokens of an epoch afterwards, what it sent
/// included, than it had or got with the message, but for one that is the first of its epoch. So
/// it costs the same in any network.
#[derive(Clone, Debug)]
pub(crate) struct Epochs {
    /// Those of which there was a token.
    begun: BTreeSet<u64>,
    /// Those of the tokens that the process had before the step, or got with the message.
    before: Vec<u64>,
}

impl Epochs {
    /// The tokens that there are at the start.
    pub(crate) fn new(held: impl IntoIterator<Item = u64>) -> Self {
        Epochs { begun: held.into_iter().collect(), before: Vec::new() }
    }

    pub(crate) fn before(
        &mut self,
        held: impl IntoIterator<Item = u64>,
        carried: impl IntoIterator<Item = u64>,
    ) {
        self.before.clear();
        self.before.extend(held.into_iter().chain(carried));
    }

    pub(crate) fn after(&mut self, tokens: impl IntoIterator<Item = u64>) -> Result<(), Broken> {
        tokens.into_iter().try_for_each(|epoch| {
            if let Some(place) = self.before.iter().position(|&other| other == epoch) {
                self.before.swap_remove(place);
            } else if !self.begun.insert(epoch) {
                return second(epoch);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_passed_on_lost_and_replaced_by_later_ones() {
        let mut epochs = Epochs::new([0]);
        epochs.before([0], []);
        epochs.after([0]).unwrap();
        epochs.before([], [0]);
        epochs.after([]).unwrap();
        epochs.before([], []);
        epochs.after([3]).unwrap();
    }

    #[test]
    fn none_is_made_twice() {
        let second = |before: &[u64], after: &[u64]| {
            let mut epochs = Epochs::new([0]);
            epochs.before(before.iter().copied(), []);
            epochs.after(after.iter().copied()).map_err(|broken| broken.promise)
        };
        assert_eq!(second(&[], &[0]), Err(Promise::Epochs));
        assert_eq!(second(&[0], &[0, 0]), Err(Promise::Epochs));
        assert_eq!(second(&[], &[1, 1]), Err(Promise::Epochs));
        assert_eq!(second(&[0], &[1, 0]), Ok(()));
    }
}
