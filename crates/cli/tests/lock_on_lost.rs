//! `driftlock lock --on-lost`: a command that is stopped in its own way.

use std::process::{Command, Stdio};

use driftlock_client::wire::Reason;

use crate::node_place::{NodePlace, Running};
use crate::place::Done;

/// Says who it is, and stops when it is asked to, but not by SIGTERM.
const STUBBORN: &str = "trap 'echo stopped; exit 3' USR1; trap 'echo terminated' TERM; \
                        sleep 1000 & echo $$; while :; do wait; done";

const TELL: &str = "echo $DRIFTLOCK_NAME $DRIFTLOCK_KIND $DRIFTLOCK_FENCE $DRIFTLOCK_GRANT \
                    $DRIFTLOCK_LOST $DRIFTLOCK_PID > told; kill -USR1 $DRIFTLOCK_PID";

/// Run a script until it is ready, and have it lose its lock. Returns its first line, too.
fn lose(node: &NodePlace, flags: &[&str], script: &str, reason: Reason) -> (String, u64, Done) {
    let (running, line) = node.start(flags, script);
    let [grant] = node.fake.held()[..] else { panic!("one is held") };
    match reason {
        Reason::Disconnected => node.fake.hang_up(),
        reason => node.fake.lose_by(grant, reason),
    }
    (line, grant, running.done())
}

#[test]
fn it_is_told_what_is_lost_and_why_and_whom_it_is_about() {
    let node = NodePlace::new();
    let all = [
        (Reason::Demoted, "demoted"),
        (Reason::Lease, "lease"),
        (Reason::Leaving, "leaving"),
        (Reason::Other, "other"),
        (Reason::Disconnected, "disconnected"),
    ];
    for (fence, (reason, name)) in (1..).zip(all) {
        let (pid, grant, done) = lose(&node, &["--on-lost", TELL], STUBBORN, reason);
        assert_eq!((done.code, done.out.as_str()), (Some(3), "stopped\n"), "{}", done.err);
        let told = String::from_utf8(node.place.read("told")).unwrap();
        assert_eq!(told, format!("a exclusive {fence} {grant} {name} {pid}\n"));
        assert!(node.fake.held().is_empty());
    }
}

#[test]
fn it_runs_at_the_end_of_a_lease() {
    let node = NodePlace::new();
    let line = "echo $DRIFTLOCK_LOST; kill -KILL $DRIFTLOCK_PID";
    let done = node.script(&["--lease", "0.2", "--on-lost", line], "exec sleep 1000");
    assert_eq!((done.code, done.out.as_str()), (Some(137), "lease\n"), "{}", done.err);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
}

#[test]
fn that_it_has_failed_is_told_and_the_command_is_killed_when_the_grace_is_over() {
    let node = NodePlace::new();
    let flags = ["--grace", "0.3", "--on-lost", "exit 4"];
    let (_, _, done) = lose(&node, &flags, STUBBORN, Reason::Demoted);
    assert_eq!((done.code, done.out.as_str()), (Some(137), ""), "no signal came before");
    for part in ["--on-lost has failed: exit status: 4", "it has not stopped in time"] {
        assert!(done.err.contains(part), "no `{part}` in {}", done.err);
    }
    assert!(node.fake.held().is_empty());
}

/// What comes after the end of the command still is its business, and the lock waits for it.
#[test]
fn it_may_finish_after_the_command() {
    let node = NodePlace::new();
    let line = "kill -USR1 $DRIFTLOCK_PID; while kill -0 $DRIFTLOCK_PID; do :; done 2> told; \
                echo after > told";
    let (_, _, done) = lose(&node, &["--on-lost", line], STUBBORN, Reason::Lease);
    assert_eq!((done.code, done.out.as_str()), (Some(3), "stopped\n"), "{}", done.err);
    assert_eq!(node.place.read("told"), b"after\n");
}

#[test]
fn if_it_does_not_end_it_is_killed_as_well() {
    let node = NodePlace::new();
    let flags = ["--grace", "0.3", "--on-lost", "kill -USR1 $DRIFTLOCK_PID; exec sleep 1000"];
    // Ends when nobody has its output open any more.
    let (_, _, done) = lose(&node, &flags, STUBBORN, Reason::Demoted);
    assert_eq!((done.code, done.out.as_str()), (Some(3), "stopped\n"), "{}", done.err);
    assert!(done.err.ends_with("--on-lost has not stopped in time, and is killed\n"));
    assert!(node.fake.held().is_empty());
}

#[test]
fn a_command_that_ends_by_itself_has_lost_nothing() {
    let node = NodePlace::new();
    let done = node.script(&["--on-lost", "echo lost"], "exit 6");
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(6), "", ""));
}

/// The program may have been replaced while it runs, and is needed to run something else.
#[test]
fn if_it_cannot_be_started_the_command_is_terminated_as_usual() {
    let node = NodePlace::new();
    let program = node.place.path("driftlock");
    // Copied by another process, so that nothing that is forked here has it open for writing.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_driftlock")).arg(&program).status();
    assert!(copied.unwrap().success());
    let mut command = Command::new(&program);
    command.args(["lock", "a", "--on-lost", "echo ran", "--", "sh", "-c"]);
    command.arg("trap 'exit 5' TERM; sleep 1000 & echo ready; wait");
    command.env("DRIFTLOCK_SOCKET", node.fake.path());
    let mut running = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    assert_eq!(running.line(), "ready");
    std::fs::remove_file(program).unwrap();
    let [grant] = node.fake.held()[..] else { panic!("one is held") };
    node.fake.lose_by(grant, Reason::Lease);
    let done = running.done();
    assert_eq!((done.code, done.out.as_str()), (Some(5), ""), "{}", done.err);
    assert!(done.err.contains("error: --on-lost cannot be run: "), "{}", done.err);
}
