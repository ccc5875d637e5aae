//! Leases: when the holder is told, and what does not happen because of it.

use driftlock_locks::{Key, Kind, Loss, Refusal};

use crate::network::{Network, key};

const LEASE: u64 = 5_000_000;

fn pad() -> Key {
    key("pad", Kind::Exclusive)
}

/// Let the time pass until just before, and then until a moment.
fn tick(network: &mut Network, at: u64) {
    for now in [at - 1, at] {
        assert!(network.lost.is_empty(), "told before {now}");
        network.now = now;
        (0..network.nodes.len()).for_each(|i| network.at(i, |locks, out| locks.tick(now, out)));
    }
}

#[test]
fn a_lease_counts_from_the_grant_and_frees_nothing() {
    let mut network = Network::line(2);
    let first = network.acquire(0, &pad(), 0);
    let leased = network.acquire_for(1, &pad(), LEASE);
    network.run();
    network.now += 2 * LEASE;
    let free = network.now;
    network.release(first);
    while !network.inside.contains_key(&leased) {
        network.runs_out(1);
    }
    assert!(network.now < free + LEASE, "the lease began when it was granted");
    let granted = network.now;
    let next = network.acquire(0, &pad(), 0);
    assert_eq!(network.nodes[1].wake_at(), Some(granted + LEASE));
    tick(&mut network, granted + LEASE);
    assert_eq!(network.lost, [(leased, Loss::Lease)]);
    network.now += 100 * LEASE;
    network.run();
    assert_eq!(network.lost, [(leased, Loss::Lease)], "told once");
    assert!(!network.inside.contains_key(&next), "the holder has not said that it has stopped");
    network.release(leased);
    network.run();
    assert!(network.inside.contains_key(&next));
}

#[test]
fn whoever_is_done_in_time_hears_nothing_and_leaves_nothing_behind() {
    let mut network = Network::line(1);
    for _ in 0..3 {
        let ticket = network.acquire_for(0, &pad(), LEASE);
        network.release(ticket);
        assert_eq!(network.nodes[0].wake_at(), None);
    }
    let [kept, dropped] = [0, 0].map(|node| network.acquire_for(node, &pad(), LEASE));
    network.withdraw(dropped);
    network.run();
    assert_eq!(network.lost, [(kept, Loss::Lease)]);
}

#[test]
fn a_lease_ends_while_its_holder_waits_for_another_lock() {
    let mut network = Network::line(2);
    let other = key("other", Kind::Exclusive);
    let busy = network.acquire(1, &other, 0);
    network.run();
    let leased = network.acquire_for(0, &pad(), LEASE);
    let waiting = network.acquire(0, &other, 0);
    network.run();
    assert_eq!(network.lost, [(leased, Loss::Lease)]);
    network.release(busy);
    network.run();
    assert!(network.inside.contains_key(&waiting), "waiting goes on");
}

#[test]
fn whoever_gives_up_waiting_never_had_a_lease() {
    let mut network = Network::line(1);
    let first = network.acquire(0, &pad(), 0);
    let late = network.ask(0, &pad(), 0, Some(LEASE), Some(1));
    network.run();
    assert_eq!(network.refused[&late], Refusal::Timeout);
    network.release(first);
    network.run();
    assert_eq!(network.lost, []);
}

/// Those of a group who came later have their own time.
#[test]
fn every_grant_has_its_own_lease() {
    let mut network = Network::line(1);
    let cell = key("cell", Kind::Group);
    let first = network.acquire_for(0, &cell, LEASE);
    network.now += LEASE / 2;
    let second = network.acquire_for(0, &cell, LEASE);
    let start = network.now;
    tick(&mut network, start + LEASE / 2);
    assert_eq!(network.lost, [(first, Loss::Lease)]);
    network.lost.clear();
    tick(&mut network, start + LEASE);
    assert_eq!(network.lost, [(second, Loss::Lease)]);
}

/// Whoever has been told to stop is not told for another reason as well.
#[test]
fn a_loss_is_told_once_whatever_comes_together() {
    let mut network = Network::new(2);
    let cell = key("cell", Kind::Local);
    let tickets = [0, 1].map(|node| network.acquire_for(node, &cell, LEASE));
    network.now = LEASE - 1;
    network.link(0, 1);
    network.tell((1, 0));
    assert_eq!(network.lost, [(tickets[1], Loss::Demoted)], "node 1 has moved");
    network.run();
    assert_eq!(network.lost[1..], [(tickets[0], Loss::Lease)]);
    let now = network.now;
    network.at(0, |locks, out| locks.leave(now, true, out));
    assert_eq!(network.lost.len(), 2);
}
