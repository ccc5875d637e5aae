//! `driftlock replay` of journals that are as they should be.

use crate::place::Place;

const RUN: &str = "--nodes 6 --connectivity 60 --cold 50 --mobility 0.1 --journal run.dlj --json";

#[test]
fn a_journal_is_verified_to_its_last_step() {
    for protocol in ["rl", "raymond", "rl --variant published --connected-by known"] {
        let place = Place::new();
        let run = place.fine(&format!("sim {protocol} {RUN}")).json();
        let steps = run["repetitions"][0]["steps"].as_u64().unwrap();
        let replayed = place.fine("replay run.dlj");
        assert_eq!(
            replayed.out,
            format!("{steps} steps replayed, each as recorded\nall promises held\n"),
            "{protocol}"
        );
    }
}

#[test]
fn every_step_is_printed_with_what_was_answered() {
    let place = Place::new();
    let run = place.fine(&format!("sim rl {RUN}")).json();
    let shown = place.fine("replay run.dlj --print").out;
    // A step has its time in front, an answer has not.
    let starts_with_time =
        |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let steps = shown.lines().filter(starts_with_time).count() as u64;
    // The line that counts the steps starts with a number too.
    assert_eq!(Some(steps - 1), run["repetitions"][0]["steps"].as_u64());
    assert!(shown.matches("EnterCs").count() >= 50);
    assert!(shown.contains("Recv Token(") && shown.contains(" -> "), "{shown}");
}

#[test]
fn the_verdict_comes_as_json_too() {
    let place = Place::new();
    place.fine(&format!("sim rl {RUN}"));
    let verdict = place.fine("replay run.dlj --json").json();
    assert_eq!(verdict["protocol"], "rl");
    assert_eq!(
        (verdict["nodes"].as_u64(), verdict["as_recorded"].as_bool()),
        (Some(6), Some(true))
    );
    assert!(verdict["violation"].is_null());
}

#[test]
fn a_journal_is_replaced_as_a_whole_and_keeps_its_link() {
    let place = Place::new();
    place.fine(&format!("sim rl {RUN}"));
    let first = place.read("run.dlj");
    place.fine(&format!("sim rl {RUN} --seed 2"));
    assert_ne!(place.read("run.dlj"), first);
    place.fine("replay run.dlj");
    assert_eq!(place.names(), ["run.dlj"]);
}
