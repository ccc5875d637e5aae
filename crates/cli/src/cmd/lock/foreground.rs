//! Who may use the terminal: [`Foreground`].

use std::io::{IsTerminal, stdin};

use nix::sys::signal::{Signal, killpg, raise};
use nix::unistd::{Pid, getpgrp, tcgetpgrp, tcsetpgrp};

/// The terminal, if it was given to the group of the command. Without that, a command in a group of
/// its own would be stopped as soon as it reads what is typed.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Foreground {
    was_given: bool,
}

impl Foreground {
    /// Give the terminal to a group, if it is ours to give.
    pub(super) fn give_to(group: Pid) -> Self {
        let is_ours = stdin().is_terminal() && tcgetpgrp(stdin()) == Ok(getpgrp());
        Foreground { was_given: is_ours && tcsetpgrp(stdin(), group).is_ok() }
    }

    /// Take it back.
    pub(super) fn take_back(self) {
        if self.was_given {
            // A terminal that is gone cannot be taken back.
            let _ = tcsetpgrp(stdin(), getpgrp());
        }
    }

    /// The command was stopped (Ctrl-Z): stop as well, so that the shell notices, and go on when
    /// this process does.
    pub(super) fn stop_along(self, group: Pid) {
        if self.was_given {
            self.take_back();
            let _ = raise(Signal::SIGSTOP);
            Foreground::give_to(group);
            let _ = killpg(group, Signal::SIGCONT);
        }
    }
}
