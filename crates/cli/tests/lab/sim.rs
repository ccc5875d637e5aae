//! `driftlock sim`, when all is well.

use std::process::Stdio;

use crate::place::Place;

/// A run that takes no time worth mentioning.
const SMALL: &str = "sim rl --nodes 8 --connectivity 40 --warmup 20 --entries 200";

#[test]
fn a_simulation_says_what_it_measured_and_that_all_promises_held() {
    let done = Place::new().fine(SMALL);
    assert!(done.out.starts_with("seed 1 to 6  driftlock "), "{}", done.out);
    for part in ["6 repetitions, 1200 entries measured", "waiting time, mean", "Jain's index"] {
        assert!(done.out.contains(part), "{}", done.out);
    }
    assert!(done.out.lines().last().unwrap().starts_with("all promises held in "));
}

#[test]
fn a_simulation_leaves_no_file_unless_asked() {
    let place = Place::new();
    place.fine(SMALL);
    assert!(place.names().is_empty());
    place.fine(&format!("{SMALL} --journal run.dlj"));
    assert_eq!(place.names(), ["run.dlj"]);
}

#[test]
fn the_printed_line_runs_the_same_again() {
    let place = Place::new();
    for line in [
        SMALL,
        "sim rl --network geometric --nodes 12 --range 0.7 --until 50 --requesters 0,3,5-9",
        "sim rl --network grid --nodes 9 --delay exponential:1 --mobility 0.2 --cold 40 --reps 3",
        "sim rr --nodes 9 --connectivity 50 --mobility 0.1 --link-changes toggle --cold 40",
        "sim rl --requesters none --until 7 --reps 1 --seed 18446744073709551615",
    ] {
        let first = place.fine(line);
        let printed = first.after("replay: driftlock ");
        assert_eq!(place.fine(printed).out, first.out, "{printed}");
    }
}

#[test]
fn json_has_the_scenario_every_repetition_and_the_summary() {
    let json = Place::new().fine(&format!("{SMALL} --json --seed 7 --reps 3")).json();
    assert_eq!(json["scenario"]["network"]["nodes"], 8);
    let repetitions = json["repetitions"].as_array().unwrap();
    let seeds: Vec<u64> = repetitions.iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [7, 8, 9]);
    assert!(repetitions.iter().all(|run| run["metrics"]["entries"] == 200));
    assert!(json["summary"]["waiting_mean"]["mean"].as_f64().unwrap() > 1.0);
    assert!(json["counterexample"].is_null());
}

#[test]
fn where_nobody_entered_there_are_no_averages_per_entry() {
    let place = Place::new();
    let done = place.fine("sim rl --until 0.001 --reps 2");
    assert!(done.out.contains("2 repetitions, 0 entries measured"), "{}", done.out);
    assert!(!done.out.contains("waiting time"), "{}", done.out);
    let json = place.fine("sim rl --until 0.001 --reps 2 --json").json();
    assert!(json["summary"]["waiting_mean"].is_null());
    assert_eq!(json["summary"]["throughput"]["mean"], 0.0);
}

#[test]
fn the_smallest_networks_run() {
    let place = Place::new();
    place.fine("sim rl --nodes 1 --cold 10");
    place.fine("sim raymond --nodes 1 --cold 10");
    place.fine("sim rl --nodes 2 --links 1 --cold 10");
    place.fine("sim rl --nodes 3 --network line --cold 10 --link-changes literal");
    place.fine("sim rl --nodes 1 --network ring --cold 10");
}

#[test]
fn many_threads_are_no_trouble() {
    Place::new().fine("sim rl --nodes 3 --network line --cold 1 --reps 300 --threads 1024");
}

/// `driftlock sim | head -1`: the reader is gone, and the exit code is still that of the run.
#[test]
fn a_closed_standard_output_changes_nothing() {
    let place = Place::new();
    let violated = "sim rl --calm-limit 0.001 --cold 20 --nodes 5 --connectivity 60";
    for (line, code) in
        [(SMALL, 0), (violated, 1), ("check rl", 0), ("--help", 0), ("protocols", 0)]
    {
        let mut command = place.command(line.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {err}");
        assert_eq!(err, "", "{line}");
    }
    assert_eq!(place.names(), ["violation-rl-seed1.dlj"]);
}

#[test]
fn without_notifications_nobody_is_notified() {
    let place = Place::new();
    let line = "sim lme2 --network ring --nodes 9 --cold 100 --reps 1 --json";
    let notified = |variant: &str| {
        let told = place.fine(&format!("{line} --variant {variant}")).json();
        told["repetitions"][0]["metrics"]["messages_by_kind"]["Notify"].as_f64().unwrap()
    };
    assert!(notified("repaired") > 0.0);
    assert_eq!(notified("quiet"), 0.0);
}

/// Time-outs that are much too short: a node is written off though it is inside, and another gets
/// in. Whoever is patient writes nobody off, and never lets two in.
#[test]
fn who_was_deposed_is_told_and_the_patient_depose_nobody() {
    let place = Place::new();
    let line = "sim cluster --nodes 5 --network clique --timeout 1.4 --delay uniform:0.1..20 \
                --critical-section 50 --load 0.5 --cold 100 --reps 1 --seed 1";
    let last = |line: &str| place.fine(line).out.lines().last().unwrap().to_owned();
    let told = last(line);
    assert!(told.contains(", but 8 entries were deposed: another got in meanwhile"), "{told}");
    let told = last(&format!("{line} --variant patient"));
    assert!(told.starts_with("all promises held in ") && told.ends_with(" steps"), "{told}");
    let stops = "sim cluster --variant patient --crash 1@5 --cold 10";
    place.refused(stops, &["--crash", "waits for every node", "`repaired` does not"]);
    place.fine("sim cluster --variant patient --campaign --runs 20");
}

/// One of three is left, and nobody owes it anything: that all promises held says little then.
#[test]
fn where_too_few_nodes_are_left_to_owe_anything_that_is_told() {
    let place = Place::new();
    let line = "sim cluster --nodes 3 --network line --crash 0@5:inside,1@6 --cold 50 --reps 1";
    let told = "in 1 of 1 repetitions no part of the network had more than half of all nodes left";
    let out = place.fine(line).out;
    assert!(out.contains(told), "{out}");
    let json = place.fine(&format!("{line} --json")).json();
    assert_eq!(json["summary"]["without_majority"], 1);
    assert_eq!(json["repetitions"][0]["metrics"]["majority_left"], false);
    let most = line.replace(",1@6", "");
    let json = place.fine(&format!("{most} --json")).json();
    assert_eq!(json["repetitions"][0]["metrics"]["majority_left"], true);
    assert!(!place.fine(&most).out.contains("more than half of all nodes left"));
}
