//! The mutants of Raymond's algorithm.

use driftlock_mutants::raymond::Raymond;
use driftlock_sim::Medium;
use driftlock_spec::Promise;

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, crowd, network, storms};

impl Mutated for Raymond {
    const NAME: &'static str = "raymond";
    const MEDIUM: Medium = Medium::Routed;

    fn config() -> u32 {
        0
    }

    fn mutant(config: &mut u32) -> &mut u32 {
        config
    }
}

#[test]
fn every_mutant_of_raymond_meets_its_fate() {
    let trials = vec![
        network("pair", &[2, 2], &[(0, 1)], 0),
        network("line of 3", &[2, 2, 2], &[(0, 1), (1, 2)], 0),
        network("star of 3", &[2, 2, 2], &[(0, 1), (0, 2)], 0),
        network("line of 4", &[1, 1, 1, 1], &[(0, 1), (1, 2), (2, 3)], 0),
        crowd(),
        storms("storms", 0..100),
    ];
    let outcomes = Hunt::<Raymond> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, cause_of_it) in [
        ("ASKED is never reset", Cause::Promise(Promise::NoStarvation)),
        ("ASKED is never set", Cause::Promise(Promise::Silence)),
        ("ASSIGN_PRIVILEGE: given away while in use", Cause::Promise(Promise::Exclusion)),
        ("ASSIGN_PRIVILEGE: HOLDER stays", Cause::Promise(Promise::Tokens)),
        ("REQUEST_Q is a stack", Cause::Unfair),
    ] {
        assert_eq!(cause(&outcomes, name), Some(cause_of_it), "{name}");
    }
}
