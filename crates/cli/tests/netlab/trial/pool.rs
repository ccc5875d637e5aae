//! Several trials at a time: [`run_all`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use driftlock_faults::Schedule;

use super::outcome::Outcome;

/// A trial with so many nodes takes one place, and one with more takes more.
const NODES: usize = 8;

/// Places that trials take.
struct Places {
    left: Mutex<usize>,
    freed: Condvar,
}

impl Places {
    fn take(&self, number: usize) {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.freed.wait_while(left, |left| *left < number);
        *left.unwrap_or_else(PoisonError::into_inner) -= number;
    }

    fn free(&self, number: usize) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) += number;
        self.freed.notify_all();
    }
}

/// Carry out the schedules of all seeds, about `jobs` at a time, and tell what came of each. Trials
/// that are not over when somebody wants to `stop` are given up.
pub(crate) fn run_all(
    seeds: impl Iterator<Item = u64> + Send,
    jobs: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(Outcome),
) {
    let places = Places { left: Mutex::new(jobs), freed: Condvar::new() };
    let (sender, outcomes) = channel();
    thread::scope(|scope| {
        let places = &places;
        scope.spawn(move || {
            for seed in seeds {
                let wanted = Schedule::draw(seed).nodes.div_ceil(NODES).min(jobs);
                places.take(wanted);
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let sender = sender.clone();
                scope.spawn(move || {
                    one(seed, stop, &sender);
                    places.free(wanted);
                });
            }
        });
        outcomes.iter().for_each(&mut tell);
    });
}

/// One trial. If the lab itself fails, that is told as what is wrong.
fn one(seed: u64, stop: &AtomicBool, sender: &Sender<Outcome>) {
    let outcome = catch_unwind(AssertUnwindSafe(|| super::run(seed, stop, false)));
    let outcome = outcome.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        Some(Outcome::failed(seed, format!("the lab failed: {said}")))
    });
    if let Some(outcome) = outcome {
        // Who is told waits for all.
        let _ = sender.send(outcome);
    }
}
