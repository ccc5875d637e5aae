//! A lock that is lost while it is held.

use driftlock_client::Lock;
use driftlock_client::wire::Reason;

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
