//! When what is due at a link: [`Pace`].
//!
//! The time to wait for an acknowledgment is estimated as in RFC 6298: a smoothed round trip and
//! its variation, doubled each time nothing comes; what was sent twice is not measured.

use crate::Config;
use crate::link::Link;

/// After so many messages an acknowledgment does not wait.
const ACK_AT_ONCE: u32 = 8;
/// From the first knock to the second, in microseconds.
const KNOCK_FIRST: u64 = 30_000;

/// The times of one link. All in microseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    pub(crate) rtt: Option<u64>,
    variation: u64,
    /// A message that was sent once, and when.
    timed: Option<(u64, u64)>,
    resend_at: Option<u64>,
    resends: u32,
    /// When something came back last.
    progress_at: u64,
    ack_at: Option<u64>,
    /// Messages since the last acknowledgment.
    heard: u32,
    knock_at: Option<u64>,
    knocks: u32,
    ask_at: Option<u64>,
    asks: u32,
}

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    Resend,
    GiveUp,
    Acknowledge,
    Knock,
    Ask,
}

impl Pace {
    /// How long to wait for an acknowledgment.
    fn rto(&self, config: &Config) -> u64 {
        let wait = self.rtt.map_or(config.rto_initial, |rtt| rtt + 4 * self.variation);
        let wait = wait.max(config.rto_min).checked_shl(self.resends.min(16));
        wait.unwrap_or(u64::MAX).min(config.rto_max)
    }

    /// A message is sent for the first time.
    pub(crate) fn on_sent(&mut self, now: u64, number: u64) {
        self.timed.get_or_insert((number, now));
    }

    /// An acknowledgment goes out, alone or with a message.
    pub(crate) fn on_ack_sent(&mut self) {
        (self.ack_at, self.heard) = (None, 0);
    }

    /// A message came in.
    pub(crate) fn on_message(&mut self) {
        self.heard += 1;
    }

    /// Messages up to this number are newly acknowledged.
    pub(crate) fn on_progress(&mut self, now: u64, acked: u64) {
        if let Some((_, at)) = self.timed.take_if(|(number, _)| *number <= acked) {
            let sample = now.saturating_sub(at);
            let rtt = self.rtt.unwrap_or(sample);
            self.variation = match self.rtt {
                Some(_) => (3 * self.variation + rtt.abs_diff(sample)) / 4,
                None => sample / 2,
            };
            self.rtt = Some((7 * rtt + sample) / 8);
        }
        (self.progress_at, self.resends, self.resend_at) = (now, 0, None);
    }

    /// Set the times by what the link wants.
    pub(crate) fn plan(&mut self, now: u64, link: &Link, renews: bool, config: &Config) {
        if !link.wants_answer() {
            (self.resend_at, self.resends, self.timed) = (None, 0, None);
        } else if self.resend_at.is_none() {
            self.resend_at = Some(now + self.rto(config));
            if self.resends == 0 {
                self.progress_at = now;
            }
        }
        match link.is_up() && link.arq().is_some_and(|arq| arq.owes()) {
            true if self.heard >= ACK_AT_ONCE => self.ack_at = Some(now),
            true => drop(self.ack_at.get_or_insert(now + config.ack_delay)),
            false => self.on_ack_sent(),
        }
        match link.wants_handshake() || renews {
            true => drop(self.knock_at.get_or_insert(now)),
            false => (self.knock_at, self.knocks) = (None, 0),
        }
        match link.is_in_doubt() {
            true => drop(self.ask_at.get_or_insert(now + config.ask_first)),
            false => (self.ask_at, self.asks) = (None, 0),
        }
    }

    /// The first thing that is due; its time is set anew.
    pub(crate) fn due(&mut self, now: u64, config: &Config) -> Option<Due> {
        let is_due = |at: Option<u64>| at.is_some_and(|at| now >= at);
        if is_due(self.ack_at) {
            self.on_ack_sent();
            return Some(Due::Acknowledge);
        }
        if is_due(self.resend_at) {
            self.timed = None;
            if now >= self.progress_at + config.give_up_after {
                (self.resend_at, self.resends) = (None, 0);
                return Some(Due::GiveUp);
            }
            self.resends += 1;
            self.resend_at = Some(now + self.rto(config));
            return Some(Due::Resend);
        }
        if is_due(self.knock_at) {
            let wait = KNOCK_FIRST << self.knocks.min(10);
            self.knocks += 1;
            self.knock_at = Some(now + wait.min(config.hello_every));
            return Some(Due::Knock);
        }
        if is_due(self.ask_at) {
            self.asks += 1;
            let wait = config.ask_first << self.asks.min(16);
            self.ask_at = Some(now + wait.min(config.ask_last));
            return Some(Due::Ask);
        }
        None
    }

    /// When something is due.
    pub(crate) fn wake_at(&self) -> u64 {
        let times = [self.resend_at, self.ack_at, self.knock_at, self.ask_at];
        times.into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_wait_follows_the_round_trip_and_doubles() {
        let config = Config::new("net");
        let mut pace = Pace::default();
        assert_eq!(pace.rto(&config), 100_000);
        pace.on_sent(0, 1);
        pace.on_sent(5, 2);
        pace.on_progress(40_000, 2);
        assert_eq!((pace.rtt, pace.rto(&config)), (Some(40_000), 120_000));
        for k in 2..100 {
            pace.on_sent(0, k);
            pace.on_progress(200, k);
        }
        assert!(pace.rtt.is_some_and(|rtt| rtt < 300));
        assert_eq!(pace.rto(&config), 20_000);
        pace.resends = 2;
        assert_eq!(pace.rto(&config), 80_000);
        pace.resends = 99;
        assert_eq!(pace.rto(&config), 500_000);
    }

    #[test]
    fn what_was_sent_twice_is_not_measured() {
        let config = Config::new("net");
        let mut pace = Pace { resend_at: Some(10), progress_at: 5, ..Pace::default() };
        pace.on_sent(0, 1);
        assert_eq!(pace.due(10, &config), Some(Due::Resend));
        pace.on_progress(20, 1);
        assert_eq!(pace.rtt, None);
        let late = 5 + config.give_up_after;
        let mut pace = Pace { resend_at: Some(10), progress_at: 5, ..Pace::default() };
        assert_eq!(pace.due(late, &config), Some(Due::GiveUp));
        assert_eq!((pace.due(late, &config), pace.wake_at()), (None, u64::MAX));
    }

    #[test]
    fn questions_come_less_and_less_often() {
        let config = Config::new("net");
        let mut pace = Pace { ask_at: Some(0), ..Pace::default() };
        let (mut now, mut waits) = (0, Vec::new());
        for _ in 0..8 {
            assert_eq!(pace.due(now, &config), Some(Due::Ask));
            waits.push((pace.wake_at() - now) / 100_000);
            now = pace.wake_at();
        }
        assert_eq!(waits, [4, 8, 16, 32, 64, 100, 100, 100]);
    }
}
