//! States per second and bytes per state, against stateright's breadth-first checker on the same
//! network, one after the other on one core.
//!
//! Each measurement is a process of its own, so that the peak of its memory is its own.
#![allow(clippy::disallowed_types, reason = "a benchmark is about the wall clock")]
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]
#![allow(missing_docs, reason = "a benchmark is no library")]

#[path = "../../crates/check/tests/plain.rs"]
mod plain;

use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;

use driftlock_check::{Limits, Setup, check};
use driftlock_core::{Graph, NodeId, Protocol, Status};
use driftlock_protocols::rl::{Config, Rl};
use plain::{Happens, Plain};
use stateright::{Checker, Model, Property};

/// Its name, its nodes and links, the requests of each node, and the link changes.
type Network = (&'static str, usize, &'static [(u32, u32)], u8, u8);

const NETWORKS: [Network; 3] = [
    ("triangle, 2 link changes", 3, &[(0, 1), (0, 2), (1, 2)], 1, 2),
    ("ring of 4, 1 link change", 4, &[(0, 1), (1, 2), (2, 3), (0, 3)], 1, 1),
    ("ring of 4 and a diagonal, 1", 4, &[(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], 1, 1),
];

/// The same network as stateright sees it.
struct Peer {
    initial: Plain<Rl>,
}

impl Model for Peer {
    type State = Plain<Rl>;
    type Action = Happens;

    fn init_states(&self) -> Vec<Self::State> {
        vec![self.initial.clone()]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        actions.extend(state.possible());
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        Some(state.after(action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("mutual exclusion", |_, state: &Plain<Rl>| {
            let inside =
                state.processes.iter().filter(|process| process.status() == Status::Critical);
            inside.count() <= 1
        })]
    }
}

fn graph(n: usize, links: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::new(n);
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    graph
}

/// More than ten million states: the same as the first, with three requests each.
const LARGE: Network = ("triangle, 3 requests each", 3, &[(0, 1), (0, 2), (1, 2)], 3, 2);

/// What ten million states may take.
const MEMORY: u64 = 4 << 30;

/// Explore a network; returns the number of states.
fn explore(engine: &str, which: usize) -> u64 {
    let network = NETWORKS.get(which).unwrap_or(&LARGE);
    let &(_, n, links, requests, link_changes) = network;
    let graph = graph(n, links);
    if engine == "stateright" {
        let initial = Plain::new(&graph, &Config::default(), requests, link_changes);
        let checker = Peer { initial }.checker().threads(1).spawn_bfs().join();
        checker.assert_properties();
        return checker.unique_state_count() as u64;
    }
    let spread = Some(12);
    let setup = Setup { requests: vec![requests; n], link_changes, spread, ..Setup::new(graph) };
    let watch = &mut |_: &_| ControlFlow::Continue(());
    let report = check::<Rl>(&setup, &Config::default(), &Limits::default(), watch).unwrap();
    assert!(report.held());
    report.explored.states
}

/// The peak of this process's memory, in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Run one measurement in a process of its own: states, seconds, bytes.
fn measured(engine: &str, which: usize) -> (u64, f64, u64) {
    let own = std::env::current_exe().unwrap();
    let output = Command::new(own).args(["measure", engine, &which.to_string()]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<&str> = text.split_whitespace().collect();
    (numbers[0].parse().unwrap(), numbers[1].parse().unwrap(), numbers[2].parse().unwrap())
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, measure, engine, which] = &args[..]
        && measure == "measure"
    {
        let before = peak().unwrap_or(0);
        let start = Instant::now();
        let states = explore(engine, which.parse().unwrap());
        let seconds = start.elapsed().as_secs_f64();
        println!("{states} {seconds} {}", peak().unwrap_or(0) - before);
        return;
    }
    println!("network                        states    states/s of ours/stateright   bytes/state");
    for (which, (name, ..)) in NETWORKS.iter().enumerate() {
        let (ours, theirs) = (measured("driftlock", which), measured("stateright", which));
        assert_eq!(ours.0, theirs.0, "both explore the same states");
        println!(
            "{name:28} {:>8}    {:>9.0} / {:>7.0} = {:>5.1}    {:>5} / {:>5} = {:.2}",
            ours.0,
            ours.0 as f64 / ours.1,
            theirs.0 as f64 / theirs.1,
            theirs.1 / ours.1,
            ours.2 / ours.0,
            theirs.2 / theirs.0,
            ours.2 as f64 / theirs.2 as f64,
        );
    }
    let (states, seconds, bytes) = measured("driftlock", NETWORKS.len());
    println!(
        "{:28} {states:>8}    {:>9.0}    {:>5} bytes/state, {} MiB in all",
        LARGE.0,
        states as f64 / seconds,
        bytes / states,
        bytes >> 20
    );
    assert!(states > 10_000_000 && bytes < MEMORY, "ten million states fit into 4 GiB");
}
