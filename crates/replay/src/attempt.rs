//! A step that may be the end of a process: [`attempt`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static ATTEMPTING: Cell<bool> = const { Cell::new(false) };
}

/// Let a process take a step. A process that finds its contract broken panics; what it complained
/// about is returned, and nobody else need be told.
///
/// ```
/// use driftlock_replay::attempt;
/// assert_eq!(attempt(|| ()), Ok(()));
/// ```
pub fn attempt(step: impl FnOnce()) -> Result<(), String> {
    ATTEMPTING.set(true);
    let done = catch_unwind(AssertUnwindSafe(step));
    ATTEMPTING.set(false);
    done.map_err(|complaint| {
        let text = complaint.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| complaint.downcast_ref::<String>().cloned());
        text.unwrap_or_default().lines().next().unwrap_or_default().to_string()
    })
}

/// Whether a panic of this thread is a complaint that [`attempt`] is going to return. A panic hook
/// can keep still then.
pub fn is_attempting() -> bool {
    ATTEMPTING.get()
}
