//! Rows of numbers that are kept once: [`Rows`].

use hashbrown::HashTable;

/// Rows of one width. Equal rows have the same number.
pub(crate) struct Rows {
    width: usize,
    /// How many there are. The rows of a network of one node have no channels, and no width.
    len: u32,
    words: Vec<u32>,
    numbers: HashTable<u32>,
}

impl Rows {
    pub(crate) fn new(width: usize) -> Self {
        Rows { width, len: 0, words: Vec::new(), numbers: HashTable::new() }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let first = number as usize * self.width;
        &self.words[first..first + self.width]
    }

    /// The number of `row`, whose hash is `hash`.
    pub(crate) fn intern(&mut self, row: &[u32], hash: u64) -> u32 {
        let Rows { width, len, words, numbers } = self;
        let at = |number: u32| {
            let first = number as usize * *width;
            &words[first..first + *width]
        };
        if let Some(&number) = numbers.find(hash, |&number| at(number) == row) {
            return number;
        }
        let number = *len;
        *len = number.checked_add(1).expect("fewer rows than numbers");
        numbers.insert_unique(hash, number, |&number| self::hash(at(number)));
        words.extend_from_slice(row);
        number
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>() + self.numbers.allocation_size()
    }
}

/// The hash of a row.
#[inline]
pub(crate) fn hash(row: &[u32]) -> u64 {
    hash_halves(row, &[])
}

/// The hash of a row that is in two pieces.
#[inline]
pub(crate) fn hash_halves(left: &[u32], right: &[u32]) -> u64 {
    let mixed = left.iter().chain(right).fold(0x9E37_79B9_7F4A_7C15_u64, |hash, &word| {
        (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    // The table looks at the highest and at the lowest bits; the products leave the lowest ones
    // with little of the input.
    mixed ^ (mixed >> 32)
}
