//! `driftlock lock`: how it ends, when that is not up to the command.

use driftlock_client::Lock;

use nix::sys::signal::Signal;

use crate::node_place::{NodePlace, Running};

/// Says what it does when it is told to stop. The shell waits, so that it hears signals at once.
fn on(signal: &str, then: &str) -> String {
    format!("trap '{then}' {signal}; sleep 1000 & echo ready; wait")
}

#[test]
fn signals_are_passed_on() {
    let node = NodePlace::new();
    for signal in [
        Signal::SIGTERM,
        Signal::SIGINT,
        Signal::SIGHUP,
        Signal::SIGQUIT,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
    ] {
        let name = signal.as_str().trim_start_matches("SIG");
        let (running, _) = node.start(&[], &on(name, "echo heard; exit 5"));
        running.signal(signal);
        let done = running.done();
        assert_eq!((done.code, done.out.as_str()), (Some(5), "heard\n"), "{signal}: {}", done.err);
        assert!(node.fake.held().is_empty());
    }
}

#[test]
fn a_command_that_dies_of_a_signal_has_its_exit_code() {
    let node = NodePlace::new();
    for (signal, code) in [(Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let (running, _) = node.start(&[], "echo ready; sleep 1000");
        running.signal(signal);
        assert_eq!(running.done().code, Some(code), "{signal}");
    }
}

/// A signal may come at any moment; there is none in which it leaves something behind.
#[test]
fn while_it_waits_a_signal_ends_it() {
    let node = NodePlace::new();
    let guard = node.client().acquire(Lock::exclusive("a")).unwrap();
    for (signal, code) in [(Signal::SIGTERM, 143), (Signal::SIGINT, 130)] {
        let words = ["lock", "a", "--", "echo", "ran"];
        let running = Running::start(&mut node.command(&words));
        node.fake.expect(1, 1);
        running.signal(signal);
        let done = running.done();
        assert_eq!((done.code, done.out.as_str()), (Some(code), ""), "{signal}: {}", done.err);
        node.fake.expect(1, 0);
    }
    drop(guard);
}

#[test]
fn what_the_command_leaves_behind_is_killed_before_the_lock_goes() {
    let node = NodePlace::new();
    // If the sleepers lived, their output would stay open for as long.
    let done = node.script(&[], "sleep 1000 & (trap '' TERM HUP; sleep 1000) & exit 6");
    assert_eq!((done.code, done.err.as_str()), (Some(6), ""));
    assert!(node.fake.held().is_empty());
}

#[test]
fn a_lost_lock_stops_the_command_and_is_released_then() {
    let node = NodePlace::new();
    let (running, _) = node.start(&[], &on("TERM", "echo stopping; read x; exit 3"));
    let [grant] = node.fake.held()[..] else { panic!("one is held") };
    node.fake.lose(grant);
    let done = running.done();
    assert_eq!((done.code, done.out.as_str()), (Some(3), "stopping\n"), "{}", done.err);
    assert!(done.err.starts_with("error: a is lost: a neighbor has this lock"), "{}", done.err);
    assert!(node.fake.held().is_empty());
}

#[test]
fn a_command_that_does_not_stop_is_killed() {
    let node = NodePlace::new();
    let script = "trap '' TERM; sleep 1000 & echo ready; while :; do wait; done";
    let (running, _) = node.start(&["--grace", "0.05"], script);
    let [grant] = node.fake.held()[..] else { panic!("one is held") };
    node.fake.lose(grant);
    let done = running.done();
    assert_eq!(done.code, Some(137), "{}", done.err);
    assert!(done.err.contains("has not stopped in time"), "{}", done.err);
    assert!(node.fake.held().is_empty());
}

/// Whatever the command says of itself: nobody knows whether the lock held to the end.
#[test]
fn without_the_node_the_command_is_stopped() {
    let node = NodePlace::new();
    for (exit, code) in [("exit 0", 69), ("exit 4", 4)] {
        let (running, _) = node.start(&[], &on("TERM", exit));
        node.fake.hang_up();
        let done = running.done();
        assert_eq!(done.code, Some(code), "{}", done.err);
        assert!(done.err.contains("a is lost: the node has hung up"), "{}", done.err);
        assert!(done.err.contains("the node went away"), "{}", done.err);
    }
}

/// SIGKILL cannot be caught, and still nothing survives: not the command, not what it started, not
/// the keeper.
#[cfg(target_os = "linux")]
#[test]
fn nothing_survives_when_it_is_killed() {
    let node = NodePlace::new();
    // The fifth field of the file is the process group.
    let script = "(trap '' TERM HUP INT; sleep 1000) & echo $(cut -d' ' -f5 /proc/self/stat); wait";
    for _ in 0..5 {
        let (running, group) = node.start(&[], script);
        // The keeper, the shell, and the one inside it.
        assert!(members(&group) >= 3, "{group}");
        running.signal(Signal::SIGKILL);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while members(&group) > 0 {}
            tell.send(()).unwrap();
        });
        told.recv_timeout(std::time::Duration::from_secs(5)).expect("the group is gone soon");
        assert_eq!(running.done().code, None);
        node.fake.expect(0, 0);
    }
}

/// How many processes a group has. Those that are dead and not buried do not count.
#[cfg(target_os = "linux")]
fn members(group: &str) -> usize {
    let is_member = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name, in parentheses, may have spaces in it.
        let Some((_, rest)) = text.rsplit_once(") ") else { return false };
        let words: Vec<&str> = rest.split(' ').collect();
        words[0] != "Z" && words[2] == group
    };
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(Result::ok)
        .map(is_member)
        .filter(|is| *is)
        .count()
}

/// Killed while it starts the command: the moment at which most could go wrong.
#[test]
fn nothing_survives_when_it_is_killed_early() {
    let node = NodePlace::new();
    for _ in 0..20 {
        let words = ["lock", "a", "--", "sleep", "1000"];
        let running = Running::start(&mut node.command(&words));
        node.fake.expect(1, 0);
        running.signal(Signal::SIGKILL);
        // Ends when nobody has its output open, and that would be the sleeper.
        assert_eq!(running.done().code, None);
        node.fake.expect(0, 0);
    }
}
