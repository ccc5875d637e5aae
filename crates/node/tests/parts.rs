//! Group locks in a large network that falls into parts: one without the token is quiet, and all
//! are served soon after the parts have met again.

use driftlock_locks::{Key, Kind};

use crate::air::Air;

const SECOND: u64 = 1_000_000;
const ROWS: usize = 5;
const COLUMNS: usize = 10;

fn cell() -> Key {
    Key::new("cell", Kind::Group).expect("a name")
}

/// Columns around a pillar; all have heard of the token, which is in the first one.
fn pillar(seed: u64) -> Air {
    let mut air = Air::with(ROWS * COLUMNS, seed, SECOND, 0);
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let above = (row + 1 < ROWS).then(|| place(row + 1, column));
            above.into_iter().for_each(|above| air.meet(place(row, column), above));
        }
    }
    (0..COLUMNS).for_each(|column| join(&mut air, column));
    air.run(10 * SECOND);
    all_ask(&mut air);
    air.run_out(10 * SECOND);
    air.acquire(0, &cell(), 0);
    air.run_out(10 * SECOND);
    assert!(air.book.asked.is_empty(), "nobody waits in one piece");
    air
}

fn place(row: usize, column: usize) -> usize {
    row * COLUMNS + column % COLUMNS
}

/// A column and the one after it hear each other.
fn join(air: &mut Air, column: usize) {
    (0..ROWS).for_each(|row| air.meet(place(row, column), place(row, column + 1)));
}

/// They do not any more.
fn split(air: &mut Air, column: usize) {
    (0..ROWS).for_each(|row| air.part(place(row, column), place(row, column + 1)));
}

/// Everybody asks, for one of two groups.
fn all_ask(air: &mut Air) {
    for i in 0..ROWS * COLUMNS {
        air.acquire(i, &cell(), i as u64 % 2);
    }
}

/// How many messages there are in so many seconds for each one who waits in the end.
fn said_by_each(air: &mut Air, seconds: u64) -> u64 {
    let said = |air: &Air| air.nodes.iter().map(|node| node.meter.messages).sum::<u64>();
    let before = said(air);
    air.run_out(seconds * SECOND);
    (said(air) - before) / air.book.asked.len() as u64
}

/// A part that was without the token for long has raised its heights. Then it is between the token
/// and others, who have to raise theirs above that.
#[test]
fn all_are_served_soon_after_the_parts_have_met_again() {
    for (seed, apart) in [(1, 30), (2, 100), (3, 300)] {
        let mut air = pillar(seed);
        split(&mut air, 2);
        split(&mut air, 6);
        all_ask(&mut air);
        air.run_out(apart * SECOND);
        assert_eq!(air.book.asked.len(), 4 * ROWS, "those who are without the token");
        let there = air.book.asked.values().all(|asked| (3..=6).contains(&(asked.node % COLUMNS)));
        assert!(there, "{:?}", air.book.asked);
        split(&mut air, COLUMNS - 1);
        join(&mut air, 2);
        join(&mut air, 6);
        all_ask(&mut air);
        air.run_out(20 * SECOND);
        let waiting = air.book.asked.len();
        assert_eq!(waiting, 0, "seed {seed}: they wait, {apart} s apart");
    }
}

/// The longer it is without the token, the quieter.
#[test]
fn a_part_without_the_token_is_quiet() {
    let mut air = pillar(1);
    split(&mut air, 4);
    split(&mut air, COLUMNS - 1);
    all_ask(&mut air);
    for (seconds, most) in [(10, 600), (60, 180), (120, 180)] {
        let said = said_by_each(&mut air, seconds);
        assert!(0 < said && said <= most, "{said} messages in {seconds} s");
        assert_eq!(air.book.asked.len(), ROWS * COLUMNS / 2, "the others have the token");
    }
}
