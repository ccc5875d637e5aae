//! Inputs: drawn, or altered from an example.

use crate::dice::Dice;
use crate::script::Script;

/// The longest input that is drawn. A frame of the radio has 1200 bytes.
const LONGEST: usize = 1300;

/// The input of this number. Half of them are altered from an example, if there is one.
pub fn input(number: u64, examples: &[Vec<u8>]) -> Vec<u8> {
    let mut dice = Dice::new(number);
    if examples.is_empty() || dice.below(2) == 0 {
        return drawn(&mut dice);
    }
    let mut input = examples[dice.below(examples.len())].clone();
    let how: [u8; 64] = core::array::from_fn(|_| dice.draw() as u8);
    let mut how = Script::new(&how);
    for _ in 0..=dice.below(4) {
        how.alter(&mut input);
    }
    input
}

fn drawn(dice: &mut Dice) -> Vec<u8> {
    let longest = [4, 16, 64, 256, LONGEST][dice.below(5)];
    // Small numbers lead further than large ones, and the greatest are where sums overflow.
    let range = [256, 256, 16, 4][dice.below(4)];
    let byte = |dice: &mut Dice| match dice.below(16) {
        0 => 0xff,
        1 => 0x80,
        _ => dice.below(range) as u8,
    };
    (0..dice.below(longest + 1)).map(|_| byte(dice)).collect()
}
