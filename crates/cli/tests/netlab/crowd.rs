//! Many programs and many names for a long time: [`Crowd`].

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use driftlock_client::blocking::Client;
use driftlock_client::{AcquireError, Lock};
use driftlock_sim::dice::{Dice, Sequence, Stream};

use crate::bell::Bell;

/// How many programs there are at each node.
pub(crate) const AT_EACH: u32 = 4;

/// How many names of locks.
pub(crate) const NAMES: u64 = 1000;

/// How long a program waits for a lock.
const WAIT: Duration = Duration::from_secs(5);

/// Whoever has no answer after so much longer has none at all.
const SLACK: Duration = Duration::from_secs(30);

/// Programs, and what came of all that they asked for.
pub(crate) struct Crowd {
    start: Instant,
    /// Since when each waits for an answer, in milliseconds; 0 if it does not.
    since: Vec<AtomicU64>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    pub(crate) end: Bell,
}

impl Crowd {
    pub(crate) fn new(nodes: u32) -> Crowd {
        Crowd {
            start: Instant::now(),
            since: (0..nodes * AT_EACH).map(|_| AtomicU64::new(0)).collect(),
            counts: Mutex::default(),
            end: Bell::default(),
        }
    }

    /// A program at a node: it asks for every name of its share once, so that its node knows all of
    /// them, rings, and then for any name until the end.
    pub(crate) fn work(&self, number: u32, socket: &Path, ready: &Bell) {
        let client = Client::connect(socket).unwrap();
        let mut dice = Dice::new(7).sequence_of(Stream::Requests, number);
        for name in
            (0..NAMES).filter(|name| name % u64::from(AT_EACH) == u64::from(number % AT_EACH))
        {
            self.use_once(&client, number, lock(name, number).wait(WAIT), &mut dice);
        }
        ready.ring();
        while !self.end.wait(Duration::from_secs_f64(dice.exponential(0.1))) {
            let wanted = lock(dice.below(NAMES), number);
            let wanted = if dice.below(10) == 0 { wanted.try_now() } else { wanted.wait(WAIT) };
            self.use_once(&client, number, wanted, &mut dice);
        }
    }

    fn use_once(&self, client: &Client, number: u32, wanted: Lock, dice: &mut Sequence) {
        let since = &self.since[number as usize];
        since.store(self.now().max(1), Ordering::Relaxed);
        let answer = client.acquire(wanted);
        since.store(0, Ordering::Relaxed);
        let kind = match &answer {
            Ok(_) => "granted",
            Err(AcquireError::Timeout(_)) => "not in time",
            Err(AcquireError::Busy(_)) => "not free at once",
            Err(_) => "refused for another reason",
        };
        self.count(kind);
        if let Ok(guard) = answer {
            // A local lock may be lost meanwhile.
            let _lost = guard.wait_lost(Duration::from_micros(500 + dice.below(5000)));
            let kind = if guard.release().is_ok() { "released" } else { "not released" };
            self.count(kind);
        }
    }

    /// How many programs have waited for an answer for longer than they would.
    pub(crate) fn hung(&self) -> usize {
        let longest = (WAIT + SLACK).as_millis() as u64;
        let now = self.now();
        let is_hung = |since: u64| since != 0 && longest < now - since.min(now);
        self.since.iter().filter(|since| is_hung(since.load(Ordering::Relaxed))).count()
    }

    /// How often there was which answer.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn count(&self, kind: &'static str) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}

/// A lock of a name; a quarter of the names is of each kind.
fn lock(name: u64, number: u32) -> Lock {
    let text = format!("name {name}");
    match name % 4 {
        0 => Lock::exclusive(text),
        1 => Lock::permits(text, 3),
        2 => Lock::group(text, if number.is_multiple_of(2) { "even" } else { "odd" }),
        _ => Lock::local(text),
    }
}
