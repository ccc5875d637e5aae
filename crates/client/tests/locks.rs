//! Acquiring and releasing.

use std::time::Duration;

use driftlock_client::{AcquireError, Client, Effect, Guard, Lock, ReleaseError};

use crate::Place;

async fn error(client: &Client, lock: Lock) -> AcquireError {
    let error = client.acquire(lock).await.unwrap_err();
    assert_eq!(error.effect(), Effect::None, "{error:?}");
    error
}

#[tokio::test]
async fn one_holds_an_exclusive_lock_and_fences_grow() {
    let place = Place::new();
    let (one, two) = (place.client().await, place.client().await);
    let first = one.acquire(Lock::exclusive("pad-3")).await.unwrap();
    assert_eq!(place.fake.held(), [first.grant()]);
    let busy = error(&two, Lock::exclusive("pad-3").try_now()).await;
    assert!(matches!(busy, AcquireError::Busy(_)), "{busy:?}");
    let late = error(&two, Lock::exclusive("pad-3").wait(Duration::from_millis(5))).await;
    assert!(matches!(late, AcquireError::Timeout(_)), "{late:?}");
    assert_eq!(place.fake.waiting(), 0);
    let fence = first.fence();
    first.release().await.unwrap();
    assert!(place.fake.held().is_empty());
    let second = two.acquire(Lock::exclusive("pad-3").try_now()).await.unwrap();
    assert!(second.fence() > fence);
}

#[tokio::test]
async fn who_waits_is_let_in_when_a_guard_is_dropped() {
    let place = Place::new();
    let client = place.client().await;
    let first = client.acquire(Lock::local("corner")).await.unwrap();
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.acquire(Lock::local("corner")).await.unwrap().fence() }
    });
    tokio::task::yield_now().await;
    place.fake.expect(1, 1);
    let fence = first.fence();
    drop(first);
    assert!(waiting.await.unwrap() > fence);
    place.fake.expect(0, 0);
}

#[tokio::test]
async fn permits_and_groups_are_shared() {
    let place = Place::new();
    let client = place.client().await;
    let camera = || Lock::permits("camera", 2).try_now();
    let both = [client.acquire(camera()).await.unwrap(), client.acquire(camera()).await.unwrap()];
    assert!(matches!(error(&client, camera()).await, AcquireError::Busy(_)));
    let grants = both.each_ref().map(Guard::grant);
    assert_eq!(place.fake.held(), grants);
    let north = client.acquire(Lock::group("bridge", "north")).await.unwrap();
    let also = client.acquire(Lock::group("bridge", "north").try_now()).await.unwrap();
    let south = error(&client, Lock::group("bridge", "south").try_now()).await;
    assert!(matches!(south, AcquireError::Busy(_)), "{south:?}");
    drop((both, north, also));
    place.fake.expect(0, 0);
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_the_session_goes_on() {
    let place = Place::new();
    let client = place.client().await;
    let held = client.acquire(Lock::exclusive("a")).await.unwrap();
    assert!(matches!(error(&client, Lock::local("a")).await, AcquireError::Kind(_)));
    for lock in [
        Lock::exclusive(""),
        Lock::exclusive("n".repeat(65)),
        Lock::exclusive("n".repeat(100_000)),
        Lock::permits("p", 0),
        Lock::permits("p", 1001),
        Lock::group("g", ""),
    ] {
        let refused = error(&client, lock.clone()).await;
        assert!(matches!(refused, AcquireError::BadRequest(_)), "{lock:?}: {refused:?}");
    }
    client.leave().await.unwrap();
    assert!(matches!(error(&client, Lock::local("b")).await, AcquireError::Leaving(_)));
    held.release().await.unwrap();
}

#[tokio::test]
async fn the_session_ends_with_its_last_handle() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    drop(client);
    assert_eq!(place.fake.held(), [guard.grant()]);
    assert!(!guard.is_lost());
    drop(guard);
    place.fake.expect(0, 0);
}

#[tokio::test]
async fn whoever_was_hung_up_on_holds_nothing() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    let over = error(&client, Lock::exclusive("fake-hang-up")).await;
    assert!(matches!(over, AcquireError::Disconnected(_)), "{over:?}");
    let released = guard.release().await.unwrap_err();
    assert!(matches!(released, ReleaseError::Disconnected(_)), "{released:?}");
    assert_eq!(released.effect(), Effect::Done);
    assert!(matches!(error(&client, Lock::local("b")).await, AcquireError::Disconnected(_)));
    let moving = client.set_moving(true).await.unwrap_err();
    assert_eq!(moving.effect(), Effect::Unknown);
    place.fake.expect(0, 0);
}

/// Many tasks, one session: never two inside, and nothing is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_share_a_session() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let place = Place::new();
    let client = place.client().await;
    let inside = Arc::new(AtomicU32::new(0));
    let work = |_| {
        let (client, inside) = (client.clone(), Arc::clone(&inside));
        tokio::spawn(async move {
            for _ in 0..20 {
                let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                tokio::task::yield_now().await;
                inside.fetch_sub(1, Ordering::SeqCst);
                drop(guard);
            }
        })
    };
    let tasks: Vec<_> = (0..8).map(work).collect();
    for task in tasks {
        task.await.unwrap();
    }
    place.fake.expect(0, 0);
    let locks = client.locks().await.unwrap();
    assert_eq!((locks[0].fence, locks[0].held), (160, 0));
}
