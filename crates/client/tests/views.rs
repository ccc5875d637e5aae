//! What a node shows of itself.

use driftlock_client::fake::PAGE;
use driftlock_client::wire::{KindName, LinkState, LockState};
use driftlock_client::{Lock, LookError};

use crate::Place;

#[tokio::test]
async fn a_node_shows_itself() {
    let place = Place::new();
    let client = place.client().await;
    let status = client.status().await.unwrap();
    assert_eq!((status.node, status.network.as_str(), status.moving), (3, "fleet", false));
    client.set_moving(true).await.unwrap();
    assert!(client.status().await.unwrap().moving);
    let neighbors = client.neighbors().await.unwrap();
    assert_eq!(neighbors[0].state, LinkState::Up);
    assert_eq!((neighbors[1].node, neighbors[1].rtt_us), (9, None));
    assert_eq!(client.metrics().await.unwrap(), "driftlock_held 0\n");
    client.leave().await.unwrap();
    assert!(client.status().await.unwrap().leaving);
}

/// An answer has to fit into a frame, so that lists come in parts.
#[tokio::test]
async fn all_locks_are_listed_though_they_do_not_fit() {
    let place = Place::new();
    let client = place.client().await;
    assert!(client.locks().await.unwrap().is_empty());
    let names: Vec<String> = (0..PAGE * 3).map(|k| format!("pad-{k}")).collect();
    for (k, name) in names.iter().enumerate() {
        drop(client.acquire(Lock::permits(name, 2)).await.unwrap());
        let locks = client.locks().await.unwrap();
        let listed: Vec<&String> = locks.iter().map(|lock| &lock.name).collect();
        assert_eq!(listed, names[..=k].iter().collect::<Vec<_>>());
        assert_eq!(place.blocking().locks().unwrap(), locks);
    }
}

#[tokio::test]
async fn holders_and_waiters_are_shown() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::group("bridge", "north")).await.unwrap();
    let south = client.clone();
    let waiting = tokio::spawn(async move { south.acquire(Lock::group("bridge", "south")).await });
    tokio::task::yield_now().await;
    place.fake.expect(1, 1);
    let locks = client.locks().await.unwrap();
    assert_eq!((locks[0].kind, locks[0].state), (KindName::Group, LockState::Held));
    assert_eq!(locks[0].holders[0].grant, guard.grant());
    assert_eq!(locks[0].holders[0].group.as_deref(), Some("north"));
    let queue = client.queue("bridge").await.unwrap();
    assert_eq!((queue.waiters, queue.here[0].group.as_deref()), (1, Some("south")));
    assert_eq!(client.queue("unheard").await.unwrap().waiters, 0);
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    place.fake.expect(1, 0);
}

#[tokio::test]
async fn looking_fails_when_the_node_is_gone() {
    let place = Place::new();
    let client = place.client().await;
    place.fake.hang_up();
    let error = client.status().await.unwrap_err();
    assert!(matches!(error, LookError::Disconnected(_)), "{error:?}");
}
