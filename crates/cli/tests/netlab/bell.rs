//! What threads wait for: [`Bell`].

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Rings once, for all.
#[derive(Default)]
pub(crate) struct Bell {
    rung: Mutex<bool>,
    ring: Condvar,
}

impl Bell {
    pub(crate) fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ring.notify_all();
    }

    /// Wait until it rings, for so long at most. Says whether it has.
    pub(crate) fn wait(&self, wait: Duration) -> bool {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ring.wait_timeout_while(rung, wait, |rung| !*rung);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
