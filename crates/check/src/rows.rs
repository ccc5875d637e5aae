//! Rows of numbers that are kept once: [`Rows`].

use crate::numbers::{Numbers, hash};

/// Rows of one width. Equal rows have the same number.
pub(crate) struct Rows {
    width: usize,
    /// How many there are. The rows of a network of one node have no channels, and no width.
    len: u32,
    words: Vec<u32>,
    numbers: Numbers,
}

impl Rows {
    pub(crate) fn new(width: usize) -> Self {
        Rows { width, len: 0, words: Vec::new(), numbers: Numbers::default() }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let first = number as usize * self.width;
        &self.words[first..first + self.width]
    }

    /// The number of `row`.
    pub(crate) fn intern(&mut self, row: &[u32]) -> u32 {
        let hash = hash(row);
        if let Some(number) = self.numbers.find(hash, |number| self.get(number) == row) {
            return number;
        }
        let number = self.len;
        self.len = number.checked_add(1).expect("fewer rows than numbers");
        self.numbers.insert(hash, number);
        self.words.extend_from_slice(row);
        number
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>() + self.numbers.bytes()
    }
}
