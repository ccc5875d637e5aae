//! Messages that are lost or come twice, and nodes that stop.

use driftlock_core::NodeId;
use driftlock_journal::{Event, Reader, Record, Writer};
use driftlock_protocols::rl::Rl;
use driftlock_replay::{Action, enact, schedule_of};
use driftlock_spec::progress::Calm;
use driftlock_spec::{Promise, Rules};

use crate::nets::{
    Never, deliver, down, duplicate, lose, published, replayed, request, rl, setting, verified,
};

const PAIR: &[(u32, u32)] = &[(0, 1)];

fn silent(n: usize, links: &[(u32, u32)], schedule: &[Action<Never>]) -> Option<Promise> {
    let setting = setting(n, links, Rules::default());
    let (enacted, _) = verified::<Rl>(&setting, &published(), schedule, Some(Calm::Silent));
    assert_eq!(enacted.skipped, 0);
    enacted.violation.map(|violation| violation.promise)
}

#[test]
fn a_lost_request_starves_its_sender() {
    assert_eq!(silent(2, PAIR, &[request(1), lose(1, 0)]), Some(Promise::NoStarvation));
}

/// The copy of a request finds its sender on the queue or served; the rest goes on as usual.
#[test]
fn a_request_that_comes_twice_is_taken_twice() {
    let schedule = [request(0), request(1), duplicate(1, 0), deliver(1, 0)];
    let enacted = rl(2, PAIR, &schedule);
    assert_eq!((enacted.skipped, enacted.violation), (0, None));
    assert_eq!(enacted.steps[2].input, enacted.steps[3].input);
}

#[test]
fn a_crashed_node_takes_no_steps_and_gets_nothing() {
    let line = [(0, 1), (1, 2)];
    // What 2 sent still arrives; what is sent to it does not; nobody owes it anything.
    let crash = [request(2), Action::Crash(NodeId(2)), deliver(2, 1), deliver(1, 0)];
    let crash = [&crash[..], &[deliver(0, 1), deliver(1, 0)]].concat();
    assert_eq!(silent(3, &line, &crash), None);
    let after = [Action::Crash(NodeId(2)), request(2), Action::Crash(NodeId(2)), lose(1, 2)];
    let enacted = rl(3, &line, &after);
    assert_eq!((enacted.skipped, enacted.steps.len()), (3, 0));
}

#[test]
fn a_node_waits_for_ever_for_a_token_that_crashed() {
    let crash = [request(0), request(1), deliver(1, 0), Action::Crash(NodeId(0))];
    assert_eq!(silent(2, PAIR, &crash), Some(Promise::NoStarvation));
}

#[test]
fn the_living_end_of_a_link_is_told_alone() {
    let triangle = [(0, 1), (0, 2), (1, 2)];
    let enacted = rl(3, &triangle, &[Action::Crash(NodeId(1)), down(1, 2), down(2, 1)]);
    assert_eq!((enacted.skipped, enacted.steps.len()), (1, 1));
    assert_eq!(enacted.steps[0].node, NodeId(2));
    let both = [Action::Crash(NodeId(1)), Action::Crash(NodeId(2)), down(1, 2)];
    assert_eq!(rl(3, &triangle, &both).skipped, 1);
}

/// RL was promised that there is one token, and gives up if there are two.
#[test]
fn a_process_that_gives_up_ends_the_run() {
    let setting = setting(2, PAIR, Rules::default());
    let schedule = [request(1), deliver(1, 0), duplicate(0, 1), deliver(0, 1), request(0)];
    let mut journal = Vec::new();
    let to = Some(("test", &mut journal as &mut dyn std::io::Write));
    let enacted = enact::<Rl>(&setting, &published(), &schedule, None, to).unwrap();
    let violation = enacted.violation.unwrap();
    assert_eq!((violation.promise, violation.step), (Promise::DefinedStep, 4));
    assert_eq!(violation.what, "n1 gave up: there is one token");
    assert_eq!(replayed::<Rl>(&journal, &published()).unwrap().violation, Some(violation));
    // Forged so that it goes on, the journal is refused.
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let links = reader.links().iter().copied();
    let mut writer = Writer::new(Vec::new(), reader.header(), links).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        writer.record(&record).unwrap();
    }
    let again = Record { at: 9, node: NodeId(1), event: Event::Recv(NodeId(0)), check: 0 };
    writer.record(&again).unwrap();
    let forged = writer.finish(reader.footer().unwrap()).unwrap();
    let error = replayed::<Rl>(&forged, &published()).unwrap_err();
    assert!(error.to_string().contains("from step 5 on: the run ended before it"), "{error}");
}

#[test]
fn a_fault_answers_nothing() {
    let setting = setting(2, PAIR, Rules::default());
    let (_, journal) = verified::<Rl>(&setting, &published(), &[request(1), lose(1, 0)], None);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let links = reader.links().iter().copied();
    let mut writer = Writer::new(Vec::new(), reader.header(), links).unwrap();
    while let Some(mut record) = reader.next_record().unwrap() {
        if let Event::Lose(_) = record.event {
            assert_eq!(record.check, 0);
            record.check = 1;
        }
        writer.record(&record).unwrap();
    }
    let forged = writer.finish(reader.footer().unwrap()).unwrap();
    assert!(replayed::<Rl>(&forged, &published()).is_err());
}

/// Where the network may fall apart, a node that stops takes its links down, and its last words
/// are lost with them.
#[test]
fn a_crash_and_the_links_that_go_down_with_it() {
    let rules = Rules { partitions: true, ..Rules::default() };
    let line = setting(3, &[(0, 1), (1, 2)], rules);
    let crash = [request(1), deliver(1, 0), Action::Crash(NodeId(0)), down(1, 0)];
    let (enacted, journal) = verified::<Rl>(&line, &published(), &crash, None);
    assert_eq!((enacted.skipped, enacted.steps.len()), (0, 3), "the token was on its way to 1");
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let (again, schedule) = schedule_of::<Never, _>(&mut reader).unwrap();
    assert_eq!((again.rules, &schedule[..]), (rules, &crash[..]));
    let late = [&crash[..], &[deliver(0, 1)]].concat();
    assert_eq!(verified::<Rl>(&line, &published(), &late, None).0.skipped, 1);
    // Otherwise what was sent arrives, and the link has to stay for that.
    let line = setting(3, &[(0, 1), (1, 2)], Rules::default());
    let kept = [&crash[..3], &[deliver(0, 1)]].concat();
    assert_eq!(verified::<Rl>(&line, &published(), &kept, None).0.skipped, 0);
    assert_eq!(verified::<Rl>(&line, &published(), &crash, None).0.skipped, 1);
}
