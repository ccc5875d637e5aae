//! Fifty real nodes in network namespaces: what they cost when nothing happens, how soon they know
//! their neighbors after a move, and whether their locks hold while they move.
//!
//! `cargo bench -p driftlock --bench netlab`; another number of nodes after `--`. With `load` it is
//! two hundred programs and a thousand names, for ten minutes or for another number: `load 2`.
//! Where the kernel or a tool is missing, it says so and fails.

// A benchmark measures time and prints; a panic is an answer.
#![allow(clippy::unwrap_used, clippy::disallowed_types, clippy::print_stdout)]

mod bell;
mod book;
mod cost;
mod crowd;
mod faults;
mod fleet;
mod lab;
mod load;
mod long;
mod looks;
mod map;
mod shell;

use std::time::Duration;

use crate::bell::Bell;
use crate::book::Name;
use crate::cost::Cost;
use crate::fleet::Fleet;
use crate::lab::Lab;
use crate::map::Map;

/// How many neighbors a node has, away from the borders.
const NEIGHBORS: f64 = 8.0;

/// How long nodes are watched while nothing happens.
const IDLE: Duration = Duration::from_secs(20);

fn main() {
    let number = std::env::args().find_map(|word| word.parse::<u32>().ok());
    if std::env::args().any(|word| word == "load") {
        let minutes = number.unwrap_or(10);
        return long::run(open(50, 500), 50, Duration::from_secs(60 * u64::from(minutes)));
    }
    let nodes = number.unwrap_or(50);
    faults::interface_goes_away(lab(2));
    faults::router_between(lab(2));
    faults::interface_is_down(lab(2));
    faults::no_interface(lab(1));
    idle(nodes);
    busy(nodes);
}

fn lab(nodes: u32) -> Lab {
    Lab::open(nodes).unwrap_or_else(|why| panic!("no namespaces lab here: {why}"))
}

fn open(nodes: u32, hello: u64) -> Fleet {
    Fleet::start(lab(nodes), nodes, Map::new(nodes, NEIGHBORS, 1), hello)
}

/// What nodes cost when nothing happens, with HELLOs as often as is the default.
fn idle(nodes: u32) {
    let mut fleet = open(nodes, 500);
    let look = fleet.map.look();
    let up = fleet.become_near(&look).unwrap();
    let degree = 2.0 * look.links.len() as f64 / f64::from(nodes);
    println!("{nodes} nodes, {} links, {degree:.1} neighbors each", look.links.len());
    println!("HELLOs every 500 ms: all links up after {} ms", up.as_millis());
    let before = Cost::of(&fleet.processes);
    Bell::default().wait(IDLE);
    let after = Cost::of(&fleet.processes);
    assert_eq!(fleet.looks.wrong(&look.links), None, "links changed though nothing moved");
    let percent = after.percent_since(&before, IDLE);
    println!("idle for {} s: {percent:.2} % of a core in total", IDLE.as_secs());
    for (what, kib) in after.memory() {
        println!("  {what}: {kib} KiB");
    }
    assert!(percent < 10.0, "over 10 % of a core");
    assert!(after.largest() < 4096, "over 4 MiB");
}

/// How soon nodes know their neighbors, and whether locks hold.
fn busy(nodes: u32) {
    let mut fleet = open(nodes, 200);
    let look = fleet.map.look();
    let up = fleet.become_near(&look).unwrap();
    println!("HELLOs every 200 ms: all links up after {} ms", up.as_millis());
    let mut times: Vec<Duration> = (0..30).map(|k| fleet.go(k % 4).1.unwrap()).collect();
    report("after a move links are right", &mut times);
    fleet.lab.set_loss(2);
    let mut contention = fleet.contend(20, 0.2);
    report("the same under load, with 2 % of frames lost", &mut contention.times);
    println!("contention for {:.1} s:", contention.took.as_secs_f64());
    for name in Name::ALL {
        let all = (1..=nodes).map(|node| contention.summary.entries.get(&(name, node)).copied());
        let all: Vec<u64> = all.map(Option::unwrap_or_default).collect();
        let (least, sum) = (all.iter().min().unwrap(), all.iter().sum::<u64>());
        println!("  {name:?}: {sum} entries, each node {least} at least");
    }
    println!("  overlaps and fences that have not grown: {}", contention.summary.wrong.len());
    assert!(contention.summary.wrong.is_empty(), "{:#?}", contention.summary.wrong);
    let codes = fleet.stop();
    println!("all nodes stopped: {}", codes.iter().all(|code| *code == 0));
}

fn report(what: &str, times: &mut [Duration]) {
    times.sort();
    let (half, last) = (times[times.len() / 2].as_millis(), times[times.len() - 1].as_millis());
    println!("{what}: {} moves, median {half} ms, worst {last} ms", times.len());
}
