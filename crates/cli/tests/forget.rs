//! Nodes that never come back, or do after all: real nodes, real commands.
//!
//! Every command takes a lock of the system, too (`flock -n`): if it is taken already, two were
//! inside.

use std::process::{Child, Stdio};

use driftlock_client::Lock;
use serde_json::Value;

use crate::daemon::{Daemon, PATIENCE, free_port, until};
use crate::place::Place;

/// So many nodes that talk to those whom they are told of.
struct Nodes {
    place: Place,
    ports: Vec<u16>,
}

impl Nodes {
    fn new(n: usize) -> Nodes {
        let place = Place::new();
        place.write("key", "5a".repeat(32));
        Nodes { place, ports: (0..n).map(|_| free_port()).collect() }
    }

    fn start(&self, i: usize, peers: &[usize], options: &str) -> Daemon {
        let port = |i: usize| format!("127.0.0.1:{}", self.ports[i]);
        let mut line = format!("--log warn --id {i} --key key --listen {} {options}", port(i));
        for &j in peers {
            line += &format!(" --peer {}", port(j));
        }
        line += if i == 0 { " --found" } else { "" };
        Daemon::start(&self.place, &format!("n{i}"), &line)
    }

    /// Run a command under the lock `pad` at a node, which notes when it is inside.
    fn inside(&self, i: usize, name: &str) -> Child {
        self.inside_as(i, name, "")
    }

    /// The same, and it does not stop when it is told to.
    fn inside_for_long(&self, i: usize, name: &str) -> Child {
        self.inside_as(i, name, "trap '' TERM; ")
    }

    fn inside_as(&self, i: usize, name: &str, first: &str) -> Child {
        let line = format!(
            "{first}flock -n -E 99 guard sh -c 'echo {name} $DRIFTLOCK_FENCE >>said; sleep 60' || \
             {{ [ $? = 99 ] && echo two >>said; }}"
        );
        let words = format!("lock --socket n{i}.sock --grace 30 pad -c");
        let mut command = self.place.command(words.split_whitespace());
        command.arg(line).stderr(Stdio::null()).spawn().unwrap()
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.place.path("said")).unwrap_or_default()
    }

    fn await_said(&self, what: &str) -> u64 {
        let line = until(what, || {
            self.said().lines().find(|line| line.starts_with(what)).map(str::to_owned)
        });
        line.rsplit(' ').next().unwrap().parse().unwrap()
    }

    /// Run a command of ours. Returns its exit code, and what it said.
    fn run(&self, line: &str) -> (i32, String) {
        let output = self.place.command(line.split_whitespace()).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(said).unwrap())
    }
}

fn members(node: &Daemon) -> Vec<u32> {
    let members = node.client().members().unwrap().members;
    members.iter().map(|member| member.node).collect()
}

fn await_members(node: &Daemon, expected: &[u32]) {
    until("list of members", || (members(node) == expected).then_some(()));
}

#[test]
fn what_a_dead_node_held_is_made_anew_when_a_majority_forgets_it() {
    let nodes = Nodes::new(3);
    let n0 = nodes.start(0, &[1, 2], "");
    let n1 = nodes.start(1, &[0, 2], "");
    let n2 = nodes.start(2, &[0, 1], "");
    await_members(&n0, &[0, 1, 2]);
    let mut first = nodes.inside(2, "first");
    let fence = nodes.await_said("first");
    n2.kill();
    first.wait().unwrap();
    let mut second = nodes.inside(0, "second");
    let (code, said) = nodes.run("forget --socket n0.sock 2");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--stopped"), "{said}");
    let (code, said) = nodes.run("forget --socket n0.sock 7 --stopped");
    assert_eq!((code, said.contains("node 7 is not a member")), (2, true), "{said}");
    let (code, said) = nodes.run("forget --socket n1.sock 2 --stopped");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("node 2 is forgotten"), "{said}");
    assert!(fence < nodes.await_said("second"), "{}", nodes.said());
    assert_eq!(members(&n1), [0, 1]);
    // It comes back with what it remembers, is told, and begins anew.
    let n2 = nodes.start(2, &[0, 1], "");
    await_members(&n0, &[0, 1, 2]);
    until("word of it", || n2.log().contains("has forgotten this node").then_some(()));
    second.kill().unwrap();
    second.wait().unwrap();
    let granted = n2.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(fence < granted.fence());
    granted.release().unwrap();
    let (code, json) = nodes.run("members --socket n1.sock --json");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, json["epoch"].as_u64()), (0, Some(1)), "{json}");
    assert!(!nodes.said().contains("two"), "{}", nodes.said());
}

#[test]
fn a_node_that_is_there_is_not_forgotten() {
    let nodes = Nodes::new(3);
    let n0 = nodes.start(0, &[1], "");
    let _n1 = nodes.start(1, &[0, 2], "");
    let _n2 = nodes.start(2, &[1], "");
    await_members(&n0, &[0, 1, 2]);
    let (code, said) = nodes.run("forget --socket n0.sock 2 --stopped");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("it is heard by node 1"), "{said}");
    assert_eq!(members(&n0), [0, 1, 2]);
}

#[test]
fn without_a_majority_it_waits_and_says_for_whom() {
    let nodes = Nodes::new(3);
    let n0 = nodes.start(0, &[1, 2], "");
    let n1 = nodes.start(1, &[0, 2], "");
    let n2 = nodes.start(2, &[0, 1], "");
    await_members(&n0, &[0, 1, 2]);
    n1.kill();
    n2.kill();
    n0.await_links(0);
    let (code, said) = nodes.run("forget --socket n0.sock 2 --stopped --wait 3");
    assert_eq!(code, 75, "{said}");
    assert!(said.contains("forget 2: votes of 0 so far, of 3 members"), "{said}");
    let warning = n0.await_warning("have voted");
    assert!(warning.contains("forget 2: 1 of 3 have voted"), "{warning}");
    let _n1 = nodes.start(1, &[0, 2], "");
    await_members(&n0, &[0, 1]);
}

/// Its only neighbor is started again and does not know it any more: it is cut off, and lives.
#[test]
fn whoever_is_cut_off_has_stopped_before_others_are_let_in() {
    let nodes = Nodes::new(4);
    let n0 = nodes.start(0, &[1, 2], "");
    let _n1 = nodes.start(1, &[0, 2], "");
    let n2 = nodes.start(2, &[0, 1, 3], "");
    let n3 = nodes.start(3, &[2], "--alone 1");
    await_members(&n0, &[0, 1, 2, 3]);
    let mut first = nodes.inside_for_long(3, "first");
    let fence = nodes.await_said("first");
    n2.kill();
    let n2 = nodes.start(2, &[0, 1], "");
    let mut second = nodes.inside(0, "second");
    let (code, said) = nodes.run("forget --socket n0.sock 3");
    assert_eq!(code, 0, "{said}");
    assert!(fence < nodes.await_said("second"), "{}", nodes.said());
    // The lock was lost, and not only the connection; and its grace was longer than there is time.
    assert_eq!(first.wait().unwrap().code(), Some(128 + 9));
    let warning = n3.await_warning("not sure to be a member");
    assert!(warning.contains("uses no tokens"), "{warning}");
    // And they meet again.
    n2.kill();
    let _n2 = nodes.start(2, &[0, 1, 3], "");
    await_members(&n0, &[0, 1, 2, 3]);
    second.kill().unwrap();
    second.wait().unwrap();
    let granted = n3.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(fence < granted.fence());
    assert!(!nodes.said().contains("two"), "{}", nodes.said());
}

#[test]
fn a_silent_node_is_forgotten_by_a_detector_if_that_is_wanted() {
    let nodes = Nodes::new(3);
    let n0 = nodes.start(0, &[1, 2], "--alone 1 --forget-after 2");
    let _n1 = nodes.start(1, &[0, 2], "--alone 1");
    let n2 = nodes.start(2, &[0, 1], "--alone 1");
    await_members(&n0, &[0, 1, 2]);
    let mut first = nodes.inside(2, "first");
    let fence = nodes.await_said("first");
    n2.kill();
    first.wait().unwrap();
    let granted = n0.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(fence < granted.fence());
    assert_eq!(members(&n0), [0, 1]);
}

#[test]
fn whoever_leaves_for_good_is_off_the_list() {
    let nodes = Nodes::new(3);
    let n0 = nodes.start(0, &[1, 2], "");
    let n1 = nodes.start(1, &[0, 2], "");
    let _n2 = nodes.start(2, &[0, 1], "");
    await_members(&n1, &[0, 1, 2]);
    let held = n0.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    held.release().unwrap();
    let (code, said) = nodes.run("leave --socket n0.sock");
    assert_eq!(code, 0, "{said}");
    await_members(&n1, &[1, 2]);
    let granted = n1.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    granted.release().unwrap();
}
