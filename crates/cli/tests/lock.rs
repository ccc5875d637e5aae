//! `driftlock lock`: exit codes, the environment, who has the lock and when.

use driftlock_client::Lock;
use driftlock_client::wire::{Code, Refusal};

use crate::node_place::NodePlace;
use crate::place::Place;

/// A line of shell that prints itself under the lock.
const ENVIRONMENT: &str = "echo $DRIFTLOCK_NAME $DRIFTLOCK_KIND $DRIFTLOCK_FENCE $DRIFTLOCK_GRANT";

#[test]
fn the_exit_code_of_the_command_is_passed_through() {
    let node = NodePlace::new();
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill $$", 143)] {
        let done = node.script(&[], script);
        assert_eq!((done.code, done.err.as_str()), (Some(code), ""), "{script}");
        assert!(node.fake.held().is_empty(), "{script}");
    }
}

#[test]
fn the_command_finds_the_grant_in_its_environment() {
    let node = NodePlace::new();
    let first = node.script(&[], ENVIRONMENT).out;
    let second = node.script(&[], ENVIRONMENT).out;
    let words: Vec<&str> = first.split_whitespace().collect();
    assert_eq!(words[..3], ["a", "exclusive", "1"]);
    assert!(words[3].parse::<u64>().unwrap() > 0);
    assert!(second.starts_with("a exclusive 2 "), "{second}");
}

#[test]
fn a_line_of_shell_will_do() {
    let node = NodePlace::new();
    let done = node.run(&["lock", "a", "-c", "echo $DRIFTLOCK_NAME | tr a b; exit 4"]);
    assert_eq!((done.code, done.out.as_str()), (Some(4), "b\n"), "{}", done.err);
}

/// As with flock(1), dashes are optional, and what follows the command is its own.
#[test]
fn flags_of_the_command_are_its_own() {
    let node = NodePlace::new();
    let done = node.run(&["lock", "a", "-w", "5", "echo", "-n", "--permits", "--", "-w"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "--permits -- -w"), "{}", done.err);
}

#[test]
fn a_lock_that_is_not_free_has_its_own_exit_code() {
    let node = NodePlace::new();
    let guard = node.client().acquire(Lock::exclusive("a")).unwrap();
    for (flags, code) in [
        (&["-n"][..], 75),
        (&["-w", "0.02"], 75),
        (&["-w", "0"], 75),
        (&["-n", "-E", "9"], 9),
        (&["-w", "0.02", "--conflict-exit-code", "0"], 0),
    ] {
        let done = node.script(flags, "echo ran");
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(code), "", ""));
        assert_eq!((node.fake.held(), node.fake.waiting()), (vec![guard.grant()], 0));
    }
    drop(guard);
    assert_eq!(node.script(&["-w", "20"], "echo ran").out, "ran\n");
}

#[test]
fn whoever_waits_gets_its_turn() {
    let node = NodePlace::new();
    let guard = node.client().acquire(Lock::exclusive("a")).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| node.script(&[], "echo ran"));
        node.fake.expect(1, 1);
        guard.release().unwrap();
        assert_eq!(waiting.join().unwrap().out, "ran\n");
    });
}

#[test]
fn every_kind_of_lock_can_be_had() {
    let node = NodePlace::new();
    let client = node.client();
    let run = |name: &str, flags: &[&str]| {
        node.run(&[&["lock", name, "-n"], flags, &["-c", ENVIRONMENT]].concat())
    };
    let _shared = client.acquire(Lock::permits("p", 2)).unwrap();
    assert!(run("p", &["--permits", "2"]).out.starts_with("p permits "));
    let _north = client.acquire(Lock::group("g", "north")).unwrap();
    assert!(run("g", &["--group", "north"]).out.starts_with("g group "));
    assert_eq!(run("g", &["--group", "south"]).code, Some(75));
    assert!(run("l", &["--local"]).out.starts_with("l local "));
    let _corner = client.acquire(Lock::local("l")).unwrap();
    assert_eq!(run("l", &["--local"]).code, Some(75));
    let other = run("l", &[]);
    other.check_refused("another kind", &["it is a lock of another kind"]);
}

#[test]
fn a_command_that_cannot_be_run_frees_the_lock() {
    let node = NodePlace::new();
    let missing = node.run(&["lock", "a", "--", "./no-such-thing"]);
    assert_eq!(missing.code, Some(127));
    assert!(missing.err.starts_with("error: cannot run ./no-such-thing: "), "{}", missing.err);
    node.place.write("plain", "echo");
    assert_eq!(node.run(&["lock", "a", "--", "./plain"]).code, Some(126));
    assert!(node.fake.held().is_empty());
}

#[test]
fn without_a_node_it_is_said_where_there_is_none_and_what_to_do() {
    let place = Place::new();
    for line in [
        "lock a --socket none.sock -- true",
        "status --socket none.sock",
        "neighbors --socket none.sock --json",
        "locks --socket none.sock",
        "queue a --socket none.sock",
        "top --socket none.sock",
        "leave --socket none.sock",
        "moving on --socket none.sock",
    ] {
        let done = place.run(line);
        assert_eq!((done.code, done.out.as_str()), (Some(69), ""), "{line}: {}", done.err);
        assert_eq!(done.err.lines().count(), 1, "{}", done.err);
        for part in ["error: no node answers at none.sock", "`driftlock node`", "--socket"] {
            assert!(done.err.contains(part), "{line}: no `{part}` in {}", done.err);
        }
    }
}

#[test]
fn whoever_is_not_let_in_is_told_so() {
    let node = NodePlace::new();
    let message = "user 7 may not use this node".into();
    node.fake.refuse(Refusal { code: Code::Denied, message });
    let done = node.script(&[], "echo ran");
    assert_eq!((done.code, done.out.as_str()), (Some(77), ""));
    assert!(done.err.contains("user 7 may not use this node"), "{}", done.err);
    assert_eq!(node.run(&["status"]).code, Some(77));
}

#[test]
fn a_node_that_leaves_grants_nothing() {
    let node = NodePlace::new();
    node.client().leave().unwrap();
    let done = node.script(&[], "echo ran");
    assert_eq!((done.code, done.out.as_str()), (Some(69), ""));
    assert_eq!(done.err, "error: the node is leaving\n");
}

#[test]
fn what_is_typed_wrongly_is_told() {
    let place = Place::new();
    let long = "n".repeat(65);
    for (line, parts) in [
        ("lock", &["NAME"][..]),
        ("lock a", &["CMD", "is missing"]),
        ("lock a -n -w 3 -- true", &["does not go with"]),
        ("lock a -w soon -- true", &["-w", "seconds", "soon"]),
        ("lock a -w -1 -- true", &["seconds", "-1"]),
        ("lock a -E 256 -- true", &["256"]),
        ("lock a --permits 0 -- true", &["--permits", "from 1 to 1000"]),
        ("lock a --permits 2 --local -- true", &["does not go with"]),
        ("lock a -c true -- true", &["does not go with"]),
        (&format!("lock {long} -- true"), &["1 to 64 bytes", "65"]),
        ("moving sideways", &["sideways"]),
        ("queue", &["NAME"]),
        ("neighbours --jsno", &["--json"]),
    ] {
        place.refused(line, parts);
    }
}
