//! Breadth first through all states: [`explore`].
//!
//! Some threads find successors, one keeps them. What they find comes in batches that are kept in
//! the order in which their states were found, so that the names of states, the shortest traces
//! and all counts are the same for any number of threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use crate::batch::{Batch, Fate, Move};
use crate::expand::expand_all;
use crate::memo::Memo;
use crate::site::Checked;
use crate::store::Store;

/// How far an exploration has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// States found so far.
    pub states: u64,
    /// Steps from state to state so far.
    pub edges: u64,
    /// States found and not expanded yet.
    pub frontier: u64,
    /// The length of the shortest way to the states that are being expanded.
    pub depth: u32,
    /// Memory in use.
    pub bytes: u64,
}

/// What an exploration may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Threads. Results do not depend on it.
    pub threads: usize,
    /// Memory, in bytes.
    pub bytes: u64,
    /// States.
    pub states: u64,
}

impl Default for Limits {
    /// One thread, 4 GiB, any number of states.
    fn default() -> Self {
        Limits { threads: 1, bytes: 4 << 30, states: u64::MAX }
    }
}

/// Why an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every state was expanded.
    Complete,
    /// A promise was broken.
    Violated,
    /// It was broken off from outside.
    Interrupted,
    /// There was no memory left.
    OutOfMemory,
    /// There were as many states as allowed.
    OutOfStates,
}

/// What was found.
pub(crate) struct Explored {
    pub(crate) store: Store,
    pub(crate) end: End,
    pub(crate) progress: Progress,
    /// Steps to states whose levels are too far apart.
    pub(crate) cut: u64,
    /// The nodes that entered in some run, a bit for each.
    pub(crate) entered: u8,
    pub(crate) found: Option<Found>,
}

/// A broken promise.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// By a move from a state.
    Step(u32, Move),
    /// In a state in which nothing happens any more, but that those inside leave.
    Stuck(u32),
}

/// How many states are expanded at a time.
const CHUNK: usize = 256;

/// How many batches may be on their way, for each thread.
const AHEAD: usize = 4;

/// How many batches pass between two looks at the limits.
const BATCHES_BETWEEN_LOOKS: u64 = 16;

/// Some states to expand, with the order in which they were found.
struct Job {
    number: u64,
    rows: Vec<u32>,
    batch: Batch,
}

/// Explore everything that can be reached from `initial`.
pub(crate) fn explore<P: Checked>(
    memo: &RwLock<Memo<P>>,
    initial: &[u32],
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Explored {
    let split = memo.read().unwrap_or_else(PoisonError::into_inner).layout.left();
    let mut search = Search::new(Store::new(initial.len(), split), initial, *limits);
    if limits.threads < 2 {
        while let Some(mut job) = search.next_job() {
            expand_all(memo, &job.rows, &mut job.batch);
            search.keep(job);
            search.look(watch);
        }
        return search.finish();
    }
    thread::scope(|scope| {
        let (to_do, jobs) = channel::<Job>();
        let (done, results) = channel::<Job>();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..limits.threads - 1 {
            let (jobs, done) = (Arc::clone(&jobs), done.clone());
            scope.spawn(move || work(memo, &jobs, &done));
        }
        let ahead = AHEAD * (limits.threads - 1);
        let mut waiting: BTreeMap<u64, Job> = BTreeMap::new();
        let mut under_way = 0;
        loop {
            while under_way < ahead
                && let Some(job) = search.next_job()
            {
                under_way += usize::from(to_do.send(job).is_ok());
            }
            if under_way == 0 {
                return search.finish();
            }
            let Ok(job) = results.recv() else { return search.finish() };
            waiting.insert(job.number, job);
            while let Some(job) = waiting.remove(&search.kept) {
                under_way -= 1;
                search.keep(job);
                search.look(watch);
            }
        }
    })
}

/// Expand what there is to expand, until there is no more.
fn work<P: Checked>(memo: &RwLock<Memo<P>>, jobs: &Mutex<Receiver<Job>>, done: &Sender<Job>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = next else { return };
        expand_all(memo, &job.rows, &mut job.batch);
        if done.send(job).is_err() {
            return;
        }
    }
}

/// The one who keeps states.
struct Search {
    store: Store,
    width: usize,
    limits: Limits,
    /// Rows of states that are to be expanded.
    frontier: Vec<u32>,
    /// Where the rows start that no job has yet.
    unsent: usize,
    /// Used up jobs, for their memory.
    spare: Vec<Job>,
    /// How many jobs were given out, and how many came back and were kept.
    sent: u64,
    kept: u64,
    /// The first state of the next level.
    next_level: usize,
    progress: Progress,
    cut: u64,
    entered: u8,
    found: Option<Found>,
    end: Option<End>,
}

impl Search {
    fn new(mut store: Store, initial: &[u32], limits: Limits) -> Self {
        store.insert(initial, crate::numbers::hash(initial), crate::store::NONE);
        Search {
            store,
            width: initial.len(),
            limits,
            frontier: initial.to_vec(),
            unsent: 0,
            spare: Vec::new(),
            sent: 0,
            kept: 0,
            next_level: 1,
            progress: Progress::default(),
            cut: 0,
            entered: 0,
            found: None,
            end: None,
        }
    }

    /// The next states to expand, if there are any by now.
    fn next_job(&mut self) -> Option<Job> {
        let left = self.frontier.len() - self.unsent;
        let idle = self.sent == self.kept;
        if self.end.is_some() || left == 0 || (left < CHUNK * self.width && !idle) {
            return None;
        }
        let some = left.min(CHUNK * self.width);
        let fresh = || Job { number: 0, rows: Vec::new(), batch: Batch::default() };
        let mut job = self.spare.pop().unwrap_or_else(fresh);
        job.number = self.sent;
        job.rows.clear();
        job.rows.extend_from_slice(&self.frontier[self.unsent..self.unsent + some]);
        self.sent += 1;
        self.unsent += some;
        // What was given out is thrown away when it is more than what is left.
        if self.unsent > self.frontier.len() / 2 {
            self.frontier.drain(..self.unsent);
            self.unsent = 0;
        }
        Some(job)
    }

    /// Keep what was found.
    fn keep(&mut self, job: Job) {
        self.kept += 1;
        if self.end.is_none() {
            let mut from = 0;
            let mut stuck = job.batch.stuck.iter().copied().peekable();
            for (place, &end) in job.batch.ends.iter().enumerate() {
                let state = self.store.expanded() as u32;
                if state as usize == self.next_level {
                    self.next_level = self.store.len();
                    self.progress.depth += 1;
                }
                if stuck.next_if_eq(&(place as u32)).is_some() {
                    return self.violated(Found::Stuck(state));
                }
                for k in from..end as usize {
                    self.keep_successor(&job.batch, k, state);
                    if self.end.is_some() {
                        return;
                    }
                }
                from = end as usize;
                self.store.end_edges();
            }
        }
        self.spare.push(job);
    }

    #[inline]
    fn keep_successor(&mut self, batch: &Batch, k: usize, state: u32) {
        let successor = &batch.successors[k];
        self.progress.edges += 1;
        self.entered |= successor.entered;
        match successor.fate {
            Fate::Kept => {
                let row = &batch.rows[k * self.width..(k + 1) * self.width];
                let (number, new) = self.store.insert(row, successor.hash, state);
                if new {
                    self.frontier.extend_from_slice(row);
                }
                if successor.by.is_calm() {
                    self.store.edge(number);
                }
            }
            Fate::Cut => self.cut += 1,
            Fate::Broken => self.violated(Found::Step(state, successor.by)),
        }
    }

    fn violated(&mut self, found: Found) {
        self.found = Some(found);
        self.end = Some(End::Violated);
    }

    /// Look at the limits, and let others look.
    fn look(&mut self, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) {
        if self.end.is_some() || !self.kept.is_multiple_of(BATCHES_BETWEEN_LOOKS) {
            return;
        }
        self.count();
        if watch(&self.progress).is_break() {
            self.end = Some(End::Interrupted);
        } else if self.progress.bytes > self.limits.bytes || self.store.is_full() {
            self.end = Some(End::OutOfMemory);
        } else if self.progress.states > self.limits.states {
            self.end = Some(End::OutOfStates);
        }
    }

    /// What is known of steps takes a few percent more memory, and is not counted: how far ahead
    /// threads are with it is a matter of chance, and no result may depend on that.
    fn count(&mut self) {
        let frontier = self.store.len() - self.store.expanded();
        let rows = frontier * self.width * size_of::<u32>();
        self.progress.bytes = (self.store.bytes() + rows) as u64;
        self.progress.states = self.store.len() as u64;
        self.progress.frontier = frontier as u64;
    }

    fn finish(mut self) -> Explored {
        self.count();
        Explored {
            store: self.store,
            end: self.end.unwrap_or(End::Complete),
            progress: self.progress,
            cut: self.cut,
            entered: self.entered,
            found: self.found,
        }
    }
}
