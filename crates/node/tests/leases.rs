//! Leases on whole nodes, in simulated time.

use driftlock_locks::{Key, Kind, Loss};

use crate::air::Air;

const LEASE: u64 = 7_000_000;

fn pad() -> Key {
    Key::new("pad", Kind::Exclusive).expect("a name")
}

#[test]
fn a_holder_is_told_to_the_microsecond_and_has_the_lock_until_it_says_otherwise() {
    let mut air = Air::line(3, 11);
    let leased = air.acquire_for(2, &pad(), 0, Some(LEASE));
    while !air.book.inside.contains_key(&leased) {
        air.run(1);
    }
    let granted = air.now;
    let next = air.acquire(0, &pad(), 0);
    air.run(LEASE - 1);
    assert_eq!(air.losses, []);
    air.run(1);
    assert_eq!(air.losses, [(granted + LEASE, leased, Loss::Lease)]);
    air.run(20 * LEASE);
    assert!(!air.book.inside.contains_key(&next), "nobody has said that the work has stopped");
    air.release(leased);
    air.run(100_000);
    assert!(air.book.inside.contains_key(&next));
    assert_eq!(air.losses.len(), 1);
}

/// The node of the holder tells it, whoever else can be heard.
#[test]
fn a_lease_ends_without_neighbors() {
    let mut air = Air::line(2, 12);
    let leased = air.acquire_for(1, &pad(), 0, Some(LEASE));
    air.run(100_000);
    assert!(air.book.inside.contains_key(&leased));
    air.part(0, 1);
    let waiting = air.acquire(0, &pad(), 0);
    air.run(LEASE);
    assert_eq!(air.losses.iter().map(|loss| loss.2).collect::<Vec<_>>(), [Loss::Lease]);
    air.release(leased);
    air.run(1_000_000);
    assert!(!air.book.inside.contains_key(&waiting), "the token is at the other node");
    air.meet(0, 1);
    air.run(2_000_000);
    assert!(air.book.inside.contains_key(&waiting));
}
