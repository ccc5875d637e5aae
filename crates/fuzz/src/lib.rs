//! Any bytes, for tests of whatever reads bytes from outside.
//!
//! A target is a function of bytes that panics if something is wrong with what they lead to.
//! [`fuzz!`] makes a test of it in two ways. `cargo test` tries a number of inputs, the same ones
//! on every machine: some are drawn, some are altered from examples. The variable `FUZZ` says how
//! many times that number are tried. `cargo bolero test` gives the same target to libFuzzer or
//! AFL, which look for inputs that lead to code where none has led before, and goes on for as long
//! as one likes.
//!
//! Beside that there is what tests of several crates need: [`Dice`], and [`skipped`] for what a
//! machine cannot do.
//!
//! What an input has led to once is kept for ever: as a test of its own, with the bytes in it.

#![forbid(unsafe_code)]

mod dice;
mod draw;
mod memory;
mod script;
mod skip;

use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(fuzzing)]
pub use bolero;

pub use self::dice::Dice;
pub use self::draw::input;
pub use self::memory::{kept_by, within};
pub use self::script::Script;
pub use self::skip::skipped;

/// Try a target: with so many inputs in a test, some of them altered from `examples`.
#[macro_export]
macro_rules! fuzz {
    ($runs:expr, $examples:expr, $target:expr) => {{
        let (runs, examples, target): (u64, &[Vec<u8>], fn(&[u8])) = ($runs, $examples, $target);
        #[cfg(fuzzing)]
        {
            // It starts from the files of its corpus.
            let _ = (runs, examples);
            $crate::bolero::check!().for_each(target);
        }
        #[cfg(not(fuzzing))]
        $crate::run(runs, examples, target);
    }};
}

/// How many times as many inputs are wanted: `FUZZ`, or 1.
pub fn times() -> u64 {
    std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Try a target with so many inputs, times [`times`].
///
/// # Panics
///
/// If the target does. What it said comes first, then the input.
pub fn run(runs: u64, examples: &[Vec<u8>], target: impl Fn(&[u8])) {
    for number in 0..runs * times() {
        let input = input(number, examples);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&input))) {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            panic!("input {number} is bad: {said}\n{input:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_panics_is_told_with_its_input() {
        let bad = |bytes: &[u8]| assert!(!bytes.contains(&77), "there is a 77");
        let panic = catch_unwind(|| run(100_000, &[], bad)).unwrap_err();
        let said = panic.downcast_ref::<String>().unwrap();
        assert!(said.contains("is bad: there is a 77") && said.contains("77"), "{said}");
    }

    #[test]
    fn inputs_are_the_same_again_and_many_are_near_an_example() {
        let example = vec![b"an example of some length".to_vec()];
        let inputs: Vec<Vec<u8>> = (0..1000).map(|number| input(number, &example)).collect();
        assert!((0..1000).all(|number| inputs[number as usize] == input(number, &example)));
        let near = inputs.iter().filter(|input| input.windows(6).any(|part| part == b"exampl"));
        assert!((200..900).contains(&near.count()));
        assert!(inputs.iter().any(|input| input.len() > 1200));
        assert!(inputs.iter().any(Vec::is_empty));
    }
}
