//! [`Fifo`]: the request queue `Q` of the papers.

use alloc::vec::Vec;

use crate::NodeId;

/// A queue of nodes in which no node stands twice.
///
/// It holds neighbors, so it is short, and a plain vector is the smallest and fastest way to keep
/// it: taking the head moves the few that stand behind it.
///
/// ```
/// use driftlock_core::{Fifo, NodeId};
/// let mut q = Fifo::new();
/// q.enqueue(NodeId(2));
/// q.enqueue(NodeId(3));
/// q.enqueue(NodeId(2)); // is on Q already
/// q.delete(NodeId(2));
/// assert!(q.is_just(NodeId(3)));
/// assert_eq!(q.dequeue(), Some(NodeId(3)));
/// assert!(q.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<NodeId>"))]
pub struct Fifo(Vec<NodeId>);

impl Fifo {
    /// An empty queue.
    pub const fn new() -> Self {
        Fifo(Vec::new())
    }

    /// Put `node` at the end, unless it is on the queue already.
    #[inline]
    pub fn enqueue(&mut self, node: NodeId) {
        if !self.0.contains(&node) {
            self.0.push(node);
        }
    }

    /// Take the node at the head.
    #[inline]
    pub fn dequeue(&mut self) -> Option<NodeId> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }

    /// Take `node` out, wherever it stands.
    #[inline]
    pub fn delete(&mut self, node: NodeId) {
        if let Some(place) = self.0.iter().position(|&other| other == node) {
            self.0.remove(place);
        }
    }

    /// Whether `node` is on the queue.
    pub fn contains(&self, node: NodeId) -> bool {
        self.0.contains(&node)
    }

    /// Whether the queue is `[node]`.
    #[inline]
    pub fn is_just(&self, node: NodeId) -> bool {
        self.0 == [node]
    }

    /// `|Q|`.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether `|Q| = 0`.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From the head to the end.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        self.0.iter().copied()
    }
}

impl From<Vec<NodeId>> for Fifo {
    fn from(nodes: Vec<NodeId>) -> Self {
        let mut queue = Fifo::new();
        nodes.into_iter().for_each(|node| queue.enqueue(node));
        queue
    }
}
