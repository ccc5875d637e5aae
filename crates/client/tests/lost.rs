//! A lock that is lost while it is held.

use std::time::Duration;

use driftlock_client::wire::Reason;
use driftlock_client::{AcquireError, Lock};

use crate::Place;

#[tokio::test]
async fn the_holder_is_told_why_and_says_when_it_has_stopped() {
    let place = Place::new();
    let client = place.client().await;
    let other = client.acquire(Lock::local("b")).await.unwrap();
    let guard = client.acquire(Lock::local("a")).await.unwrap();
    assert!(!guard.is_lost());
    place.fake.lose(guard.grant());
    let lost = guard.lost().await;
    assert_eq!((lost.grant, lost.reason), (guard.grant(), Reason::Demoted));
    assert_eq!(lost.message, "a neighbor has this lock");
    assert_eq!(guard.lost().await, lost);
    assert!(guard.is_lost() && !other.is_lost());
    assert_eq!(place.fake.held().len(), 2);
    guard.release().await.unwrap();
    assert_eq!(place.fake.held(), [other.grant()]);
}

#[tokio::test]
async fn a_loss_right_behind_the_grant_is_not_missed() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("fake-lost")).await.unwrap();
    assert_eq!(guard.lost().await.reason, Reason::Demoted);
}

#[tokio::test]
async fn the_end_of_a_lease_is_told_and_the_lock_stays_with_its_holder() {
    let place = Place::new();
    let client = place.client().await;
    let ms = Duration::from_millis;
    let leased = Lock::exclusive("a").lease(Duration::from_hours(1)).grace(Duration::from_mins(1));
    let until = client.acquire(leased).await.unwrap();
    let view = &client.locks().await.unwrap()[0].holders[0];
    assert_eq!(view.until_ms, Some(view.since_ms + 3_600_000));
    until.release().await.unwrap();
    let guard = client.acquire(Lock::exclusive("a").lease(ms(20)).grace(ms(10))).await.unwrap();
    let waiting = client.acquire(Lock::exclusive("b").lease(ms(1))).await.unwrap();
    for guard in [&guard, &waiting] {
        assert_eq!(guard.lost().await.reason, Reason::Lease);
    }
    assert_eq!(place.fake.held().len(), 2);
    let busy = client.acquire(Lock::exclusive("a").try_now()).await;
    assert!(matches!(busy, Err(AcquireError::Busy(_))), "{busy:?}");
    guard.release().await.unwrap();
    drop(client.acquire(Lock::exclusive("a").try_now()).await.unwrap());
}

#[tokio::test]
async fn a_lease_that_cannot_be_is_refused() {
    let place = Place::new();
    let client = place.client().await;
    let week = Duration::from_hours(7 * 24);
    let lock = || Lock::exclusive("a");
    for (lock, part) in [
        (lock().lease(Duration::ZERO), "`lease_ms` is 0"),
        (lock().lease(week + Duration::from_millis(1)), "1 to 604800000 can be"),
        (lock().lease(week).grace(week), "`grace_ms`"),
    ] {
        let refused = client.acquire(lock).await.unwrap_err();
        assert!(matches!(&refused, AcquireError::BadRequest(why) if why.contains(part)), "{part}");
    }
    assert!(!client.acquire(lock().lease(week)).await.unwrap().is_lost());
}

#[tokio::test]
async fn a_node_that_leaves_says_so() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    place.fake.lose_by(guard.grant(), Reason::Leaving);
    assert_eq!(guard.lost().await.reason, Reason::Leaving);
}

#[tokio::test]
async fn without_the_node_every_lock_is_lost() {
    let place = Place::new();
    let client = place.client().await;
    let both = [
        client.acquire(Lock::local("a")).await.unwrap(),
        client.acquire(Lock::local("b")).await.unwrap(),
    ];
    place.fake.hang_up();
    for guard in &both {
        let lost = guard.lost().await;
        assert_eq!((lost.grant, lost.reason), (guard.grant(), Reason::Disconnected));
    }
}

/// A node that makes no sense is not believed to keep locks, and is hung up on.
#[tokio::test]
async fn nonsense_ends_the_session() {
    for bytes in [&b"\0\x01\0\x01"[..], b"\0\0\0\x01{", b"\0\0\0\x02\xff\xff", b"\0\0\0\0"] {
        let place = Place::new();
        let client = place.client().await;
        let guard = client.acquire(Lock::local("a")).await.unwrap();
        place.fake.babble(bytes);
        assert_eq!(guard.lost().await.reason, Reason::Disconnected, "{bytes:?}");
        place.fake.expect(0, 0);
    }
}

/// What a newer node might say is none of our business.
#[tokio::test]
async fn unknown_frames_are_ignored() {
    let place = Place::new();
    let client = place.client().await;
    place
        .fake
        .babble(b"\0\0\0\x10{\"event\": \"new\"}\0\0\0\x02{}\0\0\0\x12{\"id\":99,\"ok\":{} }");
    let guard = client.acquire(Lock::local("a")).await.unwrap();
    client.status().await.unwrap();
    assert!(!guard.is_lost());
}
