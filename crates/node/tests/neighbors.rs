//! Local locks, and neighbors that die: who waits because of it, and for how long.

use driftlock_locks::{Key, Kind, Ticket};

use crate::air::{Air, Dice, HELLO};

const N: usize = 8;

/// Who dies.
const VICTIM: usize = 3;

fn crossing() -> Key {
    Key::new("crossing", Kind::Local).expect("a name")
}

/// Whoever is inside leaves, and asks again.
fn go_round(air: &mut Air) {
    let inside: Vec<(Ticket, usize)> =
        air.book.inside.iter().map(|(ticket, inside)| (*ticket, inside.node)).collect();
    for (ticket, node) in inside {
        air.release(ticket);
        air.acquire(node, &crossing(), 0);
    }
}

/// How often each node has been inside.
fn entries(air: &Air) -> [usize; N] {
    let mut entries = [0; N];
    let entered = air.book.log.iter().filter(|(_, _, moment)| moment.is_entry());
    entered.for_each(|(_, inside, _)| entries[inside.node] += 1);
    entries
}

/// In a line where everybody wants in all the time, one dies at some moment. Returns who has not
/// been inside from then on until its neighbors have noticed.
fn one_dies(seed: u64) -> Vec<usize> {
    let mut dice = Dice::new(seed);
    let mut air = Air::line(N, seed);
    for i in 0..N {
        air.acquire(i, &crossing(), 0);
    }
    for _ in 0..20 + dice.below(40) {
        air.run(500 + dice.below(2_000));
        go_round(&mut air);
    }
    air.run(dice.below(2_000));
    air.kill(VICTIM);
    let before = entries(&air);
    while air.sees(VICTIM - 1, VICTIM) || air.sees(VICTIM + 1, VICTIM) {
        air.run(1_000);
        go_round(&mut air);
    }
    let after = entries(&air);
    let stuck = (0..N).filter(|i| before[*i] == after[*i] && *i != VICTIM).collect();
    // Then nobody is: and fences have gone on growing, which is judged at each entry.
    for _ in 0..3 * HELLO / 1_000 {
        air.run(1_000);
        go_round(&mut air);
    }
    let last = entries(&air);
    let served = |i: usize| after[i] + 3 < last[i];
    assert!((0..N).all(|i| i == VICTIM || served(i)), "seed {seed}: {after:?}, {last:?}");
    stuck
}

#[test]
fn whoever_dies_keeps_nobody_waiting_beyond_two_links_and_nobody_for_long() {
    let mut stuck_at = [0; N];
    for seed in 0..60 {
        for i in one_dies(seed) {
            assert!(i.abs_diff(VICTIM) <= 2, "seed {seed}: {i} waits for {VICTIM}");
            stuck_at[i] += 1;
        }
    }
    // Somebody does wait: nobody knows yet that it is dead.
    assert!(0 < stuck_at[VICTIM - 1] && 0 < stuck_at[VICTIM + 1], "{stuck_at:?}");
}
