//! Ctrl-C keeps what is finished.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::place::{Done, Place};

#[test]
fn an_interrupted_simulation_reports_the_repetitions_it_finished() {
    let place = Place::new();
    let line = "sim rl --nodes 10 --connectivity 50 --cold 800 --reps 20000 --threads 2";
    let done = some_finished(|| interrupted(&place, line, || ()));
    let finished = finished(&done);
    let title = match finished {
        1 => "1 repetition, 800 entries".into(),
        several => format!("{several} repetitions, {} entries", several * 800),
    };
    assert!(done.out.contains(&title), "{finished} finished: {}", done.out);
    assert!(done.err.ends_with("of 20000 repetitions are finished\n"), "{}", done.err);
    assert!(place.names().is_empty());
}

#[test]
fn an_interrupted_campaign_reports_the_runs_it_finished() {
    let place = Place::new();
    let line = "sim rl --campaign --runs 5000 --threads 2";
    let done = some_finished(|| interrupted(&place, line, || ()));
    assert!(
        done.out.contains(&format!("rl over links: {} runs, ", finished(&done))),
        "{}",
        done.out
    );
    assert!(done.err.ends_with(" of 5000 runs are finished\n"), "{}", done.err);
    assert!(place.names().is_empty());
}

/// The journal ends with the last step, and can be replayed.
#[test]
fn an_interrupted_journal_is_whole() {
    let place = Place::new();
    let line = "sim rl --entries 1000000000000 --journal run.dlj";
    let done = interrupted(&place, line, || wait_for_a_file(&place));
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("interrupted: run.dlj"), "{}", done.err);
    assert!(!done.out.contains("all promises held"), "{}", done.out);
    assert_eq!(place.names(), ["run.dlj"]);
    place.fine("replay run.dlj");
}

#[test]
fn interrupted_json_is_json() {
    let place = Place::new();
    let line = "sim rl --entries 1000000000000 --journal run.dlj --json";
    let done = interrupted(&place, line, || wait_for_a_file(&place));
    assert_eq!(done.code, Some(2), "{done:?}");
    assert_eq!(done.json()["repetitions"].as_array().unwrap().len(), 0);
    assert!(done.json()["summary"]["waiting_mean"].is_null());
}

#[test]
fn an_interrupted_check_reports_what_it_explored() {
    let place = Place::new();
    let line = "check rl --nodes 8 --force --memory 100GB --threads 2";
    let done = interrupted(&place, line, || ());
    assert_eq!(done.code, Some(2), "{done:?}");
    let [title, explored, verdict] = done.out.lines().collect::<Vec<_>>()[..] else {
        panic!("{}", done.out);
    };
    assert!(title.contains("check rl repaired, 8 nodes"), "{title}");
    let states = explored.strip_prefix("explored ").unwrap().split(' ').next().unwrap();
    assert!(states.replace(',', "").parse::<u64>().unwrap() > 1, "{explored}");
    assert_eq!(verdict, "no promise is broken in what was explored");
    let (_, error) = done.err.split_once('\n').unwrap();
    assert_eq!(error, "error: interrupted before everything was explored\n");
    assert!(place.names().is_empty());
}

/// A journal is begun under another name.
fn wait_for_a_file(place: &Place) {
    while place.names().is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn an_interrupted_reproduction_writes_what_it_finished() {
    for (paper, names) in [
        ("rl", &["table1.csv", "table2.csv", "index.html", "figure5-cold-toggle.svg"][..]),
        ("krl", &["claims.csv", "time-by-load.csv", "results.md", "index.html", "figure6.svg"]),
        ("gme", &["findings.csv", "load.csv", "results.md", "index.html", "popular.svg"]),
    ] {
        let place = Place::new();
        let line = format!("reproduce {paper} --out all --reps 10 --threads 2");
        // A few runs as long as the longest of the first ones, so that some of those are finished.
        let others = "sim gme --resources 3 --load 0.001 --entries 10000 --reps 3 --threads 1";
        let done = some_finished(|| interrupted(&place, &line, || drop(place.fine(others))));
        let finished = finished(&done);
        let runs = String::from_utf8(place.read("all/runs.csv")).unwrap();
        assert_eq!(runs.lines().count(), 1 + finished, "{paper}");
        for name in names {
            assert!(!place.read(&format!("all/{name}")).is_empty(), "{paper}: {name}");
        }
        let page = String::from_utf8(place.read("all/index.html")).unwrap();
        assert!(page.contains("interrupted"), "{page}");
        let hidden =
            |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
        let mut entries = std::fs::read_dir(place.path("all")).unwrap();
        assert!(!entries.any(|entry| hidden(entry.unwrap())));
    }
}

#[test]
fn an_interrupted_comparison_writes_what_it_finished() {
    let place = Place::new();
    let line = "compare rl krl --nodes 10 --connectivity 50 --cold 800 --reps 1000 --threads 2";
    let done = some_finished(|| interrupted(&place, line, || ()));
    let finished = finished(&done);
    assert!(done.err.ends_with(" of 2000 runs are finished, and written\n"), "{}", done.err);
    let page = String::from_utf8(place.read("compared/results.md")).unwrap();
    assert!(page.contains(&format!("{finished} of 2000 runs")), "{page}");
    assert!(page.contains("The run was interrupted"), "{page}");
}

/// Run a line, and interrupt it once it has said what it does, if it does, and `ready` returns.
fn interrupted(place: &Place, line: &str, ready: impl Fn()) -> Done {
    let mut command = place.command(line.split_whitespace());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let (mut out, mut err) = (String::new(), String::new());
    if !line.contains("--json") {
        reader.read_line(&mut out).unwrap();
    }
    ready();
    interrupt(&child);
    reader.read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let code = child.wait().unwrap().code();
    assert!(err.starts_with("stopping; what is finished is kept"), "{err}");
    Done { code, out, err }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// An interrupt may come before the first run is finished; then there is nothing to look at yet.
fn some_finished(run: impl Fn() -> Done) -> Done {
    let mut all = std::iter::repeat_with(run).take(50);
    all.find(|done| finished(done) > 0).expect("something is finished sooner or later")
}

/// How many were finished, as the error says.
fn finished(done: &Done) -> usize {
    assert_eq!(done.code, Some(2), "{done:?}");
    let (_, rest) = done.err.split_once("error: interrupted: ").unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}
