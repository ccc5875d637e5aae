//! What is asked for: [`Lock`].

use std::time::Duration;

use crate::wire::{Acquire, Kind, Lease, Op};

/// A lock to acquire, how long to wait for it, and how long to have it: for ever, if nothing is
/// said.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Lock {
    name: String,
    kind: Kind,
    wait: Option<Duration>,
    lease: Option<Duration>,
    grace: Duration,
    keeper: Option<u32>,
}

impl Lock {
    /// One holder in the network.
    pub fn exclusive(name: impl Into<String>) -> Self {
        Lock::of(name, Kind::Exclusive)
    }

    /// At most `permits` holders in the network.
    pub fn permits(name: impl Into<String>, permits: u32) -> Self {
        Lock::of(name, Kind::Permits(permits))
    }

    /// Holders of one group together.
    pub fn group(name: impl Into<String>, group: impl Into<String>) -> Self {
        Lock::of(name, Kind::Group(group.into()))
    }

    /// One holder among neighbors. When two holders meet, one of them is told that it has lost.
    pub fn local(name: impl Into<String>) -> Self {
        Lock::of(name, Kind::Local)
    }

    /// Any kind.
    pub fn of(name: impl Into<String>, kind: Kind) -> Self {
        let (name, grace) = (name.into(), Duration::ZERO);
        Lock { name, kind, wait: None, lease: None, grace, keeper: None }
    }

    /// Wait no longer than this.
    pub fn wait(self, wait: Duration) -> Self {
        Lock { wait: Some(wait), ..self }
    }

    /// Do not wait: only if no other node has to be asked.
    pub fn try_now(self) -> Self {
        self.wait(Duration::ZERO)
    }

    /// Promise to be done so long after the grant, up to a week. The node then says that the lock
    /// is lost; it is still for the holder to release it.
    pub fn lease(self, lease: Duration) -> Self {
        Lock { lease: Some(lease), ..self }
    }

    /// Be told so long before the end of the lease, to be done when it ends. Not as long as the
    /// lease; without one it means nothing.
    pub fn grace(self, grace: Duration) -> Self {
        Lock { grace, ..self }
    }

    /// The work is over when the process with this number has ended, and not when this one has. It
    /// matters if the node ends before the work does: started again, it waits for that.
    pub fn kept_by(self, pid: u32) -> Self {
        Lock { keeper: Some(pid), ..self }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn into_op(self) -> Op {
        // A part of a millisecond is some time, and 0 would be none. A grace may be none.
        let whole = |millis: u128| u64::try_from(millis).unwrap_or(u64::MAX);
        let millis = |time: Duration| whole(time.as_nanos().div_ceil(1_000_000));
        let wait_ms = self.wait.map(millis);
        let lease = self
            .lease
            .map(|lease| Lease { ms: millis(lease), grace_ms: whole(self.grace.as_millis()) });
        let (name, kind, keeper) = (self.name, self.kind, self.keeper);
        Op::Acquire(Acquire { name, kind, wait_ms, lease, keeper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(lock: Lock) -> Acquire {
        match lock.into_op() {
            Op::Acquire(acquire) => acquire,
            other => panic!("{other:?}"),
        }
    }

    fn wait_ms(lock: Lock) -> Option<u64> {
        asked(lock).wait_ms
    }

    #[test]
    fn waits_are_rounded_up() {
        let lock = Lock::local("a");
        assert_eq!(wait_ms(lock.clone()), None);
        assert_eq!(wait_ms(lock.clone().try_now()), Some(0));
        assert_eq!(wait_ms(lock.clone().wait(Duration::from_nanos(1))), Some(1));
        assert_eq!(wait_ms(lock.clone().wait(Duration::from_micros(2001))), Some(3));
        assert_eq!(wait_ms(lock.wait(Duration::MAX)), Some(u64::MAX));
    }

    #[test]
    fn leases_are_rounded_up_and_their_grace_down() {
        let (lock, ms) = (Lock::local("a"), Duration::from_millis);
        assert_eq!(asked(lock.clone().grace(ms(5))).lease, None);
        assert_eq!(asked(lock.clone().lease(ms(60))).lease, Some(Lease { ms: 60, grace_ms: 0 }));
        let lease = lock.lease(Duration::from_micros(60_001)).grace(Duration::from_micros(5999));
        assert_eq!(asked(lease).lease, Some(Lease { ms: 61, grace_ms: 5 }));
    }
}
