//! Commands under leases at two real nodes: nobody is let in before the other is dead.

use std::process::{Command, Stdio};
use std::time::Duration;

use driftlock_client::wire::Reason;
use driftlock_client::{AcquireError, Client, Lock};
use driftlock_fuzz::skipped;
use nix::sys::signal::Signal;

use crate::daemon::{Daemon, PATIENCE, until};
use crate::node::{linked, place};
use crate::node_place::Running;
use crate::place::Place;

/// `driftlock lock` at a node, ignoring SIGTERM from its first moment on, as does the command.
fn stubborn(place: &Place, node: &Daemon, line: &str) -> Running {
    let driftlock = env!("CARGO_BIN_EXE_driftlock");
    let line = format!("trap '' TERM; exec '{driftlock}' lock {line}");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(place.path("")).stdin(Stdio::null());
    command.env("DRIFTLOCK_SOCKET", node.socket()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Running::start(&mut command)
}

#[test]
fn a_command_that_does_not_stop_is_dead_before_another_node_has_the_lock() {
    const ROUNDS: usize = 3;
    let place = place();
    let nodes = linked(&place);
    let work = "while :; do echo $DRIFTLOCK_FENCE >> log; sleep 0.002; done";
    let line = format!("pad --lease 0.6 --grace 0.2 -c '{work}'");
    std::thread::scope(|scope| {
        for node in &nodes {
            let (place, line) = (&place, &line);
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let done = stubborn(place, node, line).done();
                    assert_eq!(done.code, Some(137), "{}", done.err);
                    for part in ["its lease of 0.6 s ends in 0.2 s", "not stopped in time"] {
                        assert!(done.err.contains(part), "no `{part}` in {}", done.err);
                    }
                }
            });
        }
    });
    let log = String::from_utf8(place.read("log")).unwrap();
    let fences: Vec<u64> = log.lines().map(|line| line.parse().unwrap()).collect();
    assert!(fences.is_sorted(), "two were inside at a time: {fences:?}");
    assert!(fences.first() < fences.last(), "several were inside: {fences:?}");
}

/// Whoever cannot stop its command keeps the lock, however long that takes.
#[test]
fn while_it_is_stopped_itself_the_lock_stays_held() {
    let place = place();
    let [one, two] = linked(&place);
    let mut running =
        stubborn(&place, &one, "pad --lease 2 --grace 1 -c 'echo ready; exec sleep 1000'");
    assert_eq!(running.line(), "ready");
    running.signal(Signal::SIGSTOP);
    let looking = one.client();
    until("end of the lease", || {
        let now_ms = looking.status().unwrap().uptime_ms;
        (looking.locks().unwrap()[0].holders[0].until_ms? < now_ms).then_some(())
    });
    let soon = Lock::exclusive("pad").wait(Duration::from_millis(500));
    let busy = two.client().acquire(soon);
    assert!(matches!(busy, Err(AcquireError::Timeout(_))), "{busy:?}");
    assert_eq!(looking.locks().unwrap()[0].held, 1);
    running.signal(Signal::SIGCONT);
    let done = running.done();
    assert_eq!(done.code, Some(137), "{}", done.err);
    two.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap().release().unwrap();
}

#[test]
fn a_lease_dies_with_its_holder() {
    let place = place();
    let [one, two] = linked(&place);
    let mut running = stubborn(&place, &one, "pad --lease 3600 -c 'echo ready; exec sleep 1000'");
    assert_eq!(running.line(), "ready");
    let fence = one.client().locks().unwrap()[0].fence;
    running.signal(Signal::SIGKILL);
    // Ends when nobody has its output open, and that would be the sleeper.
    assert_eq!(running.done().code, None);
    let next = two.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(fence < next.fence());
    assert_eq!(one.client().locks().unwrap()[0].holders, []);
}

/// A lock that is waited for under another one is not waited for any more.
#[test]
fn a_lease_ends_while_the_command_waits_for_another_lock() {
    let place = place();
    let [one, two] = linked(&place);
    let busy = two.client().acquire(Lock::exclusive("inner").wait(PATIENCE)).unwrap();
    let mut words = vec!["lock", "outer", "--lease", "1", "--", env!("CARGO_BIN_EXE_driftlock")];
    words.extend(["lock", "inner", "--", "echo", "ran"]);
    let mut command = place.command(words);
    command.env("DRIFTLOCK_SOCKET", one.socket()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let done = Running::start(&mut command).done();
    assert_eq!((done.code, done.out.as_str()), (Some(143), ""), "{}", done.err);
    assert!(done.err.contains("outer is lost: its lease of 1 s ends in 0.5 s"), "{}", done.err);
    let client = one.client();
    until("end of waiting", || {
        let locks = client.locks().unwrap();
        locks.iter().all(|lock| lock.held + lock.waiters == 0).then_some(())
    });
    busy.release().unwrap();
    client.acquire(Lock::exclusive("outer").wait(PATIENCE)).unwrap().release().unwrap();
}

#[test]
fn every_client_is_told_of_the_end_of_its_lease() {
    let place = place();
    let [one, _two] = linked(&place);
    let leased =
        || Lock::exclusive("pad").lease(Duration::from_millis(60)).grace(Duration::from_millis(20));
    let guard = one.client().acquire(leased()).unwrap();
    let lost = guard.wait_lost(PATIENCE).unwrap();
    assert_eq!((lost.grant, lost.reason), (guard.grant(), Reason::Lease));
    assert_eq!(lost.message, "its lease of 0.06 s ends in 0.02 s");
    guard.release().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = Client::connect(one.socket()).await.unwrap();
        let guard = client.acquire(leased()).await.unwrap();
        assert_eq!(guard.lost().await.reason, Reason::Lease);
        let busy = client.acquire(Lock::exclusive("pad").try_now()).await;
        assert!(matches!(busy, Err(AcquireError::Busy(_))), "{busy:?}");
        guard.release().await.unwrap();
        let over = client.acquire(leased().grace(Duration::from_secs(1))).await.unwrap_err();
        assert!(matches!(&over, AcquireError::BadRequest(why) if why.contains("`grace_ms`")));
    });
}

#[test]
fn the_python_client_is_told_of_the_end_of_its_lease() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("there is no python3 here");
    }
    let place = place();
    let [one, _two] = linked(&place);
    let done = Command::new("python3")
        .args(["-B", "-m", "unittest", "-v", "test_driftlock.Leases"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/python"))
        .env("DRIFTLOCK_TEST_SOCKET", one.socket())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("... ok") && !said.contains("skipped"), "{said}");
}

/// Nobody can ask a node that has died which fence its program had.
#[test]
fn after_a_neighbor_that_died_inside_the_fences_of_a_local_lock_are_greater() {
    let place = place();
    let [one, two] = linked(&place);
    let client = one.client();
    let crossing = || Lock::local("crossing").wait(PATIENCE);
    let first = two.client().acquire(crossing()).unwrap();
    let known = first.fence();
    first.release().unwrap();
    // It has the fork, and needs nobody for these.
    for _ in 0..50 {
        client.acquire(crossing()).unwrap().release().unwrap();
    }
    let held = client.acquire(crossing()).unwrap();
    assert!(known + 50 < held.fence());
    one.kill();
    let after = two.client().acquire(crossing()).unwrap();
    assert!(held.fence() < after.fence(), "{} and then {}", held.fence(), after.fence());
}
