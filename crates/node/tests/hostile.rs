//! Somebody on the same radio who has no key, hears everything and says anything, on and on.
//!
//! `FUZZ=20 cargo test --release -p driftlock-node hostile` makes it twenty million frames.

use driftlock_fuzz::{Dice, Script, kept_by, times};
use driftlock_locks::{Key, Kind, Ticket};

use crate::air::{Air, HELLO};

/// How many frames are made up.
const FRAMES: u64 = 1_000_000;

fn keys() -> [Key; 4] {
    let key = |name, kind| Key::new(name, kind).expect("a name");
    [
        key("pad", Kind::Exclusive),
        key("channel", Kind::Permits(2)),
        key("cell", Kind::Group),
        key("crossing", Kind::Local),
    ]
}

/// What somebody without a key says: what was said before, altered or not, or anything.
fn made_up(dice: &mut Dice, air: &Air) -> Vec<u8> {
    let mut frame = air.overheard[dice.below(air.overheard.len())].clone();
    let random: [u8; 64] = core::array::from_fn(|_| dice.draw() as u8);
    let mut script = Script::new(&random);
    match dice.below(8) {
        0 => {}
        1 => frame = random[..dice.below(65)].to_vec(),
        2 => {
            // The header of a frame of this network, from anybody.
            frame.truncate(10);
            frame[1] = 1 + dice.below(4) as u8;
            frame[6] = dice.below(5) as u8;
            frame.extend_from_slice(&random[..dice.below(65)]);
        }
        3 => frame.extend([7; 1300]),
        _ => (0..=dice.below(3)).for_each(|_| script.alter(&mut frame)),
    }
    frame
}

/// Programs come and go, and links do.
fn go_on(dice: &mut Dice, air: &mut Air, keys: &[Key]) {
    air.run(dice.below(3000) as u64);
    let n = air.nodes.len();
    match dice.below(40) {
        0 => air.part(0, 1),
        1..=3 => (1..n).for_each(|i| air.meet(i - 1, i)),
        4..=8 if air.book.asked.len() < 20 => {
            let key = &keys[dice.below(4)];
            let group = if key.kind == Kind::Group { dice.below(2) as u64 } else { 0 };
            air.acquire(dice.below(n), key, group);
        }
        9..=20 => {
            let inside: Vec<Ticket> = air.book.inside.keys().copied().collect();
            inside.into_iter().for_each(|ticket| air.release(ticket));
        }
        _ => {}
    }
}

#[test]
fn hostile_frames_leave_nodes_serving() {
    let (mut dice, mut air, keys) = (Dice::new(7), Air::line(3, 7), keys());
    air.disorder = 10;
    let mut kept = 0;
    let dropped =
        |air: &Air| air.nodes.iter().map(|node| node.links.counters().dropped.all()).sum::<u64>();
    let before = dropped(&air);
    for number in 0..FRAMES * times() {
        if number % 40 == 0 {
            go_on(&mut dice, &mut air, &keys);
        }
        let frame = made_up(&mut dice, &air);
        let j = dice.below(air.nodes.len());
        kept += kept_by(|| air.hear(j, &frame)).1;
        // None of it leads to anything that stays.
        assert!(kept < 100_000, "{kept} bytes after {number} frames");
    }
    assert!(FRAMES * times() * 9 / 10 < dropped(&air) - before);
    for node in &air.nodes {
        assert!(node.links.peers().count() < air.nodes.len());
        assert!(node.links.peers().all(|peer| peer.queued + peer.unacknowledged < 200));
        assert_eq!((node.meter.garbled, node.meter.overflows), (0, 0));
        assert!(node.locks.len() <= 4 && node.missing.is_empty());
    }
    // Everybody is served, then and afterwards.
    (1..3).for_each(|i| air.meet(i - 1, i));
    air.run_out(60_000_000);
    assert!(air.book.asked.is_empty(), "not served: {:?}", air.book.asked);
    let storm: usize = air.book.grants.values().sum();
    assert!(200 < storm && air.book.grants.len() == 4, "{:?}", air.book.grants);
    for key in &keys {
        for node in 0..3 {
            let ticket = air.acquire(node, key, 0);
            air.run(2 * HELLO);
            assert!(air.book.inside.contains_key(&ticket), "node {node} waits for {key}");
            air.release(ticket);
        }
    }
}
