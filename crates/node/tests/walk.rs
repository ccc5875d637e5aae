//! What happens step by step on a few nodes.

use driftlock_locks::{Key, Kind};

use crate::air::{Air, HELLO};

fn pad() -> Key {
    Key::new("pad", Kind::Exclusive).expect("a name")
}

#[test]
fn a_lock_goes_from_one_end_of_a_line_to_the_other() {
    let mut air = Air::line(5, 1);
    for node in [4, 0, 2, 4] {
        let ticket = air.acquire(node, &pad(), 0);
        air.run(50_000);
        assert!(air.book.inside.contains_key(&ticket), "node {node} waits");
        air.release(ticket);
    }
}

#[test]
fn a_token_on_a_link_that_breaks_is_settled_over_another_way() {
    // A triangle: node 2 asks node 0, and their link breaks at every moment of the hand-off.
    for cut_after in (0..3000).step_by(50) {
        let mut air = Air::line(3, 2);
        air.meet(0, 2);
        air.run(4 * HELLO);
        let first = air.acquire(0, &pad(), 0);
        let second = air.acquire(2, &pad(), 0);
        air.run(20_000);
        air.release(first);
        air.run(cut_after);
        air.part(0, 2);
        air.run(5_000_000);
        assert!(air.book.inside.contains_key(&second), "cut after {cut_after} µs: nobody has it");
        air.release(second);
        let again = air.acquire(0, &pad(), 0);
        air.run(100_000);
        assert!(air.book.inside.contains_key(&again), "cut after {cut_after} µs: it is gone");
    }
}

#[test]
fn a_token_in_doubt_is_nobodys_until_a_way_is_there() {
    let mut settled = 0;
    for cut_after in (0..3000).step_by(50) {
        let mut air = Air::line(2, 3);
        let first = air.acquire(0, &pad(), 0);
        let second = air.acquire(1, &pad(), 0);
        air.run(20_000);
        air.release(first);
        air.run(cut_after);
        air.part(0, 1);
        air.run(3_000_000);
        let third = air.acquire(0, &pad(), 0);
        air.run(3_000_000);
        assert!(air.book.inside.len() < 2, "cut after {cut_after} µs");
        settled += usize::from(air.book.inside.is_empty());
        air.meet(0, 1);
        air.run_out(20_000_000);
        assert!(
            air.book.asked.is_empty(),
            "cut after {cut_after} µs: {second:?} or {third:?} waits"
        );
    }
    assert!(0 < settled, "no moment leaves the token in doubt");
}

#[test]
fn neighbors_are_right_soon_after_a_move_one_way_loss_included() {
    let limit = 750_000;
    let mut air = Air::line(4, 4);
    for (a, b, way) in [(1, 2, 0), (0, 1, 1), (2, 3, 2), (1, 2, 3)] {
        match way {
            1 => drop(air.hears.remove(&(a, b))),
            2 => drop(air.hears.remove(&(b, a))),
            3 => air.meet(a, b),
            _ => air.part(a, b),
        }
        air.run(limit);
        let expected = way == 3;
        assert_eq!((air.sees(a, b), air.sees(b, a)), (expected, expected), "{a} and {b}");
    }
}

#[test]
fn whoever_leaves_hands_on_what_it_has() {
    let mut air = Air::line(3, 5);
    let ticket = air.acquire(0, &pad(), 0);
    air.run(10_000);
    air.at(0, |engine, now, effects| engine.leave(now, false, effects));
    assert!(!air.nodes[0].is_clear(), "somebody is inside");
    air.release(ticket);
    air.run(500_000);
    assert!(air.nodes[0].is_clear());
    air.at(0, |engine, now, effects| engine.close(now, effects));
    air.run(500_000);
    assert!(air.nodes[0].links.is_settled());
    assert!(!air.sees(1, 0), "it said goodbye");
    let ticket = air.acquire(2, &pad(), 0);
    let new = air.acquire(1, &Key::new("new", Kind::Permits(2)).expect("a name"), 0);
    air.run(500_000);
    assert!(air.book.inside.contains_key(&ticket) && air.book.inside.contains_key(&new));
}
