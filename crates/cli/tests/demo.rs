//! `driftlock demo`: real nodes, for seconds, and nothing of them afterwards.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tokio::time::Instant;

use crate::place::{Done, Place};

/// The demo, whose temporary files are all in `place`.
fn demo(place: &Place, line: &str) -> Command {
    let mut command = place.command(["demo"].into_iter().chain(line.split_whitespace()));
    command.env("TMPDIR", place.path("")).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A demo in plain lines, which has played for two seconds.
fn begun(place: &Place, line: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = demo(place, line).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let seconds = |line: &str| line.split_once(" s ")?.0.trim().parse::<f64>().ok();
    while !seconds(&line).is_some_and(|seconds| 2.0 <= seconds) {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0, "{:?}", ended(child, reader));
    }
    (child, reader)
}

fn ended(mut child: Child, mut reader: BufReader<ChildStdout>) -> Done {
    let (mut out, mut err) = (String::new(), String::new());
    reader.read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    Done { code: child.wait().unwrap().code(), out, err }
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// The nodes that have their files in `place`: process and arguments.
fn nodes(place: &Place) -> Vec<(u32, Vec<String>)> {
    let folder = place.path("").to_str().unwrap().to_owned();
    let process = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        let id = entry.file_name().to_str()?.parse().ok()?;
        // A process that has ended in the meantime is none.
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let words = line.split(|&byte| byte == 0);
        Some((id, words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()))
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(process);
    let is_meant = |node: &(u32, Vec<String>)| node.1.iter().any(|word| word.starts_with(&folder));
    all.filter(is_meant).collect()
}

fn check_nothing_is_left(place: &Place) {
    assert_eq!(nodes(place), []);
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn all_kinds_are_granted_nobody_overlaps_and_nothing_is_left() {
    let place = Place::new();
    let output = demo(&place, "--nodes 4 --for 3 --json").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let done = Done { code: output.status.code(), out, err };
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{done:?}");
    let summary = done.json();
    assert_eq!((&summary["overlaps"], &summary["fences_fallen"]), (&0.into(), &0.into()));
    assert_eq!(summary["interrupted"], false);
    let locks = summary["locks"].as_array().unwrap();
    let kinds: Vec<&str> = locks.iter().map(|lock| lock["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["exclusive", "2 permits", "group", "local"]);
    assert!(locks.iter().all(|lock| lock["grants"].as_u64().unwrap() > 0), "{summary}");
    assert!(summary["links"]["ups"].as_u64().unwrap() > 0, "{summary}");
    check_nothing_is_left(&place);
}

#[test]
fn an_interrupted_demo_has_a_summary() {
    let place = Place::new();
    let (child, reader) = begun(&place, "--nodes 5 --for 1000 --loss 0.05");
    assert_eq!(nodes(&place).len(), 5);
    signal("-INT", child.id());
    let done = ended(child, reader);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{done:?}");
    assert!(done.out.contains("5 % of all frames lost, interrupted\n"), "{}", done.out);
    assert_eq!(done.after("overlaps:"), "0");
    check_nothing_is_left(&place);
}

#[test]
fn when_a_node_dies_the_demo_says_so_and_ends() {
    let place = Place::new();
    let (child, reader) = begun(&place, "--nodes 3 --for 1000 --still");
    let nodes = nodes(&place);
    let is_last =
        |(_, words): &&(u32, Vec<String>)| words.windows(2).any(|pair| pair == ["--id", "2"]);
    signal("-KILL", nodes.iter().find(is_last).unwrap().0);
    let done = ended(child, reader);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: node 2 has ended (signal: 9"), "{}", done.err);
    check_nothing_is_left(&place);
}

/// Nobody can clean up then but the nodes, and they do so by themselves.
#[test]
fn a_demo_that_is_killed_leaves_no_process() {
    let place = Place::new();
    let (child, reader) = begun(&place, "--nodes 3 --for 1000");
    assert_eq!(nodes(&place).len(), 3);
    signal("-KILL", child.id());
    ended(child, reader);
    let until = Instant::now() + Duration::from_secs(30);
    while !nodes(&place).is_empty() {
        assert!(Instant::now() < until, "{:?}", nodes(&place));
        std::thread::yield_now();
    }
}

#[test]
fn demos_that_cannot_be_are_refused() {
    let place = Place::new();
    place.refused("demo --nodes 1", &["--nodes", "from 2 to 50"]);
    place.refused("demo --nodes 51", &["--nodes", "from 2 to 50"]);
    place.refused("demo --for 0", &["--for", "from 1 to 86400"]);
    place.refused("demo --loss 1", &["--loss", "from 0 to 0.9"]);
    place.refused("demo --loss nan", &["--loss", "from 0 to 0.9"]);
    place.refused("demo --seed -1", &["--seed", "whole number"]);
}
