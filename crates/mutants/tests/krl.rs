//! The mutants of KRL, KRLF and KRLA.

use driftlock_check::Connectivity;
use driftlock_mutants::krl::{Config, Forwarding, Krl};
use driftlock_protocols::Variant;
use driftlock_sim::campaign::Takes;
use driftlock_sim::{Medium, Scenario};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, crowd, large, network, storms, walks};

impl Mutated for Krl {
    const NAME: &'static str = "krl";
    const MEDIUM: Medium = Medium::Links;
    const TAKES: Takes = Takes {
        tokens: true,
        groups: false,
        partitions: true,
        local: false,
        mesh: false,
        faults: false,
    };

    fn config() -> Config {
        tokens(1)
    }

    fn mutant(config: &mut Config) -> &mut u32 {
        &mut config.mutant
    }

    fn rules(config: &Config) -> Rules {
        let exclusion = Exclusion::AtMost(config.tokens);
        let silent = config.forwarding != Forwarding::Always;
        Rules { exclusion, silent, ..Rules::default() }
    }

    fn follow(config: &mut Config, scenario: &Scenario) {
        config.tokens = scenario.tokens();
    }
}

impl Trial<Krl> {
    /// The same in a network that may fall apart.
    fn apart(self) -> Self {
        self.but(|setup| setup.connectivity = Connectivity::Partitions)
    }
}

fn tokens(k: u32) -> Config {
    Config::new(Variant::Repaired, k, Forwarding::Never)
}

/// Without D10, so that heights are raised as in the paper.
fn plain(k: u32) -> Config {
    Config { detects: false, ..tokens(k) }
}

fn krlf(k: u32) -> Config {
    Config { forwarding: Forwarding::Always, ..tokens(k) }
}

fn krla(k: u32) -> Config {
    Config { forwarding: Forwarding::Adaptive, ..tokens(k) }
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const RING: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const APART: &[(u32, u32)] = &[(0, 2), (1, 3), (2, 3)];
const NOT_0_1: &[(u32, u32)] = &[(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const STAR: &[(u32, u32)] = &[(0, 2), (1, 2), (2, 3)];

/// One token.
const ONE: Takes = Takes { tokens: false, ..Krl::TAKES };

/// Networks that do not fall apart.
const WHOLE: Takes = Takes { partitions: false, ..Krl::TAKES };

/// Many mutants of KRL survive, and are tried on everything. So of the walks and storms that kill
/// one more but are rare the seeds are given. Storms above 100,000 broke a promise of the algorithm
/// itself while it was written.
#[test]
fn every_mutant_of_krl_meets_its_fate() {
    let trials = vec![
        network("pair", &[2, 2], PAIR, 3).apart(),
        network("pair, 2 tokens", &[2, 2], PAIR, 3).of(tokens(2)).apart(),
        network("KRLF, pair", &[1, 1], PAIR, 2).of(krlf(1)).apart(),
        network("KRLF, pair, 2 tokens", &[1, 1], PAIR, 2).of(krlf(2)).apart(),
        network("KRLF, line of 3", &[1, 1, 1], LINE, 0).of(krlf(1)),
        network("KRLF, star of 4", &[0, 1, 1, 1], STAR, 0).of(krlf(1)),
        network("line of 3, 2 tokens", &[2, 2, 2], LINE, 0).of(tokens(2)),
        network("triangle, 2 tokens", &[2, 2, 2], TRIANGLE, 0).of(tokens(2)),
        network("ring of 4, 2 tokens", &[1; 4], RING, 0).of(tokens(2)),
        network("2 tokens apart", &[1; 4], APART, 0).of(tokens(2)),
        network("KRLA, pair", &[4, 4], PAIR, 0).of(krla(1)),
        walks("walks", 0..500),
        walks("RLP, walks", (0..300).chain([1_268, 1_860, 2_570, 6_344, 31_040])).taking(ONE),
        walks("KRLA, walks", (0..1000).chain([1_017, 2_554, 3_600, 6_146, 22_249])).of(krla(1)),
        walks("plain walks", 0..300).of(plain(1)).taking(WHOLE),
        network("line of 3, 2 tokens, 2 changes", &[1, 1, 1], LINE, 2).of(tokens(2)).apart(),
        network("plain line of 3, 2 tokens", &[1, 1, 1], LINE, 2).of(plain(2)),
        network("line of 3, 1 change", &[1, 1, 1], LINE, 1).apart(),
        network("line of 3, 3 changes", &[0, 0, 1], LINE, 3).apart(),
        network("triangle, 3 changes", &[0, 0, 1], TRIANGLE, 3).apart(),
        network("plain line of 3", &[1, 1, 1], LINE, 2).of(plain(1)),
        network("KRLA, line of 3", &[2, 2, 2], LINE, 0).of(krla(1)),
        network("KRLF, line of 3, 1 change", &[0, 1, 1], LINE, 1).of(krlf(1)).apart(),
        network("line of 3, 2 changes", &[1, 1, 1], LINE, 2).apart(),
        network("triangle, 2 changes", &[1, 1, 1], TRIANGLE, 2).apart(),
        network("KRLA, line of 3, 2 tokens", &[1, 1, 2], LINE, 0).of(krla(2)),
        crowd(),
        storms("storms", 0..100),
        storms("RLP, storms", [1_083, 1_858, 106_939, 215_117]).taking(ONE),
        storms("KRLA, storms", (0..20).chain([101_425])).of(krla(1)),
    ];
    let long = vec![
        network("settled links", &[1; 3], LINE, 1).apart().settled(),
        large("plain ring of 4", &[1; 4], RING, 1).of(plain(1)),
        large("plain 4 but for 0-1", &[1; 4], NOT_0_1, 1).of(plain(1)),
    ];
    let outcomes = Hunt::<Krl> { trials, long }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("RequestCS 4: not sent", Promise::NoStarvation),
        ("Request 5: the last one given away", Promise::Exclusion),
        ("Token 1, 2: not counted", Promise::Tokens),
        ("D1: a node without neighbors is a sink", Promise::DefinedStep),
        ("D6: holders alone are lowered", Promise::Silence),
        ("D10: says nothing", Promise::Reachability),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
