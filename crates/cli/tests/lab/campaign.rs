//! `driftlock sim --campaign`.

use crate::place::{Done, Place};

const PUBLISHED: &str = "sim rl --campaign --variant published --runs 60";

fn broken(place: &Place, line: &str) -> Done {
    let done = place.run(line);
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{line}: {done:?}");
    done
}

#[test]
fn the_defect_of_the_published_text_is_found_and_shrunk() {
    let place = Place::new();
    let done = broken(&place, PUBLISHED);
    let told = done.out.lines().find(|line| line.starts_with("VIOLATED in ")).unwrap();
    assert!(
        told.contains(" of 60 runs, first with seed ") && told.contains("every step is defined")
    );
    let (journal, n_steps) = (done.after("journal: "), done.after("shrunk from "));
    let n_steps: u64 =
        n_steps.split("steps to ").nth(1).unwrap().trim_matches(':').parse().unwrap();
    assert!(n_steps <= 12, "{}", done.out);
    assert!(done.out.contains("has nothing to go by"), "{}", done.out);

    let shown = broken(&place, done.after("         driftlock "));
    let story: String = done
        .out
        .lines()
        .skip_while(|line| !line.starts_with("shrunk"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(shown.out.starts_with(&story), "{}", shown.out);
    assert!(story.starts_with("         1  n"), "actions are counted: {story}");
    assert!(shown.out.contains(&format!("{n_steps} steps replayed")));

    let page = String::from_utf8(place.read("seeds/README.md")).unwrap();
    let row = page.lines().last().unwrap();
    let name = journal.strip_prefix("seeds/").unwrap();
    assert!(
        row.starts_with(&format!("| `{name}` | every step is defined | {n_steps} | ")),
        "{row}"
    );
    let again = broken(&place, done.after("replay:  driftlock "));
    let (_, violation) = told.split_once(": ").unwrap();
    assert!(again.out.contains(violation), "{}", again.out);
}

#[test]
fn what_is_found_does_not_depend_on_threads_and_is_listed_once() {
    let line =
        "sim rl --campaign --variant published --undefined skip --runs 120 --seeds-dir found";
    let (one, two) = (Place::new(), Place::new());
    let first = broken(&one, &format!("{line} --threads 1"));
    let second = broken(&two, &format!("{line} --threads 2"));
    assert_eq!(first.out, second.out);
    assert!(first.out.contains("no starvation"), "{}", first.out);
    let page = one.read("found/README.md");
    assert_eq!(page, two.read("found/README.md"));
    let journal = first.after("journal: ");
    assert_eq!(one.read(journal), two.read(journal));
    broken(&one, line);
    assert_eq!(one.read("found/README.md"), page);
    assert_eq!(one.names(), ["found"]);
}

#[test]
fn the_protocols_hold() {
    let place = Place::new();
    for line in ["sim rl --campaign --runs 40", "sim rr --campaign --runs 40", "sim --campaign"] {
        let done = place.fine(line);
        assert!(done.out.contains("all promises held in "), "{line}: {}", done.out);
    }
    assert!(place.names().is_empty());
}

#[test]
fn flags_settle_what_is_not_drawn() {
    let place = Place::new();
    for flags in [
        "--nodes 5 --connectivity 60",
        "--network ring --mobility 0.3",
        "--range 0.9",
        "--links 8 --nodes 6",
        "--link-changes none",
        "--network ring --link-changes toggle",
        "--nodes 1",
        "--load 2 --until 30",
        "--delay 2 --cold 10 --requesters 0,1",
    ] {
        for protocol in ["rl", "raymond --medium routed", "raymond --medium links"] {
            let moves = flags.contains("--mobility") || flags.contains("toggle");
            if !(moves && protocol.ends_with("links")) {
                place.fine(&format!("sim {protocol} --campaign --runs 12 {flags}"));
            }
        }
        place.fine(&format!("sim --campaign --runs 12 {flags}"));
    }
    let done = broken(&place, &format!("{PUBLISHED} --nodes 5 --connectivity 60"));
    assert!(done.after("replay:  ").contains("--nodes 5 --connectivity 60"), "{}", done.out);
}

#[test]
fn json_has_the_counterexample() {
    let place = Place::new();
    let held = place.fine("sim --campaign --runs 48 --json").json();
    assert_eq!((held["finished"].as_u64(), held["counterexample"].is_null()), (Some(48), true));
    assert_eq!(held["subjects"]["rl over links"]["runs"].as_u64(), Some(3));
    let done = place.run(&format!("{PUBLISHED} --json"));
    assert_eq!((done.code, done.err.lines().count()), (Some(1), 1), "{done:?}");
    let found = &done.json()["counterexample"];
    assert!(found["shrunk"]["steps"].as_u64() < found["steps"].as_u64(), "{found}");
    assert!(!place.read(found["journal"].as_str().unwrap()).is_empty());
}

/// What a calm cut short calls starvation is none, and no schedule shows it.
#[test]
fn what_does_not_shrink_is_kept_whole() {
    let place = Place::new();
    let done = broken(&place, "sim rl --campaign --runs 5 --calm-limit 0.001 --load 5");
    assert!(done.out.contains("so it is kept whole"), "{}", done.out);
    broken(&place, done.after("         driftlock "));
}

#[test]
fn what_a_campaign_does_not_go_with_is_refused() {
    let place = Place::new();
    place.write("run.toml", "protocol = 'rl'\n");
    place.write("file", "");
    for (line, parts) in [
        ("sim rl --campaign --reps 3", &["--campaign", "--reps", "does not go with"][..]),
        ("sim --campaign --scenario run.toml", &["--campaign", "--scenario"]),
        ("sim rl --journal a.dlj --campaign", &["--campaign", "--journal"]),
        ("sim rl --runs 5", &["--campaign"]),
        ("sim rl --campaign --runs 0", &["--runs", "from 1 to 1000000"]),
        ("sim rl --campaign --seed 18446744073709551615", &["--seed", "200"]),
        ("sim rll --campaign", &["did you mean `rl`?"]),
        ("sim rl --campaign --medium routed", &["--medium", "cannot run routed"]),
        ("sim rl --campaign --variant publshed", &["--variant", "`published`?"]),
        ("sim rl --campaign --requesters 77", &["--requesters", "no node 77"]),
        ("sim rl --campaign --seeds-dir file", &["--seeds-dir", "file"]),
    ] {
        place.refused(line, parts);
    }
}
