//! The repaired cluster algorithm begins an epoch where something got lost, and nowhere else.

use std::ops::ControlFlow;
use std::path::PathBuf;

use driftlock_core::Medium;
use driftlock_protocols::cluster::published::{self, Published};
use driftlock_protocols::cluster::{BEGIN_EPOCH, Cluster};
use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Metrics, Moment, Network, Requests, Scenario, Scripted,
    Shape, Span, World,
};
use driftlock_spec::Rules;

use crate::scripted::{ask, crash, down, lose, timely, up};

fn scenario(network: Network, script: Vec<Scripted>, until: f64) -> Scenario {
    Scenario {
        protocol: "cluster".into(),
        medium: Some(Medium::Mesh),
        network,
        requests: Requests { rate: 0.0, ..Requests::default() },
        link_changes: LinkChanges { model: ChangeModel::Scripted, ..LinkChanges::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(until) }),
        script,
        ..Scenario::default()
    }
}

/// Everyone asks all the time.
fn busy(shape: Shape, script: Vec<Scripted>, stay: f64, until: f64) -> Scenario {
    Scenario {
        requests: Requests { rate: 1.0, ..Requests::default() },
        critical_section: Span::Constant(stay),
        ..scenario(Network { shape, nodes: 30, ..Network::default() }, script, until)
    }
}

/// A network of these links, from a file.
fn links(name: &str, links: &str) -> Network {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, links).unwrap();
    Network { shape: Shape::File, file: Some(file), ..Network::default() }
}

/// A run that keeps all promises, with time-outs for how long things take here.
fn run(scenario: &Scenario) -> Metrics {
    let rules = Rules { fenced: true, quorum: true, ..Rules::default() };
    let run = World::<Cluster>::under(scenario, &timely(scenario), rules).unwrap().run();
    assert_eq!(run.violation, None);
    assert_eq!(run.metrics.faults.unwrap().deposed, 0);
    run.metrics
}

fn epochs(metrics: &Metrics) -> u64 {
    metrics.notes.get(BEGIN_EPOCH).copied().unwrap_or(0)
}

/// While one node waits for the answer of the one that stopped, the others wait for the epoch, and
/// do not begin later ones for ever after. (Two may begin one at nearly the same moment, before
/// either is asked by the other; these networks are too regular for it.)
#[test]
fn one_crash_costs_one_epoch() {
    let stop = crash(500.0, 15, Some(Moment::Inside));
    for shape in [Shape::Grid, Shape::Random, Shape::Clique] {
        let [whole, crashed] =
            [vec![], vec![stop.clone()]].map(|script| run(&busy(shape, script, 1.0, 6000.0)));
        assert_eq!((epochs(&whole), epochs(&crashed)), (0, 1), "{shape:?}");
        let share = crashed.entries as f64 / whole.entries as f64;
        assert!(share > 0.8, "{shape:?}: {share}");
    }
}

/// The token begins a round where it ended the last, so it comes back to where that began after
/// nearly two rounds.
#[test]
fn rounds_that_turn_back_begin_no_epoch() {
    for shape in [Shape::Line, Shape::Grid, Shape::Ring, Shape::Tree] {
        let busy = run(&busy(shape, Vec::new(), 20.0, 15_000.0));
        assert!(busy.entries > 500, "{shape:?}: {}", busy.entries);
        assert_eq!(epochs(&busy), 0, "{shape:?}");
    }
}

/// 0 and 2 are heads and neighbors, and neither has heard so. Each is heard of when it promises the
/// one epoch that replaces a token.
#[test]
fn heads_that_have_not_heard_of_each_other_need_one_epoch() {
    let mut script = vec![
        lose(9.0, "Hello"),
        lose(9.5, "Hello"),
        up(10.0, 0, 2),
        down(20.0, 1, 2),
        lose(30.0, "Global"),
    ];
    script.extend(
        [2, 0].into_iter().cycle().zip(0..8).map(|(j, k)| ask(500.0 * f64::from(k + 1), j)),
    );
    let line = Network { shape: Shape::Line, nodes: 3, ..Network::default() };
    let metrics = run(&scenario(line, script, 6000.0));
    assert_eq!(metrics.faults.unwrap().lost, 3);
    assert_eq!((metrics.entries, epochs(&metrics)), (8, 1));
}

/// Two nodes take each other for their head, because what would have told them got lost. The one
/// that the token is sent to says that it is none.
#[test]
fn nodes_that_take_each_other_for_heads_learn_better() {
    let star = links("each-other.txt", "0 3\n1 3\n2 3\n");
    let mut script = vec![
        up(10.0, 1, 2),
        lose(20.0, "Hello"),
        up(50.0, 0, 1),
        lose(60.0, "Hello"),
        lose(60.1, "Hello"),
        lose(99.0, "Hello"),
        down(100.0, 0, 1),
        ask(150.0, 0),
    ];
    script.extend([200.0, 300.0, 400.0].map(|at| ask(at, 3)));
    let timely = scenario(star, script, 600.0);
    assert_eq!(timely.n_nodes(), 4, "time-outs are for as many nodes as the file mentions");
    let metrics = run(&timely);
    assert_eq!(metrics.faults.unwrap().lost, 4);
    assert_eq!((metrics.entries, epochs(&metrics)), (4, 0));
}

/// 3 becomes a head while the token rests far away, having passed its neighbor. When 3 asks, that
/// is told to the token.
#[test]
fn the_token_comes_to_a_new_head_that_asks() {
    let ring = links("new-head.txt", "3 4\n4 0\n0 5\n5 1\n1 6\n6 2\n");
    let asks = [(224.38, 6), (296.71, 0), (299.29, 2), (314.21, 6), (331.63, 4), (526.0, 2)];
    let mut script = vec![up(300.0, 0, 3), down(900.0, 0, 3), ask(1300.0, 3)];
    script.extend(asks.map(|(at, node)| ask(at, node)));
    script.sort_by(|a, b| a.at.total_cmp(&b.at));
    let metrics =
        run(&Scenario { critical_section: Span::Constant(30.0), ..scenario(ring, script, 3000.0) });
    assert_eq!((metrics.entries, epochs(&metrics)), (7, 0));
}

/// The token of the published text goes round for ever, and nobody asks but the script: the run is
/// over when that is.
#[test]
fn a_script_ends_also_if_the_protocol_never_rests() {
    let star = links("never-rests.txt", "0 1\n1 2\n");
    let endless = Scenario {
        measure: Some(Measure { warmup: 0, entries: None, until: None }),
        ..scenario(star, vec![ask(5.0, 1), ask(400.0, 2)], 0.0)
    };
    let rules = Rules { silent: false, ..Rules::default() };
    let config = published::Config { dual: false, ..published::Config::default() };
    let world = World::<Published>::under(&endless, &config, rules).unwrap();
    let mut looks = 0;
    let run = world.run_watched(&mut |_| {
        looks += 1;
        if looks < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!((run.violation, run.interrupted, run.metrics.entries), (None, false, 2));
}
