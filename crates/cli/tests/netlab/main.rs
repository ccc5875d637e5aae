//! Real nodes in network namespaces, whose neighbors change. Where the kernel or a tool is missing,
//! these tests say so and check nothing.

// In a test a panic is an answer; and this is about the wall clock.
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

mod bell;
mod book;
mod faults;
mod fleet;
mod lab;
mod late;
mod load;
mod looks;
mod map;
mod planted;
mod shell;
mod trial;

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use driftlock_fuzz::skipped;

use crate::book::Name;
use crate::fleet::Fleet;
use crate::lab::Lab;
use crate::late::Lateness;
use crate::map::Map;
use crate::trial::outcome::Outcome;

/// How long after a move all links have to be right.
const RIGHT: Duration = Duration::from_millis(750);

/// One lab at a time: they measure time.
static ALONE: Mutex<()> = Mutex::new(());

/// A lab; or a message that there is none.
fn lab(nodes: u32) -> Option<Lab> {
    let skip = |why| skipped(&format!("there is no namespaces lab here: {why}"));
    Lab::open(nodes).map_err(skip).ok()
}

#[test]
fn ten_nodes_move_and_contend() {
    let _alone = ALONE.lock();
    let Some(lab) = lab(10) else { return };
    let mut fleet = Fleet::start(lab, 10, Map::new(10, 5.0, 7), 200);
    let (look, lateness) = (fleet.map.look(), Lateness::watch());
    // What the machine adds, if others use it too: one program notices, tells another, and a third
    // one looks.
    let limit = || RIGHT + 3 * lateness.take();
    let up = fleet.become_near(&look).unwrap();
    assert!(up <= limit(), "links came up in {up:?}");
    let mut worst = Duration::ZERO;
    for k in 0..8 {
        let (look, took) = fleet.go(k % 3);
        let took = took.unwrap_or_else(|wrong| panic!("after move {k}: {wrong}"));
        assert!(took <= limit(), "move {k}: links were right after {took:?}");
        assert_eq!(fleet.looks.wrong(&look.links), None, "after move {k}");
        worst = worst.max(took);
    }
    fleet.lab.set_loss(2);
    let contention = fleet.contend(6, 0.02);
    let summary = contention.summary;
    assert!(summary.wrong.is_empty(), "{:#?}", summary.wrong);
    for name in Name::ALL {
        for node in 1..=10 {
            let entries = summary.entries.get(&(name, node)).copied().unwrap_or(0);
            assert!(entries >= 2, "{name:?}: {node} came in {entries} times");
        }
    }
    let entries: u64 = summary.entries.values().sum();
    println!(
        "links up after {up:?}, right after a move within {worst:?}; under load within {:?}; \
         {entries} entries in {:?}",
        contention.times.iter().max().unwrap(),
        contention.took,
    );
    assert_eq!(fleet.stop(), [0; 10]);
}

#[test]
fn an_interface_that_goes_away_is_warned_of_and_comes_back() {
    let _alone = ALONE.lock();
    if let Some(lab) = lab(2) {
        faults::interface_goes_away(lab);
    }
}

#[test]
fn frames_from_beyond_a_router_are_ignored() {
    let _alone = ALONE.lock();
    if let Some(lab) = lab(2) {
        faults::router_between(lab);
    }
}

#[test]
fn an_interface_that_is_down_is_warned_of_and_used_when_it_is_up() {
    let _alone = ALONE.lock();
    if let Some(lab) = lab(2) {
        faults::interface_is_down(lab);
    }
}

#[test]
fn an_interface_that_is_not_there_is_refused() {
    let _alone = ALONE.lock();
    if let Some(lab) = lab(1) {
        faults::no_interface(lab);
    }
}

/// A part of the two-command campaign: `cargo bench -p driftlock --bench faults` has more.
#[test]
fn whatever_goes_wrong_real_commands_exclude_each_other_and_are_served() {
    let _alone = ALONE.lock();
    if lab(1).is_none() {
        return;
    }
    let mut outcomes: Vec<Outcome> = Vec::new();
    trial::pool::run_all(1..=16, 4, &AtomicBool::new(false), |outcome| outcomes.push(outcome));
    let failed: String = outcomes.iter().filter(|o| !o.wrong.is_empty()).map(complaint).collect();
    assert!(failed.is_empty(), "{failed}");
    let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
    assert_eq!((outcomes.len(), sum(|o| o.overlaps + o.lost_updates)), (16, 0));
    assert_eq!(sum(|o| o.served + o.cut_short + o.killed), sum(|o| o.asks));
    let (entries, kills, stops) = (sum(|o| o.entries), sum(|o| o.kills), sum(|o| o.stops));
    assert!(300 < entries && 20 < kills && 5 < stops, "{entries}, {kills}, {stops}");
    assert!(0 < sum(|o| o.forgotten), "nobody was forgotten");
}

fn complaint(outcome: &Outcome) -> String {
    outcome.complaint() + "\n"
}
