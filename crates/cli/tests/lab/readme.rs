//! What the README shows is what there is. Its `sh` commands are run by CI; the rest is run here.

use std::path::Path;

use crate::place::Place;

fn read(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).unwrap()
}

/// The contents of the first block of this language.
fn block(language: &str) -> String {
    let readme = read("README.md");
    let start = format!("\n```{language}\n");
    let (_, rest) = readme.split_once(&start).expect("there is such a block");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

#[test]
fn the_table_is_the_one_that_was_regenerated() {
    assert!(read("README.md").contains(read("docs/results/table1.md").trim_end()));
}

#[test]
fn the_scenario_runs() {
    let place = Place::new();
    place.write("run.toml", block("toml"));
    let done = place.fine("sim --scenario run.toml --reps 1");
    assert!(done.out.contains("all promises held"), "{}", done.out);
}

/// The script of that scenario asks once.
#[test]
fn fewer_entries_than_asked_for_are_said() {
    let place = Place::new();
    place.write("run.toml", block("toml"));
    let out = |entries| {
        let line = format!("sim --scenario run.toml --warmup 0 --entries {entries} --reps 1");
        place.fine(&line).out
    };
    assert!(out(5).contains("1 of 1 repetitions measured fewer than 5 entries"));
    assert!(!out(1).contains("fewer than"));
}

#[test]
fn the_checks_are_lines_of_the_list_that_was_run() {
    let (readme, list) = (read("README.md"), read("docs/results/suite.txt"));
    let header = list.lines().find(|line| line.starts_with("protocol")).expect("a header");
    let (_, shown) = readme.split_once(&format!("```text\n{header}\n")).expect("it is shown");
    let (shown, _) = shown.split_once("```").expect("the block ends");
    assert!(10 < shown.lines().count());
    for line in shown.lines() {
        assert!(list.lines().any(|other| other == line), "{line}");
    }
}

/// Every line of an example is a line of the output; `...` stands for those left out.
#[test]
fn the_violations_are_those_that_are_found() {
    let pages = [read("README.md"), read("docs/verification.md")];
    let examples: Vec<&str> =
        pages.iter().flat_map(|page| page.split("\n```console\n").skip(1)).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (example, _) = example.split_once("```").expect("the block ends");
        let (command, shown) = example.split_once('\n').expect("a command and its output");
        let line = command.strip_prefix("$ driftlock ").expect("a command of ours");
        let done = Place::new().run(line);
        assert_eq!(done.code, Some(1), "{line}");
        for line in shown.lines().filter(|line| line.trim() != "...") {
            assert!(done.out.lines().any(|other| other == line), "{line}");
        }
    }
}

#[test]
fn the_protocols_are_those_there_are() {
    let readme = read("README.md");
    for entry in Place::new().fine("protocols --json").json().as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        assert!(readme.contains(&format!("| `{name}` |")), "{name}");
    }
}
