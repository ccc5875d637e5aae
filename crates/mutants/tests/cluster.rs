//! The mutants of the cluster algorithm.

use driftlock_mutants::cluster::{Cluster, Config};
use driftlock_sim::Medium;
use driftlock_spec::{Promise, Rules};

use crate::hunt::{Hunt, cause, judge, table};
use crate::trials::{Cause, Mutated, Trial, network};

impl Mutated for Cluster {
    const NAME: &'static str = "cluster";
    const MEDIUM: Medium = Medium::Mesh;

    /// A node that has not answered once is written off.
    fn config() -> Config {
        Config { patience: Some(0), ..Config::default() }
    }

    fn mutant(config: &mut Config) -> &mut u32 {
        &mut config.mutant
    }

    /// Who is written off may be inside still, or get in with an old token.
    fn rules(config: &Config) -> Rules {
        let hasty = config.patience.is_some();
        Rules { fenced: hasty, quorum: hasty, ..Rules::default() }
    }
}

/// Nobody is written off, so there are never two inside.
fn patient() -> Config {
    Config { patience: None, ..Cluster::config() }
}

/// Who has not answered is asked once more.
fn slow() -> Config {
    Config { patience: Some(1), ..Cluster::config() }
}

/// Nothing is lost, and no time-out says so.
fn calm() -> Config {
    Config { calm: true, ..Cluster::config() }
}

/// Messages can go to anyone, and whoever waits gets in whatever went wrong.
fn mesh(name: &'static str, requests: &[u8], links: &[(u32, u32)]) -> Trial<Cluster> {
    network(name, requests, links, 0).but(|setup| {
        setup.medium = Medium::Mesh;
        setup.progress_despite_faults = true;
    })
}

/// Two clusters of two nodes: 0 and 2, 1 and 3.
const TWO: &[(u32, u32)] = &[(0, 2), (2, 3), (1, 3)];
/// Three heads in a line, 0 to 2, with a member between each two.
const HEADS: &[(u32, u32)] = &[(0, 3), (3, 1), (1, 4), (4, 2)];
/// One cluster, and a head that its member hears.
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
/// One cluster whose members do not hear each other.
const STAR: &[(u32, u32)] = &[(0, 1), (0, 2)];

#[test]
fn every_mutant_of_the_cluster_algorithm_meets_its_fate() {
    let trials = vec![
        mesh("calm two", &[1; 4], TWO).of(calm()),
        mesh("calm star", &[2; 3], STAR).of(calm()),
        mesh("calm heads", &[1, 1, 2, 0, 0], HEADS).of(calm()),
        mesh("calm line, change", &[1; 3], LINE).of(calm()).but(|net| net.link_changes = 1),
        mesh("calm two, change", &[0, 0, 1, 1], TWO).of(calm()).but(|net| net.link_changes = 1),
        mesh("star, loss", &[1; 3], STAR).but(|net| net.losses = 1),
        mesh("star, crash", &[1; 3], STAR).but(|net| net.crashes = 1),
        mesh("star, crash, asked twice", &[1; 3], STAR).of(slow()).but(|net| net.crashes = 1),
        mesh("two, loss", &[0, 1, 1, 1], TWO).but(|net| net.losses = 1),
        mesh("two, crash", &[0, 1, 1, 0], TWO).but(|net| net.crashes = 1),
        mesh("two, early", &[0, 1, 1, 1], TWO).but(|net| net.timeouts = 1),
        mesh("heads, loss", &[1, 1, 1, 0, 0], HEADS).but(|net| net.losses = 1),
        mesh("line, every fault", &[0, 1, 1], LINE).but(|net| {
            (net.losses, net.crashes, net.timeouts) = (1, 1, 1);
        }),
        mesh("patient line, losses", &[1; 3], LINE).of(patient()).but(|net| net.losses = 2),
        mesh("patient line, early, loss", &[0, 1, 1], LINE)
            .of(patient())
            .but(|net| (net.losses, net.timeouts) = (1, 2)),
        mesh("patient two, early", &[0, 0, 1, 1], TWO).of(patient()).but(|net| net.timeouts = 2),
        mesh("two, early, again", &[1, 0, 1, 2], TWO).but(|net| net.timeouts = 1),
        mesh("two, loss, change", &[0, 0, 1, 1], TWO)
            .but(|net| (net.losses, net.link_changes) = (1, 1)),
        mesh("calm line, changes", &[1; 3], LINE).of(calm()).but(|net| net.link_changes = 2),
    ];
    let outcomes = Hunt::<Cluster> { trials, long: Vec::new() }.run();
    println!("{}", table(&outcomes));
    judge(&outcomes);
    // Kills have the right cause.
    for (name, promise) in [
        ("forward: while others are served", Promise::Epochs),
        ("Promise: of any epoch", Promise::Exclusion),
        ("promise: keeps the global token", Promise::Epochs),
        ("request: once and never again", Promise::NoStarvation),
        ("D7: never rests", Promise::Silence),
    ] {
        assert_eq!(cause(&outcomes, name), Some(Cause::Promise(promise)), "{name}");
    }
}
