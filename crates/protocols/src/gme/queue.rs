//! The request queue `Q`: who asked, and what for.

use alloc::vec::Vec;

use driftlock_core::{NodeId, ResourceId};

/// `REQUEST(j, r)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry {
    /// The neighbor that asked, or the node itself.
    pub j: NodeId,
    /// What for.
    pub r: ResourceId,
    /// Which of its requests this is, of those that followed each other without an answer (D6).
    pub(super) again: u32,
    /// Whether it was sent a subtoken for another resource in this session (D10).
    pub(super) tried: bool,
}

/// The queue. It is short, and a plain vector is the smallest way to keep it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Queue(Vec<Entry>);

impl Queue {
    /// Put a request at the end unless it is there, as the paper has it: `j` may ask for several
    /// resources.
    pub(super) fn enqueue(&mut self, j: NodeId, r: ResourceId) {
        if !self.has(j, r) {
            self.0.push(Entry { j, r, again: 0, tried: false });
        }
    }

    /// Put a request at the end, or in the place of the one that `j` has there (D6).
    pub(super) fn renew(&mut self, j: NodeId, r: ResourceId, again: u32) {
        match self.0.iter_mut().find(|entry| entry.j == j) {
            Some(entry) => (entry.r, entry.again) = (r, again),
            None => self.0.push(Entry { j, r, again, tried: false }),
        }
    }

    /// Take the request at the head.
    pub(super) fn dequeue(&mut self) -> Option<Entry> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }

    /// Take out what `j` asked for, wherever it stands.
    pub(super) fn delete(&mut self, j: NodeId) {
        self.0.retain(|entry| entry.j != j);
    }

    /// Take out all requests for `r`.
    pub(super) fn delete_all_for(&mut self, r: ResourceId) {
        self.0.retain(|entry| entry.r != r);
    }

    /// The request at the head.
    pub(super) fn head(&self) -> Option<Entry> {
        self.0.first().copied()
    }

    /// Whether `j` asked for `r`.
    pub(super) fn has(&self, j: NodeId, r: ResourceId) -> bool {
        self.0.iter().any(|entry| entry.j == j && entry.r == r)
    }

    /// Whether anyone asked for `r`.
    pub(super) fn has_some_for(&self, r: ResourceId) -> bool {
        self.0.iter().any(|entry| entry.r == r)
    }

    /// Whether anyone asked for something else than `r`.
    pub(super) fn has_some_but(&self, r: ResourceId) -> bool {
        self.0.iter().any(|entry| entry.r != r)
    }

    /// Whether the queue is one request of `j`.
    pub(super) fn is_just(&self, j: NodeId) -> bool {
        matches!(self.0[..], [entry] if entry.j == j)
    }

    /// Whether `|Q| = 0`.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From the head to the end.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// From the head to the end, to be changed.
    pub(super) fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.0
    }
}
