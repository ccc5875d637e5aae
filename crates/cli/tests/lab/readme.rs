//! What the README and the pages for newcomers show is what there is. The README's `sh` commands
//! are run by CI; the rest is run here.

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
    let pages = ["README.md", "docs/verification.md", "docs/checker.md"].map(read);
    let examples: Vec<&str> =
        pages.iter().flat_map(|page| page.split("\n```console\n").skip(1)).collect();
    assert_eq!(examples.len(), 4);
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

/// Commands that are shown without what they print run, and find nothing wrong, but for the variant
/// that is known to fail.
#[test]
fn the_commands_for_newcomers_run() {
    let place = Place::new();
    let mut n_commands = 0;
    for page in ["docs/first-steps.md", "docs/checker.md"].map(read) {
        let blocks =
            page.split("\n```text\n").skip(1).map(|block| block.split_once("```").unwrap());
        let lines = blocks.flat_map(|(block, _)| block.lines());
        // The suite is run by CI, which compares its table.
        let lines = lines.filter(|line| !line.ends_with("--suite"));
        for line in lines.filter_map(|line| line.strip_prefix("$ driftlock ")) {
            let done = place.run(line);
            let fails = line.contains("--variant published");
            assert_eq!(done.code, Some(i32::from(fails)), "{line}: {done:?}");
            assert!(!fails || done.out.contains("VIOLATED in 2 actions"), "{line}: {done:?}");
            n_commands += 1;
        }
    }
    assert_eq!(n_commands, 8);
    assert!(place.path("compared/runs.csv").exists() && place.path("compared/results.md").exists());
    let first_steps = read("docs/first-steps.md");
    let (_, scenario) = first_steps.split_once("\n```toml\n").unwrap();
    place.write("run.toml", scenario.split_once("```").unwrap().0);
    let done = place.fine("sim --scenario run.toml --reps 1");
    assert!(done.out.contains("all promises held"), "{}", done.out);
}

#[test]
fn the_protocols_are_those_there_are() {
    let readme = read("README.md");
    for entry in Place::new().fine("protocols --json").json().as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        assert!(readme.contains(&format!("| `{name}` |")), "{name}");
    }
}
