//! Journals of runs, replayed.

use driftlock_core::NodeId;
use driftlock_journal::{Event, Footer, Reader, Record, Writer};
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::{ReplayError, Replayed, replay};
use driftlock_sim::{
    ChangeModel, ConnectedBy, Network, Scenario, Scripted, Shape, Span, Undefined,
};

use crate::worlds::{changes, cold, load, recorded, records, routed};

fn stormy() -> Scenario {
    Scenario {
        link_changes: changes(ChangeModel::Toggle, 0.05),
        delay: Span::Exponential(1.0),
        requests: load(0.3),
        measure: cold(150),
        ..Scenario::default()
    }
}

fn replayed(journal: &[u8], config: &Config) -> Result<Replayed, ReplayError> {
    replay::<Rl, _>(&mut Reader::new(journal)?, config, &mut |_, _, _, _| {})
}

#[test]
fn a_run_replays_step_by_step() {
    let config = Config::default();
    let (run, journal) = recorded::<Rl>(&stormy(), &config);
    let replayed = replayed(&journal, &config).unwrap();
    assert_eq!((replayed.steps, replayed.violation), (run.steps, None));
    assert!(run.steps > 5_000);
}

#[test]
fn a_routed_run_replays_too() {
    let (run, journal) = recorded::<Raymond>(&routed(&stormy()), &());
    let mut shown = 0;
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<Raymond, _>(&mut reader, &(), &mut |_, _, _, _| shown += 1).unwrap();
    assert_eq!((replayed.steps, shown), (run.steps, run.steps));
}

/// The published text comes to an undefined step in this run; its journal says so.
#[test]
fn a_violation_replays_as_the_same_violation() {
    let config = Config::from(Variant::Published);
    let (violation, journal) = (0..200)
        .find_map(|seed| {
            let network = Network { nodes: 4, ..Default::default() };
            let network = Network { connectivity: Some(60.0), ..network };
            let link_changes = changes(ChangeModel::Toggle, 0.3);
            let scenario = Scenario { seed, network, link_changes, ..stormy() };
            let (run, journal) = recorded::<Rl>(&scenario, &config);
            run.violation.map(|violation| (violation, journal))
        })
        .expect("the published text is undefined in many runs");
    let replayed = replayed(&journal, &config).unwrap();
    assert_eq!(replayed.violation, Some(violation));
}

/// Another variant is another machine: the first step in which they differ is named.
#[test]
fn a_replay_that_answers_otherwise_is_found_out() {
    let link_changes = changes(ChangeModel::Toggle, 0.3);
    let network = Network { nodes: 4, ..Default::default() };
    let network = Network { connectivity: Some(60.0), ..network };
    let undefined = Undefined::Skip;
    let found = (0..200).any(|seed| {
        let network = network.clone();
        let link_changes = link_changes.clone();
        let scenario = Scenario { seed, network, link_changes, undefined, ..stormy() };
        let (_, journal) = recorded::<Rl>(&scenario, &Config::from(Variant::Published));
        let other = replayed(&journal, &Config::from(Variant::Repaired));
        matches!(other, Err(ReplayError::Differs { .. }))
    });
    assert!(found);
}

/// Whatever is done to the steps of a journal, the replay tells, and does not panic.
#[test]
fn a_tampered_journal_is_found_out() {
    let config = Config::default();
    let (_, journal) = recorded::<Rl>(&stormy(), &config);
    let steps = records(&journal);
    let rewritten = |change: &dyn Fn(&mut Vec<Record>)| {
        let mut steps = steps.clone();
        change(&mut steps);
        let reader = Reader::new(journal.as_slice()).unwrap();
        let links = reader.links().iter().copied();
        let mut writer = Writer::new(Vec::new(), reader.header(), links).unwrap();
        steps.iter().for_each(|step| writer.record(step).unwrap());
        let end = driftlock_journal::End::Silent;
        let footer = Footer { steps: steps.len() as u64, end, ..Footer::default() };
        replayed(&writer.finish(&footer).unwrap(), &config)
    };
    assert!(rewritten(&|_| {}).is_ok());
    for k in (0..steps.len()).step_by(steps.len() / 60) {
        assert!(rewritten(&|steps| drop(steps.remove(k))).is_err(), "without step {k}");
        assert!(rewritten(&|steps| steps[k].check ^= 1).is_err(), "with another check in {k}");
        assert!(rewritten(&|steps| steps.insert(k, steps[k].clone())).is_err(), "{k} twice");
        let other = |steps: &mut Vec<Record>| steps[k].node.0 ^= 1;
        assert!(rewritten(&other).is_err(), "step {k} of another node");
    }
}

/// With connectivity judged on known links nobody is ever without a neighbor, so even the
/// published text is always defined; judged on physical links it is not.
#[test]
fn known_links_keep_the_published_text_defined() {
    let runs = |connected_by| {
        (0..60)
            .filter(|&seed| {
                let network = Network { nodes: 5, ..Default::default() };
                let network = Network { connectivity: Some(50.0), ..network };
                let mut link_changes = changes(ChangeModel::Toggle, 0.2);
                link_changes.connected_by = connected_by;
                let scenario = Scenario { seed, network, link_changes, ..stormy() };
                let config = Config::from(Variant::Published);
                let (run, journal) = recorded::<Rl>(&scenario, &config);
                assert_eq!(replayed(&journal, &config).unwrap().violation, run.violation);
                assert!(run.metrics.link_changes > 20 || run.violation.is_some());
                run.violation.is_some()
            })
            .count()
    };
    assert_eq!(runs(ConnectedBy::Known), 0);
    assert!(runs(ConnectedBy::Physical) > 20);
}

/// In a triangle 1-2 goes and comes back, and 0-1 is to go while nobody has heard of 1-2 yet:
/// judged on known links it has to wait for the first messages over 1-2, which take a unit.
#[test]
fn a_link_that_is_needed_goes_once_another_is_known() {
    let at = |at: f64| Scripted { at, ..Scripted::default() };
    let fall = |connected_by| {
        let mut link_changes = changes(ChangeModel::Scripted, 0.0);
        link_changes.connected_by = connected_by;
        let network = Network { nodes: 3, shape: Shape::Clique, ..Network::default() };
        let script = vec![
            Scripted { down: Some([1, 2]), ..at(10.0) },
            Scripted { up: Some([1, 2]), ..at(20.0) },
            Scripted { down: Some([0, 1]), ..at(20.2) },
        ];
        let requests = load(0.0);
        let scenario = Scenario { network, link_changes, requests, script, ..Scenario::default() };
        let (run, journal) = recorded::<Rl>(&scenario, &Config::default());
        assert_eq!((run.violation, run.metrics.link_changes), (None, 3));
        let told = |record: &&Record| {
            record.node == NodeId(0) && record.event == Event::LinkDown(NodeId(1))
        };
        records(&journal).iter().find(told).map(|record| record.at)
    };
    assert_eq!(fall(ConnectedBy::Physical), Some(20_200));
    assert_eq!(fall(ConnectedBy::Known), Some(21_000));
}
