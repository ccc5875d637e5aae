//! Help, lists and completions of the lab.

use crate::help::check_help;
use crate::place::Place;

#[test]
fn help_shows_the_lab() {
    let place = Place::new();
    let commands = ["sim", "compare", "check", "reproduce", "replay", "join", "world", "protocols"];
    check_help(&place, &["sweep", "merge", "plot", "report"]);
    check_help(&place, &commands);
    let help = place.fine("world inspect --help").out;
    assert!(help.contains("Usage: driftlock world inspect [OPTIONS] <FILE>"), "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

/// What help shows can be typed.
#[test]
fn the_examples_of_the_help_run() {
    let place = Place::new();
    let help = place.fine("--help").out;
    let examples = [("protocols", 0), ("check rl", 0), ("sim rl --variant", 1), ("replay", 1)];
    for (start, code) in examples {
        let line = example(&help, start);
        assert_eq!(place.run(line).code, Some(code), "{line}");
    }
    let help = place.fine("sim --help").out;
    for start in ["sim rl --nodes", "sim raymond", "sim rl --journal"] {
        place.fine(&format!("{} --reps 1", example(&help, start)));
    }
    let help = place.fine("compare --help").out;
    for start in ["compare rl rr", "compare --connected-by"] {
        place.fine(&format!("{} --reps 2", example(&help, start)));
    }
    let help = place.fine("check --help").out;
    for (start, code) in [("check rl --variant", 1), ("check raymond", 0)] {
        let line = example(&help, start);
        assert_eq!(place.run(line).code, Some(code), "{line}");
    }
}

#[test]
fn the_scenario_file_of_the_help_runs() {
    let place = Place::new();
    let help = place.fine("sim --help").out;
    let (_, file) = help.split_once("A scenario file.").unwrap();
    let lines = file.lines().skip(1).take_while(|line| line.starts_with("  "));
    place.write("run.toml", lines.collect::<Vec<_>>().join("\n"));
    place.fine(example(&help, "sim --scenario run.toml"));
}

/// The words after `driftlock` of the example that starts so. Two spaces end a command.
fn example<'h>(help: &'h str, start: &str) -> &'h str {
    let mut lines = help.lines().filter_map(|line| line.strip_prefix("  driftlock "));
    let line = lines.find(|line| line.starts_with(start)).unwrap();
    line.split("  ").next().unwrap()
}

#[test]
fn protocols_are_listed_for_people_and_for_machines() {
    let place = Place::new();
    let list = place.fine("protocols").out;
    let json = place.fine("protocols --json").json();
    let names: Vec<&str> =
        json.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    let global =
        ["rl", "rlp", "krl", "krlf", "krla", "raymond", "raymond-k", "gme", "cluster", "ring"];
    assert_eq!(
        names,
        [&global[..], &["lme1a", "lme1b", "lme2", "choy-singh", "chandy-misra"]].concat()
    );
    assert!(names.iter().all(|name| list.contains(name)), "{list}");
    assert_eq!(json[0]["variants"][0], "repaired");
    for entry in json.as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        for variant in entry["variants"].as_array().unwrap() {
            let variant = variant.as_str().unwrap();
            let done = place.run(&format!("sim {name} --variant {variant} --cold 10 --reps 1"));
            // A published text may break a promise at once.
            let is_fine = done.code == Some(0) || (variant == "published" && done.code == Some(1));
            assert!(is_fine, "{name} {variant}: {done:?}");
        }
    }
}

#[test]
fn completions_know_the_lab() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.fine(&format!("completions {shell}")).out;
        for word in ["check", "compare", "reproduce", "replay", "sweep", "facet", "world"] {
            assert!(script.contains(word), "no `{word}` for {shell}");
        }
    }
}
