//! Nodes that are stopped for minutes and go on (SIGSTOP, a machine that sleeps), clocks that jump,
//! and clocks that stand still.

use driftlock_locks::{Key, Kind, Ticket};

use crate::air::{Air, Dice, HELLO};
use crate::histories;

const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

fn pad() -> Key {
    Key::new("pad", Kind::Exclusive).expect("a name")
}

/// A triangle, or a line, in which node 0 is inside and node 1 asks.
fn one_asks(triangle: bool) -> (Air, Ticket) {
    let mut air = Air::line(3, 13);
    if triangle {
        air.meet(0, 2);
        air.run(4 * HELLO);
    }
    let first = air.acquire(0, &pad(), 0);
    air.acquire(1, &pad(), 0);
    air.run(20_000);
    (air, first)
}

/// A node stops at every moment of a hand-off, at either end of it.
#[test]
fn whoever_is_stopped_in_the_middle_of_a_hand_off_has_it_or_has_not() {
    let mut in_doubt = 0;
    for (triangle, stopped) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
        for moment in (0..4000).step_by(200) {
            let (mut air, first) = one_asks(triangle);
            air.release(first);
            air.run(moment);
            air.clocks.stop(stopped);
            air.run(MINUTE);
            in_doubt += usize::from(air.nodes.iter().any(|node| !node.in_doubt().is_empty()));
            let third = air.acquire(2, &pad(), 0);
            air.run(MINUTE);
            air.go_on(stopped);
            air.run_out(MINUTE);
            let case = (triangle, stopped, moment);
            assert!(air.book.asked.is_empty(), "{case:?}: {:?} waits, {third:?}", air.book.asked);
            assert_eq!(air.book.grants["exclusive"], 3, "{case:?}");
            assert!(air.nodes.iter().all(|node| node.missing.is_empty()), "{case:?}");
            histories::judge(&air.book);
        }
    }
    assert!(0 < in_doubt, "no token was ever in doubt");
}

#[test]
fn whoever_is_inside_while_its_node_is_stopped_stays_alone() {
    let mut air = Air::line(3, 4);
    let inside = air.acquire(1, &pad(), 0);
    air.run(SECOND);
    assert!(air.book.inside.contains_key(&inside));
    air.clocks.stop(1);
    air.acquire(0, &pad(), 0);
    air.acquire(2, &pad(), 0);
    air.run(10 * MINUTE);
    assert_eq!(air.book.inside.len(), 1, "its token is with it");
    assert!(!air.sees(0, 1) && !air.sees(2, 1));
    air.go_on(1);
    air.run(5 * SECOND);
    assert!(air.book.inside.contains_key(&inside) && air.sees(0, 1) && air.sees(1, 2));
    air.run_out(MINUTE);
    assert!(air.book.asked.is_empty());
    histories::judge(&air.book);
}

fn keys() -> [Key; 4] {
    let key = |name, kind| Key::new(name, kind).expect("a name");
    [
        pad(),
        key("channel", Kind::Permits(2)),
        key("cell", Kind::Group),
        key("crossing", Kind::Local),
    ]
}

/// What happens to a node's time.
fn disturb(air: &mut Air, dice: &mut Dice, i: usize) {
    let kind = dice.below(3);
    // A key lasts an hour.
    let longest = if kind == 1 { 2 * HOUR } else { 2 * MINUTE };
    let long = [SECOND, 3 * SECOND, 10 * SECOND, longest][dice.below(4) as usize];
    match kind {
        0 => {
            air.clocks.stop(i);
            air.run(long);
            // Its own clock may not have gone on meanwhile either.
            if dice.below(2) == 0 {
                air.clocks.jump(i, -long.cast_signed());
            }
            air.go_on(i);
        }
        1 => air.clocks.jump(i, long.cast_signed()),
        _ => {
            air.clocks.freeze(i, air.now);
            air.run(long);
            air.clocks.thaw(i, air.now);
        }
    }
}

fn storm(seed: u64) -> Air {
    let (mut dice, keys) = (Dice::new(seed ^ 0x51e3), keys());
    let n = 2 + dice.below(3) as usize;
    let mut air = Air::line(n, seed);
    for _ in 0..60 {
        air.run(1_000 + dice.below(HELLO));
        let a = dice.below(n as u64) as usize;
        match dice.below(8) {
            0 => disturb(&mut air, &mut dice, a),
            1..5 => {
                let key = &keys[dice.below(4) as usize];
                let group = if key.kind == Kind::Group { dice.below(2) } else { 0 };
                air.acquire(a, key, group);
            }
            _ => {
                let inside: Vec<Ticket> = air.book.inside.keys().copied().collect();
                inside.into_iter().for_each(|ticket| air.release(ticket));
            }
        }
    }
    air.run_out(3 * MINUTE);
    assert!(air.book.asked.is_empty(), "seed {seed}: not served: {:?}", air.book.asked);
    histories::judge(&air.book);
    air
}

#[test]
fn whatever_the_time_does_nothing_is_doubled_and_everybody_is_served() {
    let (mut grants, mut downs) = (0, 0);
    // In the last one, a token comes to a node that has heard much talk in vain.
    for seed in (0..60).chain([1412]) {
        let air = storm(seed);
        grants += air.book.grants.values().sum::<usize>();
        downs += air.nodes.iter().map(|node| node.links.counters().downs).sum::<u64>();
        assert!(air.nodes.iter().all(|node| node.missing.is_empty()), "seed {seed}");
    }
    assert!(1000 < grants && 50 < downs, "{grants} grants, {downs} links that went down");
}
