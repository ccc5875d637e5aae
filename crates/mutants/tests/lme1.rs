//! The mutants of LME-1.

use driftlock_check::Connectivity;
use driftlock_mutants::lme1::{Coloring, Config, Lme1};
use driftlock_sim::Medium;
use driftlock_sim::campaign::Takes;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, crowd, network, storms, walks};

impl Mutated for Lme1 {
    const NAME: &'static str = "lme1";
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

    fn rules(config: &Config) -> Rules {
        Rules::local(match config.coloring {
            Coloring::Greedy => u32::MAX,
            Coloring::Linial { .. } => 6,
            Coloring::Given => 4,
        })
    }
}

/// A network that may fall apart.
fn apart(name: &'static str, requests: &[u8], links: &[(u32, u32)], changes: u8) -> Trial<Lme1> {
    network(name, requests, links, changes).but(|setup| {
        (setup.connectivity, setup.spread) = (Connectivity::Partitions, None);
    })
}

fn of(coloring: Coloring) -> Config {
    Config { coloring, ..Config::default() }
}

/// With more identifiers than there are nodes, so that there are rounds to go through.
fn linial() -> Config {
    of(Coloring::Linial { n: 1000, degree: 1 })
}

/// The same, and there is one.
fn one_round() -> Config {
    of(Coloring::Linial { n: 10, degree: 1 })
}

/// Colors are given, and links stay.
fn given() -> Config {
    of(Coloring::Given)
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];

#[test]
fn every_mutant_of_lme1_meets_its_fate() {
    let trials = vec![
        apart("pair", &[2, 2], PAIR, 0),
        apart("pair, 2 changes", &[1, 1], PAIR, 2),
        apart("Linial, pair, 1 change", &[1, 1], PAIR, 1).of(linial()),
        apart("one round, pair", &[0, 1, 1], &[(1, 2)], 0).of(one_round()),
        apart("given, triangle", &[1; 3], TRIANGLE, 0).of(given()),
        walks("walks", 0..500),
        walks("one round, walks", (0..60).chain([148, 173, 704, 819])).of(one_round()),
        walks("given, line, walks", 0..200).of(given()).in_a_line().still(),
        crowd(),
        storms("storms", (0..60).chain([85, 127, 145, 2778])),
        storms("given, storms", 0..60).of(given()).in_a_line().still(),
        apart("line of 3", &[1; 3], LINE, 0),
        apart("one round, line of 3", &[1, 0, 0, 1, 1], &[(0, 3), (3, 4)], 0).of(one_round()),
        apart("line of 3, 1 change", &[0, 1, 1], LINE, 1),
        storms("Linial, storms", 0..8).of(linial()),
    ];
    let long = vec![storms("Linial, more storms", (0..60).chain([66, 85, 112])).of(linial())];
    let outcomes = Hunt::<Lme1> { trials, long }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("38: the same for all", Promise::Colors),
        ("18: the fork is lost", Promise::Forks),
        ("D5: who leaves is waited for", Promise::NoStarvation),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
