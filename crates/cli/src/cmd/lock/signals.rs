//! Signals, to be passed on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;
use nix::sys::signal::{SigSet, Signal};

use super::pack::Pack;

/// What is passed on.
const PASSED_ON: [Signal; 6] = [
    Signal::SIGTERM,
    Signal::SIGINT,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];

/// Block signals, in this thread and all that it starts, and pass them on to the command. Before
/// there is one, they end this process; the node sees that, and withdraws what was asked for.
pub(super) fn pass_on(pack: Arc<Mutex<Option<Pack>>>) -> Result<()> {
    let passed_on: SigSet = PASSED_ON.into_iter().collect();
    passed_on.thread_block()?;
    // Whoever is in the background may not take the terminal back, unless it does not hear this.
    SigSet::from_iter([Signal::SIGTTOU]).thread_block()?;
    thread::Builder::new().spawn(move || {
        while let Ok(signal) = passed_on.wait() {
            let pack = lock(&pack);
            match &*pack {
                Some(pack) => pack.send(signal),
                None => std::process::exit(128 + signal as i32),
            }
        }
    })?;
    Ok(())
}

/// Send a signal to the command and all of its group.
pub(super) fn send(pack: &Mutex<Option<Pack>>, signal: Signal) {
    if let Some(pack) = &*lock(pack) {
        pack.send(signal);
    }
}

pub(super) fn lock(pack: &Mutex<Option<Pack>>) -> MutexGuard<'_, Option<Pack>> {
    pack.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hear no signal that can be blocked.
pub(super) fn be_deaf() -> Result<()> {
    Ok(SigSet::all().thread_block()?)
}

/// Hear every signal.
pub(super) fn hear() -> Result<()> {
    Ok(SigSet::empty().thread_set_mask()?)
}
