//! How fast the simulator is, as ratios to a bare event loop measured in the same run.
//!
//! The bare loop is a binary heap of (time, sequence, node) whose handler does nothing but draw a
//! time and schedule the next event of its node: what a simulator built on a heap cannot exceed.
//! Ours runs RL with all monitors and statistics on, storm and calm included.

// A benchmark measures time and prints.
#![allow(clippy::disallowed_types, clippy::print_stdout, clippy::unwrap_used)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::dice::{Dice, Stream};
use driftlock_sim::{Agenda, Measure, Network, Requests, Scenario, Shape, World};

/// A case: a network, and how many entries are measured.
struct Case {
    name: &'static str,
    network: Network,
    entries: u64,
}

fn main() {
    let network = |shape, nodes, links| Network { shape, nodes, links, ..Network::default() };
    let cases = [
        Case {
            name: "30 nodes, random, 20 %",
            network: network(Shape::Random, 30, None),
            entries: 1_000_000,
        },
        Case {
            name: "10,000 nodes, grid",
            network: network(Shape::Grid, 10_000, None),
            entries: 100_000,
        },
        Case {
            name: "1,000,000 nodes, grid",
            network: network(Shape::Grid, 1_000_000, None),
            entries: 100_000,
        },
        Case {
            name: "1,000,000 nodes, random, 3 links each",
            network: network(Shape::Random, 1_000_000, Some(3_000_000)),
            entries: 100_000,
        },
    ];
    println!("million events or steps per second; the median of three runs, taken in turns");
    println!(
        "{:<40}{:>10}{:>10}{:>10}{:>12}{:>12}",
        "", "bare heap", "our wheel", "RL", "RL / heap", "bytes/node"
    );
    for case in cases {
        report(&case);
    }
}

fn report(case: &Case) {
    let nodes = case.network.nodes as u64;
    let mut rounds: Vec<[f64; 3]> =
        (0..3).map(|_| [bare_heap(nodes), bare_wheel(nodes), rl(case)]).collect();
    let mut median = |k: usize| {
        rounds.sort_by(|a, b| a[k].total_cmp(&b[k]));
        rounds[1][k]
    };
    let [heap, wheel, rl] = [0, 1, 2].map(&mut median);
    let ratio = rl / heap;
    let bytes = bytes_per_node(case);
    println!("{:<40}{heap:>10.1}{wheel:>10.1}{rl:>10.1}{ratio:>12.2}{bytes:>12}", case.name);
}

fn scenario(case: &Case) -> Scenario {
    Scenario {
        network: case.network.clone(),
        requests: Requests { rate: 1.0, ..Requests::default() },
        measure: Some(Measure { warmup: 0, entries: Some(case.entries), until: None }),
        ..Scenario::default()
    }
}

/// Million steps a second of RL, monitored and measured.
fn rl(case: &Case) -> f64 {
    let scenario = scenario(case);
    let world = World::<Rl>::new(&scenario, &Config::default()).unwrap();
    let start = Instant::now();
    let run = world.run();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(run.violation, None);
    run.steps as f64 / seconds / 1e6
}

/// The most memory a run needs, divided by its nodes.
fn bytes_per_node(case: &Case) -> u64 {
    let scenario = Scenario {
        measure: Some(Measure { warmup: 0, entries: Some(1), until: None }),
        ..scenario(case)
    };
    let held = measure(|| {
        let world = World::<Rl>::new(&scenario, &Config::default()).unwrap();
        assert_eq!(world.run().violation, None);
    });
    held.bytes_max / case.network.nodes as u64
}

const EVENTS: u64 = 3_000_000;

/// Delays like those of RL's messages and think times: about 1000 ticks.
fn delays(nodes: u64) -> impl FnMut() -> u64 {
    let mut die = Dice::new(nodes).sequence(Stream::Delay);
    let drawn: Vec<u64> = (0..65_536).map(|_| 1 + die.below(2000)).collect();
    let mut k = 0;
    move || {
        k = (k + 1) % drawn.len();
        drawn[k]
    }
}

fn bare_heap(nodes: u64) -> f64 {
    let mut delay = delays(nodes);
    let mut heap: BinaryHeap<Reverse<(u64, u64, u32)>> =
        (0..nodes).map(|node| Reverse((delay(), node, node as u32))).collect();
    let start = Instant::now();
    for sequence in nodes..nodes + EVENTS {
        let Reverse((now, _, node)) = heap.pop().unwrap();
        heap.push(Reverse((now + delay(), sequence, node)));
    }
    let seconds = start.elapsed().as_secs_f64();
    black_box(heap);
    EVENTS as f64 / seconds / 1e6
}

fn bare_wheel(nodes: u64) -> f64 {
    let mut delay = delays(nodes);
    let mut agenda = Agenda::new();
    (0..nodes).for_each(|node| agenda.schedule(delay(), node as u32));
    let start = Instant::now();
    for _ in 0..EVENTS {
        let (now, node) = agenda.pop().unwrap();
        agenda.schedule(now + delay(), node);
    }
    let seconds = start.elapsed().as_secs_f64();
    black_box(agenda);
    EVENTS as f64 / seconds / 1e6
}
