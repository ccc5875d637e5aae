//! The client without a runtime, on threads and sockets of the standard library.
//!
//! ```no_run
//! # fn land() -> Result<(), Box<dyn std::error::Error>> {
//! use driftlock_client::Lock;
//! use driftlock_client::blocking::Client;
//!
//! let client = Client::connect_default()?;
//! let guard = client.acquire(Lock::permits("camera", 2))?;
//! println!("one of two, with fence {}", guard.fence());
//! # Ok(())
//! # }
//! ```

mod session;

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use self::session::{Session, Watch};
use crate::wire::{
    Granted, Greeting, LockView, Locks, Lost, Members, Metrics, Neighbor, Neighbors, Op, Queue,
    Status,
};
use crate::{AcquireError, ChangeError, ConnectError, Lock, LookError, ReleaseError, socket_path};

/// A session with a node. Clones share it, in any number of threads; it ends with the last of them
/// and of their guards.
#[derive(Clone, Debug)]
pub struct Client {
    session: Arc<Session>,
}

impl Client {
    /// Begin a session with the node that has its socket there.
    ///
    /// # Errors
    ///
    /// If there is no node, or if it does not let this program in.
    pub fn connect(path: impl AsRef<Path>) -> Result<Self, ConnectError> {
        Ok(Client { session: Session::begin(path.as_ref())? })
    }

    /// Begin a session with the node of this machine: see [`socket_path`].
    ///
    /// # Errors
    ///
    /// As [`Client::connect`].
    pub fn connect_default() -> Result<Self, ConnectError> {
        Client::connect(socket_path())
    }

    /// Who the node is.
    #[must_use]
    pub fn node(&self) -> &Greeting {
        self.session.greeting()
    }

    /// Another end of the session. The node takes it for over when all of them are closed: hand one
    /// to a process that has to outlive this one before the locks go.
    ///
    /// # Errors
    ///
    /// If the system has no more.
    pub fn share(&self) -> std::io::Result<OwnedFd> {
        self.session.share()
    }

    /// Acquire a lock.
    ///
    /// # Errors
    ///
    /// If the lock was not acquired. This session then neither holds it nor waits for it.
    pub fn acquire(&self, lock: Lock) -> Result<Guard, AcquireError> {
        Ok(self.session.acquire(lock.into_op())?)
    }

    /// How the node is.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn status(&self) -> Result<Status, LookError> {
        self.look(Op::Status)
    }

    /// Whom the node hears.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn neighbors(&self) -> Result<Vec<Neighbor>, LookError> {
        Ok(self.look::<Neighbors>(Op::Neighbors)?.neighbors)
    }

    /// The locks that the node knows, in the order of their names.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn locks(&self) -> Result<Vec<LockView>, LookError> {
        let mut all = Vec::new();
        let mut page = Locks { more: true, ..Locks::default() };
        while page.more {
            let last = all.last().map(|lock: &LockView| lock.name.clone());
            page = self.look(Op::Locks(last))?;
            // A node that promises more and shows none would be asked for ever.
            page.more &= !page.locks.is_empty();
            all.append(&mut page.locks);
        }
        Ok(all)
    }

    /// Who waits for a lock at the node.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn queue(&self, name: impl Into<String>) -> Result<Queue, LookError> {
        self.look(Op::Queue(name.into()))
    }

    /// What the node has counted, in the text format of Prometheus.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn metrics(&self) -> Result<String, LookError> {
        Ok(self.look::<Metrics>(Op::Metrics)?.text)
    }

    /// Have the node leave the network. It hands on what it holds, answers, and ends.
    ///
    /// # Errors
    ///
    /// If that was not confirmed.
    pub fn leave(&self) -> Result<(), ChangeError> {
        self.session.ask(Op::Leave)?;
        Ok(())
    }

    /// Who belongs to the network, as the node knows it.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub fn members(&self) -> Result<Members, LookError> {
        self.look(Op::Members)
    }

    /// Have the network forget a member that never comes back; what it had is made anew. Only if it
    /// was started with `--alone`, or if somebody has seen that it is off (`stopped`). This returns
    /// at once; [`members`](Self::members) says how far it is.
    ///
    /// # Errors
    ///
    /// If it is refused, or not confirmed.
    pub fn forget(&self, node: u32, stopped: bool) -> Result<(), ChangeError> {
        self.session.ask(Op::Forget { node, stopped })?;
        Ok(())
    }

    /// Tell the node whether it moves.
    ///
    /// # Errors
    ///
    /// If that was not confirmed.
    pub fn set_moving(&self, on: bool) -> Result<(), ChangeError> {
        self.session.ask(Op::Moving(on))?;
        Ok(())
    }

    fn look<T: DeserializeOwned>(&self, op: Op) -> Result<T, LookError> {
        let answer = self.session.ask(op)?;
        serde_json::from_str(answer.get()).map_err(|error| LookError::Garbled(error.to_string()))
    }
}

/// A lock that is held, until this is dropped.
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct Guard {
    session: Arc<Session>,
    granted: Granted,
    watch: Arc<Watch>,
    is_released: bool,
}

impl Guard {
    /// What grows from each grant of this lock to the next one that conflicts with it. Hand it to
    /// what the lock protects, and let that refuse smaller ones.
    #[must_use]
    pub fn fence(&self) -> u64 {
        self.granted.fence
    }

    /// How soon work under this grant has to have stopped when it is lost, whatever the reason, if
    /// the node was started with `--alone`: after that others may be let in.
    #[must_use]
    pub fn alone(&self) -> Option<Duration> {
        self.granted.alone_ms.map(Duration::from_millis)
    }

    /// The number of the grant.
    #[must_use]
    pub fn grant(&self) -> u64 {
        self.granted.grant
    }

    /// Why the lock is lost, if it is. Then the work has to stop, and the guard be dropped or
    /// released, which says that it has. That the connection to the node is lost is a reason too.
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        self.watch.lost()
    }

    /// Wait until the lock is lost, for so long at most.
    #[must_use]
    pub fn wait_lost(&self, wait: Duration) -> Option<Lost> {
        self.watch.wait(wait)
    }

    /// Call this once the lock is lost, from a thread of the client, which must not be kept
    /// waiting. Not at all if it is released first; at once if it is lost already.
    pub fn on_lost(&self, tell: impl FnOnce(&Lost) + Send + 'static) {
        self.watch.on_lost(Box::new(tell));
    }

    /// Release the lock, and wait until the node confirms it.
    ///
    /// # Errors
    ///
    /// If that was not confirmed; the error says what has become of the grant.
    pub fn release(mut self) -> Result<(), ReleaseError> {
        self.is_released = true;
        self.session.release(self.granted.grant)?;
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.is_released {
            self.session.release_unheard(self.granted.grant);
        }
    }
}
