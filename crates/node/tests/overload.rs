//! A neighbor that never acknowledges anything.

use driftlock_link::PeerState;
use driftlock_locks::{Key, Kind};

use crate::air::{Air, HELLO};

fn key(name: &str) -> Key {
    Key::new(name, Kind::Exclusive).expect("a name")
}

/// Node 1 is between node 0, which hears no message of it, and node 2.
fn one_is_mute() -> Air {
    let mut air = Air::line(3, 11);
    air.meet(0, 2);
    air.run(4 * HELLO);
    air.mute.insert((1, 0));
    air
}

#[test]
fn a_neighbor_that_never_acknowledges_holds_up_nobody_else() {
    let mut air = one_is_mute();
    let (mut most, mut broken) = (0, 0);
    for number in 0..3000 {
        let name = key(&format!("lock {number}"));
        // Whatever node 0 has to say about this name, it says to node 1 as well.
        for node in [0, 2] {
            let ticket = air.acquire(node, &name, 0);
            air.run(10_000);
            assert!(air.book.inside.contains_key(&ticket), "{node} waits for {name}");
            air.release(ticket);
        }
        let peers: Vec<_> = air.nodes[0].links.peers().collect();
        most = most.max(peers.iter().map(|peer| peer.queued + peer.unacknowledged).sum());
        broken += usize::from(peers.iter().any(|peer| peer.state != PeerState::Up));
    }
    assert!(most < 2000, "{most} messages waited");
    assert!(0 < broken, "the link that leads nowhere was never given up");
}

#[test]
fn so_many_locks_at_once_do_not_make_a_queue_without_end() {
    let mut air = one_is_mute();
    let tickets: Vec<_> =
        (0..9_000).map(|number| air.acquire(0, &key(&format!("lock {number}")), 0)).collect();
    let queued = |air: &Air| air.nodes[0].links.peers().map(|peer| peer.queued).max();
    assert!(queued(&air) <= Some(16_384), "{:?} messages wait", queued(&air));
    assert!(0 < air.nodes[0].meter.overflows, "too much never waited");
    air.mute.clear();
    assert!(tickets.iter().all(|ticket| air.book.inside.contains_key(ticket)));
    tickets.into_iter().for_each(|ticket| air.release(ticket));
    air.run(10_000_000);
    assert!(air.sees(0, 1) && air.sees(0, 2) && queued(&air) == Some(0));
    let ticket = air.acquire(1, &key("lock 7"), 0);
    air.run(500_000);
    assert!(air.book.inside.contains_key(&ticket));
}
