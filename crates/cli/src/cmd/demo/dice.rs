//! Random numbers from a seed: [`Dice`]. Those of the simulator would bring the simulator along.

/// What numbers are for. Using more of one kind shifts none of another.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Places,
    Ways,
    Requests,
    Loss,
}

/// SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
pub(super) struct Dice(u64);

impl Dice {
    /// The numbers for one subject, a node say.
    pub(super) fn new(seed: u64, stream: Stream, subject: usize) -> Dice {
        let apart = |state, number: u64| Dice(state).draw() ^ Dice(number).draw().rotate_left(32);
        Dice(apart(apart(seed, stream as u64), subject as u64))
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`. The bias is below `n` in 2^64.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(n)) >> 64) as u64
    }

    /// A number from 0 (exclusive) to 1 (inclusive).
    pub(super) fn unit(&mut self) -> f64 {
        ((self.draw() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_that_are_known() {
        let mut dice = Dice(1_234_567);
        let known = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([dice.draw(), dice.draw()], known);
    }

    #[test]
    fn subjects_streams_and_seeds_have_numbers_of_their_own() {
        let all = [
            Dice::new(1, Stream::Places, 0),
            Dice::new(2, Stream::Places, 0),
            Dice::new(1, Stream::Ways, 0),
            Dice::new(1, Stream::Places, 1),
        ];
        let mut first = all.map(|mut dice| dice.draw());
        first.sort_unstable();
        assert!(first.is_sorted_by(|a, b| a < b), "{first:?}");
    }

    #[test]
    fn numbers_are_spread_over_their_range() {
        let mut dice = Dice::new(7, Stream::Loss, 0);
        let numbers: Vec<u64> = (0..1000).map(|_| dice.below(5)).collect();
        assert!((0..5).all(|n| (150..250).contains(&numbers.iter().filter(|&&k| k == n).count())));
        let mean = (0..1000).map(|_| dice.unit()).sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
    }
}
