//! `driftlock sweep` and `driftlock merge`: the same bytes whatever happens on the way.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use driftlock_fuzz::Dice;

use crate::place::Place;

/// A sweep that takes no time worth mentioning.
const SMALL: &str = "
[scenario]
network = { nodes = 10, connectivity = 40 }
link-changes = { model = 'toggle' }
measure = { warmup = 0, entries = 100 }
[grid]
protocol = ['rl', 'krl', 'chandy-misra']
'requests.rate' = [0.1, 1]
'link-changes.rate' = [0, 0.01]
[repetitions]
count = 3
seed = 5
";

/// The files of which every byte is the same.
const SAME: [&str; 3] = ["results.csv", "results.parquet", "sweep.json"];

fn all(place: &Place, folder: &str) -> Vec<Vec<u8>> {
    let files: Vec<Vec<u8>> =
        SAME.iter().map(|name| place.read(&format!("{folder}/{name}"))).collect();
    assert!(files.iter().all(|file| !file.is_empty()));
    files
}

#[test]
fn threads_and_parts_change_nothing() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let one = place.fine("sweep small.toml --threads 1");
    assert!(one.out.starts_with("seed 5  driftlock sweep small.toml  12 cells of 3 repetitions\n"));
    assert!(one.out.contains("cell 10 refused: link-changes.model: "), "{}", one.out);
    assert!(one.out.contains("replay: driftlock sim chandy-misra "), "{}", one.out);
    assert!(one.out.contains("24 runs: all promises held\n"), "{}", one.out);
    place.fine("sweep small.toml --threads 3 --out several");
    assert_eq!(all(&place, "several"), all(&place, "small"));
    for part in 1..=3 {
        let told = place.fine(&format!("sweep small.toml --shard {part}/3 --out parts"));
        assert!(told.out.contains(&format!("part {part}/3 is finished")), "{}", told.out);
    }
    assert!(!place.path("parts/results.csv").exists(), "a part writes its log alone");
    place.fine("merge small.toml parts --out merged");
    assert_eq!(all(&place, "merged"), all(&place, "small"));
    let again = place.fine("sweep small.toml --out parts");
    assert!(again.out.contains("8 of them finished before"), "{}", again.out);
    assert_eq!(all(&place, "parts"), all(&place, "small"));
    let json = place.fine("sweep small.toml --json").json();
    assert_eq!(
        (&json["cells"], &json["runs"], &json["violated"]),
        (&12.into(), &24.into(), &0.into())
    );
}

#[test]
fn what_is_missing_is_told_exactly() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.fine("sweep small.toml --shard 1/4 --out parts");
    place.fine("sweep small.toml --shard 3/4 --out parts");
    let done = place.run("merge small.toml parts --out merged");
    assert_eq!(done.code, Some(2), "{done:?}");
    let told = "4 of 12 cells are missing: 2, 4, 6, 8; of parts 2/4 (no log of it), 4/4 (no log";
    assert!(done.err.contains(told), "{}", done.err);
    assert!(!place.path("merged").exists());
    let done = place.run("merge small.toml parts --out merged --partial");
    assert_eq!(done.code, Some(0), "{done:?}");
    let rows = String::from_utf8(place.read("merged/results.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 4 * 3);
    place.refused("merge small.toml nowhere", &["nowhere", "there is no such folder"]);
}

#[test]
fn a_part_may_come_from_an_array_job() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    let mut command = place.command(["sweep", "small.toml", "--shard", "auto", "--out", "parts"]);
    let tasks = [("ID", "7"), ("MIN", "5"), ("MAX", "7"), ("STEP", "1"), ("COUNT", "3")];
    for (name, value) in tasks {
        command.env(format!("SLURM_ARRAY_TASK_{name}"), value);
    }
    assert!(command.output().unwrap().status.success());
    assert!(place.path("parts/cells-3-of-3.log").exists());
    place.refused("sweep small.toml --shard auto", &["--shard", "no task of an array job"]);
    place.refused("sweep small.toml --shard 4/3", &["--shard", "`4/3`"]);
}

/// Killed again and again, at any moment, and begun again as often.
#[test]
fn a_killed_sweep_goes_on_to_the_same_bytes() {
    let until = "until = { metric = 'waiting_mean', half-width = 0.01, least = 2, most = 5 }";
    for (seed, rule) in [(7, "count = 3"), (8, until)] {
        let place = Place::new();
        let longer = SMALL.replace("entries = 100", "entries = 10000").replace("count = 3", rule);
        place.write("long.toml", &longer);
        place.fine("sweep long.toml --out whole");
        let mut dice = Dice::new(seed);
        let mut kills = 0;
        while kills < 30 && killed(&place, &mut dice) {
            kills += 1;
        }
        assert!(kills > 0, "it was killed at least once");
        let told = place.run("sweep long.toml");
        assert_eq!(told.code, Some(0), "{told:?}");
        assert_eq!(all(&place, "long"), all(&place, "whole"), "after {kills} kills, {rule}");
    }
}

/// What a file was like when a run began is not known of a file that changes.
#[test]
fn what_a_file_was_while_it_changed_is_not_kept() {
    let place = Place::new();
    place.write("links.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n");
    // A run that is over before the file is away is made longer.
    let mut lengths = [10_000, 100_000, 1_000_000, 10_000_000].into_iter();
    let told = lengths.find_map(|entries| {
        let text = format!(
            "[scenario]\nprotocol = 'rl'\nnetwork = {{ shape = 'file', file = 'links.txt' }}\n\
             measure = {{ entries = {entries} }}\n[repetitions]\ncount = 1\n"
        );
        place.write("on.toml", text);
        let mut child = begun(&place, &["on.toml"]);
        fs::rename(place.path("links.txt"), place.path("away.txt")).unwrap();
        let told = child.stderr.take().map(|err| std::io::read_to_string(err).unwrap());
        fs::rename(place.path("away.txt"), place.path("links.txt")).unwrap();
        (child.wait().unwrap().code() == Some(2)).then_some((entries, told.unwrap()))
    });
    let (entries, told) = told.unwrap();
    assert!(told.contains("links.txt has changed while the sweep ran"), "{entries}: {told}");
    let again = place.fine("sweep on.toml");
    assert!(again.out.contains("1 cell of 1 repetition\n"), "nothing was kept: {}", again.out);
}

/// A file that is there and cannot be read may be readable the next time.
#[test]
fn what_could_not_be_read_is_told_and_tried_again() {
    let place = Place::new();
    let text = "[scenario]\nmeasure = { entries = 50 }\n[[points]]\nprotocol = 'rl'\n[[points]]\n\
                protocol = 'rl'\nnetwork = { shape = 'file', file = 'links' }\n";
    place.write("on.toml", text);
    fs::create_dir(place.path("links")).unwrap();
    for _ in 0..2 {
        let done = place.fine("sweep on.toml");
        assert!(done.out.contains("cell 2 refused: links: cannot be read: "), "{done:?}");
        assert!(done.out.contains("6 runs: all promises held"), "{done:?}");
    }
    let kept = driftlock_sweep::log::Log::look(&place.path("on/cells.log")).unwrap().cells;
    assert_eq!(kept.len(), 1);
}

/// A sweep that has said what is to be done.
fn begun(place: &Place, words: &[&str]) -> Child {
    let mut command = place.command([&["sweep"], words].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.as_mut().unwrap());
    said.read_line(&mut String::new()).unwrap();
    child
}

/// Begin a sweep, and kill it once one more cell is finished, or before. Returns whether it was
/// alive until then.
fn killed(place: &Place, dice: &mut Dice) -> bool {
    let threads = (1 + dice.below(4)).to_string();
    let mut command = place.command(["sweep", "long.toml", "--threads", &threads]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    let log = place.path("long/cells.log");
    let length = || fs::metadata(&log).map_or(0, |is| is.len());
    let (before, patience) = (length(), dice.below(300_000));
    let mut alive = true;
    for _ in 0..patience {
        alive = child.try_wait().unwrap().is_none();
        if !alive || length() > before {
            break;
        }
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    alive
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let place = Place::new();
    // It would never end by itself.
    place.write("long.toml", SMALL.replace("entries = 100", "entries = 1000000000000"));
    let child = begun(&place, &["long.toml", "--threads", "2"]);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let done = child.wait_with_output().unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{err}");
    let told = "0 of 8 cells are finished, and kept: the same command goes on\n";
    assert!(err.ends_with(told), "{err}");
}

#[test]
fn a_broken_promise_is_listed_and_stops_nobody() {
    let place = Place::new();
    let text = "
[scenario]
network = { shape = 'ring', nodes = 4 }
link-changes = { model = 'toggle', rate = 0.3 }
measure = { warmup = 0, entries = 500 }
[grid]
protocol = ['rl', 'rl:published', 'krl']
[repetitions]
count = 4
";
    place.write("ring.toml", text);
    let done = place.run("sweep ring.toml");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("cell 2 violated in "), "{}", done.out);
    assert!(done.out.contains("12 runs: a promise was broken in "), "{}", done.out);
    let replay = done.after("  replay: driftlock ");
    assert_eq!(place.run(replay).code, Some(1), "{replay}");
    place.fine("report ring");
    let page = String::from_utf8(place.read("ring/report.html")).unwrap();
    assert!(page.contains("Cell 2 violated") && page.contains(replay), "{page}");
}

#[test]
fn bad_sweeps_are_refused_with_line_and_key() {
    let place = Place::new();
    place.write("a.toml", "[scenario]\nprotocol = 'rl'\n[grid]\n'network.nods' = [1]\n");
    place.refused("sweep a.toml", &["a.toml, line 4: network.nods", "nods"]);
    place.write("b.toml", "[grid]\nprotocol = ['rll']\n");
    place.refused("sweep b.toml", &["b.toml, line 2: protocol: ", "`rll`"]);
    place.write("d.toml", "[grid]\n'requests.rate' = [1]\nprotocol = ['rl', 'krl:nonsense']\n");
    place.refused("sweep d.toml", &["d.toml, line 3: variant: ", "`nonsense`", "published"]);
    place.write("c.toml", "[grid]\nprotocol = ['rl', 'rll']\n");
    place.refused("sweep c.toml", &["c.toml, line 2: protocol", "rll"]);
    place.refused("sweep nowhere.toml", &["nowhere.toml", "cannot be read"]);
}

#[test]
fn what_is_the_same_by_another_name_is_one_cell() {
    let place = Place::new();
    let text = "[scenario]\nmeasure = { warmup = 0, entries = 50 }\n[grid]\n\
                protocol = ['raymond', 'rr', 'rl', 'rl:repaired', 'rl:published']\n";
    place.write("names.toml", text);
    let told = place.fine("sweep names.toml");
    assert!(told.out.contains("names.toml  3 cells of 6 repetitions\n"), "{}", told.out);
    let rows = String::from_utf8(place.read("names/results.csv")).unwrap();
    assert!(!rows.contains("repaired") && rows.contains("rl:published"));
}

#[test]
fn an_interval_that_stays_wide_is_told() {
    let place = Place::new();
    let rule = "until = { metric = 'waiting_mean', half-width = 1e-6, least = 2, most = 3 }";
    place.write("wide.toml", SMALL.replace("count = 3", rule));
    let told = place.fine("sweep wide.toml").out;
    assert!(told.contains("wider than asked for, after all repetitions, in 8 of 12 cells: 1-8\n"));
    assert_eq!(place.fine("sweep wide.toml --json").json()["wide"][7], 8);
    place.fine("report wide");
    let page = String::from_utf8(place.read("wide/report.html")).unwrap();
    assert!(page.contains("wider than asked for, after all repetitions, in 8 of 12 cells"));
    place.write("narrow.toml", SMALL.replace("count = 3", &rule.replace("1e-6", "9")));
    assert!(!place.fine("sweep narrow.toml").out.contains("wider"));
}

/// If nothing could be run, what was there before is not replaced by nothing.
#[test]
fn results_are_not_replaced_by_none() {
    let place = Place::new();
    let links = "0 1\n1 2\n2 0\n";
    place.write("links.txt", links);
    let text = "[scenario]\nprotocol = 'rl'\nnetwork = { shape = 'file', file = 'links.txt' }\n\
                measure = { warmup = 0, entries = 50 }\n";
    place.write("plain", text);
    place.fine("sweep ./plain");
    let before = place.read("plain-results/results.csv");
    fs::remove_file(place.path("links.txt")).unwrap();
    let done = place.run("sweep ./plain");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.out.contains("0 runs: nothing was run\nno results were written\n"), "{done:?}");
    assert_eq!(place.read("plain-results/results.csv"), before);
    place.write("other.toml", SMALL);
    place.refused("merge other.toml plain-results --partial", &["nothing of this sweep is there"]);
    place.write("links.txt", links);
    assert!(
        place.fine("sweep ./plain").out.contains("1 cell of 6 repetitions, 1 of them finished")
    );
}

/// From where the sweep was typed: also if there is a script, if files are named, and if it is one
/// part that tells.
#[test]
fn what_is_told_to_replay_can_be_typed() {
    let place = Place::new();
    let text = "
[scenario]
protocol = 'rl:published'
network = { shape = 'file', file = 'my links.txt' }
link-changes = { model = 'toggle', rate = 0.3 }
measure = { warmup = 0, entries = 500 }
script = [{ at = 1, request = 0 }]
";
    place.write("my links.txt", "0 1\n1 2\n2 3\n3 0\n");
    place.write("script.toml", text);
    for words in [vec!["script"], vec!["with space", "--shard", "1/1"]] {
        let done = place.run_words([vec!["sweep", "script.toml", "--out"], words].concat());
        assert_eq!(done.code, Some(1), "{done:?}");
        let replay = done.after("  replay: driftlock ");
        assert!(replay.contains("--edges 'my links.txt' --load 1"), "{replay}");
        let again = place.run_words(unquoted(replay));
        assert_eq!(again.code, Some(1), "{again:?}");
        let broken = done.after("cell 1 violated in 6 runs: ");
        assert!(again.out.contains(broken), "{broken}: {again:?}");
    }
    let told = String::from_utf8(place.read("script/sweep.json")).unwrap();
    assert!(told.contains("--script '[{ at = 1"), "{told}");
}

/// The words of a line in which no quote is quoted.
fn unquoted<'l>(line: &'l str) -> Vec<&'l str> {
    let parts = line.split('\'').enumerate();
    let words = |(at, part): (usize, &'l str)| -> Vec<&'l str> {
        if at % 2 == 0 { part.split_whitespace().collect() } else { vec![part] }
    };
    parts.flat_map(words).collect()
}

/// What the book shows can be typed.
#[test]
fn the_example_of_the_book_runs() {
    let place = Place::new();
    let book = include_str!("../../../../docs/lab.md");
    let (_, behind) = book.split_once("```toml\n").unwrap();
    place.write("load.toml", behind.split_once("```").unwrap().0);
    let lines: Vec<&str> =
        book.lines().filter_map(|line| line.strip_prefix("$ driftlock ")).collect();
    assert!(lines.len() >= 6, "{lines:?}");
    for line in lines {
        place.fine(line);
    }
    for name in ["waiting.svg", "waiting.png", "load/report.html", "load/results.parquet"] {
        assert!(!place.read(name).is_empty(), "{name}");
    }
}
