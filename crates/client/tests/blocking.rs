//! The client without a runtime.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use driftlock_client::wire::Reason;
use driftlock_client::{AcquireError, Effect, Lock, LookError, ReleaseError};

use crate::Place;

#[test]
fn locks_are_acquired_and_released() {
    let place = Place::new();
    let client = place.blocking();
    let guard = client.acquire(Lock::exclusive("a")).unwrap();
    assert_eq!(place.fake.held(), [guard.grant()]);
    let other = place.blocking();
    let busy = other.acquire(Lock::exclusive("a").try_now()).unwrap_err();
    assert!(matches!(busy, AcquireError::Busy(_)), "{busy:?}");
    let late = other.acquire(Lock::exclusive("a").wait(Duration::from_millis(5))).unwrap_err();
    assert!(matches!(late, AcquireError::Timeout(_)), "{late:?}");
    let kind = other.acquire(Lock::permits("a", 2)).unwrap_err();
    assert!(matches!(kind, AcquireError::Kind(_)), "{kind:?}");
    let fence = guard.fence();
    guard.release().unwrap();
    let next = other.acquire(Lock::exclusive("a").try_now()).unwrap();
    assert!(next.fence() > fence);
    drop(next);
    place.fake.expect(0, 0);
}

#[test]
fn threads_share_a_session() {
    let place = Place::new();
    let client = place.blocking();
    let guard = client.acquire(Lock::group("bridge", "north")).unwrap();
    let (done, waited) = channel();
    let south = client.clone();
    let thread = thread::spawn(move || {
        let guard = south.acquire(Lock::group("bridge", "south")).unwrap();
        done.send(guard.fence()).unwrap();
    });
    place.fake.expect(1, 1);
    assert_eq!(client.queue("bridge").unwrap().waiters, 1);
    assert!(waited.try_recv().is_err());
    let fence = guard.fence();
    drop(guard);
    assert!(waited.recv().unwrap() > fence);
    thread.join().unwrap();
    place.fake.expect(0, 0);
}

#[test]
fn a_loss_is_told_in_three_ways() {
    let place = Place::new();
    let client = place.blocking();
    let guard = client.acquire(Lock::local("a")).unwrap();
    assert_eq!(guard.lost(), None);
    assert_eq!(guard.wait_lost(Duration::from_millis(1)), None);
    let (tell, told) = channel();
    let first = tell.clone();
    guard.on_lost(move |lost| first.send(lost.clone()).unwrap());
    place.fake.lose(guard.grant());
    let lost = guard.wait_lost(Duration::from_secs(60)).unwrap();
    assert_eq!((lost.grant, lost.reason), (guard.grant(), Reason::Demoted));
    assert_eq!(guard.lost().as_ref(), Some(&lost));
    assert_eq!(told.recv().unwrap(), lost);
    guard.on_lost(move |lost| tell.send(lost.clone()).unwrap());
    assert_eq!(told.recv().unwrap(), lost);
    guard.release().unwrap();
}

#[test]
fn the_end_of_a_lease_is_told_while_another_lock_is_waited_for() {
    let place = Place::new();
    let (client, other) = (place.blocking(), place.blocking());
    let busy = other.acquire(Lock::exclusive("b")).unwrap();
    let guard = client.acquire(Lock::exclusive("a").lease(Duration::from_millis(20))).unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| client.acquire(Lock::exclusive("b")).unwrap());
        place.fake.expect(2, 1);
        let lost = guard.wait_lost(Duration::from_secs(60)).unwrap();
        assert_eq!((lost.grant, lost.reason), (guard.grant(), Reason::Lease));
        assert_eq!((place.fake.held().len(), place.fake.waiting()), (2, 1), "all stays as it is");
        guard.release().unwrap();
        busy.release().unwrap();
        assert_eq!(waiting.join().unwrap().lost(), None);
    });
}

#[test]
fn whoever_was_hung_up_on_holds_nothing() {
    let place = Place::new();
    let client = place.blocking();
    let guard = client.acquire(Lock::exclusive("a")).unwrap();
    let over = client.acquire(Lock::exclusive("fake-hang-up")).unwrap_err();
    assert!(matches!(over, AcquireError::Disconnected(_)), "{over:?}");
    let lost = guard.wait_lost(Duration::from_secs(60)).unwrap();
    assert_eq!(lost.reason, Reason::Disconnected);
    let released = guard.release().unwrap_err();
    assert_eq!(released, ReleaseError::Disconnected("the node has hung up".into()));
    assert_eq!(released.effect(), Effect::Done);
    assert!(matches!(client.status(), Err(LookError::Disconnected(_))));
    place.fake.expect(0, 0);
}

#[test]
fn the_session_ends_with_its_last_handle() {
    let place = Place::new();
    let client = place.blocking();
    let guard = client.acquire(Lock::exclusive("a")).unwrap();
    drop(client);
    assert_eq!(place.fake.held(), [guard.grant()]);
    drop(guard);
    place.fake.expect(0, 0);
}

#[test]
fn a_node_shows_itself() {
    let place = Place::new();
    let client = place.blocking();
    client.set_moving(true).unwrap();
    assert!(client.status().unwrap().moving);
    assert_eq!(client.neighbors().unwrap().len(), 2);
    assert_eq!(client.metrics().unwrap(), "driftlock_held 0\n");
    client.leave().unwrap();
    assert!(client.status().unwrap().leaving);
}
