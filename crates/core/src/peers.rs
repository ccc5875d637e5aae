//! [`PeerMap`]: one record per neighbor, so that `self.link[j].height` reads like `height[j]`.

use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use crate::NodeId;

/// A map from neighbors to what is known of each, in the order of their identifiers.
///
/// Neighborhoods are small, so this is one sorted vector: a single allocation, no hashing, and
/// equal maps are equal bytes.
///
/// ```
/// use driftlock_core::{NodeId, PeerMap};
/// let mut height = PeerMap::new();
/// height.insert(NodeId(7), 3);
/// height.insert(NodeId(2), 5);
/// assert_eq!(height[NodeId(7)], 3);
/// assert_eq!(height.keys().collect::<Vec<_>>(), [NodeId(2), NodeId(7)]);
/// assert_eq!(height.remove(NodeId(2)), Some(5));
/// assert_eq!(height.get(NodeId(2)), None);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<(NodeId, V)>"))]
pub struct PeerMap<V>(Vec<(NodeId, V)>);

impl<V> PeerMap<V> {
    /// An empty map.
    pub const fn new() -> Self {
        PeerMap(Vec::new())
    }

    /// How many neighbors there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a record for `peer`.
    #[inline]
    pub fn contains(&self, peer: NodeId) -> bool {
        self.find(peer).is_ok()
    }

    /// The record of `peer`.
    #[inline]
    pub fn get(&self, peer: NodeId) -> Option<&V> {
        self.find(peer).ok().map(|k| &self.0[k].1)
    }

    /// The record of `peer`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, peer: NodeId) -> Option<&mut V> {
        self.find(peer).ok().map(|k| &mut self.0[k].1)
    }

    /// Set the record of `peer`; the previous one is returned.
    pub fn insert(&mut self, peer: NodeId, value: V) -> Option<V> {
        match self.find(peer) {
            Ok(k) => Some(core::mem::replace(&mut self.0[k].1, value)),
            Err(k) => {
                self.0.insert(k, (peer, value));
                None
            }
        }
    }

    /// The record of `peer`, which is made if there is none.
    #[inline]
    pub fn get_or_insert_with(&mut self, peer: NodeId, make: impl FnOnce() -> V) -> &mut V {
        let place = self.find(peer).unwrap_or_else(|place| {
            self.0.insert(place, (peer, make()));
            place
        });
        &mut self.0[place].1
    }

    /// Forget `peer`.
    pub fn remove(&mut self, peer: NodeId) -> Option<V> {
        self.find(peer).ok().map(|k| self.0.remove(k).1)
    }

    /// All records, in the order of the identifiers.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &V)> {
        self.0.iter().map(|(peer, value)| (*peer, value))
    }

    /// All records, to be changed, in the order of the identifiers.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (NodeId, &mut V)> {
        self.0.iter_mut().map(|(peer, value)| (*peer, value))
    }

    /// The record at place `k` in the order of the identifiers. Panics if there are not so many.
    #[inline]
    pub fn nth(&self, k: usize) -> (NodeId, &V) {
        let (peer, value) = &self.0[k];
        (*peer, value)
    }

    /// Keep only the records for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(NodeId, &V) -> bool) {
        self.0.retain(|(peer, value)| keep(*peer, value));
    }

    /// The neighbors, in order.
    #[inline]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.0.iter().map(|(peer, _)| *peer)
    }

    /// Read the map here and there, so that a driver of many processes can have its memory fetched
    /// in time. The answer means nothing. No read depends on another, as those of a search do.
    #[inline]
    pub fn glance(&self) -> u32 {
        let (n, at) = (self.0.len(), |k: usize| self.0.get(k).map_or(0, |(peer, _)| peer.0));
        at(0) ^ at(n / 4) ^ at(n / 2) ^ at(n / 4 * 3) ^ at(n.wrapping_sub(1))
    }

    /// Where `peer` is, or where it would go.
    #[inline]
    fn find(&self, peer: NodeId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&peer, |(id, _)| *id)
    }
}

impl<V> Default for PeerMap<V> {
    fn default() -> Self {
        PeerMap::new()
    }
}

impl<V> FromIterator<(NodeId, V)> for PeerMap<V> {
    fn from_iter<I: IntoIterator<Item = (NodeId, V)>>(records: I) -> Self {
        let mut map = PeerMap(records.into_iter().collect());
        map.0.sort_by_key(|(peer, _)| *peer);
        map.0.dedup_by_key(|(peer, _)| *peer);
        map
    }
}

impl<V> From<Vec<(NodeId, V)>> for PeerMap<V> {
    fn from(records: Vec<(NodeId, V)>) -> Self {
        records.into_iter().collect()
    }
}

impl<V> Index<NodeId> for PeerMap<V> {
    type Output = V;
    #[inline]
    fn index(&self, peer: NodeId) -> &V {
        self.get(peer).expect("only neighbors have a record")
    }
}

impl<V> IndexMut<NodeId> for PeerMap<V> {
    #[inline]
    fn index_mut(&mut self, peer: NodeId) -> &mut V {
        self.get_mut(peer).expect("only neighbors have a record")
    }
}
