//! Schedules of RL: what happens, what is skipped, what is broken.

use driftlock_core::{LinkRole, Medium, NodeId, ResourceId, Status};
use driftlock_journal::{Event, Reader};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::{Action, Setting, enact, shrink};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::progress::Calm;
use driftlock_spec::{Promise, Rules};

use crate::nets::{deliver, down, lose, published, replayed, request, rl, setting, up, verified};

/// Departure D1: 1 has lost its only neighbor and has not heard of the new one yet.
const D1: &[(u32, u32)] = &[(0, 1), (0, 2)];

#[test]
fn the_shortest_undefined_step_of_rl_is_enacted_and_replayed() {
    let enacted = rl(3, D1, &[up(1, 2), down(0, 1)]);
    let violation = enacted.violation.unwrap();
    assert_eq!((violation.promise, violation.step), (Promise::DefinedStep, 4));
    assert_eq!((violation.at.0, enacted.skipped), (2, 0));
    let places: Vec<(usize, u32)> =
        enacted.steps.iter().map(|step| (step.action, step.node.0)).collect();
    assert_eq!(places, [(0, 1), (0, 2), (1, 0), (1, 1)]);
}

#[test]
fn nothing_happens_after_a_broken_promise() {
    let enacted = rl(3, D1, &[up(1, 2), down(0, 1), request(0), deliver(5, 7)]);
    assert_eq!((enacted.steps.len(), enacted.skipped), (4, 0));
}

#[test]
fn a_calm_is_judged() {
    let pair = setting(2, &[(0, 1)], Rules::default());
    let ask = [request(1)];
    let (waiting, journal) = verified::<Rl>(&pair, &published(), &ask, Some(Calm::Restless));
    assert_eq!(waiting.violation.unwrap().promise, Promise::NoStarvation);
    // The request is in transit, so it is not silent whatever is said.
    let (same, _) = verified::<Rl>(&pair, &published(), &ask, Some(Calm::Silent));
    assert!(same.violation.unwrap().what.contains("although"));
    assert_eq!(Reader::new(journal.as_slice()).unwrap().header().ticks_per_unit, 1);
    let served = [request(1), deliver(1, 0), deliver(0, 1), Action::Release(NodeId(1))];
    let served = [&served[..], &[deliver(1, 0)]].concat();
    let (served, _) = verified::<Rl>(&pair, &published(), &served, Some(Calm::Silent));
    assert_eq!((served.violation, served.skipped), (None, 0));
}

/// RL lets in one at a time, also where those who want the same may be in together.
#[test]
fn while_someone_is_inside_only_those_wait_who_want_something_else() {
    let rules = Rules { exclusion: Exclusion::SameGroup, ..Rules::default() };
    let [pair, usual] = [rules, Rules::default()].map(|rules| setting(2, &[(0, 1)], rules));
    let ask = |resource| Action::Request(NodeId(1), ResourceId(resource));
    let judged = |setting: &Setting, resource| {
        let schedule = [request(0), ask(resource), deliver(1, 0)];
        let calm = Some(Calm::Silent);
        let (enacted, _) = verified::<Rl>(setting, &published(), &schedule, calm);
        enacted.violation.map(|violation| violation.promise)
    };
    assert_eq!(judged(&pair, 0), Some(Promise::ConcurrentEntering));
    assert_eq!(judged(&pair, 1), None);
    assert_eq!(judged(&usual, 0), None, "0 has to leave first");

    let left = Action::Release(NodeId(0));
    let long = [request(0), left.clone(), request(0), left, request(0), request(1), deliver(1, 0)];
    let promise = Promise::ConcurrentEntering;
    let short = shrink::<Rl>(&pair, &published(), &long, promise).unwrap();
    assert_eq!(short.schedule, [request(0), request(1), deliver(1, 0)]);
}

/// RL does not say that the token is out of reach.
#[test]
fn parts_are_judged_one_by_one() {
    let rules = Rules { partitions: true, ..Rules::default() };
    let line = setting(3, &[(0, 1), (1, 2)], rules);
    let config = Config::default();
    let apart = [request(0), Action::Release(NodeId(0)), down(1, 2)];
    let (enacted, _) = verified::<Rl>(&line, &config, &apart, Some(Calm::Silent));
    let violation = enacted.violation.unwrap();
    assert_eq!(violation.what, "n2 cannot reach a token and does not say so");
    let short = shrink::<Rl>(&line, &config, &apart, violation.promise).unwrap();
    assert_eq!(short.schedule, [down(1, 2)]);
    // The token is on its way to 1, which is owed it; 2 is not, and waits as well.
    let ask = [down(1, 2), request(1), request(2), deliver(1, 0)];
    let (enacted, _) = verified::<Rl>(&line, &config, &ask, Some(Calm::Restless));
    let violation = enacted.violation.unwrap();
    assert_eq!((violation.promise, violation.nodes), (Promise::NoStarvation, vec![NodeId(1)]));
}

#[test]
fn impossible_actions_are_skipped_and_counted() {
    let (zero, far) = (NodeId(0), NodeId(9));
    let schedule = [
        request(0),
        request(0),
        Action::Release(NodeId(1)),
        deliver(0, 1),
        deliver(1, 2),
        lose(0, 1),
        up(0, 1),
        up(0, 0),
        up(0, 9),
        Action::LinkUp { a: NodeId(1), b: NodeId(2), moving: zero },
        down(1, 2),
        down(0, 9),
        // It would disconnect 1.
        down(0, 1),
        Action::Request(far, driftlock_core::ResourceId(0)),
        Action::Crash(far),
        Action::Release(zero),
    ];
    let enacted = rl(3, D1, &schedule);
    assert_eq!((enacted.skipped, enacted.steps.len()), (schedule.len() - 2, 2));
    assert_eq!(enacted.violation, None);
    assert_eq!(enacted.steps[1].action, schedule.len() - 1);
}

#[test]
fn a_link_stays_while_something_is_in_transit_on_it() {
    let triangle = [(0, 1), (0, 2), (1, 2)];
    let enacted = rl(3, &triangle, &[request(1), down(0, 1), deliver(1, 0), down(0, 1)]);
    // The token is on its way now, and the link has to stay for it too.
    assert_eq!((enacted.skipped, enacted.steps.len()), (2, 2));
}

#[test]
fn the_rules_say_what_links_may_do() {
    let rules = Rules { partitions: true, lossy: true, ..Rules::default() };
    let pair = setting(2, &[(0, 1)], rules);
    let schedule = [request(1), down(0, 1), deliver(1, 0)];
    let repaired = Config::default();
    let (enacted, journal) = verified::<Rl>(&pair, &repaired, &schedule, Some(Calm::Silent));
    assert_eq!(enacted.skipped, 1, "what was in transit went with the link");
    assert!(enacted.violation.unwrap().what.contains("cannot reach a token and does not say so"));
    let reader = Reader::new(journal.as_slice()).unwrap();
    assert_eq!(reader.header().rules["lossy"], true);
}

/// With the promise that at most two are inside, one alone is fine; with none, she is not.
#[test]
fn the_journal_has_the_promise_it_was_judged_by() {
    for (k, broken) in [(0, Some(Promise::Exclusion)), (1, None), (2, None)] {
        let rules = Rules { exclusion: Exclusion::AtMost(k), ..Rules::default() };
        let alone = setting(1, &[], rules);
        let (enacted, journal) = verified::<Rl>(&alone, &published(), &[request(0)], None);
        assert_eq!(enacted.violation.map(|violation| violation.promise), broken);
        let reader = Reader::new(journal.as_slice()).unwrap();
        assert_eq!(reader.header().rules.is_null(), k == 1);
    }
}

#[test]
fn a_routed_schedule_has_no_links_to_change() {
    let line =
        Setting { medium: Medium::Routed, ..setting(3, &[(0, 1), (1, 2)], Rules::default()) };
    let schedule = [request(2), down(1, 2), deliver(2, 1), deliver(1, 0), deliver(0, 1)];
    let schedule = [&schedule[..], &[deliver(1, 2), up(0, 2)]].concat();
    let (enacted, _) = verified::<Raymond>(&line, &(), &schedule, None);
    assert_eq!((enacted.skipped, enacted.violation), (2, None));
    let status = |process: &Raymond| driftlock_core::Protocol::status(process);
    assert_eq!(status(&enacted.processes[2]), Status::Critical);
}

#[test]
fn a_network_that_is_not_connected_is_refused() {
    let apart = setting(3, &[(0, 1)], Rules::default());
    let error = enact::<Rl>(&apart, &published(), &[], None, None).unwrap_err();
    assert!(error.to_string().contains("not connected"));
}

/// One end of a new link has moved and the other has not.
#[test]
fn both_ends_of_a_link_have_their_roles() {
    let line = setting(3, D1, Rules::default());
    let (_, journal) = verified::<Rl>(&line, &published(), &[up(1, 2)], None);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        records.push(record);
    }
    assert_eq!(records[0].event, Event::LinkUp(NodeId(2), LinkRole::Static));
    assert_eq!(records[1].event, Event::LinkUp(NodeId(1), LinkRole::Moving));
    records[1].event = Event::LinkUp(NodeId(1), LinkRole::Static);
    let links = reader.links().iter().copied();
    let mut writer = driftlock_journal::Writer::new(Vec::new(), reader.header(), links).unwrap();
    records.iter().for_each(|record| writer.record(record).unwrap());
    let forged = writer.finish(reader.footer().unwrap()).unwrap();
    let error = replayed::<Rl>(&forged, &published()).unwrap_err();
    assert!(error.to_string().contains("the link n1-n2 changed, and n2 was not"), "{error}");
}
