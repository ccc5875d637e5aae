//! Storm, then calm, then progress: many small worlds, all monitors on.

use driftlock_sim::{
    ChangeModel, ConnectedBy, Measure, Network, Scenario, Scripted, Shape, Span, Undefined,
};

use crate::worlds::{changes, cold, load, percent, rl, rl_published, rr};

const SHAPES: [Shape; 6] =
    [Shape::Random, Shape::Geometric, Shape::Line, Shape::Ring, Shape::Grid, Shape::Tree];

/// A different world for every seed: shape, size, delays, loads and changes all vary.
fn world(seed: u64) -> Scenario {
    let pick = |n: u64, k: u32| (seed / 7u64.pow(k) % n) as usize;
    let nodes = 3 + pick(10, 0);
    let model = [ChangeModel::Literal, ChangeModel::Toggle][pick(2, 1)];
    let shape = SHAPES[pick(6, 2)];
    let connectivity = (shape == Shape::Random).then_some(70.0);
    let mut link_changes = changes(model, [0.02, 0.3, 2.0][pick(3, 1)]);
    link_changes.connected_by = [ConnectedBy::Physical, ConnectedBy::Known][pick(2, 0)];
    Scenario {
        seed,
        network: Network { shape, nodes, connectivity, ..Network::default() },
        link_changes,
        delay: [Span::Constant(1.0), Span::Uniform(0.1, 5.0), Span::Exponential(1.0)][pick(3, 2)],
        critical_section: [Span::Constant(1.0), Span::Exponential(3.0)][pick(2, 2)],
        requests: load([0.01, 0.3, 5.0][pick(3, 0)]),
        measure: cold(60),
        ..Scenario::default()
    }
}

#[test]
fn rl_repaired_keeps_all_promises_in_every_storm() {
    for seed in 0..400 {
        let run = rl(&world(seed));
        assert_eq!(run.violation, None, "seed {seed}: {:?}", world(seed));
        assert_eq!(run.metrics.entries, 60);
    }
}

#[test]
fn raymond_over_routing_keeps_all_promises_in_every_storm() {
    for seed in 0..400 {
        let run = rr(&world(seed));
        assert_eq!(run.violation, None, "seed {seed}: {:?}", world(seed));
    }
}

/// Skipping undefined steps is not enough: the published text then starves nodes (RL-2).
#[test]
fn rl_published_starves_nodes_where_undefined_steps_are_skipped() {
    let starved = (0..400).filter(|&seed| {
        let scenario = Scenario { undefined: Undefined::Skip, ..world(seed) };
        let promise = rl_published(&scenario).violation.map(|violation| violation.promise);
        promise == Some(driftlock_spec::Promise::NoStarvation)
    });
    assert!(starved.count() > 0);
}

#[test]
fn a_world_of_one_node_and_of_two_nodes_works() {
    for nodes in [1, 2] {
        let network = Network { nodes, ..percent(100.0) };
        let scenario = Scenario { network, measure: cold(50), ..Scenario::default() };
        assert_eq!(rl(&scenario).violation, None);
        assert_eq!(rl(&scenario).metrics.entries, 50);
        assert_eq!(rr(&scenario).metrics.entries, 50);
    }
}

/// The calm is part of every run: whoever waits when measuring ends still gets in.
#[test]
fn the_calm_serves_everyone_who_waits() {
    let scenario = Scenario { requests: load(100.0), measure: cold(40), ..Scenario::default() };
    let run = rl(&scenario);
    assert_eq!((run.violation, run.metrics.entries), (None, 40));
    let calm = run.ended_at - run.metrics.time;
    assert!(calm > 58.0, "29 more entries, a hop and a stay each at least: {calm}");
}

#[test]
fn measuring_until_a_time_measures_that_time() {
    let until = Measure { warmup: 0, entries: None, until: Some(1000.0) };
    let run = rl(&Scenario { measure: Some(until), ..Scenario::default() });
    assert_eq!(run.metrics.time, 1000.0);
    assert!((run.metrics.throughput * 1000.0 - run.metrics.entries as f64).abs() < 1e-6);
    let warm = Measure { warmup: 100, ..until };
    let run = rl(&Scenario { measure: Some(warm), ..Scenario::default() });
    assert!(run.metrics.time < 1000.0 && run.metrics.time > 500.0);
}

/// The triangle of departure D2, by script: 2 asks while it knows no neighbor.
#[test]
fn a_script_does_what_it_says() {
    let at = |at: f64| Scripted { at, ..Scripted::default() };
    let script = vec![
        Scripted { down: Some([1, 2]), ..at(10.0) },
        Scripted { up: Some([1, 2]), ..at(10.5) },
        Scripted { down: Some([0, 2]), ..at(11.0) },
        Scripted { request: Some(2), ..at(11.2) },
        Scripted { request: Some(2), ..at(11.3) },
    ];
    let scenario = Scenario {
        network: Network { nodes: 3, shape: Shape::Clique, ..Network::default() },
        link_changes: changes(ChangeModel::Scripted, 0.0),
        requests: load(0.0),
        script,
        ..Scenario::default()
    };
    let run = rl(&scenario);
    assert_eq!(
        (run.violation.clone(), run.metrics.entries, run.metrics.link_changes),
        (None, 2, 3)
    );
    let run = rl_published(&scenario);
    assert_eq!(
        run.violation.map(|violation| violation.promise),
        Some(driftlock_spec::Promise::DefinedStep)
    );
}

/// Bad scenarios are refused with the key and what is wrong, before anything is run.
#[test]
fn scripts_that_make_no_sense_are_refused() {
    let refused = |scripted: Scripted| {
        let scenario = Scenario {
            network: Network { nodes: 3, shape: Shape::Line, ..Network::default() },
            link_changes: changes(ChangeModel::Scripted, 0.0),
            requests: load(0.0),
            script: vec![scripted],
            ..Scenario::default()
        };
        let config = driftlock_protocols::rl::Config::default();
        let world = driftlock_sim::World::<driftlock_protocols::rl::Rl>::new(&scenario, &config);
        world.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let link = |a, b| Some([a, b]);
    let none = Scripted::default();
    assert!(refused(Scripted { down: link(0, 1), ..none.clone() }).contains("disconnect"));
    assert!(refused(Scripted { up: link(0, 1), ..none.clone() }).contains("up already"));
    assert!(refused(Scripted { down: link(0, 2), ..none.clone() }).contains("down already"));
    assert!(refused(Scripted { down: link(0, 0), ..none.clone() }).contains("itself"));
    assert!(refused(Scripted { request: Some(9), ..none.clone() }).contains("no node 9"));
    assert!(refused(none).contains("exactly one of"));
}
