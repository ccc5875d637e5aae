//! All states that were found: [`Store`].

use crate::numbers::Numbers;
use crate::rows::Rows;

/// No state.
pub(crate) const NONE: u32 = u32::MAX;

/// The states, named by the order in which they were found, each with the one it was found from,
/// and the calm edges between them.
///
/// A row has two halves, nodes and channels, and each half is kept once: there are far fewer halves
/// than states. So a state takes 8 bytes, 4 for where it was found from, about 14 in the table
/// that finds it, and a share of its halves. Nothing is hashed away: two states are the same
/// only if their rows are.
pub(crate) struct Store {
    left: Rows,
    right: Rows,
    split: usize,
    states: Vec<[u32; 2]>,
    numbers: Numbers,
    parents: Vec<u32>,
    /// Where each state leads without the environment, one state after the other.
    edges: Vec<u32>,
    /// For each state that was expanded, where its edges end.
    ends: Vec<u32>,
}

impl Store {
    /// A store for rows of `width` numbers, the first `split` of which are the left half.
    pub(crate) fn new(width: usize, split: usize) -> Self {
        Store {
            left: Rows::new(split),
            right: Rows::new(width - split),
            split,
            states: Vec::new(),
            numbers: Numbers::default(),
            parents: Vec::new(),
            edges: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The number of the state with this row, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, row: &[u32], hash: u32, parent: u32) -> (u32, bool) {
        match self.find(row, hash) {
            Some(known) => (known, false),
            None => (self.add(row, hash, parent), true),
        }
    }

    /// The number of the state with this row.
    #[inline]
    pub(crate) fn find(&self, row: &[u32], hash: u32) -> Option<u32> {
        let (left, right) = row.split_at(self.split);
        self.numbers.find(hash, |number| {
            let [a, b] = self.states[number as usize];
            self.left.get(a) == left && self.right.get(b) == right
        })
    }

    fn add(&mut self, row: &[u32], hash: u32, parent: u32) -> u32 {
        let (left, right) = row.split_at(self.split);
        let state = [self.left.intern(left), self.right.intern(right)];
        let number = self.states.len() as u32;
        self.states.push(state);
        self.parents.push(parent);
        self.numbers.insert(hash, number);
        number
    }

    /// The row of a state, put after what is in `row`.
    pub(crate) fn extend_row(&self, state: u32, row: &mut Vec<u32>) {
        let [a, b] = self.states[state as usize];
        row.extend_from_slice(self.left.get(a));
        row.extend_from_slice(self.right.get(b));
    }

    /// The row of a state.
    pub(crate) fn row(&self, state: u32) -> Vec<u32> {
        let mut row = Vec::new();
        self.extend_row(state, &mut row);
        row
    }

    /// From the initial state to `state`, along the way it was found.
    pub(crate) fn path(&self, state: u32) -> Vec<u32> {
        let above = |&state: &u32| Some(self.parents[state as usize]).filter(|&up| up != NONE);
        let mut path: Vec<u32> = std::iter::successors(Some(state), above).collect();
        path.reverse();
        path
    }

    /// The state that is being expanded leads to `to` without the environment.
    #[inline]
    pub(crate) fn edge(&mut self, to: u32) {
        self.edges.push(to);
    }

    /// All edges of the state that is being expanded are there.
    #[inline]
    pub(crate) fn end_edges(&mut self) {
        self.ends.push(self.edges.len() as u32);
    }

    /// How many states were expanded.
    pub(crate) fn expanded(&self) -> usize {
        self.ends.len()
    }

    /// Where a state leads without the environment.
    #[inline]
    pub(crate) fn edges(&self, state: u32) -> &[u32] {
        let state = state as usize;
        let first = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.edges[first as usize..self.ends[state] as usize]
    }

    /// Whether the names for states or edges run out.
    pub(crate) fn is_full(&self) -> bool {
        self.states.len() > (u32::MAX - (1 << 24)) as usize
            || self.edges.len() > (u32::MAX - (1 << 24)) as usize
    }

    /// Memory in use. What vectors have reserved and not touched yet is none.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.parents.len() + self.edges.len() + self.ends.len();
        self.left.bytes()
            + self.right.bytes()
            + self.states.len() * size_of::<[u32; 2]>()
            + self.numbers.bytes()
            + words * size_of::<u32>()
    }
}
