//! Values that are kept once and named by a number: [`Pool`].

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A map that is only ever looked into, never walked through, so that the order in which it keeps
/// things cannot show.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;

/// All values of a kind that were ever seen. Equal values have the same number.
pub(crate) struct Pool<T> {
    values: Vec<T>,
    numbers: HashTable<u32>,
}

impl<T: Eq + Hash> Pool<T> {
    pub(crate) fn new() -> Self {
        Pool { values: Vec::new(), numbers: HashTable::new() }
    }

    /// The number of `value`, and whether it is a new one.
    pub(crate) fn intern(&mut self, value: T) -> (u32, bool) {
        let Pool { values, numbers } = self;
        let hash = |value: &T| FxBuildHasher.hash_one(value);
        let of_value = hash(&value);
        if let Some(&number) = numbers.find(of_value, |&number| values[number as usize] == value) {
            return (number, false);
        }
        let number = u32::try_from(values.len()).expect("fewer values than numbers");
        values.push(value);
        numbers.insert_unique(of_value, number, |&number| hash(&values[number as usize]));
        (number, true)
    }

    pub(crate) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}
