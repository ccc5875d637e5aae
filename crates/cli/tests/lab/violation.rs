//! A broken promise: exit code 1, a journal, and a line that runs it again.

use crate::place::{Done, Place};

/// The published text takes a minimum over nothing somewhere in this run.
const BROKEN: &str = "sim rl --variant published --network ring --nodes 4 --mobility 0.3 \
                      --link-changes toggle";

fn broken(place: &Place, line: &str) -> Done {
    let done = place.run(line);
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{line}: {done:?}");
    done
}

#[test]
fn a_violation_is_told_kept_and_replayed() {
    let place = Place::new();
    let done = broken(&place, BROKEN);
    let journal = done.after("journal: ");
    assert_eq!(place.names(), [journal]);
    assert!(done.out.contains("the last steps:"), "{}", done.out);
    let told = done.out.lines().find(|line| line.starts_with("VIOLATED in 6 of 6 ")).unwrap();
    let (_, violation) = told.split_once(": ").unwrap();
    assert!(violation.contains("every step is defined"), "{violation}");
    let replayed = broken(&place, &format!("replay {journal}"));
    assert!(replayed.out.contains(violation), "{}", replayed.out);
    let shown = broken(&place, &format!("replay {journal} --print"));
    assert!(shown.out.contains("has nothing to go by"), "{}", shown.out);
}

#[test]
fn the_printed_line_breaks_the_same_promise_again() {
    let place = Place::new();
    let first = broken(&place, &format!("{BROKEN} --seed 5 --reps 3"));
    let kept = place.read(first.after("journal: "));
    let again = broken(&place, first.after("replay:  driftlock "));
    assert_eq!(again.after("VIOLATED with seed 5: "), violation_of(&first));
    assert_eq!(place.read(again.after("journal: ")), kept);
    assert_eq!(place.names().len(), 1);
}

#[test]
fn json_names_the_counterexample_and_standard_error_has_one_line() {
    let place = Place::new();
    let done = place.run(&format!("{BROKEN} --json --journal kept.dlj"));
    assert_eq!((done.code, done.err.lines().count()), (Some(1), 1), "{done:?}");
    let json = done.json();
    let kept = &json["counterexample"];
    assert_eq!((kept["journal"].as_str(), kept["seed"].as_u64()), (Some("kept.dlj"), Some(1)));
    assert_eq!(kept["violation"], json["repetitions"][0]["violation"]);
    assert_eq!(place.names(), ["kept.dlj"]);
    let line = kept["replay"].as_str().unwrap().strip_prefix("driftlock ").unwrap();
    assert_eq!(violation_of(&broken(&place, line)), kept["violation"].as_str().unwrap());
    let verdict = place.run("replay kept.dlj --json");
    assert_eq!((verdict.code, &verdict.json()["violation"]), (Some(1), &kept["violation"]));
}

/// In a triangle, node 2 knows no neighbor between the changes of its links.
const TRIANGLE: &str = "protocol = 'rl'
network = { shape = 'clique', nodes = 3 }
requests = { rate = 0 }
link-changes = { model = 'scripted' }
script = [
  { at = 1, down = [1, 2] },
  { at = 2, up = [1, 2] },
  { at = 2.5, down = [0, 2] },
  { at = 2.6, request = 2 },
]
";

#[test]
fn three_link_changes_leave_the_published_text_undefined() {
    let place = Place::new();
    place.write("triangle.toml", TRIANGLE);
    let done = broken(&place, "sim --scenario triangle.toml --variant published --reps 1");
    assert!(violation_of(&done).contains("n2 has nothing to go by in RaiseHeight"), "{}", done.out);
    let line = done.after("replay:  driftlock ");
    assert!(line.contains("--scenario triangle.toml --variant published"), "{line}");
    assert_eq!(broken(&place, line).out, done.out);
    place.fine("sim --scenario triangle.toml --variant repaired");
}

/// The request that could not be sent is never sent: what follows is starvation.
#[test]
fn with_undefined_steps_skipped_the_run_goes_on() {
    let place = Place::new();
    place.write("triangle.toml", TRIANGLE);
    let line = "sim --scenario triangle.toml --variant published --undefined skip --reps 1";
    let done = broken(&place, line);
    assert!(violation_of(&done).contains("no starvation"), "{}", done.out);
    assert_eq!(broken(&place, done.after("replay:  driftlock ")).out, done.out);
    let replayed = broken(&place, "replay violation-rl-seed1.dlj --print");
    assert!(replayed.out.contains("n2 has nothing to go by: ForwardRequest"), "{}", replayed.out);

    let asks = "  { at = 2.6, request = 2 },\n";
    place.write("triangle.toml", TRIANGLE.replace(asks, ""));
    place.fine(line);
}

#[test]
fn a_calm_that_lasts_too_long_is_a_violation() {
    let place = Place::new();
    let done = broken(&place, "sim raymond --nodes 5 --connectivity 60 --cold 9 --calm-limit 0.5");
    assert!(violation_of(&done).contains("wait although"), "{}", done.out);
    broken(&place, &format!("replay {}", done.after("journal: ")));
}

/// Where the journal cannot be kept, the violation is told all the same.
#[test]
fn a_violation_without_a_place_for_its_journal_is_told_in_the_error() {
    let place = Place::new();
    std::fs::create_dir(place.path("violation-rl-seed1.dlj")).unwrap();
    let done = place.run(BROKEN);
    assert_eq!((done.code, done.err.lines().count()), (Some(2), 1), "{done:?}");
    for part in ["every step is defined", "replay: driftlock sim rl", "violation-rl-seed1.dlj"] {
        assert!(done.err.contains(part), "no `{part}` in {}", done.err);
    }
}

/// What the violation was, from the line that tells it.
fn violation_of(done: &Done) -> &str {
    let told = done.out.lines().find(|line| line.starts_with("VIOLATED ")).unwrap();
    told.split_once(": ").unwrap().1
}
