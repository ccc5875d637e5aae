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

/// How long a program thinks between two locks, on average, in seconds.
const THINK: f64 = 2.0;

/// How long a program waits for a lock.
const WAIT: Duration = Duration::from_secs(5);

/// Whoever has no answer after so much longer has none at all.
const SLACK: Duration = Duration::from_secs(30);

/// How often which lock had which answer.
pub(crate) type Counts = BTreeMap<(&'static str, &'static str), u64>;

/// Programs, and what came of all that they asked for.
pub(crate) struct Crowd {
    start: Instant,
    /// Since when each waits for an answer, in milliseconds; 0 if it does not.
    since: Vec<AtomicU64>,
    counts: Mutex<Counts>,
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
            self.use_once(&client, (number, name), &mut dice, |lock| lock.wait(WAIT));
        }
        ready.ring();
        while !self.end.wait(Duration::from_secs_f64(dice.exponential(THINK))) {
            let (name, is_now) = (dice.below(NAMES), dice.below(10) == 0);
            self.use_once(&client, (number, name), &mut dice, |lock| match is_now {
                true => lock.try_now(),
                false => lock.wait(WAIT),
            });
        }
    }

    fn use_once(
        &self,
        client: &Client,
        (number, name): (u32, u64),
        dice: &mut Sequence,
        how: impl Fn(Lock) -> Lock,
    ) {
        let (kind, wanted) = lock(name, number);
        let since = &self.since[number as usize];
        since.store(self.now().max(1), Ordering::Relaxed);
        let answer = client.acquire(how(wanted));
        since.store(0, Ordering::Relaxed);
        let said = match &answer {
            Ok(_) => "granted",
            Err(AcquireError::Timeout(_)) => "not in time",
            Err(AcquireError::Busy(_)) => "not free at once",
            Err(_) => "refused for another reason",
        };
        self.count(kind, said);
        if let Ok(guard) = answer {
            // A local lock may be lost meanwhile.
            let _lost = guard.wait_lost(Duration::from_micros(500 + dice.below(5000)));
            let said = if guard.release().is_ok() { "released" } else { "not released" };
            self.count(kind, said);
        }
    }

    /// Whether somebody waits for an answer.
    pub(crate) fn is_busy(&self) -> bool {
        self.since.iter().any(|since| since.load(Ordering::Relaxed) != 0)
    }

    /// How many programs have waited for an answer for longer than they would.
    pub(crate) fn hung(&self) -> usize {
        let longest = (WAIT + SLACK).as_millis() as u64;
        let now = self.now();
        let is_hung = |since: u64| since != 0 && longest < now - since.min(now);
        self.since.iter().filter(|since| is_hung(since.load(Ordering::Relaxed))).count()
    }

    /// How often there was which answer.
    pub(crate) fn counts(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn count(&self, kind: &'static str, said: &'static str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry((kind, said)).or_default() += 1;
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}

/// A lock of a name; a quarter of the names is of each kind.
fn lock(name: u64, number: u32) -> (&'static str, Lock) {
    let text = format!("name {name}");
    let group = if number.is_multiple_of(2) { "even" } else { "odd" };
    match name % 4 {
        0 => ("exclusive", Lock::exclusive(text)),
        1 => ("permits", Lock::permits(text, 3)),
        2 => ("group", Lock::group(text, group)),
        _ => ("local", Lock::local(text)),
    }
}
