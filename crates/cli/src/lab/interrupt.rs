//! Ctrl-C: the first asks to stop and keeps what is finished, the second ends at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lab::files;
use crate::terminal::remark;

/// Set once someone wants us to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Begin to listen. Returns the flag that is set when someone wants us to stop.
pub(crate) fn listen() -> &'static AtomicBool {
    let heard = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            files::abandon();
            std::process::exit(2);
        }
        remark("stopping; what is finished is kept (again to quit at once)");
    });
    if let Err(error) = heard {
        remark(&format!("cannot listen for interrupts: {error}"));
    }
    &STOP
}

/// Whether to go on.
pub(crate) fn patience(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
