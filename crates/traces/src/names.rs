//! Names of nodes, and their numbers: [`Names`].

use std::collections::BTreeMap;

/// Names in the order they were met. In the end they are put in order.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: BTreeMap<String, u32>,
}

impl Names {
    /// The number of this name, which may be new.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.find(name) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of this name, if it is known.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// All names in order, and the new number of each by its old one. Whole numbers come first, by
    /// their values, and then the rest.
    pub(crate) fn ordered(self) -> (Vec<String>, Vec<u32>) {
        let mut names: Vec<(String, u32)> = self.numbers.into_iter().collect();
        names.sort_by(|(a, _), (b, _)| key(a).cmp(&key(b)));
        let mut places = vec![0; names.len()];
        for (place, (_, number)) in (0..).zip(&names) {
            places[*number as usize] = place;
        }
        (names.into_iter().map(|(name, _)| name).collect(), places)
    }
}

fn key(name: &str) -> (bool, u64, &str) {
    let value = name.parse::<u64>();
    (value.is_err(), value.unwrap_or(0), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_their_order_and_before_words() {
        let mut names = Names::default();
        let met = ["10", "b", "9", "a", "9", "007"].map(|name| names.number(name));
        assert_eq!(met, [0, 1, 2, 3, 2, 4]);
        let (names, places) = names.ordered();
        assert_eq!(names, ["007", "9", "10", "a", "b"]);
        assert_eq!(places, [2, 4, 1, 3, 0]);
    }
}
