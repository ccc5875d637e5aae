//! Ctrl-C: the first asks to stop and keeps what is finished, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set once someone wants us to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Begin to listen. Returns the flag that is set when someone wants us to stop.
pub(crate) fn listen() -> &'static AtomicBool {
    let heard = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
        crate::terminal::remark("stopping; what is finished is kept (again to quit at once)");
    });
    if let Err(error) = heard {
        crate::terminal::remark(&format!("cannot listen for interrupts: {error}"));
    }
    &STOP
}
