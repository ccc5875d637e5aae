//! A small generator: [`Dice`].

/// Splitmix64. Each seed gives a row of numbers of its own, the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The row of this seed.
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next number, below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n as u64) as usize
    }
}
