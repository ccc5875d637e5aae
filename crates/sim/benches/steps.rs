//! How fast the simulator is, as ratios to a bare event loop measured in the same run.
//!
//! The bare loop is a binary heap of (time, sequence, node) whose handler does nothing but draw a
//! time and schedule the next event of its node: what a simulator built on a heap cannot exceed.
//! Ours runs RL with all monitors and statistics on, storm and calm included; the other protocols
//! run on the smallest network, with two tokens or two resources where they share.
//!
//! Local protocols are compared with themselves: a million nodes with a thousand.

// A benchmark measures time and prints.
#![allow(clippy::disallowed_types, clippy::print_stdout, clippy::unwrap_used)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme1::{self, Coloring, Lme1};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::raymond_k::{self, RaymondK};
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::dice::{Dice, Stream};
use driftlock_sim::{
    Agenda, ConnectedBy, LinkChanges, Measure, Medium, Motion, Network, Requests, Scenario, Shape,
    Simulated, World,
};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

/// A case: a network, and how many entries are measured.
struct Case {
    name: &'static str,
    network: Network,
    entries: u64,
}

fn main() {
    if std::env::args().any(|word| word == "local") {
        return local();
    }
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
    for case in &cases {
        report(case);
    }
    // Some send sixty messages for an entry.
    let [Case { name, ref network, .. }, ..] = cases;
    protocols(&Case { name, network: network.clone(), entries: 100_000 });
    local();
}

/// Local protocols on random geometric networks with 8 neighbors to a node, everyone hungry again
/// and again: what a step costs among a million nodes, as a ratio to what it costs among a
/// thousand, standing still and moving.
fn local() {
    println!(
        "\n{:<40}{:>10}{:>10}{:>10}{:>12}{:>12}",
        "degree 8", "1,000", "1,000,000", "cost", "entries/s", "bytes/node"
    );
    let two = lme2::Config::default();
    compare("lme2", &|nodes| crowd::<Lme2>(nodes, None, &two));
    compare("lme2, moving", &|nodes| crowd::<Lme2>(nodes, Some(Motion::default()), &two));
    let coloring = Coloring::Linial { n: 0, degree: 0 };
    let one = lme1::Config { coloring, ..lme1::Config::default() };
    compare("lme1b", &|nodes| crowd::<Lme1>(nodes, None, &one));
    compare("lme1b, moving", &|nodes| crowd::<Lme1>(nodes, Some(Motion::default()), &one));
}

fn compare(name: &str, run: &dyn Fn(usize) -> Crowd) {
    let (few, many) = (run(1_000), run(1_000_000));
    println!(
        "{name:<40}{:>10.2}{:>10.2}{:>10.2}{:>12.0}{:>12}",
        few.steps,
        many.steps,
        few.steps / many.steps,
        many.entries,
        many.bytes
    );
}

/// How long everyone asks, in units of time; then who waits is served. A network of any size is at
/// the same things then, so that steps cost the same but for its size.
const UNTIL: f64 = 8.0;

/// Small networks are run again and again, until there were so many steps.
const STEPS: u64 = 20_000_000;

/// What came of a run of many nodes: million steps and entries per second, bytes per node.
struct Crowd {
    steps: f64,
    entries: f64,
    bytes: u64,
}

/// So many nodes with 8 neighbors each, for a while.
fn crowd<P: Simulated>(nodes: usize, motion: Option<Motion>, config: &P::Config) -> Crowd {
    let (shape, degree) = (Shape::Geometric, Some(8.0));
    let connected_by = ConnectedBy::Partitions;
    let mut scenario = Scenario {
        network: Network { shape, nodes, degree, ..Network::default() },
        link_changes: LinkChanges { connected_by, ..LinkChanges::default() },
        motion,
        requests: Requests { rate: 1.0, ..Requests::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(UNTIL) }),
        ..Scenario::default()
    };
    let (mut seconds, mut steps, mut entries, mut bytes) = (0.0, 0, 0, 0);
    while steps < STEPS {
        scenario.seed += 1;
        let held = measure(|| {
            let world = World::<P>::under(&scenario, config, Rules::local(u32::MAX)).unwrap();
            let start = Instant::now();
            let run = world.run();
            seconds += start.elapsed().as_secs_f64();
            assert_eq!(run.violation, None);
            (steps, entries) = (steps + run.steps, entries + run.metrics.entries);
        });
        bytes = held.bytes_max / nodes as u64;
    }
    Crowd { steps: steps as f64 / seconds / 1e6, entries: entries as f64 / seconds, bytes }
}

/// All protocols on one network, each in turns with the bare heap.
fn protocols(case: &Case) {
    println!("\n{:<40}{:>10}{:>10}{:>12}", case.name, "bare heap", "steps", "steps/heap");
    let k = |tokens, forwarding| krl::Config::new(Variant::Repaired, tokens, forwarding);
    let rules = |exclusion, silent| Rules { exclusion, silent, ..Rules::default() };
    let at_most = |tokens| rules(Exclusion::AtMost(tokens), true);
    let (links, routed) = (Medium::Links, Medium::Routed);
    let compare = |name: &str, medium: Medium, run: &dyn Fn(&Scenario) -> f64| {
        let resources = (name == "gme m=2").then_some(2);
        let scenario = Scenario { medium: Some(medium), resources, ..scenario(case) };
        let mut rounds: Vec<(f64, f64)> =
            (0..3).map(|_| (bare_heap(case.network.nodes as u64), run(&scenario))).collect();
        rounds.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        let (heap, steps) = rounds[1];
        println!("{name:<40}{heap:>10.1}{steps:>10.1}{:>12.2}", steps / heap);
    };
    compare("rl", links, &|of| speed::<Rl>(of, &Config::default(), at_most(1)));
    compare("rlp", links, &|of| speed::<Krl>(of, &k(1, Forwarding::Never), at_most(1)));
    compare("krl k=2", links, &|of| speed::<Krl>(of, &k(2, Forwarding::Never), at_most(2)));
    let loud = rules(Exclusion::AtMost(2), false);
    compare("krlf k=2", links, &|of| speed::<Krl>(of, &k(2, Forwarding::Always), loud));
    compare("krla k=2", links, &|of| speed::<Krl>(of, &k(2, Forwarding::Adaptive), at_most(2)));
    compare("raymond", routed, &|of| speed::<Raymond>(of, &(), at_most(1)));
    let two = raymond_k::Config { tokens: 2 };
    compare("raymond-k k=2", routed, &|of| speed::<RaymondK>(of, &two, at_most(2)));
    let group = rules(Exclusion::SameGroup, true);
    compare("gme m=2", links, &|of| speed::<Gme>(of, &gme::Config::default(), group));
}

/// Million steps a second of a protocol, monitored and measured.
fn speed<P: Simulated>(scenario: &Scenario, config: &P::Config, rules: Rules) -> f64 {
    let world = World::<P>::under(scenario, config, rules).unwrap();
    let start = Instant::now();
    let run = world.run();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(run.violation, None);
    run.steps as f64 / seconds / 1e6
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

fn rl(case: &Case) -> f64 {
    speed::<Rl>(&scenario(case), &Config::default(), Rules::default())
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
