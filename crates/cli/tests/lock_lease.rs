//! `driftlock lock --lease`: what is asked for, what is said, and the exit codes.

use std::process::{Command, Stdio};

use driftlock_client::wire::Reason;

use crate::node_place::{NodePlace, Running};
use crate::place::Place;

#[test]
fn whoever_is_done_in_time_notices_nothing() {
    let node = NodePlace::new();
    let done = node.script(&["--lease", "3600"], "exit 7");
    assert_eq!((done.code, done.err.as_str()), (Some(7), ""));
    assert!(node.fake.held().is_empty());
}

#[test]
fn at_its_end_the_command_is_stopped_and_then_the_lock_is_released() {
    let node = NodePlace::new();
    let done = node.script(&["--lease", "0.2"], "exec sleep 1000");
    assert_eq!((done.code, done.out.as_str()), (Some(143), ""), "{}", done.err);
    assert_eq!(done.err, "error: a is lost: its lease ends; the command has to stop\n");
    assert!(node.fake.held().is_empty());
}

/// What a shell ignores, its commands ignore: SIGTERM does nothing from the first moment on.
#[test]
fn a_command_that_ignores_it_is_killed_at_the_end_of_the_lease() {
    let node = NodePlace::new();
    let line = "trap '' TERM; exec \"$0\" lock a --lease 0.2 --grace 0.1 -- sleep 1000";
    let mut shell = Command::new("sh");
    shell.args(["-c", line, env!("CARGO_BIN_EXE_driftlock")]);
    shell.env("DRIFTLOCK_SOCKET", node.fake.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let done = Running::start(&mut shell).done();
    assert_eq!(done.code, Some(137), "{}", done.err);
    assert!(done.err.ends_with("it has not stopped in time, and is killed\n"), "{}", done.err);
    assert!(node.fake.held().is_empty());
}

#[test]
fn the_exit_code_is_that_of_the_command_whatever_the_reason() {
    let node = NodePlace::new();
    let script = "trap 'exit 3' TERM; sleep 1000 & echo ready; wait";
    for (reason, said) in [
        (Reason::Lease, "a is lost: its lease ends; the command has to stop"),
        (Reason::Leaving, "a is lost: the node is leaving the network; the command has to stop"),
        (Reason::Demoted, "a is lost: a neighbor has this lock; the command has to stop"),
    ] {
        let (running, _) = node.start(&[], script);
        let [grant] = node.fake.held()[..] else { panic!("one is held") };
        node.fake.lose_by(grant, reason);
        let done = running.done();
        assert_eq!((done.code, done.err), (Some(3), format!("error: {said}\n")));
    }
}

#[test]
fn the_end_of_a_lease_is_shown() {
    let node = NodePlace::new();
    let (running, _) = node.start(&["--lease", "5400"], "echo ready; exec sleep 1000");
    let json = node.run(&["locks", "--json"]).json();
    let holder = &json["locks"][0]["holders"][0];
    assert_eq!(holder["until_ms"].as_u64(), holder["since_ms"].as_u64().map(|ms| ms + 5_400_000));
    let table = node.run(&["locks"]).out;
    assert!(table.contains("76 1m00s of 1h30m"), "{table}");
    running.signal(nix::sys::signal::Signal::SIGTERM);
    assert_eq!(running.done().code, Some(143));
    let (running, _) = node.start(&[], "echo ready; exec sleep 1000");
    let json = node.run(&["locks", "--json"]).json();
    assert!(json["locks"][0]["holders"][0].get("until_ms").is_none(), "{json}");
    running.signal(nix::sys::signal::Signal::SIGTERM);
    assert_eq!(running.done().code, Some(143));
}

#[test]
fn a_lease_that_cannot_be_is_told() {
    let place = Place::new();
    for (line, parts) in [
        ("lock a --lease 0 -- true", &["--lease", "more than 0 and up to 604800", "`0`"][..]),
        ("lock a --lease -1 -- true", &["--lease", "`-1`"]),
        ("lock a --lease soon -- true", &["--lease", "seconds", "`soon`"]),
        ("lock a --lease 604801 -- true", &["up to 604800", "`604801`"]),
        ("lock a --lease 3 --grace 3 -- true", &["--grace 3", "not less than --lease 3"]),
        ("lock a --lease 0.5 --grace 5 -- true", &["--grace 5", "not less than --lease 0.5"]),
        ("lock a --grace -1 -- true", &["--grace", "seconds", "-1"]),
    ] {
        place.refused(line, parts);
    }
}
