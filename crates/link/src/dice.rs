//! Random bytes from a seed: [`Dice`].

use blake2::Blake2sMac256;
use blake2::digest::{FixedOutput, KeyInit, Update};

/// A generator: the hashes of 0, 1, 2, .. under the seed as key. Whoever does not know the seed
/// cannot tell its bytes from random ones, so keys may be made of them.
#[derive(Clone)]
pub(crate) struct Dice {
    seed: [u8; 32],
    count: u64,
}

impl Dice {
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Dice { seed, count: 0 }
    }

    /// The next 32 bytes.
    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut hash = Blake2sMac256::new(&self.seed.into());
        hash.update(&self.count.to_le_bytes());
        self.count += 1;
        hash.finalize_fixed().into()
    }

    /// The next number.
    pub(crate) fn draw(&mut self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.bytes();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// A number below `n`, or 0. The bias is below `n` in 2^64.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(n)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_depend_on_the_seed_alone() {
        let numbers = |seed| {
            let mut dice = Dice::new([seed; 32]);
            [dice.draw(), dice.draw(), dice.draw()]
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert_ne!(numbers(1)[0], numbers(1)[1]);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut dice = Dice::new([7; 32]);
        let numbers: Vec<u64> = (0..1000).map(|_| dice.below(5)).collect();
        assert!((0..5).all(|n| numbers.contains(&n)));
        assert!(numbers.iter().all(|&n| n < 5));
        assert_eq!(dice.below(0), 0);
    }
}
