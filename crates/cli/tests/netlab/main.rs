//! Real nodes in network namespaces, whose neighbors change. Where the kernel or a tool is missing,
//! these tests say so and check nothing.

// In a test a panic is an answer; and this is about the wall clock.
#![allow(clippy::unwrap_used, clippy::disallowed_types)]

mod bell;
mod book;
mod fleet;
mod lab;
mod late;
mod load;
mod looks;
mod map;
mod shell;

use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::book::Name;
use crate::fleet::{Fleet, NEVER};
use crate::lab::Lab;
use crate::late::Lateness;
use crate::looks::{Looks, connect};
use crate::map::{Links, Map};

/// How long after a move all links have to be right.
const RIGHT: Duration = Duration::from_millis(750);

/// One lab at a time: they measure time.
static ALONE: Mutex<()> = Mutex::new(());

/// A lab; or a message that there is none, past the capture of output.
fn lab(nodes: u32) -> Option<Lab> {
    let skip = |why| writeln!(std::io::stderr(), "skipped, no namespaces lab here: {why}").unwrap();
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

/// Two nodes that hear each other.
fn two() -> Option<(Lab, Looks, Links)> {
    let mut lab = lab(2)?;
    lab.set_near(&[(1, 2), (2, 1)].into());
    lab.start(1, "--interface radio --hello 100 --found");
    lab.start(2, "--interface radio --hello 100");
    let clients = [1, 2].map(|node| (node, connect(&lab.socket(node), NEVER)));
    Some((lab, Looks::new(clients.into()), Links::from([(1, 2)])))
}

#[test]
fn an_interface_that_goes_away_is_warned_of_and_comes_back() {
    let _alone = ALONE.lock();
    let Some((mut lab, looks, linked)) = two() else { return };
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    lab.remove_radio(2);
    let status = looks.until_status(2, NEVER, |status| !status.warnings.is_empty());
    assert!(status.warnings[0].starts_with("frames cannot be sent: "), "{status:?}");
    looks.until(&Links::new(), Instant::now(), NEVER).unwrap();
    lab.add_radio(2).unwrap();
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    looks.until_status(2, NEVER, |status| status.warnings.is_empty());
}

#[test]
fn frames_from_beyond_a_router_are_ignored() {
    let _alone = ALONE.lock();
    let Some((mut lab, looks, linked)) = two() else { return };
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    lab.set_far(1, true);
    looks.until(&Links::new(), Instant::now(), NEVER).unwrap();
    lab.set_far(1, false);
    looks.until(&linked, Instant::now(), NEVER).unwrap();
}

#[test]
fn an_interface_that_is_down_is_refused() {
    let _alone = ALONE.lock();
    let Some(mut lab) = lab(1) else { return };
    let node = lab.start(1, "--interface wlan7");
    assert_eq!(lab.wait(node), 2);
    assert!(lab.log(1).contains("there is no network interface `wlan7`"), "{}", lab.log(1));
}
