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

/// Whether the program has protocols of other people, and so may have bugs of theirs.
#[cfg(feature = "lab")]
fn has_others() -> bool {
    crate::lab::has_others()
}

#[cfg(not(feature = "lab"))]
fn has_others() -> bool {
    false
}

fn description(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("it gave up");
    let place = panic.location().map_or(String::new(), |place| format!(" ({place})"));
    format!("{}: {what}{place}", whose(has_others()))
}

/// Whose bug it is, as far as that is known.
fn whose(has_others: bool) -> &'static str {
    match has_others {
        false => "this is a bug in driftlock, please report it with what was typed",
        true => "there is a panic, in a protocol of this program or in driftlock",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_bug_of_others_is_not_to_be_reported_to_us() {
        assert!(whose(false).contains("please report it"));
        assert!(!whose(true).contains("report"));
    }
}
