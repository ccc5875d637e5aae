//! Which number a row has: [`Numbers`].

use hashbrown::HashTable;

/// The numbers of rows that are kept elsewhere, found by the hash of a row. The hash is kept with
/// the number, so that the table can grow, and most rows can be told apart, without looking at
/// them; two rows are the same only if they are.
#[derive(Default)]
pub(crate) struct Numbers(HashTable<(u32, u32)>);

impl Numbers {
    /// The number of the row with this hash that is the one.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<u32> {
        let found = self.0.find(spread(hash), |&(number, other)| other == hash && is(number));
        found.map(|&(number, _)| number)
    }

    /// There is a new row with this hash.
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        self.0.insert_unique(spread(hash), (number, hash), |&(_, hash)| spread(hash));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.allocation_size()
    }
}

/// The table looks at the lowest and at the highest of 64 bits.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The hash of a row.
#[inline]
pub(crate) fn hash(row: &[u32]) -> u32 {
    let mixed = row.iter().fold(0x9E37_79B9_7F4A_7C15_u64, |hash, &word| {
        (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    // The lower half of a product has little of what was multiplied.
    (mixed >> 32) as u32
}
