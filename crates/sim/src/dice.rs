//! Random numbers that have addresses: [`Dice`].
//!
//! Every number of a run is `draw(seed, stream, subject, index)`, computed by Philox4x32-10
//! (Salmon, Moraes, Dror, Shaw: *Parallel Random Numbers: As Easy as 1, 2, 3*, SC 2011) from the
//! seed as key and the other three as counter. There is no state to get out of step: the third
//! think time of node 7 is the same number under any protocol, in any order of events. That is
//! what makes two protocols face the same world under the same seed.
//!
//! [`VERSION`] changes whenever any number would. Logarithms come from `libm`, which computes the
//! same bits on every platform.

/// The version of this generator and of what is derived from it.
pub const VERSION: u32 = 1;

/// What a number is for. Streams are independent: using more numbers of one shifts none of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// The initial network.
    Network = 1,
    /// The network a routed protocol takes its tree from, before links were permuted.
    Tree = 2,
    /// Think times; the subject is the node, the index counts its requests.
    Requests = 3,
    /// Lengths of critical sections; the subject is the node, the index counts its entries.
    Critical = 4,
    /// When links change, and which.
    Links = 5,
    /// Delays of messages, in the order they are sent.
    Delay = 6,
    /// Scenarios of a campaign.
    Scenario = 7,
    /// What is asked for, where there is a choice; the subject is the node, the index counts its
    /// requests.
    Resources = 8,
    /// Ways of nodes that move; the subject is who leads the group, the index counts its ways.
    Motion = 9,
    /// Who is in which place of a group, and which groups move; the subject is the node.
    Groups = 10,
    /// Which end of a new link moved, where links change at random.
    Roles = 11,
    /// Which messages are lost, in the order they have crossed a link.
    Loss = 12,
    /// Where nodes are in the middle of their ways when a run starts; the subject is the node.
    Start = 13,
    /// How the members of a group wander; the subject is the node, the index counts its ways.
    Wander = 14,
}

/// The dice of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    seed: u64,
}

impl Dice {
    /// The dice of the run with this seed.
    pub const fn new(seed: u64) -> Self {
        Dice { seed }
    }

    /// The number at an address.
    pub fn draw(self, stream: Stream, subject: u32, index: u64) -> u64 {
        let counter = [index as u32, (index >> 32) as u32, subject, stream as u32];
        let key = [self.seed as u32, (self.seed >> 32) as u32];
        let [low, high, ..] = philox(counter, key);
        u64::from(high) << 32 | u64::from(low)
    }

    /// An exponential variate with the given mean.
    pub fn exponential(self, stream: Stream, subject: u32, index: u64, mean: f64) -> f64 {
        exponential(self.draw(stream, subject, index), mean)
    }

    /// The numbers of a stream one after the other.
    pub const fn sequence(self, stream: Stream) -> Sequence {
        self.sequence_of(stream, 0)
    }

    /// The numbers of a stream for this subject, one after the other.
    pub const fn sequence_of(self, stream: Stream, subject: u32) -> Sequence {
        Sequence { dice: self, stream, subject, index: 0 }
    }
}

/// The numbers of one stream and one subject, one after the other.
#[derive(Clone, Debug)]
pub struct Sequence {
    dice: Dice,
    stream: Stream,
    subject: u32,
    index: u64,
}

impl Sequence {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        let number = self.dice.draw(self.stream, self.subject, self.index);
        self.index += 1;
        number
    }

    /// A number below `n`, each with the same probability (Lemire's method, with rejection).
    ///
    /// Panics if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no number below 0");
        let unfair = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.draw()) * u128::from(n);
            if wide as u64 >= unfair {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A number from 0 (exclusive) to 1 (inclusive).
    pub fn unit(&mut self) -> f64 {
        unit(self.draw())
    }

    /// An exponential variate with the given mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        exponential(self.draw(), mean)
    }
}

/// The upper 53 bits as a number in (0, 1].
pub(crate) fn unit(number: u64) -> f64 {
    ((number >> 11) + 1) as f64 / (1u64 << 53) as f64
}

/// An exponential variate from a random number.
pub(crate) fn exponential(number: u64, mean: f64) -> f64 {
    -libm::log(unit(number)) * mean
}

/// Philox4x32 with ten rounds.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let left = u64::from(counter[0]) * 0xD251_1F53;
        let right = u64::from(counter[2]) * 0xCD9E_8D57;
        counter = [
            (right >> 32) as u32 ^ counter[1] ^ key[0],
            right as u32,
            (left >> 32) as u32 ^ counter[3] ^ key[1],
            left as u32,
        ];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that the authors publish with their reference implementation.
    #[test]
    fn philox_gives_the_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn the_first_numbers_of_version_1_stay_as_they_are() {
        let mut links = Dice::new(7).sequence(Stream::Links);
        assert_eq!(VERSION, 1);
        assert_eq!([links.draw(), links.draw()], [PINNED[0], PINNED[1]]);
    }
    const PINNED: [u64; 2] = [15_018_123_683_105_277_336, 17_392_518_280_466_675_228];

    #[test]
    fn below_is_fair_and_in_range() {
        let mut die = Dice::new(1).sequence(Stream::Network);
        let mut count = [0u32; 6];
        for _ in 0..60_000 {
            count[die.below(6) as usize] += 1;
        }
        for side in count {
            assert!((9_600..10_400).contains(&side), "{count:?}");
        }
    }

    #[test]
    fn exponential_has_its_mean() {
        let dice = Dice::new(3);
        let sum: f64 = (0..100_000).map(|k| dice.exponential(Stream::Requests, 5, k, 2.5)).sum();
        assert!((sum / 100_000.0 - 2.5).abs() < 0.05);
    }
}
