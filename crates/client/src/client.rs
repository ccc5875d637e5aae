//! The async client: [`Client`] and [`Guard`].

mod session;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::sync::watch;

use self::session::Session;
use crate::desk::disconnected;
use crate::wire::{
    Greeting, LockView, Locks, Lost, Members, Metrics, Neighbor, Neighbors, Op, Queue, Status,
};
use crate::{AcquireError, ChangeError, ConnectError, Lock, LookError, ReleaseError, socket_path};

/// A session with a node. Clones share it; it ends with the last of them and of their guards.
///
/// It needs a tokio runtime with IO.
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
    pub async fn connect(path: impl AsRef<Path>) -> Result<Self, ConnectError> {
        Ok(Client { session: Session::begin(path.as_ref()).await? })
    }

    /// Begin a session with the node of this machine: see [`socket_path`].
    ///
    /// # Errors
    ///
    /// As [`Client::connect`].
    pub async fn connect_default() -> Result<Self, ConnectError> {
        Client::connect(socket_path()).await
    }

    /// Who the node is.
    #[must_use]
    pub fn node(&self) -> &Greeting {
        self.session.greeting()
    }

    /// Acquire a lock.
    ///
    /// Whoever drops the future withdraws the request; a grant that was under way is given back.
    ///
    /// # Errors
    ///
    /// If the lock was not acquired. This session then neither holds it nor waits for it.
    pub async fn acquire(&self, lock: Lock) -> Result<Guard, AcquireError> {
        Ok(self.session.acquire(lock.into_op()).await?)
    }

    /// How the node is.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub async fn status(&self) -> Result<Status, LookError> {
        self.look(Op::Status).await
    }

    /// Whom the node hears.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub async fn neighbors(&self) -> Result<Vec<Neighbor>, LookError> {
        Ok(self.look::<Neighbors>(Op::Neighbors).await?.neighbors)
    }

    /// The locks that the node knows, in the order of their names.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub async fn locks(&self) -> Result<Vec<LockView>, LookError> {
        let mut all = Vec::new();
        let mut page = Locks { more: true, ..Locks::default() };
        while page.more {
            let last = all.last().map(|lock: &LockView| lock.name.clone());
            page = self.look(Op::Locks(last)).await?;
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
    pub async fn queue(&self, name: impl Into<String>) -> Result<Queue, LookError> {
        self.look(Op::Queue(name.into())).await
    }

    /// What the node has counted, in the text format of Prometheus.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub async fn metrics(&self) -> Result<String, LookError> {
        Ok(self.look::<Metrics>(Op::Metrics).await?.text)
    }

    /// Have the node leave the network. It hands on what it holds, answers, and ends.
    ///
    /// # Errors
    ///
    /// If that was not confirmed.
    pub async fn leave(&self) -> Result<(), ChangeError> {
        self.session.ask(Op::Leave).await?;
        Ok(())
    }

    /// Who belongs to the network, as the node knows it.
    ///
    /// # Errors
    ///
    /// If it does not say.
    pub async fn members(&self) -> Result<Members, LookError> {
        self.look(Op::Members).await
    }

    /// Have the network forget a member that never comes back; what it had is made anew. Only if it
    /// was started with `--alone`, or if somebody has seen that it is off (`stopped`). This returns
    /// at once; [`members`](Self::members) says how far it is.
    ///
    /// # Errors
    ///
    /// If it is refused, or not confirmed.
    pub async fn forget(&self, node: u32, stopped: bool) -> Result<(), ChangeError> {
        self.session.ask(Op::Forget { node, stopped }).await?;
        Ok(())
    }

    /// Tell the node whether it moves.
    ///
    /// # Errors
    ///
    /// If that was not confirmed.
    pub async fn set_moving(&self, on: bool) -> Result<(), ChangeError> {
        self.session.ask(Op::Moving(on)).await?;
        Ok(())
    }

    async fn look<T: DeserializeOwned>(&self, op: Op) -> Result<T, LookError> {
        let answer = self.session.ask(op).await?;
        serde_json::from_str(answer.get()).map_err(|error| LookError::Garbled(error.to_string()))
    }
}

/// A lock that is held, until this is dropped.
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct Guard {
    session: Arc<Session>,
    granted: crate::wire::Granted,
    lost: watch::Receiver<Option<Lost>>,
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

    /// Wait until the lock is lost. Then the work has to stop, and the guard be dropped or
    /// released, which says that it has.
    ///
    /// That the connection to the node is lost is a reason too. Can be dropped and called again.
    pub async fn lost(&self) -> Lost {
        let mut lost = self.lost.clone();
        match lost.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(lost)) => lost.clone(),
            _ => disconnected(self.grant(), "the session is over"),
        }
    }

    /// Whether the lock is lost already.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.lost.borrow().is_some()
    }

    /// Release the lock, and wait until the node confirms it. It is released too if the future is
    /// dropped.
    ///
    /// # Errors
    ///
    /// If that was not confirmed; the error says what has become of the grant.
    pub async fn release(mut self) -> Result<(), ReleaseError> {
        self.is_released = true;
        self.session.release(self.grant()).await?;
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.is_released {
            self.session.release_unheard(self.grant());
        }
    }
}
