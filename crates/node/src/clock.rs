//! The time as a node has it: [`Clock`].

use std::time::Duration;

use nix::time::ClockId;

/// Counts from when the node was started. It goes on while the machine sleeps: whoever has slept
/// for too long has to stop what it runs (`--alone`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Duration,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { started: since_boot() }
    }

    /// Microseconds since the start.
    pub(crate) fn now(self) -> u64 {
        let passed = since_boot().saturating_sub(self.started);
        u64::try_from(passed.as_micros()).unwrap_or(u64::MAX)
    }
}

/// How long the machine has been up, asleep or not.
fn since_boot() -> Duration {
    Duration::from(ClockId::CLOCK_BOOTTIME.now().expect("Linux has that clock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on() {
        let clock = Clock::start();
        let first = clock.now();
        let times: Vec<u64> = (0..100_000).map(|_| clock.now()).collect();
        assert!(times.is_sorted() && times.iter().any(|time| first < *time));
        assert!(clock.now() < 60_000_000, "it counts from the start of the node");
    }
}
