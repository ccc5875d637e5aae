//! The mutants of the ring that is found on the way.

use driftlock_mutants::ring::Ring;
use driftlock_sim::Medium;
use driftlock_spec::Promise;

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, crowd, network, storms};

impl Mutated for Ring {
    const NAME: &'static str = "ring";
    const MEDIUM: Medium = Medium::Mesh;

    fn config() -> u32 {
        0
    }

    fn mutant(config: &mut u32) -> &mut u32 {
        config
    }
}

/// Messages can go to anyone.
fn mesh(name: &'static str, requests: &[u8], links: &[(u32, u32)]) -> Trial<Ring> {
    network(name, requests, links, 0).but(|setup| setup.medium = Medium::Mesh)
}

#[test]
fn every_mutant_of_the_ring_meets_its_fate() {
    let trials = vec![
        mesh("pair", &[2, 2], &[(0, 1)]),
        mesh("line of 3", &[2, 2, 2], &[(0, 1), (1, 2)]),
        mesh("triangle, 2 changes", &[1, 1, 1], &[(0, 1), (1, 2), (0, 2)])
            .but(|setup| setup.link_changes = 2),
        mesh("line of 4", &[1; 4], &[(0, 1), (1, 2), (2, 3)]),
        crowd(),
        storms("storms", 0..100),
    ];
    let outcomes = Hunt::<Ring> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("REQ: of no round", Promise::NoStarvation),
        ("REQ: the token is given away while in use", Promise::DefinedStep),
        ("release: the token stays here too", Promise::Tokens),
        ("start: requests are not done with", Promise::Silence),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
