//! Local protocols: nodes that move, links that break with what is on them, crashes nobody is told
//! of.

use driftlock_core::{LinkRole, NodeId};
use driftlock_journal::{Event, Reader, Record};
use driftlock_protocols::lme2::{Config, Lme2};
use driftlock_replay::{Shrunk, enact, replay, schedule_of, shrink};
use driftlock_sim::{
    ChangeModel, ConnectedBy, LinkChanges, Measure, Moment, Motion, MotionModel, Network, Run,
    Scenario, Scripted, Shape, Span, Speed, World,
};
use driftlock_spec::{Promise, Rules};

use crate::worlds::{cold, load, records};

/// The run under these rules, with its journal, which a replay confirms.
fn judged(scenario: &Scenario, rules: Rules) -> (Run, Vec<u8>) {
    let (config, mut bytes) = (Config::default(), Vec::new());
    let world = World::<Lme2>::under(scenario, &config, rules).unwrap();
    let run = world.record(&config, "test", &mut bytes).unwrap().run();
    assert!(run.journal_error.is_none());
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    let replayed = replay::<Lme2, _>(&mut reader, &config, &mut |_, _, _, _| {}).unwrap();
    assert_eq!(replayed.steps, run.steps);
    let told = |violation: Option<driftlock_spec::Violation>| violation.map(|v| v.to_string());
    assert_eq!(told(replayed.violation), told(run.violation.clone()));
    (run, bytes)
}

fn held(scenario: &Scenario) -> (Run, Vec<u8>) {
    let (run, journal) = judged(scenario, Rules::local(2));
    assert_eq!(run.violation, None, "{}", scenario.to_toml());
    (run, journal)
}

fn apart(model: ChangeModel, rate: f64) -> LinkChanges {
    LinkChanges { model, rate, connected_by: ConnectedBy::Partitions }
}

/// A crowd in which links come and go all the time.
fn moving(model: MotionModel) -> Scenario {
    let degree = Some(6.0);
    let motion = Motion {
        model,
        speed: Some(Speed::uniform(0.02, 0.08)),
        pause: Span::Exponential(4.0),
        moving: 0.7,
        ..Motion::default()
    };
    Scenario {
        network: Network { shape: Shape::Geometric, nodes: 40, degree, ..Network::default() },
        link_changes: apart(ChangeModel::None, 0.0),
        motion: Some(motion),
        delay: Span::Uniform(0.5, 2.0),
        requests: load(0.5),
        measure: cold(600),
        ..Scenario::default()
    }
}

fn at(at: f64) -> Scripted {
    Scripted { at, ..Scripted::default() }
}

fn crash(node: u32, time: f64, once: Option<Moment>) -> Scripted {
    Scripted { crash: Some(node), once, ..at(time) }
}

#[test]
fn a_crowd_that_moves_keeps_its_promises_and_replays() {
    for model in [MotionModel::Waypoint, MotionModel::Convoy] {
        for seed in 0..6 {
            let (run, journal) = held(&Scenario { seed, ..moving(model) });
            let metrics = run.metrics;
            assert!(metrics.link_changes > 300, "{model:?} {seed}: {}", metrics.link_changes);
            let local = metrics.local.unwrap();
            assert!(local.demotions > 0 && local.still.entries < metrics.entries, "{local:?}");
            assert!(local.still.mean <= metrics.waiting.max && local.still.max > 0.0);
            assert!(metrics.sharing.unwrap().most_inside > 1);
            assert_eq!(metrics.aftermath, None);
            let demoted = records(&journal).iter().filter(|record| moved(record)).count();
            assert!(demoted > 100);
        }
    }
}

fn moved(record: &Record) -> bool {
    matches!(record.event, Event::LinkUp(_, LinkRole::Moving))
}

#[test]
fn one_seed_is_one_motion_byte_for_byte() {
    let journal = |seed| held(&Scenario { seed, ..moving(MotionModel::Convoy) }).1;
    assert_eq!(journal(3), journal(3));
    assert_ne!(journal(3), journal(4));
}

/// On every machine: what was said of the other pinned runs holds for this one too.
#[test]
fn the_bytes_of_a_moving_run_are_pinned() {
    let mut hashes = [MotionModel::Waypoint, MotionModel::Convoy].map(|model| {
        let mut scenario = moving(model);
        scenario.script = vec![crash(7, 20.0, Some(Moment::Inside))];
        let (_, journal) = held(&scenario);
        crate::determinism::fnv(&journal)
    });
    hashes.sort_unstable();
    assert_eq!(hashes, PINNED);
}

const PINNED: [u64; 2] = [7_783_676_118_588_787_127, 17_739_981_607_684_302_145];

/// Both ends of a new link are told at once, one as the end that moved, and not always the same.
#[test]
fn links_that_toggle_have_one_moving_end_of_either_size() {
    let network = Network { nodes: 12, ..Network::default() };
    let link_changes = apart(ChangeModel::Toggle, 0.02);
    let scenario = Scenario { network, link_changes, measure: cold(400), ..Scenario::default() };
    let (_, journal) = held(&scenario);
    let (mut smaller, mut larger) = (0, 0);
    for pair in records(&journal).windows(2) {
        let (Event::LinkUp(b, LinkRole::Static), a) = (&pair[0].event, pair[0].node) else {
            continue;
        };
        assert_eq!((pair[1].node, &pair[1].event), (*b, &Event::LinkUp(a, LinkRole::Moving)));
        *(if *b < a { &mut smaller } else { &mut larger }) += 1;
    }
    assert!(smaller > 20 && larger > 20, "{smaller} {larger}");
}

#[test]
fn a_script_says_who_moved() {
    let moved_end = |moving| {
        let script = vec![
            Scripted { down: Some([0, 1]), ..at(2.0) },
            Scripted { up: Some([0, 1]), moving, ..at(4.0) },
        ];
        let scenario = Scenario {
            network: Network { shape: Shape::Line, nodes: 3, ..Network::default() },
            link_changes: apart(ChangeModel::Scripted, 0.0),
            script,
            measure: cold(20),
            ..Scenario::default()
        };
        let (_, journal) = held(&scenario);
        records(&journal).iter().find(|record| moved(record)).map(|record| record.node)
    };
    assert_eq!(moved_end(None), Some(NodeId(1)));
    assert_eq!(moved_end(Some(1)), Some(NodeId(1)));
    assert_eq!(moved_end(Some(0)), Some(NodeId(0)));
}

/// What a message would do to a link that broke and came back meanwhile: nothing.
#[test]
fn a_message_of_an_old_link_never_arrives_on_a_new_one() {
    let script = vec![
        Scripted { request: Some(1), ..at(1.0) },
        Scripted { down: Some([0, 1]), ..at(1.5) },
        Scripted { up: Some([0, 1]), ..at(2.0) },
        Scripted { request: Some(0), ..at(8.0) },
    ];
    let scenario = Scenario {
        network: Network { shape: Shape::Line, nodes: 2, ..Network::default() },
        link_changes: apart(ChangeModel::Scripted, 0.0),
        requests: load(0.0),
        delay: Span::Constant(3.0),
        script,
        ..Scenario::default()
    };
    let (run, journal) = held(&scenario);
    let demotions = run.metrics.local.unwrap().demotions;
    assert_eq!((run.metrics.entries, demotions), (3, 1), "alone it got in, and not for long");
    let arrived = |record: &Record| matches!(record.event, Event::Recv(_)).then_some(record.at);
    let first = records(&journal).iter().filter_map(arrived).min();
    assert_eq!(first, Some(5_000), "what was sent at 1 was lost at 1.5");
}

/// Messages take longer than most links last.
#[test]
fn links_that_break_with_what_is_on_them_break_no_promise() {
    for seed in 0..20 {
        let link_changes = apart(ChangeModel::Toggle, 0.05);
        let network = Network { nodes: 8, links: Some(10), ..Network::default() };
        let (delay, measure) = (Span::Exponential(15.0), cold(100));
        let scenario =
            Scenario { seed, network, link_changes, delay, measure, ..Scenario::default() };
        let (run, _) = held(&scenario);
        assert!(run.metrics.link_changes > 100, "{}", run.metrics.link_changes);
    }
}

fn line_with(script: Vec<Scripted>) -> Scenario {
    Scenario {
        network: Network { shape: Shape::Line, nodes: 9, ..Network::default() },
        link_changes: apart(ChangeModel::None, 0.0),
        requests: load(2.0),
        measure: Some(Measure { warmup: 0, entries: None, until: Some(60.0) }),
        script,
        ..Scenario::default()
    }
}

/// Nobody is told, those next to it starve, and those beyond the failure locality do not.
#[test]
fn a_crash_is_silent_and_reaches_no_farther_than_promised() {
    let mut reaches = Vec::new();
    for seed in 0..10 {
        let script = vec![crash(4, 20.0, Some(Moment::Inside))];
        let (run, journal) = held(&Scenario { seed, ..line_with(script) });
        let aftermath = run.metrics.aftermath.unwrap();
        assert_eq!(aftermath.crashed, 1);
        assert!(aftermath.starving >= 2, "{aftermath:?}");
        reaches.extend(aftermath.reach);
        let fates = &run.metrics.fates;
        let distances: Vec<u32> = fates.iter().filter_map(|fate| fate.distance).collect();
        assert_eq!(distances, [4, 3, 2, 1, 0, 1, 2, 3, 4]);
        let starving = fates.iter().filter(|fate| fate.starves);
        assert_eq!(starving.clone().count() as u64, aftermath.starving);
        assert_eq!(starving.filter_map(|fate| fate.distance).max(), aftermath.reach);
        let journal = records(&journal);
        let end = journal.iter().position(|record| record.event == Event::Crash).unwrap();
        assert!(journal[end].at >= 20_000 && journal[end].node == NodeId(4));
        assert!(journal[end..].iter().skip(1).all(|record| record.node != NodeId(4)));
        assert!(!journal.iter().any(|record| matches!(record.event, Event::LinkDown(_))));
        let last = journal[..end].iter().rfind(|record| record.node == NodeId(4)).unwrap();
        assert!(matches!(last.event, Event::Recv(_) | Event::Request(_)), "{last:?}");
    }
    assert!(reaches.iter().all(|reach| (1..=2).contains(reach)), "{reaches:?}");
}

/// With a failure locality of 0 the neighbors of a node that stopped inside were promised too much.
#[test]
fn starving_beyond_the_promise_is_a_violation_and_beyond_all_bounds_a_measurement() {
    let scenario = line_with(vec![crash(4, 20.0, Some(Moment::Inside))]);
    let (run, _) = judged(&scenario, Rules::local(0));
    assert!(run.violation.is_some());
    let (run, _) = judged(&scenario, Rules::local(u32::MAX));
    assert_eq!(run.violation, None);
    assert!(run.metrics.aftermath.unwrap().reach >= Some(1));
}

/// What is left of a run with motion and crashes is a crash and who waits for it.
#[test]
fn a_run_that_starves_someone_can_be_shrunk() {
    let script = vec![crash(3, 20.0, Some(Moment::Inside))];
    let broken = (0..20).find_map(|seed| {
        let scenario = Scenario { seed, script: script.clone(), ..moving(MotionModel::Waypoint) };
        let (run, journal) = judged(&scenario, Rules::local(0));
        run.violation.map(|violation| (run.steps, violation.promise, journal))
    });
    let (steps, promise, journal) = broken.expect("someone waits next to one that has stopped");
    assert_eq!(promise, Promise::NoStarvation);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let (setting, schedule) = schedule_of(&mut reader).unwrap();
    let Shrunk { setting, schedule, calm } =
        shrink::<Lme2>(&setting, &Config::default(), &schedule, promise).unwrap();
    let short = enact::<Lme2>(&setting, &Config::default(), &schedule, calm, None).unwrap();
    assert_eq!(short.violation.map(|violation| violation.promise), Some(promise));
    assert!(short.steps.len() < 20 && steps > 1000, "{} of {steps}", short.steps.len());
}

#[test]
fn nodes_stop_at_the_moment_they_are_to() {
    for (once, asked) in
        [(None, false), (Some(Moment::Waiting), true), (Some(Moment::Inside), true)]
    {
        let mut scenario = line_with(vec![crash(4, 10.0, once)]);
        scenario.requests.nodes = Some(vec![0, 8]);
        scenario.script.push(Scripted { request: Some(4), ..at(15.5) });
        let (_, journal) = held(&scenario);
        let journal = records(&journal);
        let crashed = journal.iter().find(|record| record.event == Event::Crash).unwrap();
        assert_eq!(crashed.at > 15_000, asked);
        assert_eq!(crashed.at == 15_500, once == Some(Moment::Waiting));
    }
}

/// A neighbor of a node that has stopped moves away, and may go on.
#[test]
fn who_leaves_a_node_that_has_stopped_is_free() {
    let mut scenario = line_with(vec![
        crash(4, 20.0, Some(Moment::Inside)),
        Scripted { down: Some([4, 5]), ..at(40.0) },
        Scripted { down: Some([3, 4]), ..at(41.0) },
    ]);
    scenario.link_changes.model = ChangeModel::Scripted;
    let (run, journal) = held(&scenario);
    assert_eq!(run.metrics.aftermath.unwrap().starving, 0);
    let told = |record: &Record| matches!(record.event, Event::LinkDown(_)).then_some(record.node);
    let told: Vec<NodeId> = records(&journal).iter().filter_map(told).collect();
    assert_eq!(told, [NodeId(5), NodeId(3)]);
}

#[test]
fn crowds_with_crashes_starve_nobody_beyond_the_failure_locality() {
    let (mut starving, mut met) = (0, 0);
    for seed in 0..12 {
        let model = [MotionModel::Waypoint, MotionModel::Convoy][seed as usize % 2];
        let script = vec![crash(3, 20.0, Some(Moment::Inside)), crash(20, 15.0, None)];
        let (run, journal) = held(&Scenario { seed, script, ..moving(model) });
        starving += run.metrics.aftermath.unwrap().starving;
        let met_it = |r: &&Record| r.event == Event::LinkUp(NodeId(3), LinkRole::Moving);
        let journal = records(&journal);
        let end = journal.iter().position(|record| record.event == Event::Crash).unwrap();
        met += journal[end..].iter().filter(met_it).count();
    }
    assert!(starving > 0 && met > 0, "{starving} starve, {met} came to one that has stopped");
}
