//! Random walks: links come and go, one way or both, frames get lost; then peace.

use driftlock_locks::{Key, Kind, Ticket};

use crate::air::{Air, Dice, HELLO};
use crate::histories;

pub(crate) fn keys() -> Vec<Key> {
    let key = |name, kind| Key::new(name, kind).expect("a name");
    vec![
        key("pad", Kind::Exclusive),
        key("channel", Kind::Permits(2)),
        key("cell", Kind::Group),
        key("crossing", Kind::Local),
    ]
}

fn storm(seed: u64) -> Air {
    let mut dice = Dice::new(seed ^ 0xd1ce);
    let n = 2 + dice.below(4) as usize;
    let mut air = Air::new(n, seed);
    air.loss = dice.below(3) * 10;
    let keys = keys();
    for _ in 0..120 {
        air.run(1_000 + dice.below(HELLO));
        let (a, b) = (dice.below(n as u64) as usize, dice.below(n as u64) as usize);
        match dice.below(8) {
            0..=2 if a != b => air.meet(a, b),
            3 => air.part(a, b),
            4 => drop(air.hears.remove(&(a, b))),
            5 | 6 => {
                let key = &keys[dice.below(4) as usize];
                let group = if key.kind == Kind::Group { dice.below(2) } else { 0 };
                air.acquire(a, key, group);
            }
            _ => {
                let inside: Vec<Ticket> = air.book.inside.keys().copied().collect();
                let leavers = inside.into_iter().filter(|_| dice.below(2) == 0);
                leavers.collect::<Vec<_>>().into_iter().for_each(|ticket| air.release(ticket));
            }
        }
    }
    (1..n).for_each(|i| air.meet(i - 1, i));
    air.loss = 0;
    air.run_out(60_000_000);
    assert!(air.book.asked.is_empty(), "seed {seed}: not served: {:?}", air.book.asked);
    histories::judge(&air.book);
    air
}

#[test]
fn nothing_is_lost_and_nobody_doubled_whatever_the_radio_does() {
    let (mut grants, mut returned) = (0, 0);
    for seed in 0..60 {
        let air = storm(seed);
        grants += air.book.grants.values().sum::<usize>();
        returned += air.returned;
    }
    assert!(1000 < grants, "{grants}");
    assert!(0 < returned, "no token ever came back");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| {
        let air = storm(seed);
        let counters: Vec<_> = air.nodes.iter().map(|node| node.links.counters().clone()).collect();
        (air.now, air.book.grants, counters)
    };
    assert_eq!(run(3), run(3));
}
