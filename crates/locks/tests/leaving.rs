//! Nodes that leave, the founder among them.

use driftlock_core::NodeId;
use driftlock_locks::{Kind, Limits, Locks, Loss, Refusal};

use crate::network::{Network, key};

/// Node `i` has left: its links go down.
fn go(network: &mut Network, i: usize) {
    assert!(network.nodes[i].is_clear(), "node {i} still has something");
    let links: Vec<_> = network.up.keys().copied().filter(|&(a, b)| a == i || b == i).collect();
    for (a, b) in links {
        network.cut(a, b);
    }
    network.run();
}

fn leave(network: &mut Network, i: usize, dismiss: bool) {
    let now = network.now;
    network.at(i, |locks, out| locks.leave(now, dismiss, out));
    network.run();
}

#[test]
fn whoever_leaves_hands_on_what_it_has() {
    let mut network = Network::line(3);
    let keys =
        [key("pad", Kind::Exclusive), key("channel", Kind::Permits(3)), key("cell", Kind::Group)];
    for key in &keys {
        network.acquire(2, key, 0);
    }
    network.run_out();
    leave(&mut network, 2, false);
    go(&mut network, 2);
    for key in &keys {
        network.acquire(0, key, 0);
        network.acquire(1, key, 0);
    }
    network.run_out();
    assert_eq!(network.grants, 3 + 6);
}

#[test]
fn new_names_get_tokens_after_the_founder_has_left() {
    let mut network = Network::line(3);
    let old = key("old", Kind::Exclusive);
    network.acquire(2, &old, 0);
    network.run_out();
    leave(&mut network, 0, false);
    go(&mut network, 0);
    let founders: Vec<bool> = network.nodes.iter().map(Locks::is_founder).collect();
    assert_eq!(founders, [false, true, false]);
    network.acquire(1, &key("new", Kind::Exclusive), 0);
    network.acquire(2, &key("newer", Kind::Permits(2)), 0);
    network.acquire(1, &old, 0);
    network.run_out();
    assert_eq!(network.grants, 1 + 3);
}

#[test]
fn a_name_that_the_founder_has_not_heard_of_gets_its_tokens_from_it() {
    let mut network = Network::new(3);
    network.link(1, 2);
    network.run();
    let ticket = network.acquire(2, &key("new", Kind::Exclusive), 0);
    network.run();
    assert!(!network.inside.contains_key(&ticket), "the founder is not there");
    let now = network.now;
    network.at(0, |locks, out| locks.leave(now, false, out));
    network.link(0, 1);
    network.run();
    go(&mut network, 0);
    assert!(network.inside.contains_key(&ticket));
    assert!(network.nodes[1].is_founder());
}

#[test]
fn whoever_is_inside_may_finish_or_is_told_to_stop_and_whoever_waits_is_refused() {
    let mut network = Network::line(2);
    let pad = key("pad", Kind::Exclusive);
    let inside = network.acquire(0, &pad, 0);
    let waiting = network.acquire(0, &pad, 0);
    leave(&mut network, 0, false);
    assert_eq!(network.refused[&waiting], Refusal::Leaving);
    assert!(network.lost.is_empty() && !network.nodes[0].is_clear());
    leave(&mut network, 0, true);
    assert_eq!(network.lost, [(inside, Loss::Leaving)]);
    let late = network.acquire(0, &pad, 0);
    assert_eq!(network.refused[&late], Refusal::Leaving);
    network.release(inside);
    network.run();
    go(&mut network, 0);
    network.acquire(1, &pad, 0);
    network.run_out();
    assert_eq!(network.grants, 2);
}

#[test]
fn a_founder_whose_heir_disappears_finds_another() {
    let mut network = Network::line(2);
    network.acquire(0, &key("pad", Kind::Exclusive), 0);
    network.run_out();
    let now = network.now;
    network.at(0, |locks, out| locks.leave(now, false, out));
    network.cut(0, 1);
    network.run();
    let founders = network.nodes.iter().filter(|node| node.is_founder()).count();
    assert!(founders == 1 && network.nodes[0].is_founder(), "it was not handed on");
    network.link(0, 1);
    network.run();
    assert!(network.nodes[1].is_founder());
    go(&mut network, 0);
    network.acquire(1, &key("pad", Kind::Exclusive), 0);
    network.run_out();
    assert_eq!(network.grants, 2);
}

#[test]
fn nodes_can_leave_one_after_the_other_in_any_network() {
    for seed in 0..300 {
        let mut dice = crate::storms::Dice::new(seed);
        let n = 3 + dice.below(4);
        let mut network = Network::new(n);
        for i in 0..n {
            for j in 0..i {
                network.link(i, j);
            }
        }
        let keys = [key("a", Kind::Exclusive), key("b", Kind::Permits(2)), key("c", Kind::Group)];
        let mut there: Vec<usize> = (0..n).collect();
        while 1 < there.len() {
            for key in &keys {
                let node = there[dice.below(there.len())];
                network.acquire(node, key, 0);
            }
            network.run_out();
            let leaver = there.swap_remove(dice.below(there.len()));
            leave(&mut network, leaver, false);
            go(&mut network, leaver);
        }
        assert_eq!(network.grants, 3 * (n - 1), "seed {seed}");
        assert!(network.nodes[there[0]].is_founder(), "seed {seed}: {}", NodeId::at(there[0]));
    }
}

/// While it is not known who makes the tokens of a new name, requests for it have their time and
/// count all the same.
#[test]
fn whoever_asks_an_heir_for_a_new_name_is_refused_when_the_time_is_up() {
    let mut network = Network::line(2);
    network.at(0, |locks, out| locks.leave(0, false, out));
    // The heir has heard that it is one; its answer is on its way.
    network.deliver((0, 1));
    let new = key("new", Kind::Exclusive);
    let at_once = network.acquire_until(1, &new, 0, Some(network.now));
    assert_eq!(network.refused.get(&at_once), Some(&Refusal::Busy));
    let deadline = network.now + 1000;
    let soon = network.acquire_until(1, &new, 0, Some(deadline));
    let waits = network.acquire(1, &new, 0);
    network.at(1, |locks, out| locks.tick(deadline - 1, out));
    assert_eq!(network.refused.get(&soon), None);
    assert_eq!(network.nodes[1].wake_at(), Some(deadline));
    network.at(1, |locks, out| locks.tick(deadline, out));
    assert_eq!(network.refused.get(&soon), Some(&Refusal::Timeout));
    for _ in 0..Limits::default().clients {
        network.acquire(1, &new, 0);
    }
    let too_many = network.refused.values().filter(|refusal| **refusal == Refusal::TooMany);
    assert_eq!(too_many.count(), 1);
    network.now = deadline;
    network.run();
    assert!(network.inside.contains_key(&waits));
}

/// The founder hears of new names while it hands on that it is the founder, at whatever moment.
#[test]
fn a_name_that_is_new_while_the_founder_leaves_gets_one_token() {
    for moment in 0..12 {
        let mut network = Network::new(3);
        network.link(0, 1);
        network.link(0, 2);
        network.link(1, 2);
        network.run();
        let now = network.now;
        network.at(0, |locks, out| locks.leave(now, false, out));
        let new = key("new", Kind::Exclusive);
        // Node 2 asks, and the founder hears of it first, or after some other messages.
        network.runs_out(moment / 4);
        network.acquire(2, &new, 0);
        for _ in 0..moment % 4 {
            if network.arriving().contains(&(2, 0)) {
                network.deliver((2, 0));
            }
        }
        network.run();
        network.acquire(1, &new, 0);
        network.run();
        let tokens = |node: &Locks| node.views().map(|view| view.tokens).sum::<u32>();
        assert_eq!(network.nodes.iter().map(tokens).sum::<u32>(), 1, "moment {moment}");
        network.run_out();
        assert_eq!(network.grants, 2, "moment {moment}");
    }
}

/// A token of an old name comes to the heir, whose sender has gone before the heir is the founder.
#[test]
fn an_heir_takes_at_once_what_is_handed_on_of_names_that_have_tokens() {
    let mut network = Network::new(3);
    let old = key("old", Kind::Exclusive);
    network.link(0, 2);
    network.acquire(2, &old, 0);
    network.run_out();
    // Nobody tells node 1 of a lock that is idle.
    network.cut(0, 2);
    network.link(0, 1);
    network.link(1, 2);
    network.run();
    assert!(network.nodes[1].is_empty());
    let now = network.now;
    network.at(0, |locks, out| locks.leave(now, false, out));
    network.deliver((0, 1));
    network.at(2, |locks, out| locks.leave(now, false, out));
    // All that nodes 1 and 2 say to each other arrives; what the heir says to the founder does not.
    let theirs = |network: &Network| {
        network.arriving().into_iter().find(|end| [(2, 1), (1, 2)].contains(end))
    };
    while let Some(end) = theirs(&network) {
        network.deliver(end);
    }
    assert!(network.nodes[2].is_clear());
    network.cut(1, 2);
    network.tell((2, 1));
    network.tell((1, 2));
    network.run();
    assert!(network.nodes[1].is_founder());
    network.acquire(1, &old, 0);
    network.run_out();
    assert_eq!(network.grants, 2);
}
