//! The mutants of Chandy and Misra's philosophers.

use driftlock_mutants::chandy_misra::ChandyMisra;
use driftlock_sim::Medium;
use driftlock_sim::campaign::Takes;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, crowd, network, storms, walks};

impl Mutated for ChandyMisra {
    const NAME: &'static str = "chandy_misra";
    const MEDIUM: Medium = Medium::Links;
    const TAKES: Takes = Takes {
        tokens: false,
        groups: false,
        partitions: false,
        local: true,
        mesh: false,
        faults: false,
    };

    fn config() -> u32 {
        0
    }

    fn mutant(config: &mut u32) -> &mut u32 {
        config
    }

    /// One node that stops can hold up everybody.
    fn rules(_: &u32) -> Rules {
        Rules::local(u32::MAX)
    }
}

#[test]
fn every_mutant_of_chandy_misra_meets_its_fate() {
    let trials = vec![
        network("pair", &[2, 2], &[(0, 1)], 0),
        network("line of 3", &[2, 2, 2], &[(0, 1), (1, 2)], 0),
        network("triangle", &[2, 2, 2], &[(0, 1), (1, 2), (0, 2)], 0),
        network("ring of 4", &[1; 4], &[(0, 1), (1, 2), (2, 3), (0, 3)], 0),
        crowd().in_a_ring(),
        walks("walks", 0..300).still(),
        storms("storms", 0..100).still(),
    ];
    let outcomes = Hunt::<ChandyMisra> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("forks are given away while eating", Promise::Exclusion),
        ("R1: not sent", Promise::NoStarvation),
        ("R2: not sent", Promise::Forks),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
