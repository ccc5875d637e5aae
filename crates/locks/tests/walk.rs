//! What happens step by step on a few nodes.

use driftlock_core::{NodeId, ResourceId};
use driftlock_locks::{Kind, Limits, LockState, Locks, Loss, Output, Refusal, Request, Ticket};

use crate::network::{Network, key, make};

#[test]
fn a_name_is_created_by_its_first_use_everywhere() {
    let mut network = Network::line(4);
    let pad = key("pad-3", Kind::Exclusive);
    assert!(network.nodes.iter().all(Locks::is_empty));
    let ticket = network.acquire(3, &pad, 0);
    network.run();
    assert_eq!(network.inside[&ticket].fence, 1);
    assert!(network.nodes.iter().all(|node| node.len() == 1));
}

#[test]
fn whoever_waits_is_served_in_turn_with_growing_fences() {
    let mut network = Network::line(5);
    let pad = key("pad-3", Kind::Exclusive);
    for round in 0..3 {
        for node in 0..5 {
            network.acquire(node, &pad, 0);
        }
        network.run_out();
        assert_eq!(network.grants, 5 * (round + 1));
    }
}

#[test]
fn an_idle_lock_costs_no_messages_when_links_change() {
    let mut network = Network::line(4);
    for number in 0..100 {
        network.acquire(number % 4, &key(&format!("pad-{number}"), Kind::Exclusive), 0);
    }
    network.run_out();
    let before = network.sent;
    network.cut(1, 2);
    network.run();
    network.link(0, 3);
    network.run();
    assert_eq!(network.sent, before, "nobody waits for anything");
    network.acquire(1, &key("pad-2", Kind::Exclusive), 0);
    network.run_out();
    assert_eq!(network.grants, 101, "the way round is found when it is needed");
}

#[test]
fn permits_are_so_many_and_groups_are_together() {
    let mut network = Network::line(4);
    let channel = key("channel", Kind::Permits(2));
    for node in 0..4 {
        network.acquire(node, &channel, 0);
    }
    network.run();
    assert_eq!(network.inside.len(), 2);
    network.run_out();
    let cell = key("cell", Kind::Group);
    let tickets = [(0, 7), (1, 7), (2, 8), (3, 7), (0, 7)]
        .map(|(node, group)| network.acquire(node, &cell, group));
    network.run();
    let inside = tickets.iter().filter(|ticket| network.inside.contains_key(ticket)).count();
    assert!((1..=4).contains(&inside));
    network.run_out();
    assert_eq!(network.grants, 4 + 5);
}

#[test]
fn two_clients_of_one_node_and_group_are_inside_together() {
    let mut network = Network::line(1);
    let cell = key("cell", Kind::Group);
    let other = network.acquire(0, &cell, 8);
    let pair = [network.acquire(0, &cell, 7), network.acquire(0, &cell, 7)];
    network.release(other);
    assert!(pair.iter().all(|ticket| network.inside.contains_key(ticket)));
}

#[test]
fn whoever_wants_the_group_that_is_inside_joins_it_while_the_first_is_there() {
    let mut network = Network::line(2);
    let cell = key("cell", Kind::Group);
    let first = network.acquire(0, &cell, 7);
    let joined = network.acquire(0, &cell, 7);
    assert!(network.inside.contains_key(&joined), "the same group, at once");
    let other = network.acquire(1, &cell, 8);
    network.run();
    network.release(first);
    let late = network.acquire(0, &cell, 7);
    network.run();
    assert!(!network.inside.contains_key(&late), "others wait");
    network.release(joined);
    network.run();
    assert!(network.inside.contains_key(&other), "their turn comes first");
    network.release(other);
    network.run();
    assert!(network.inside.contains_key(&late));
}

#[test]
fn a_local_lock_is_for_those_who_are_not_neighbors() {
    let mut network = Network::line(3);
    let cell = key("cell", Kind::Local);
    let (left, right) = (network.acquire(0, &cell, 0), network.acquire(2, &cell, 0));
    network.run();
    assert!(network.inside.contains_key(&left) && network.inside.contains_key(&right));
    let middle = network.acquire(1, &cell, 0);
    network.run();
    assert!(!network.inside.contains_key(&middle));
    network.run_out();
    assert_eq!(network.grants, 3);
}

#[test]
fn whoever_moves_into_a_neighbor_of_a_local_lock_has_to_leave_first() {
    let mut network = Network::line(2);
    network.cut(0, 1);
    network.run();
    let cell = key("cell", Kind::Local);
    let tickets = [network.acquire(0, &cell, 0), network.acquire(1, &cell, 0)];
    network.run();
    assert_eq!(network.inside.len(), 2, "they are not neighbors");
    network.link(0, 1);
    network.run();
    assert_eq!(network.lost, [(tickets[1], Loss::Demoted)], "node 1 has moved");
    let again = network.acquire(0, &cell, 0);
    network.release(tickets[0]);
    network.run();
    assert!(!network.inside.contains_key(&again), "node 1 has not left yet");
    network.release(tickets[1]);
    network.run();
    assert!(network.inside.contains_key(&again));
}

#[test]
fn one_name_has_one_kind() {
    let mut network = Network::line(2);
    let ticket = network.acquire(0, &key("pad", Kind::Exclusive), 0);
    network.run();
    let other = network.acquire(1, &key("pad", Kind::Permits(2)), 0);
    assert_eq!(network.refused[&other], Refusal::Kind(Kind::Exclusive));
    assert!(network.inside.contains_key(&ticket));
}

#[test]
fn a_request_ends_by_a_deadline_or_at_once_or_by_withdrawal() {
    let mut network = Network::line(2);
    let pad = key("pad", Kind::Exclusive);
    let holder = network.acquire(0, &pad, 0);
    let now = network.now;
    let busy = network.acquire_until(0, &pad, 0, Some(now));
    assert_eq!(network.refused[&busy], Refusal::Busy);
    let late = network.acquire_until(1, &pad, 0, Some(now + 5));
    network.nodes[1].tick(now + 4, &mut Vec::new());
    assert!(network.wishes.contains_key(&late));
    network.at(1, |locks, out| locks.tick(now + 5, out));
    assert_eq!(network.refused[&late], Refusal::Timeout);
    let withdrawn = network.acquire(1, &pad, 0);
    network.run();
    network.withdraw(withdrawn);
    network.release(holder);
    network.run();
    assert_eq!(network.grants, 1, "what came too late was given back");
    let again = network.acquire(0, &pad, 0);
    network.run();
    assert!(network.inside.contains_key(&again));
}

#[test]
fn at_once_succeeds_where_the_token_is() {
    let mut network = Network::line(2);
    let pad = key("pad", Kind::Exclusive);
    let now = network.now;
    let here = network.acquire_until(0, &pad, 0, Some(now));
    assert!(network.inside.contains_key(&here), "the founder has it");
    network.release(here);
    let there = network.acquire_until(1, &pad, 0, Some(now));
    assert_eq!(network.refused[&there], Refusal::Busy);
}

#[test]
fn a_part_without_the_token_waits_and_says_so() {
    let mut network = Network::line(4);
    let pad = key("pad", Kind::Exclusive);
    network.acquire(3, &pad, 0);
    network.run_out();
    network.cut(1, 2);
    network.run();
    let ticket = network.acquire(0, &pad, 0);
    network.run();
    assert!(!network.inside.contains_key(&ticket));
    let state = network.nodes[0].views().next().unwrap().state;
    assert_eq!(state, LockState::Away);
    network.link(1, 2);
    network.run();
    assert!(network.inside.contains_key(&ticket), "they go on when they meet");
}

#[test]
fn there_are_limits_to_what_a_node_takes_on() {
    let limits = Limits { locks: 1, clients: 2 };
    let mut node = Locks::new(NodeId(0), true, make, limits);
    let mut out = Vec::new();
    let mut ask = |ticket, name| {
        let (ticket, key) = (Ticket(ticket), key(name, Kind::Exclusive));
        let resource = ResourceId(0);
        node.acquire(0, Request { ticket, key, resource, deadline: None, lease: None }, &mut out);
    };
    ask(1, "a");
    ask(2, "b");
    ask(3, "a");
    ask(4, "a");
    let too_many = |ticket| Output::Refused(Ticket(ticket), Refusal::TooMany);
    let granted = Output::Granted { ticket: Ticket(1), fence: 1, waited: 0 };
    assert_eq!(out, [granted, too_many(2), too_many(4)]);
}

#[test]
fn a_group_lock_without_its_token_does_not_fill_the_air() {
    let mut network = Network::line(4);
    let cell = key("cell", Kind::Group);
    network.acquire(3, &cell, 7);
    network.run_out();
    network.cut(1, 2);
    network.run();
    let ticket = network.acquire(0, &cell, 7);
    assert!(!network.runs_out(3000), "heights are raised for ever");
    let (before, since) = (network.sent, network.now);
    network.runs_out(3000);
    let (messages, micros) = (network.sent - before, network.now - since);
    assert!(messages as u64 * 10_000 < micros, "{messages} messages in {micros} µs");
    network.link(1, 2);
    network.run();
    assert!(network.inside.contains_key(&ticket));
}

/// Where there is no token, the processes of a group lock talk, ever more slowly. A token that
/// comes there does not wait behind that talk: it would be lost with its link.
#[test]
fn a_token_that_comes_where_there_was_talk_in_vain_is_not_lost() {
    let cell = key("cell", Kind::Group);
    for rounds in 0..40 {
        let mut network = Network::line(3);
        network.acquire(2, &cell, 0);
        network.run_out();
        network.cut(1, 2);
        let waits = network.acquire(0, &cell, 0);
        assert!(!network.runs_out(3000), "they talk for ever");
        network.link(1, 2);
        network.runs_out(rounds);
        network.cut(1, 2);
        network.runs_out(2000);
        network.link(1, 2);
        network.runs_out(5000);
        assert!(network.inside.contains_key(&waits), "after {rounds} rounds it is gone");
    }
}
