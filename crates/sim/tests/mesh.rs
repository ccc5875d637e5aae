//! A mesh: messages are routed, and processes see links change all the same.

use driftlock_journal::{Event, Reader};
use driftlock_replay::{Replayed, replay, schedule_of, shrink};
use driftlock_sim::{
    ChangeModel, LinkChanges, Medium, Motion, Network, Run, Scenario, Shape, Span, Speed, World,
};
use driftlock_spec::{Promise, Rules};

use crate::claimant::{Again, Claimant, Fault};
use crate::worlds::{cold, records};

fn rules() -> Rules {
    Rules { fenced: true, quorum: true, silent: false, ..Rules::default() }
}

fn mesh(seed: u64) -> Scenario {
    Scenario {
        protocol: "claimant".into(),
        seed,
        medium: Some(Medium::Mesh),
        network: Network { shape: Shape::Random, nodes: 7, links: Some(8), ..Network::default() },
        measure: cold(200),
        ..Scenario::default()
    }
}

fn recorded(scenario: &Scenario, fault: Fault, rules: Rules) -> (Run, Vec<u8>) {
    let mut journal = Vec::new();
    let world: World<'_, Claimant> = World::under(scenario, &fault, rules).unwrap();
    let run = world.record(&fault, "test", &mut journal).unwrap().run();
    assert!(run.journal_error.is_none());
    (run, journal)
}

fn replayed(journal: &[u8], fault: Fault) -> Replayed {
    let mut reader = Reader::new(journal).unwrap();
    replay::<Claimant, _>(&mut reader, &fault, &mut |_, _, _, _| {}).unwrap()
}

fn toggled() -> LinkChanges {
    LinkChanges { model: ChangeModel::Toggle, rate: 0.02, ..LinkChanges::default() }
}

fn moving(seed: u64) -> Scenario {
    let network =
        Network { shape: Shape::Geometric, nodes: 12, degree: Some(4.0), ..Network::default() };
    let motion = Motion {
        speed: Some(Speed::constant(0.1)),
        pause: Span::Constant(1.0),
        ..Motion::default()
    };
    Scenario { network, motion: Some(motion), ..mesh(seed) }
}

#[test]
fn messages_are_routed_and_links_are_told_of() {
    let scenario = Scenario { link_changes: toggled(), ..mesh(3) };
    let (run, journal) = recorded(&scenario, Fault::None, rules());
    assert_eq!(run.violation, None);
    assert!(run.metrics.hops_per_message > 1.1, "{}", run.metrics.hops_per_message);
    let told = |event: &Event| matches!(event, Event::LinkUp(..) | Event::LinkDown(_));
    let notices = records(&journal).iter().filter(|record| told(&record.event)).count();
    assert_eq!(notices as u64, 2 * run.metrics.link_changes);
    assert!(notices > 100, "{notices}");
    assert_eq!(replayed(&journal, Fault::None).steps, run.steps);
}

/// Links that the network needs are held up, whoever moves away.
#[test]
fn a_mesh_of_nodes_that_move_stays_in_one_piece() {
    for seed in 1..=5 {
        let (run, journal) = recorded(&moving(seed), Fault::None, rules());
        assert_eq!(run.violation, None);
        assert_eq!(run.metrics.entries, 200);
        assert!(run.metrics.link_changes > 50, "{}", run.metrics.link_changes);
        assert_eq!(replayed(&journal, Fault::None).steps, run.steps);
    }
}

#[test]
fn a_broken_promise_on_a_mesh_shrinks() {
    let scenario = Scenario { link_changes: toggled(), measure: cold(2000), ..mesh(5) };
    let unfenced = Rules { fenced: false, ..rules() };
    let (run, journal) = recorded(&scenario, Fault::None, unfenced);
    assert_eq!(run.violation.unwrap().promise, Promise::Exclusion);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let (setting, schedule) = schedule_of::<Again, _>(&mut reader).unwrap();
    assert_eq!(setting.medium, Medium::Mesh);
    let short = shrink::<Claimant>(&setting, &Fault::None, &schedule, Promise::Exclusion).unwrap();
    assert!(short.schedule.len() <= 20, "{:?}", short.schedule);
}
