//! The cluster algorithm under each kind of fault: nothing is lost but what was in the node that
//! stopped, nobody is deposed while time-outs are right, and everyone else gets in.

use driftlock_core::Ticks;
use driftlock_protocols::cluster::{Cluster, Config};
use driftlock_sim::{
    Measure, Medium, Moment, Motion, Network, Requests, Run, Scenario, Scripted, Shape, Span,
    Speed, World, ticks,
};
use driftlock_spec::Rules;

use crate::scripted::{crash, lose};

/// Every node asks ten times, more or less, and faults come while they do.
fn scenario(seed: u64, script: Vec<Scripted>) -> Scenario {
    let nodes = 16;
    Scenario {
        protocol: "cluster".into(),
        seed,
        medium: Some(Medium::Mesh),
        network: Network {
            shape: Shape::Geometric,
            nodes,
            degree: Some(5.0),
            ..Network::default()
        },
        requests: Requests { rate: 0.02, ..Requests::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(500.0) }),
        script,
        ..Scenario::default()
    }
}

/// Time-outs are as long as messages take, or as short as `hurry` says.
fn run(scenario: &Scenario, hurry: u64) -> Run {
    let message = ticks(scenario.network.nodes as f64) / hurry;
    let config = Config::for_delays(Ticks(message), Ticks(2 * message));
    let rules = Rules { fenced: true, quorum: true, ..Rules::default() };
    let run = World::<Cluster>::under(scenario, &config, rules).unwrap().run();
    assert_eq!(run.violation, None, "seed {}", scenario.seed);
    run
}

/// Whatever it takes to enter is lost twice, in whatever phase, and everyone gets in.
#[test]
fn requests_and_tokens_can_get_lost() {
    let kinds = ["Req", "Wake", "Over", "OverOut", "Local", "Global"];
    for (seed, kind) in (1..=5).flat_map(|seed| kinds.map(|kind| (seed, kind))) {
        let measure = Some(Measure { warmup: 0, entries: None, until: Some(1500.0) });
        let script = vec![lose(100.0, kind), lose(600.0, kind)];
        let lost = run(&Scenario { measure, ..scenario(seed, script) }, 1);
        let faults = lost.metrics.faults.unwrap();
        assert_eq!((faults.lost, faults.deposed), (2, 0), "{kind}, seed {seed}");
        assert!(lost.metrics.entries > 150, "{kind}, seed {seed}: {}", lost.metrics.entries);
    }
}

/// Node 0 is a head. Crashes while it waits, while it is inside, and for no reason. What is left of
/// the network may have no part with most nodes; then nobody is owed anything.
#[test]
fn heads_and_members_can_stop() {
    let moments = [None, Some(Moment::Waiting), Some(Moment::Inside)];
    let cases = moments.iter().flat_map(|once| [0, 1, 9, 15].map(|node| (node, *once)));
    for (seed, (node, once)) in (1..=5).flat_map(|seed| cases.clone().map(move |it| (seed, it))) {
        let stopped = run(&scenario(seed, vec![crash(120.0, node, once)]), 1);
        let faults = stopped.metrics.faults.unwrap();
        assert_eq!(faults.deposed, 0, "{node} {once:?}, seed {seed}");
        assert!(stopped.metrics.entries > 20, "{node} {once:?}: {}", stopped.metrics.entries);
    }
}

/// A head loses the global token and then stops; a member stops inside when the local token of
/// another cluster was lost; and so on.
#[test]
fn one_fault_does_not_come_alone() {
    for seed in 1..=20 {
        let script = vec![
            lose(100.0, "Global"),
            crash(101.0, 0, Some(Moment::Waiting)),
            lose(200.0, "Local"),
            crash(220.0, 7, Some(Moment::Inside)),
            lose(221.0, "Inquire"),
            lose(222.0, "Promise"),
        ];
        assert_eq!(run(&scenario(seed, script), 1).metrics.faults.unwrap().deposed, 0);
    }
}

/// Nodes move from cluster to cluster with their requests, and one message in fifty gets lost.
#[test]
fn nodes_move_and_messages_get_lost() {
    let speed = Some(Speed::constant(0.05));
    let motion = Motion { speed, pause: Span::Constant(5.0), ..Motion::default() };
    for seed in 1..=20 {
        let moving =
            Scenario { motion: Some(motion.clone()), loss: 0.02, ..scenario(seed, Vec::new()) };
        let run = run(&moving, 1);
        assert!(run.metrics.link_changes > 50 && run.metrics.faults.unwrap().lost > 0);
    }
}

/// Time-outs are far too short, and nodes stop too: those who are written off are deposed, and
/// everyone gets in all the same.
#[test]
fn wrong_time_outs_depose_and_starve_nobody() {
    let mut deposed = 0;
    for seed in 1..=30 {
        let stay = Span::Uniform(0.5, 12.0);
        let hasty = Scenario {
            critical_section: stay,
            loss: 0.2,
            ..scenario(seed, vec![crash(150.0, 5, Some(Moment::Inside))])
        };
        deposed += run(&hasty, 16).metrics.faults.unwrap().deposed;
    }
    assert!(deposed > 0, "nobody was ever written off");
}

/// Time-outs are far shorter than an epoch takes to begin, and all heads of a long line want to
/// begin one: they wait longer each time, until there is time for the answers.
#[test]
fn time_outs_that_are_far_too_short_only_take_longer() {
    for seed in 1..=5 {
        let network = Network { shape: Shape::Line, nodes: 16, ..Network::default() };
        let line = Scenario { network, ..scenario(seed, vec![lose(100.0, "Global")]) };
        let entries = run(&line, 1_000).metrics.entries;
        assert!(entries > 20, "seed {seed}: {entries}");
    }
}
