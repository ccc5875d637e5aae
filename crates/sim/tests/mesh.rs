//! A mesh: messages are routed, and processes see links change all the same.

use driftlock_core::{NodeId, ResourceId};
use driftlock_journal::{Event, Reader};
use driftlock_replay::{Action, Replayed, replay, schedule_of, shrink};
use driftlock_sim::{
    ChangeModel, LinkChanges, Medium, Moment, Motion, Network, Requests, Run, Scenario, Scripted,
    Shape, Span, Speed, World,
};
use driftlock_spec::{Promise, Rules};

use crate::claimant::{Again, Claimant, Fault};
use crate::scripted::{ask, crash};
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

/// What was recorded of a kind.
fn count(journal: &[u8], wanted: impl Fn(&Event) -> bool) -> u64 {
    records(journal).iter().filter(|record| wanted(&record.event)).count() as u64
}

#[test]
fn lost_messages_are_counted_and_written_down_and_not_waited_for() {
    for (seed, link_changes) in [(1, LinkChanges::default()), (2, toggled()), (3, toggled())] {
        let delay = Span::Uniform(0.1, 3.0);
        let scenario = Scenario { loss: 0.1, delay, link_changes, ..mesh(seed) };
        let (run, journal) = recorded(&scenario, Fault::None, rules());
        assert_eq!(run.violation, None);
        assert_eq!(run.metrics.entries, 200);
        let lost = run.metrics.faults.unwrap().lost;
        let written = count(&journal, |event| matches!(event, Event::Lose(_)));
        // Some are lost before all that was sent earlier has arrived.
        assert!(lost > 100 && written.abs_diff(lost) < 20, "{lost} {written}");
        assert_eq!(replayed(&journal, Fault::None).steps, run.steps);
        // One that asks only once is not always answered.
        let (run, _) = recorded(&scenario, Fault::Sulks, rules());
        assert_eq!(run.violation.unwrap().promise, Promise::NoStarvation);
    }
}

fn line(script: Vec<Scripted>) -> Scenario {
    let network = Network { shape: Shape::Line, nodes: 3, ..Network::default() };
    let requests = Requests { rate: 0.0, ..Requests::default() };
    Scenario { network, requests, script, measure: None, ..mesh(1) }
}

#[test]
fn the_next_message_of_a_kind_is_lost() {
    let lose = Some("Promise".to_string());
    let lost = Scripted { at: 1.0, lose, ..Scripted::default() };
    let scenario = line(vec![lost.clone(), lost, ask(2.0, 0), ask(300.0, 2)]);
    let (run, journal) = recorded(&scenario, Fault::None, rules());
    assert_eq!(run.violation, None);
    assert_eq!(run.metrics.faults.unwrap().lost, 2);
    let timers = count(&journal, |event| matches!(event, Event::Timer(_)));
    assert_eq!((timers, run.metrics.entries), (1, 2), "the second claim was answered");
    assert_eq!(replayed(&journal, Fault::None).steps, run.steps);
    let unknown = line(vec![Scripted { lose: Some("Plea".into()), ..Scripted::default() }]);
    let world = World::<Claimant>::under(&unknown, &Fault::None, rules());
    let told = world.err().unwrap().to_string();
    assert!(told.contains("no messages of kind `Plea`, the kinds are Claim, Promise"), "{told}");
}

/// It is armed at 1, and lost when somebody asks long after: from then on it is trouble for whoever
/// waits for it. What is never sent is no trouble.
#[test]
fn recovery_from_a_loss_is_from_when_the_message_was_lost() {
    let lose = |at| Scripted { at, lose: Some("Promise".into()), ..Scripted::default() };
    let recovery = |script| {
        let scenario = line(script);
        let world: World<'_, Claimant> =
            World::under(&scenario, &Fault::None, rules()).expect("it makes sense");
        let run = world.in_detail().run();
        assert_eq!(run.violation, None);
        run.metrics.detail.unwrap().recovery
    };
    let told = recovery(vec![lose(1.0), ask(100.0, 0)]).unwrap();
    assert_eq!(told.next_entry, told.backlog);
    assert!(told.backlog.is_some_and(|time| time > 1.0 && time < 90.0), "{told:?}");
    assert_eq!(recovery(vec![ask(1.0, 0), lose(300.0)]), None);
}

/// A timer that was unset keeps nobody from being silent, and no run from its end.
#[test]
fn the_end_of_a_run_does_not_wait_for_timers_that_were_unset() {
    let silent = Rules { silent: true, ..rules() };
    let scenario = Scenario { calm_limit: Some(50.0), ..line(vec![ask(1.0, 0)]) };
    let (run, _) = recorded(&scenario, Fault::None, silent);
    assert_eq!(run.violation, None);
    assert!(run.ended_at < 10.0, "{}", run.ended_at);
}

#[test]
fn a_node_that_stops_takes_its_links_along_and_most_go_on() {
    let moments = [None, Some(Moment::Waiting), Some(Moment::Inside)];
    let mut lost = 0;
    for (seed, once) in (1..=9).zip(moments.into_iter().cycle()) {
        let script = vec![crash(5.0, 0, once), crash(20.0, 3, once), crash(40.0, 5, None)];
        for scenario in [
            Scenario { script: script.clone(), link_changes: toggled(), ..mesh(seed) },
            Scenario { script, loss: 0.05, ..moving(seed) },
        ] {
            let (run, journal) = recorded(&scenario, Fault::None, rules());
            assert_eq!(run.violation, None, "{seed}");
            assert!(run.metrics.entries >= 150, "{seed}: {}", run.metrics.entries);
            let crashed = count(&journal, |event| matches!(event, Event::Crash));
            assert!((2..=3).contains(&crashed), "{seed}: {crashed}");
            lost += run.metrics.faults.unwrap().lost;
            assert_eq!(replayed(&journal, Fault::None).steps, run.steps);
        }
    }
    assert!(lost > 100, "{lost}");
}

/// Node 1 is all that joins the others: one is alone then and is owed nothing, as are two of four.
#[test]
fn a_part_without_most_of_the_nodes_is_owed_nothing() {
    let script = vec![crash(1.0, 1, None), ask(2.0, 0), ask(2.0, 2)];
    let (run, journal) = recorded(&line(script.clone()), Fault::None, rules());
    assert_eq!((run.violation, run.metrics.entries), (None, 0));
    assert_eq!(run.metrics.majority_left, Some(false));
    assert_eq!(replayed(&journal, Fault::None).violation, None);
    let two_left = line(vec![crash(1.0, 2, None), ask(2.0, 0)]);
    let (run, _) = recorded(&two_left, Fault::None, rules());
    assert_eq!((run.metrics.entries, run.metrics.majority_left), (1, Some(true)));
    let (run, _) = recorded(&line(vec![ask(2.0, 0)]), Fault::None, rules());
    assert_eq!(run.metrics.majority_left, None, "nobody has stopped");
    let everyone = Rules { quorum: false, ..rules() };
    let (run, _) = recorded(&line(script), Fault::None, everyone);
    assert_eq!(run.violation.unwrap().promise, Promise::NoStarvation);
}

#[test]
fn whoever_is_inside_under_an_older_epoch_is_deposed() {
    let script = vec![ask(1.0, 0), ask(9.0, 2)];
    let scenario = Scenario { critical_section: Span::Constant(50.0), ..line(script) };
    let (run, _) = recorded(&scenario, Fault::None, rules());
    assert_eq!((run.violation, run.metrics.faults.unwrap().deposed), (None, 1));
    let unfenced = Rules { fenced: false, ..rules() };
    let (run, journal) = recorded(&scenario, Fault::None, unfenced);
    assert_eq!(run.violation.as_ref().unwrap().promise, Promise::Exclusion);
    assert_eq!(replayed(&journal, Fault::None).violation, run.violation);
}

#[test]
fn messages_get_lost_only_on_a_mesh() {
    for (text, told) in [
        ("loss = 0.1", "loss: messages get lost only where the medium is `mesh`"),
        ("medium = 'mesh'\nloss = 1", "loss: a probability is a number from 0 to less than 1"),
        ("script = [{ lose = 'Ask' }]", "entry 1: messages get lost only where the medium is"),
        ("script = [{ crash = 1 }]", "entry 1: nodes crash only on a mesh, or if"),
    ] {
        let error = Scenario::from_toml(text).unwrap().check().unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Of two answers one is lost and the other never comes: a short run keeps the crash, and that the
/// neighbor was told.
#[test]
fn a_crash_keeps_its_link_changes_when_it_is_shrunk() {
    let lost = Scripted { at: 1.5, lose: Some("Claim".into()), ..Scripted::default() };
    let scenario = line(vec![crash(1.0, 2, None), lost, ask(2.0, 0)]);
    let (run, journal) = recorded(&scenario, Fault::Sulks, rules());
    assert_eq!(run.violation.unwrap().promise, Promise::NoStarvation);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let (setting, schedule) = schedule_of::<Again, _>(&mut reader).unwrap();
    let promise = Promise::NoStarvation;
    let short = shrink::<Claimant>(&setting, &Fault::Sulks, &schedule, promise).unwrap();
    let (zero, one, two) = (NodeId(0), NodeId(1), NodeId(2));
    let expected = [
        Action::Crash(two),
        Action::LinkDown { a: one, b: two },
        Action::Request(zero, ResourceId(0)),
        Action::Lose { from: zero, to: one },
    ];
    assert_eq!(short.schedule, expected);
}
