//! The mutants of LME-2.

use driftlock_check::Connectivity;
use driftlock_mutants::lme2::{Config, Lme2};
use driftlock_sim::Medium;
use driftlock_sim::campaign::Takes;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, crowd, network, storms, walks};

impl Mutated for Lme2 {
    const NAME: &'static str = "lme2";
    const MEDIUM: Medium = Medium::Links;
    const TAKES: Takes = Takes {
        tokens: false,
        groups: false,
        partitions: false,
        local: true,
        mesh: false,
        faults: false,
    };

    fn config() -> Config {
        Config::default()
    }

    fn mutant(config: &mut Config) -> &mut u32 {
        &mut config.mutant
    }

    fn rules(_: &Config) -> Rules {
        Rules::local(2)
    }
}

/// A network that may fall apart, and in which so many nodes stop.
fn apart(
    name: &'static str,
    requests: &[u8],
    links: &[(u32, u32)],
    changes: u8,
    crashes: u8,
) -> Trial<Lme2> {
    network(name, requests, links, changes).but(|setup| {
        (setup.connectivity, setup.crashes) = (Connectivity::Partitions, crashes);
        setup.spread = None;
    })
}

/// Nobody is notified.
fn silent() -> Config {
    Config { notifies: false, ..Config::default() }
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];

#[test]
fn every_mutant_of_lme2_meets_its_fate() {
    let trials = vec![
        apart("pair", &[2, 2], PAIR, 2, 0),
        apart("line of 3", &[1; 3], LINE, 0, 0),
        apart("silent line of 3, 1 change", &[1; 3], LINE, 1, 0).of(silent()),
        apart("silent line of 4, 1 crash", &[1; 4], LINE_4, 0, 1).of(silent()),
        apart("silent triangle, twice", &[2; 3], TRIANGLE, 0, 0).of(silent()),
        crowd().in_a_ring(),
        walks("walks", 0..700),
        walks("line, walks", 0..200).in_a_line().still(),
        apart("silent line of 3, 2 changes", &[1; 3], LINE, 2, 0).of(silent()),
        apart("triangle", &[1; 3], TRIANGLE, 0, 0),
        storms("storms", 0..100),
        storms("line, storms", 0..60).in_a_line().still(),
    ];
    let outcomes = Hunt::<Lme2> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("an eating node gives forks away", Promise::Exclusion),
        ("D1: flags", Promise::NoStarvation),
        ("Fork: lost", Promise::Forks),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
