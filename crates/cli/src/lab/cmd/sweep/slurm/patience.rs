//! How long Slurm may be out of reach: [`Patience`]. It is a matter of real time, as for nodes and
//! locks: it decides when to stop asking, and nothing in results.

use std::time::Duration;

use tokio::time::Instant;

/// A controller that is started anew is away for minutes.
const LONGEST: Duration = Duration::from_secs(300);
/// It is asked so often at least, however long the pauses are.
const TRIES: u32 = 5;

/// With someone who does not answer.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Since when there was no answer, and how often.
    silence: Option<(Instant, u32)>,
}

impl Patience {
    /// Whether there was an answer to the last question, if there was any.
    pub(super) fn is_fresh(&self) -> bool {
        self.silence.is_none()
    }

    /// Whether to ask once more, after there was no answer.
    pub(super) fn bears(&mut self, now: Instant) -> bool {
        let (since, tries) = self.silence.get_or_insert((now, 0));
        *tries += 1;
        *tries < TRIES || now.duration_since(*since) < LONGEST
    }

    /// There was an answer.
    pub(super) fn restore(&mut self) {
        self.silence = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_matter_of_time_and_of_some_tries() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut patience = Patience::default();
        assert!((0..290).all(|second| patience.bears(after(second))));
        assert!(!patience.bears(after(300)));
        patience.restore();
        assert!((1..5).all(|hour| patience.bears(after(hour * 3600))));
        assert!(!patience.bears(after(5 * 3600)));
    }
}
