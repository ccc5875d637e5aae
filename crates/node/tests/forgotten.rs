//! Nodes that never come back: struck off by a majority, and what they had is made anew.

use driftlock_locks::{Key, Kind, Ticket};

use crate::air::{Air, Dice, HELLO};
use crate::storms::keys;

const SECOND: u64 = 1_000_000;

fn pad() -> Key {
    Key::new("pad", Kind::Exclusive).expect("a name")
}

/// A ring, so that nobody is cut off by one death.
fn ring(n: usize, seed: u64) -> Air {
    let mut air = Air::line(n, seed);
    air.meet(n - 1, 0);
    air.run(5 * HELLO);
    air
}

#[test]
fn what_a_node_had_that_never_comes_back_is_made_anew() {
    for key in keys().into_iter().filter(|key| key.kind != Kind::Local) {
        let mut air = ring(4, 1);
        air.acquire(2, &key, 0);
        air.run(SECOND);
        if key.kind == Kind::Permits(2) {
            air.acquire(3, &key, 0);
        }
        air.run(SECOND);
        assert!(air.book.inside.values().any(|inside| inside.node == 2), "{key}");
        let fence = air.book.log.len();
        air.kill(2);
        air.acquire(0, &key, 1);
        air.run(20 * SECOND);
        let served = |air: &Air| air.book.inside.values().any(|inside| inside.node == 0);
        assert!(key.kind == Kind::Permits(2) || !served(&air), "{key}: time alone frees nothing");
        air.forget(0, 2);
        air.run(5 * SECOND);
        assert!(served(&air), "{key}: {:?}", air.nodes[0].council.view());
        assert_eq!(air.recounts.len(), 1, "{key}");
        assert_eq!(air.recounts[0].made.len(), 1, "{key}: {:?}", air.recounts);
        assert!(fence < air.book.log.len());
        // It comes back, hears of it, and begins anew.
        air.revive(2);
        air.run(5 * SECOND);
        assert!(air.is_member(2, 0), "{:?}", air.nodes[0].council.view());
        air.acquire(2, &key, 1);
        air.run_out(20 * SECOND);
        assert!(air.book.asked.is_empty(), "{key}: {:?}", air.book.asked);
    }
}

#[test]
fn the_founder_too() {
    let mut air = ring(5, 2);
    air.kill(0);
    air.run(3 * SECOND);
    air.forget(3, 0);
    air.run(5 * SECOND);
    let founders: Vec<usize> = (1..5).filter(|&i| air.nodes[i].locks.is_founder()).collect();
    assert_eq!(founders, [1]);
    for (i, key) in keys().iter().enumerate() {
        air.acquire(1 + i, key, 0);
    }
    air.run_out(20 * SECOND);
    assert!(air.book.asked.is_empty(), "{:?}", air.book.asked);
}

#[test]
fn without_a_majority_nothing_happens() {
    let mut air = ring(4, 3);
    air.acquire(2, &pad(), 0);
    air.run(SECOND);
    air.kill(2);
    air.kill(0);
    air.acquire(1, &pad(), 0);
    air.run(3 * SECOND);
    air.forget(1, 2);
    air.forget(1, 0);
    air.run(60 * SECOND);
    assert!(air.is_member(2, 1) && air.is_member(0, 1), "half is not enough");
    assert!(air.book.inside.is_empty() && air.recounts.is_empty());
    // With the first of the list it is.
    air.revive(0);
    air.run(60 * SECOND);
    assert!(!air.is_member(2, 1) && air.is_member(0, 1), "{:?}", air.nodes[1].council.view());
    assert_eq!(air.book.inside.len(), 1);
}

#[test]
fn nobody_is_struck_off_whom_somebody_hears() {
    let mut air = ring(5, 4);
    let inside = air.acquire(3, &pad(), 0);
    air.run(SECOND);
    // 0 does not hear 3, but 2 and 4 do.
    air.forget(0, 3);
    air.run(10 * SECOND);
    assert!(air.is_member(3, 0) && air.struck.is_empty());
    assert!(air.book.inside.contains_key(&inside));
    // When it is dead, it can be.
    air.kill(3);
    air.run(5 * SECOND);
    air.forget(0, 3);
    air.run(5 * SECOND);
    assert!(!air.is_member(3, 0));
}

#[test]
fn a_node_that_has_lost_its_memory_comes_back_when_its_old_self_is_struck_off() {
    let mut air = ring(4, 5);
    air.acquire(2, &pad(), 0);
    air.run(SECOND);
    air.kill(2);
    air.lose_memory(2);
    air.acquire(2, &pad(), 0);
    air.run(20 * SECOND);
    assert!(!air.is_member(2, 0) && air.book.inside.is_empty());
    air.forget(1, 2);
    air.run(10 * SECOND);
    assert!(air.is_member(2, 0));
    air.run_out(20 * SECOND);
    assert!(air.book.asked.is_empty());
}

/// Who is struck off while its programs run hears of it when it comes back, and stops them.
#[test]
fn whoever_comes_back_is_told_and_its_programs_have_to_stop() {
    let mut air = ring(5, 6);
    let inside = air.acquire(2, &pad(), 0);
    air.run(SECOND);
    air.part(1, 2);
    air.part(2, 3);
    air.run(5 * SECOND);
    air.forget(0, 2);
    air.run(5 * SECOND);
    assert!(!air.is_member(2, 0));
    air.meet(1, 2);
    air.run(5 * SECOND);
    assert!(air.struck.contains(&2) && air.book.told.contains(&inside));
    assert_eq!(air.book.inside.len(), 1, "it has not stopped yet");
    air.release(inside);
    air.run(10 * SECOND);
    assert!(air.struck.is_empty() && air.is_member(2, 0), "{:?}", air.nodes[0].council.view());
}

/// A name is new while the tokens of a node that was struck off are counted: whoever made its token
/// has spoken before, and whoever has it is started again and speaks after that. It is not lost.
#[test]
fn a_name_that_is_new_during_a_count_is_not_taken_for_lost() {
    let mut air = Air::with(4, 9, HELLO, 4 * SECOND);
    (1..4).for_each(|i| air.meet(i - 1, i));
    air.run(10 * SECOND);
    let old = air.acquire(3, &pad(), 0);
    air.run(SECOND);
    assert!(air.book.inside.contains_key(&old));
    air.part(2, 3);
    air.run(SECOND);
    air.forget(1, 3);
    air.run(3 * SECOND);
    assert!(air.nodes[0].council.is_counting(), "until node 3 has stopped for certain");
    let new = Key::new("new", Kind::Exclusive).expect("a name");
    let ticket = air.acquire(2, &new, 0);
    air.run(SECOND);
    assert!(air.book.inside.contains_key(&ticket) && air.recounts.is_empty());
    air.restart(2, false);
    air.release(old);
    air.run(10 * SECOND);
    let made: Vec<&str> =
        air.recounts.iter().flat_map(|recount| &recount.made).map(|(key, _)| &*key.name).collect();
    assert_eq!(made, ["pad"]);
    air.release(ticket);
    air.acquire(0, &new, 0);
    air.run_out(10 * SECOND);
    assert!(air.book.asked.is_empty());
}

/// A machine has slept, or its node was not called for too long: what comes first is that it is not
/// sure any more, whatever else there is to do.
#[test]
fn whoever_is_late_uses_no_token_before_it_has_heard_that() {
    let mut air = Air::with(3, 4, HELLO, 4 * SECOND);
    (1..3).for_each(|i| air.meet(i - 1, i));
    air.run(10 * SECOND);
    let first = air.acquire(2, &pad(), 0);
    air.run(SECOND);
    air.release(first);
    let again = air.acquire(2, &pad(), 0);
    assert!(air.book.inside.contains_key(&again), "the token is here");
    air.release(again);
    air.part(1, 2);
    air.clocks.jump(2, 5 * SECOND.cast_signed());
    let late = air.acquire(2, &pad(), 0);
    assert!(!air.book.inside.contains_key(&late) && !air.nodes[2].council.is_sure());
    air.meet(1, 2);
    air.run_out(10 * SECOND);
    assert!(air.book.asked.is_empty(), "it is sure again");
}

/// Nobody sponsors a dead neighbor for the list that it was just struck off.
#[test]
fn whoever_was_struck_off_does_not_join_by_a_link_that_lasts() {
    for seed in 0..30 {
        let mut air = ring(4, seed);
        let mut dice = Dice::new(seed);
        air.kill(2);
        air.part(1, 2);
        air.run(dice.below(4) * HELLO);
        air.forget(0, 2);
        for _ in 0..20 {
            air.run(SECOND);
            air.forget(0, 2);
        }
        let lists = [0, 1, 3].map(|by| air.is_member(2, by));
        assert_eq!(lists, [false; 3], "seed {seed}");
        assert!(!air.nodes[0].council.is_counting(), "seed {seed}");
    }
}

fn release_some(air: &mut Air, dice: &mut Dice) {
    let inside: Vec<Ticket> = air.book.inside.keys().copied().collect();
    for ticket in inside.into_iter().filter(|_| dice.below(2) == 0) {
        if air.book.inside.contains_key(&ticket) {
            air.release(ticket);
        }
    }
}

/// One thing happens to nodes that live.
fn happen(air: &mut Air, dice: &mut Dice, n: usize) {
    let live: Vec<usize> = (0..n).filter(|i| !air.dead.contains(i)).collect();
    let pick = |dice: &mut Dice| live[dice.below(live.len() as u64) as usize];
    let (a, b) = (pick(dice), pick(dice));
    match dice.below(12) {
        0 | 1 if a != b => air.meet(a, b),
        2 => air.part(a, b),
        3 => air.doom(a, dice.below(6)),
        4 => air.restart(a, dice.below(2) == 0),
        5 if 2 < live.len() && air.is_settled_without(a) => {
            air.kill(a);
            if let Some(&by) = live.iter().find(|&&i| i != a && air.nodes[i].council.belongs()) {
                air.forget(by, a);
            }
        }
        6..=9 => {
            let key = &keys()[dice.below(4) as usize];
            let group = if key.kind == Kind::Group { dice.below(2) } else { 0 };
            air.acquire(a, key, group);
        }
        _ => release_some(air, dice),
    }
}

/// Everybody who lives is linked, and whoever is dead is struck off.
fn strike_off_the_dead(air: &mut Air, n: usize, seed: u64) {
    let live: Vec<usize> = (0..n).filter(|i| !air.dead.contains(i)).collect();
    live.windows(2).for_each(|pair| air.meet(pair[0], pair[1]));
    for _ in 0..20 {
        air.run(10 * SECOND);
        let dead: Vec<usize> = air.dead.iter().copied().collect();
        let listed: Vec<usize> =
            dead.into_iter().filter(|&i| live.iter().any(|&by| air.is_member(i, by))).collect();
        if listed.is_empty() {
            return;
        }
        let by = live.iter().copied().find(|&by| air.nodes[by].council.belongs());
        listed.into_iter().for_each(|i| air.forget(by.expect("somebody is a member"), i));
    }
    let views: Vec<_> = live.iter().map(|&i| air.nodes[i].council.view()).collect();
    panic!("seed {seed}: the dead are still listed: {views:#?}");
}

fn storm(seed: u64) -> Air {
    let mut dice = Dice::new(seed ^ 0xf0f0);
    let n = 3 + dice.below(4) as usize;
    let mut air = ring(n, seed);
    air.loss = dice.below(3) * 10;
    for _ in 0..3 {
        for _ in 0..40 {
            air.run(1_000 + dice.below(HELLO));
            happen(&mut air, &mut dice, n);
        }
        air.spare();
        strike_off_the_dead(&mut air, n, seed);
        let dead: Vec<usize> = air.dead.iter().copied().collect();
        dead.into_iter().for_each(|i| air.revive(i));
    }
    (1..n).for_each(|i| air.meet(i - 1, i));
    air.loss = 0;
    air.run_out(60 * SECOND);
    assert!(air.book.asked.is_empty(), "seed {seed}: not served: {:?}", air.book.asked);
    for (i, key) in (0..n).flat_map(|i| keys().into_iter().map(move |key| (i, key))) {
        air.acquire(i, &key, 0);
    }
    air.run_out(60 * SECOND);
    assert!(air.book.asked.is_empty(), "seed {seed}: not served later: {:?}", air.book.asked);
    let founders = air.nodes.iter().filter(|node| node.locks.is_founder()).count();
    assert_eq!(founders, 1, "seed {seed}");
    air
}

#[test]
fn whoever_dies_for_good_takes_nothing_along_and_doubles_nothing() {
    let (mut grants, mut made) = (0, 0);
    for seed in 0..100 {
        let air = storm(seed);
        grants += air.book.grants.values().sum::<usize>();
        made += air.recounts.iter().map(|recount| recount.made.len()).sum::<usize>();
    }
    assert!(1000 < grants && 50 < made, "{grants} grants, {made} locks made anew");
}

/// Nodes stop by themselves when they are alone. They are told, and take as long again to stop.
fn alone(seed: u64) -> Air {
    const LEASE: u64 = 4 * SECOND;
    let mut dice = Dice::new(seed ^ 0xa10e);
    let n = 3 + dice.below(3) as usize;
    let mut air = Air::with(n, seed, HELLO, LEASE);
    (1..n).for_each(|i| air.meet(i - 1, i));
    air.meet(n - 1, 0);
    air.run(10 * SECOND);
    for _ in 0..4 {
        let x = dice.below(n as u64) as usize;
        for _ in 0..3 {
            let key = &keys()[dice.below(3) as usize];
            air.acquire(x, key, 0);
        }
        air.run(SECOND);
        (0..n).for_each(|i| air.part(i, x));
        let by = (x + 1) % n;
        for key in &keys()[..3] {
            air.acquire(by, key, 1);
        }
        let mut leaving: Vec<(u64, Ticket)> = Vec::new();
        for step in 0..200 {
            air.run(SECOND / 10);
            if step == 20 {
                air.forget(by, x);
            }
            for (at, ticket, _) in core::mem::take(&mut air.losses) {
                leaving.push((at + dice.below(LEASE), ticket));
            }
            let due: Vec<Ticket> =
                leaving.iter().filter(|(at, _)| *at <= air.now).map(|(_, t)| *t).collect();
            leaving.retain(|(at, _)| air.now < *at);
            for ticket in due {
                if air.book.inside.contains_key(&ticket) {
                    air.release(ticket);
                }
            }
        }
        assert!(!air.is_member(x, by), "seed {seed}: {:?}", air.nodes[by].council.view());
        let others = air.book.inside.values().filter(|inside| inside.node == by).count();
        assert_eq!(others, 3, "seed {seed}: {:?}", air.book.asked);
        (0..n).filter(|&i| i != x).for_each(|i| air.meet(i, x));
        air.run_out(60 * SECOND);
        assert!(air.book.asked.is_empty(), "seed {seed}: {:?}", air.book.asked);
        air.run(10 * SECOND);
    }
    air
}

#[test]
fn whoever_is_cut_off_has_stopped_before_what_it_had_is_made_anew() {
    let made: usize = (0..40).map(|seed| alone(seed).recounts.len()).sum();
    assert!(100 < made, "{made}");
}
