//! Nodes are killed while programs have locks, and started again with what they remember.
//!
//! Every command takes a lock of the system, too (`flock -n`): if it is taken already, two were
//! inside.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use driftlock_client::Lock;

use crate::daemon::{Daemon, PATIENCE, free_port, until};
use crate::place::Place;

/// Says when it begins, with its fence, and holds on for a moment.
const COMMAND: &str = "flock -n -E 99 guard sh -c 'echo $DRIFTLOCK_FENCE >>fences; sleep 0.02' || \
                       echo $? >>failed";

/// So many nodes in a line, with a state that lasts.
struct Line {
    place: Place,
    ports: Vec<u16>,
}

impl Line {
    fn new(n: usize) -> Line {
        let place = Place::new();
        place.write("key", "5a".repeat(32));
        Line { place, ports: (0..n).map(|_| free_port()).collect() }
    }

    fn start(&self, i: usize) -> Daemon {
        let port = |i: usize| format!("127.0.0.1:{}", self.ports[i]);
        // What is logged is written to a file, too.
        let mut line = format!("--log off --id {i} --key key --listen {}", port(i));
        for j in [i.checked_sub(1), Some(i + 1)].into_iter().flatten() {
            if j < self.ports.len() {
                line += &format!(" --peer {}", port(j));
            }
        }
        line += if i == 0 { " --found" } else { "" };
        Daemon::start(&self.place, &format!("n{i}"), &line)
    }

    /// Run commands under the lock at a node, again and again. Says how many have run.
    fn work(&self, i: usize, stop: &AtomicBool) -> usize {
        let mut ran = 0;
        while !stop.load(Ordering::Relaxed) {
            let words = format!("lock --socket n{i}.sock --grace 1 pad -c");
            let mut command = self.place.command(words.split_whitespace());
            command.arg(COMMAND).stderr(Stdio::null());
            ran += usize::from(command.status().unwrap().success());
        }
        ran
    }
}

#[test]
fn nodes_that_are_killed_let_nobody_in_beside_another() {
    let line = Line::new(3);
    let stop = AtomicBool::new(false);
    let mut nodes: Vec<Option<Daemon>> = (0..3).map(|i| Some(line.start(i))).collect();
    let ran: usize = thread::scope(|scope| {
        let workers = [0, 1, 2, 2].map(|i| {
            scope.spawn({
                let (line, stop) = (&line, &stop);
                move || line.work(i, stop)
            })
        });
        for round in 0..9 {
            let i = [0, 2, 1, 1, 0, 2, 0, 1, 2][round];
            nodes[i].take().unwrap().kill();
            nodes[i] = Some(line.start(i));
            // Everybody is served again.
            for node in nodes.iter().flatten() {
                let granted = node.client().acquire(Lock::exclusive("pad").wait(PATIENCE));
                granted.unwrap().release().unwrap();
            }
        }
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(10 < ran, "{ran} commands ran");
    assert!(!line.place.path("failed").exists(), "two were inside");
    let fences = String::from_utf8(line.place.read("fences")).unwrap();
    let fences: Vec<u64> = fences.lines().map(|line| line.parse().unwrap()).collect();
    assert!(fences.is_sorted_by(|one, next| one < next), "{fences:?}");
    for node in nodes.iter().flatten() {
        assert!(node.client().status().unwrap().lost.is_empty());
    }
}

/// Its node is killed, and started again while it is still inside.
#[test]
fn a_program_that_outlives_its_node_keeps_its_lock() {
    let line = Line::new(2);
    let node = line.start(0);
    let program =
        "echo in >>said; trap 'echo told >>said; sleep 1.5; exit 0' TERM; sleep 60 & wait";
    let words = "lock --socket n0.sock --grace 20 pad -c";
    let mut command = line.place.command(words.split_whitespace());
    let mut running = command.arg(program).stderr(Stdio::null()).spawn().unwrap();
    let said = || std::fs::read_to_string(line.place.path("said")).unwrap_or_default();
    until("program inside", || said().contains("in").then_some(()));
    node.kill();
    let node = line.start(0);
    until("program that is told", || said().contains("told").then_some(()));
    let warning = node.await_warning("still runs");
    assert!(warning.contains("held a lock when the node ended"), "{warning}");
    let client = node.client();
    assert!(client.acquire(Lock::exclusive("pad").try_now()).is_err(), "it is inside");
    let guard = client.acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(running.try_wait().unwrap().is_some(), "it has ended");
    assert!(1 < guard.fence(), "the fence has grown: {}", guard.fence());
    assert_eq!(node.client().status().unwrap().warnings, Vec::<String>::new());
}

#[test]
fn a_state_that_cannot_be_used_is_refused() {
    let line = Line::new(2);
    line.start(0).kill();
    let state = line.place.path("n0.state").join("driftlock/driftlock-0/state");
    let whole = std::fs::read(&state).unwrap();
    let refused = |id: u32| {
        let folder = state.parent().unwrap().display();
        let place = &line.place;
        let done = place.run(&format!("node --id {id} --key key --loopback --state {folder}"));
        assert_eq!(done.code, Some(2), "{}", done.err);
        done.err
    };
    assert!(refused(7).contains("is the state of node 0 of network driftlock"));
    std::fs::write(&state, &whole[..whole.len() - 1]).unwrap();
    let said = refused(0);
    assert!(said.contains("is damaged") && said.contains("docs/guarantees.md"), "{said}");
    std::fs::write(&state, &whole).unwrap();
    let node = line.start(0);
    let said = refused(0);
    assert!(said.contains("in use by another node"), "{said}");
    drop(node);
}

/// A disk that is full: nothing is lost, and the node goes on when there is room again.
#[test]
fn a_node_that_cannot_write_stands_still() {
    let line = Line::new(2);
    let nodes = [line.start(0), line.start(1)];
    nodes.iter().for_each(|node| node.await_links(1));
    // More than fits in a file from here on: what has to be written down next cannot be.
    let limit = |bytes: &str| {
        let (pid, limit) = (nodes[0].pid().to_string(), format!("--fsize={bytes}"));
        let done = std::process::Command::new("prlimit").args(["--pid", &pid, &limit]).status();
        assert!(done.unwrap().success());
    };
    limit("1:unlimited");
    let far = nodes[1].client();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| far.acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap());
        let warning = nodes[0].await_warning("the state cannot be written");
        assert!(warning.contains("stands still until it can"), "{warning}");
        let refused = nodes[0].client().acquire(Lock::exclusive("other")).unwrap_err();
        assert!(refused.to_string().contains("cannot write its state"), "{refused}");
        limit("unlimited:unlimited");
        waiting.join().unwrap().release().unwrap();
    });
    nodes[0].client().acquire(Lock::exclusive("other").wait(PATIENCE)).unwrap().release().unwrap();
}
