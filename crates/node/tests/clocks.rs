//! The time as each node has it, and nodes that are stopped: [`Clocks`].

use std::collections::BTreeMap;

/// How many frames the system keeps for a node that does not read them. Others are lost.
const KEPT: usize = 200;

/// A frame, and from whom.
type Frame = (usize, Vec<u8>);

/// The time as each node has it.
pub(crate) struct Clocks {
    /// How far a node's clock is ahead.
    ahead: Vec<i64>,
    /// What a clock shows that stands still.
    still: BTreeMap<usize, u64>,
    /// Nodes that are stopped, and what waits for them.
    stopped: BTreeMap<usize, Vec<Frame>>,
}

impl Clocks {
    pub(crate) fn new(n: usize) -> Clocks {
        Clocks { ahead: vec![0; n], still: BTreeMap::new(), stopped: BTreeMap::new() }
    }

    /// What a node's clock shows.
    pub(crate) fn time(&self, i: usize, now: u64) -> u64 {
        self.still.get(&i).copied().unwrap_or(now.saturating_add_signed(self.ahead[i]))
    }

    /// When a node is called that wants to be at a time of its own.
    pub(crate) fn due(&self, i: usize, wake_at: u64, now: u64) -> u64 {
        match self.still.get(&i) {
            _ if self.stopped.contains_key(&i) => u64::MAX,
            Some(&time) if wake_at <= time => now,
            Some(_) => u64::MAX,
            None => wake_at.saturating_add_signed(-self.ahead[i]),
        }
    }

    /// A node is not called any more, for whatever reason.
    pub(crate) fn stop(&mut self, i: usize) {
        self.stopped.entry(i).or_default();
    }

    /// A frame is there. Returns it, if the node can take it in.
    pub(crate) fn take(&mut self, from: usize, to: usize, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let Some(waiting) = self.stopped.get_mut(&to) else { return Some(bytes) };
        if waiting.len() < KEPT {
            waiting.push((from, bytes));
        }
        None
    }

    /// A node is called again. Returns what waits for it.
    pub(crate) fn go_on(&mut self, i: usize) -> Vec<Frame> {
        self.stopped.remove(&i).unwrap_or_default()
    }

    /// A clock jumps ahead.
    pub(crate) fn jump(&mut self, i: usize, micros: i64) {
        self.ahead[i] += micros;
    }

    /// A clock stands still.
    pub(crate) fn freeze(&mut self, i: usize, now: u64) {
        let time = self.time(i, now);
        self.still.insert(i, time);
    }

    /// It goes on from where it stood.
    pub(crate) fn thaw(&mut self, i: usize, now: u64) {
        if let Some(time) = self.still.remove(&i) {
            self.ahead[i] = time.cast_signed() - now.cast_signed();
        }
    }
}
