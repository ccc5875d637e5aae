//! How late the machine is: [`Lateness`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::bell::Bell;

const PAUSE: Duration = Duration::from_millis(5);

/// A thread that wants to wake every few milliseconds, and sees how late it does. On a machine with
/// more to do than it can, so does everybody else.
#[derive(Default)]
pub(crate) struct Lateness {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    end: Bell,
    worst: AtomicU64,
}

impl Lateness {
    pub(crate) fn watch() -> Lateness {
        let lateness = Lateness::default();
        let shared = lateness.shared.clone();
        std::thread::spawn(move || {
            let mut start = Instant::now();
            while !shared.end.wait(PAUSE) {
                let late = start.elapsed().saturating_sub(PAUSE).as_micros();
                shared.worst.fetch_max(late as u64, Ordering::Relaxed);
                start = Instant::now();
            }
        });
        lateness
    }

    /// The worst since this was asked last.
    pub(crate) fn take(&self) -> Duration {
        Duration::from_micros(self.shared.worst.swap(0, Ordering::Relaxed))
    }
}

impl Drop for Lateness {
    fn drop(&mut self) {
        self.shared.end.ring();
    }
}
