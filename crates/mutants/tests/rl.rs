//! The mutants of RL.

use driftlock_mutants::rl::{Config, Rl};
use driftlock_sim::Medium;
use driftlock_spec::Promise;

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, crowd, large, network, storms};

impl Mutated for Rl {
    const NAME: &'static str = "rl";
    const MEDIUM: Medium = Medium::Links;

    fn config() -> Config {
        Config::default()
    }

    fn mutant(config: &mut Config) -> &mut u32 {
        &mut config.mutant
    }
}

#[test]
fn every_mutant_of_rl_meets_its_fate() {
    let line = &[(0, 1), (1, 2)];
    let triangle = &[(0, 1), (1, 2), (0, 2)];
    let ring = &[(0, 1), (1, 2), (2, 3), (0, 3)];
    let clique = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let once = &[1, 1, 1];
    let trials = vec![
        network("pair", &[2, 2], &[(0, 1)], 0),
        network("line of 3", once, line, 0),
        network("triangle", &[2, 1, 1], triangle, 0),
        network("triangle, 1 change", once, triangle, 1),
        network("line of 3, 2 changes", once, line, 2),
        network("ring of 4", &[1; 4], ring, 0),
        network("clique of 4", &[1; 4], clique, 0),
        crowd(),
        network("triangle, 3 changes", once, triangle, 3),
        network("triangle, twice", &[2; 3], triangle, 1),
        storms("storms", 0..300),
    ];
    let long = vec![
        network("settled links", once, triangle, 1).settled(),
        network("cold start", once, line, 0).cold(),
        large("ring of 4, 1 change", &[1; 4], ring, 1),
        large("4 but for 0-1, 1 change", &[1; 4], &clique[1..], 1),
        large("clique of 4, 1 change", &[1; 4], clique, 1),
        large("clique of 4, 2 changes", &[1, 1, 0, 1], clique, 2),
    ];
    let outcomes = Hunt::<Rl> { trials, long }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("RequestCS 1: does not wait", Promise::EntryOnRequest),
        ("RequestCS 4: not sent", Promise::NoStarvation),
        ("Request 5: given away inside the CS", Promise::Exclusion),
        ("Token 1: not taken", Promise::Tokens),
        ("GiveToken 3: token kept", Promise::Tokens),
        ("GiveToken 7: asked back for nobody", Promise::Silence),
        ("D1: a node without neighbors is a sink", Promise::DefinedStep),
        ("D2: asks when the paper does", Promise::NoStarvation),
        ("D4 removed", Promise::Silence),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
