//! The mutants of Raymond's algorithm for several at once.

use driftlock_mutants::raymond_k::{Config, RaymondK};
use driftlock_sim::campaign::Takes;
use driftlock_sim::{Medium, Scenario};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, network, storms};

impl Mutated for RaymondK {
    const NAME: &'static str = "raymond_k";
    const MEDIUM: Medium = Medium::Routed;
    const TAKES: Takes = Takes {
        tokens: true,
        groups: false,
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

    fn rules(config: &Config) -> Rules {
        Rules { exclusion: Exclusion::AtMost(config.tokens), ..Rules::default() }
    }

    fn follow(config: &mut Config, scenario: &Scenario) {
        config.tokens = scenario.tokens();
    }
}

/// So many may be inside.
fn few(name: &'static str, requests: &[u8], tokens: u32) -> Trial<RaymondK> {
    let links: Vec<(u32, u32)> = (1..requests.len() as u32).map(|k| (0, k)).collect();
    let trial = network(name, requests, &links, 0).of(Config { tokens, ..Config::default() });
    trial.but(|setup| setup.medium = Medium::Routed)
}

#[test]
fn every_mutant_of_raymond_k_meets_its_fate() {
    let trials = vec![
        few("pair", &[3, 3], 1),
        few("pair, 2 inside", &[3, 3], 2),
        few("3 nodes", &[2, 2, 2], 1),
        few("3 nodes, 2 inside", &[2, 2, 1], 2),
        storms("storms", 0..100),
    ];
    let outcomes = Hunt::<RaymondK> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("REQUEST: its time is not seen", Promise::Exclusion),
        ("REQUEST: always deferred", Promise::NoStarvation),
        ("entry: one too many", Promise::Exclusion),
        ("goes before: ties to nobody", Promise::Exclusion),
        ("goes before: ties to both", Promise::NoStarvation),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
