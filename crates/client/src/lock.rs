//! What is asked for: [`Lock`].

use std::time::Duration;

use crate::wire::{Acquire, Kind, Op};

/// A lock to acquire, and how long to wait for it: for ever, if nothing is said.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Lock {
    name: String,
    kind: Kind,
    wait: Option<Duration>,
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
        Lock { name: name.into(), kind, wait: None }
    }

    /// Wait no longer than this.
    pub fn wait(self, wait: Duration) -> Self {
        Lock { wait: Some(wait), ..self }
    }

    /// Do not wait: only if no other node has to be asked.
    pub fn try_now(self) -> Self {
        self.wait(Duration::ZERO)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn into_op(self) -> Op {
        // A part of a millisecond is some time, and 0 would be none.
        let millis = |wait: Duration| wait.as_nanos().div_ceil(1_000_000);
        let wait_ms = self.wait.map(|wait| u64::try_from(millis(wait)).unwrap_or(u64::MAX));
        Op::Acquire(Acquire { name: self.name, kind: self.kind, wait_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_ms(lock: Lock) -> Option<u64> {
        match lock.into_op() {
            Op::Acquire(acquire) => acquire.wait_ms,
            other => panic!("{other:?}"),
        }
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
}
