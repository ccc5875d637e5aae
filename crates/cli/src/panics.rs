//! Panics are bugs, and are told as such: in one line, with the exit code of what could not run.

use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::terminal::complain;

/// Say so in one line when a thread panics, for the first that does.
pub(crate) fn tell_in_one_line() {
    static TOLD: AtomicBool = AtomicBool::new(false);
    std::panic::set_hook(Box::new(|panic| {
        if !is_answer() && !TOLD.swap(true, Ordering::Relaxed) {
            complain(&description(panic));
        }
    }));
}

/// Some panics are answers; they are caught and told where they belong.
#[cfg(feature = "lab")]
fn is_answer() -> bool {
    driftlock_replay::is_attempting()
}

#[cfg(not(feature = "lab"))]
fn is_answer() -> bool {
    false
}

fn description(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("it gave up");
    let place = panic.location().map_or(String::new(), |place| format!(" ({place})"));
    format!("this is a bug in driftlock, please report it with what was typed: {what}{place}")
}
