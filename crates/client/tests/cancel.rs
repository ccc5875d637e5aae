//! An `acquire` that is dropped leaves nothing behind, whenever that is.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use driftlock_client::Lock;

use crate::Place;

/// Drive a future one step: far enough for its request to be sent.
fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test]
async fn before_it_is_polled_nothing_is_asked_for() {
    let place = Place::new();
    let client = place.client().await;
    drop(client.acquire(Lock::exclusive("a")));
    client.status().await.unwrap();
    assert_eq!((place.fake.held().len(), place.fake.waiting()), (0, 0));
}

#[tokio::test]
async fn while_it_waits_it_is_withdrawn() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    {
        let mut waiting = pin!(client.acquire(Lock::exclusive("a")));
        assert!(poll(waiting.as_mut()).is_pending());
        place.fake.expect(1, 1);
    }
    place.fake.expect(1, 0);
    guard.release().await.unwrap();
    client.status().await.unwrap();
    assert!(place.fake.held().is_empty());
}

/// The node has granted it, and the client has not heard of that when the future is dropped.
#[tokio::test]
async fn a_grant_under_way_is_given_back() {
    let place = Place::new();
    let client = place.client().await;
    place.fake.freeze();
    {
        let mut acquiring = pin!(client.acquire(Lock::exclusive("a")));
        assert!(poll(acquiring.as_mut()).is_pending());
        place.fake.expect(1, 0);
    }
    place.fake.thaw();
    client.status().await.unwrap();
    client.acquire(Lock::exclusive("a")).await.unwrap().release().await.unwrap();
    place.fake.expect(0, 0);
}

/// The client has heard of the grant, and nobody has looked at it.
#[tokio::test]
async fn a_grant_that_nobody_took_is_given_back() {
    let place = Place::new();
    let client = place.client().await;
    {
        let mut acquiring = pin!(client.acquire(Lock::exclusive("a")));
        assert!(poll(acquiring.as_mut()).is_pending());
        place.fake.expect(1, 0);
        // Answers come in order: when this one is here, so is the grant.
        client.status().await.unwrap();
        assert_eq!(place.fake.held().len(), 1);
    }
    place.fake.expect(0, 0);
    client.status().await.unwrap();
}

#[tokio::test]
async fn a_release_that_is_dropped_releases() {
    let place = Place::new();
    let client = place.client().await;
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    drop(guard.release());
    place.fake.expect(0, 0);
    let guard = client.acquire(Lock::exclusive("a")).await.unwrap();
    {
        let mut releasing = pin!(guard.release());
        assert!(poll(releasing.as_mut()).is_pending());
    }
    place.fake.expect(0, 0);
}

/// In every interleaving that a busy runtime comes up with.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impatient_tasks_leave_nothing() {
    let place = Place::new();
    let client = place.client().await;
    let work = |k: usize| {
        let client = client.clone();
        tokio::spawn(async move {
            let mut granted = 0;
            for round in 0..40 {
                let mut acquiring = pin!(client.acquire(Lock::exclusive("a")));
                for _ in 0..(k * 7 + round) % 13 {
                    if let Poll::Ready(guard) = poll(acquiring.as_mut()) {
                        granted += 1;
                        drop(guard.unwrap());
                        break;
                    }
                    tokio::task::yield_now().await;
                }
            }
            granted
        })
    };
    let tasks: Vec<_> = (0..6).map(work).collect();
    for task in tasks {
        task.await.unwrap();
    }
    drop(client.acquire(Lock::exclusive("a")).await.unwrap());
    place.fake.expect(0, 0);
}
