//! Journals that are cut off, altered, of another version, or forged.

use driftlock_core::{LinkRole, NodeId};
use driftlock_journal::{End, Event, Record};

use super::forge::Parts;
use crate::place::Place;

/// Something done to a journal, and what is said of it.
type Forgery = (fn(&mut Parts), &'static str);

/// A place with a journal.
fn recorded() -> Place {
    let place = Place::new();
    place.fine("sim rl --network ring --nodes 5 --cold 30 --mobility 0.2 --journal run.dlj");
    place
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

#[test]
fn a_journal_that_is_cut_off_is_refused_wherever_it_ends() {
    let place = recorded();
    let whole = place.read("run.dlj");
    for length in [0, 5, 19, 20, 25, 60, whole.len() / 2, whole.len() - 60, whole.len() - 1] {
        place.write("cut.dlj", &whole[..length]);
        let part = if length < 20 { "is not a journal" } else { "is cut off at byte" };
        place.refused("replay cut.dlj", &["cut.dlj: ", part]);
    }
}

#[test]
fn an_altered_journal_is_refused_wherever_it_was_altered() {
    let place = recorded();
    let whole = place.read("run.dlj");
    for k in (20..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[k] ^= 1;
        place.write("altered.dlj", bytes);
        place.refused("replay altered.dlj", &["altered.dlj: ", "byte"]);
    }
}

#[test]
fn other_files_and_other_versions_are_refused_with_what_is_expected() {
    let place = recorded();
    let whole = place.read("run.dlj");
    place.write("new.dlj", replaced(&whole, "journal 1\n", "journal 2\n"));
    place.refused("replay new.dlj", &["new.dlj: ", "version 2", "reads version 1"]);
    place.write("run.toml", "protocol = 'rl'\n");
    place.refused("replay run.toml", &["run.toml: ", "should be `driftlock-journal 1`"]);
    place.refused("sim --scenario run.dlj", &["run.dlj: ", "cannot be read"]);
}

/// The check sums of these journals are right; what they say is not.
#[test]
fn forged_steps_are_refused() {
    let place = recorded();
    let changes: [Forgery; 12] = [
        (|parts| drop(parts.records.remove(9)), "step"),
        (|parts| parts.records.insert(9, parts.records[9].clone()), "step"),
        (|parts| parts.records[9].node.0 ^= 1, "step"),
        (|parts| parts.records[9].check ^= 1, "differs in step 10"),
        (|parts| drop(parts.records.pop()), "steps"),
        (|parts| forge_step(parts, Event::Release), "from step 1 on: n2 is Remainder"),
        (|parts| forge_step(parts, Event::Recv(NodeId(4))), "from step 1 on"),
        (|parts| forge_step(parts, Event::Recv(NodeId(77))), "from step 1 on"),
        (|parts| forge_step(parts, Event::LinkUp(NodeId(2), LinkRole::Static)), "no link n2-n2"),
        (|parts| forge_step(parts, Event::LinkDown(NodeId(u32::MAX))), "no link"),
        (|parts| forge_step(parts, Event::LinkDown(NodeId(1))), "step"),
        (|parts| forge_step(parts, Event::Timer(vec![0xff; 9])), "timer"),
    ];
    for (change, part) in changes {
        place.forge("run.dlj", "forged.dlj", change);
        place.refused("replay forged.dlj", &["forged.dlj: ", part]);
    }
}

/// Faults that never happened do not go unnoticed. Processes that cannot bear them panic, and
/// nobody hears of it.
#[test]
fn forged_faults_are_refused() {
    let place = recorded();
    for k in 0..40 {
        for fault in [Event::Lose, Event::Duplicate, |_| Event::Crash] {
            place.forge("run.dlj", "forged.dlj", |parts| {
                let event = &mut parts.records[k].event;
                *event = match event {
                    Event::Recv(from) => fault(*from),
                    _ => Event::Crash,
                };
            });
            place.refused("replay forged.dlj", &["forged.dlj: ", "step"]);
        }
    }
}

/// A message that comes twice, with all check sums as they should be: only RL knows that there is
/// one token.
#[test]
fn a_fault_that_a_process_cannot_bear_is_told_in_one_line() {
    let place = Place::new();
    place.fine("sim rl --network line --nodes 2 --requesters 1 --cold 1 --journal run.dlj");
    place.forge("run.dlj", "forged.dlj", |parts| {
        let is_token = |record: &Record| record.node == NodeId(1) && is_receipt(record);
        let k = parts.records.iter().position(is_token).unwrap();
        parts.records[k].event = Event::Duplicate(NodeId(0));
        let again = Record { event: Event::Recv(NodeId(0)), ..parts.records[k].clone() };
        parts.records.insert(k + 1, again);
    });
    place.refused("replay forged.dlj", &["forged.dlj: ", "differs in step 4"]);
}

fn is_receipt(record: &Record) -> bool {
    matches!(record.event, Event::Recv(_))
}

#[test]
fn forged_rules_are_refused() {
    let place = recorded();
    let changes: [Forgery; 3] = [
        (|parts| parts.header.rules = "none".into(), "rules that make no sense"),
        (|parts| parts.header.rules["lossy"] = true.into(), "rules that make no sense"),
        (
            |parts| {
                let text = r#"{"exclusion":{"at-most":1},"undefined-stops":false,
                    "partitions":false,"lossy":false}"#;
                parts.header.rules = serde_json::from_str(text).unwrap();
            },
            "both stop the run and do not",
        ),
    ];
    for (change, part) in changes {
        place.forge("run.dlj", "forged.dlj", change);
        place.refused("replay forged.dlj", &["forged.dlj: ", part]);
    }
}

/// Put a step of node 2 before all others.
fn forge_step(parts: &mut Parts, event: Event) {
    parts.records.insert(0, Record { at: 0, node: NodeId(2), event, check: 0 });
}

#[test]
fn forged_starts_are_refused() {
    let place = recorded();
    let changes: [Forgery; 6] = [
        (|parts| parts.header.n_nodes = u32::MAX, "not connected"),
        (|parts| parts.header.n_nodes = 6, "not connected"),
        (|parts| parts.header.n_nodes = 3, "no link"),
        (|parts| parts.header.protocol = "rll".into(), "did you mean `rl`?"),
        (|parts| parts.header.config = "none".into(), "configuration"),
        (|parts| parts.header.config["heights"] = vec![[0, 0]].into(), "heights of 1 nodes"),
    ];
    for (change, part) in changes {
        place.forge("run.dlj", "forged.dlj", change);
        place.refused("replay forged.dlj", &["forged.dlj: ", part]);
    }
}

#[test]
fn forged_ends_are_refused() {
    let place = recorded();
    let changes: [Forgery; 3] = [
        (|parts| parts.footer.violation = Some("a broken promise".into()), "a broken promise"),
        (|parts| parts.footer.steps += 1, "steps"),
        (|parts| parts.footer.end = End::Restless, "ends otherwise"),
    ];
    for (change, part) in changes {
        place.forge("run.dlj", "forged.dlj", change);
        place.refused("replay forged.dlj", &["forged.dlj: ", part]);
    }
}

/// A violation cannot be forged away either.
#[test]
fn a_violation_that_is_denied_is_found_out() {
    let place = Place::new();
    let line = "sim rl --nodes 4 --network ring --cold 9 --calm-limit 0.5 --journal run.dlj";
    assert_eq!(place.run(line).code, Some(1));
    place.forge("run.dlj", "forged.dlj", |parts| parts.footer.violation = None);
    place.refused("replay forged.dlj", &["ends otherwise", "all promises held", "no starvation"]);
}
