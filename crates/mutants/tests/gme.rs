//! The mutants of GME.

use driftlock_mutants::gme::{Config, Gme};
use driftlock_sim::campaign::Takes;
use driftlock_sim::{Medium, Scenario};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

use crate::hunt::{Hunt, judge, table};
use crate::trials::{Mutated, Trial, large, network, storms, walks};

impl Mutated for Gme {
    const NAME: &'static str = "gme";
    const MEDIUM: Medium = Medium::Links;
    const TAKES: Takes = Takes {
        tokens: false,
        groups: true,
        partitions: false,
        local: false,
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
        Rules { exclusion: Exclusion::SameGroup, ..Rules::default() }
    }

    fn follow(config: &mut Config, scenario: &Scenario) {
        if let Some(session) = scenario.session {
            config.session = session.bound();
        }
    }
}

/// Two resources, sessions of this length, and so many units to a subtoken.
fn two(trial: Trial<Gme>, session: Option<u32>, units: u64) -> Trial<Gme> {
    let config = Config { session, units, ..Config::default() };
    trial.of(config).but(|setup| setup.resources = 2)
}

/// So many units to a subtoken.
fn units(units: u64) -> Config {
    Config { units, ..Config::default() }
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const FORK: &[(u32, u32)] = &[(0, 1), (1, 2), (1, 3)];
const STAR: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];

#[test]
fn every_mutant_of_gme_meets_its_fate() {
    let trials = vec![
        two(network("pair", &[2, 2], PAIR, 0), Some(1), 2),
        two(network("line of 3", &[1; 3], LINE, 0), Some(16), 1 << 32),
        two(network("line of 3, no session", &[1; 3], LINE, 0), Some(0), 1),
        two(network("triangle", &[1; 3], TRIANGLE, 0), Some(1), 3),
        two(network("line of 3, 1 change", &[1; 3], LINE, 1), Some(16), 2),
        two(network("triangle, 1 change", &[1; 3], TRIANGLE, 1), Some(0), 1),
        walks("walks", (0..500).chain([1_125, 2_988, 6_209])),
        walks("walks, 1 unit", (0..500).chain([7_511, 14_096])).of(units(1)),
        walks("clique of 4, walks", [27_238]).of(units(2)).in_a_clique(),
        two(network("star of 4", &[1; 4], STAR, 0), Some(1), 3),
        two(network("line of 3, twice", &[2; 3], LINE, 0), Some(1), 2),
        two(network("line of 4", &[1; 4], LINE_4, 0), Some(16), 1),
        two(network("fork of 4", &[1; 4], FORK, 0), Some(16), 2),
        two(network("line of 3, twice, open", &[1, 2, 2], LINE, 0), None, 2),
        two(network("line of 3, 2 changes", &[0, 1, 1], LINE, 2), Some(1), 2),
        storms("storms", 0..100),
    ];
    let long = vec![
        two(large("settled links", &[1; 3], TRIANGLE, 1).settled(), Some(1), 2),
        two(network("cold start", &[1; 3], LINE, 0).cold(), Some(1), 2),
    ];
    let outcomes = Hunt::<Gme> { trials, long }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
}
