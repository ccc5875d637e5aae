//! Bytes as a list of decisions: [`Script`].
//!
//! Where a target has to do things one after the other, its input says which. So whoever makes up
//! inputs makes up whole runs, byte by byte.

/// What is left of an input that is read as a list of decisions. At its end all decisions are 0.
#[derive(Clone, Debug)]
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// The decisions that these bytes are.
    pub fn new(bytes: &'a [u8]) -> Self {
        Script(bytes)
    }

    /// Whether no decision is left.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// One of so many, of which there is at least one.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0..=256 => usize::from(self.byte()) % n.max(1),
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % n,
        }
    }

    /// So many of the next bytes, or as many as there are.
    pub fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Alter something: a bit, a byte, the end, a part that comes twice or not at all.
    pub fn alter(&mut self, bytes: &mut Vec<u8>) {
        let place = self.below(bytes.len() + 1);
        match self.below(8) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, self.byte()),
            2 => {
                let part = self.part(bytes, place);
                let again = bytes[part].to_vec();
                bytes.splice(place..place, again);
            }
            3 => {
                let part = self.part(bytes, place);
                bytes.drain(part);
            }
            4 => bytes.extend(self.bytes(usize::from(self.0.len() > 8) * 8)),
            5 => bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte = self.byte()),
            _ => {
                let bit = 1 << self.below(8);
                bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= bit);
            }
        }
    }

    fn part(&mut self, bytes: &[u8], start: usize) -> core::ops::Range<usize> {
        start..(start + self.below(16)).min(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_come_from_the_bytes_and_end_with_them() {
        let mut script = Script::new(&[7, 1, 2, 200, 9]);
        assert_eq!((script.below(5), script.below(1000)), (2, 258));
        assert_eq!((script.bytes(1), script.is_over()), (&[200][..], false));
        assert_eq!((script.byte(), script.byte(), script.is_over()), (9, 0, true));
    }

    #[test]
    fn every_way_to_alter_bytes_does_something() {
        let altered = |how: &[u8]| {
            let mut bytes = b"abcdef".to_vec();
            Script::new(how).alter(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert_eq!(altered(&[2, 0]), "ab");
        assert_eq!(altered(&[2, 1, b'x']), "abxcdef");
        assert_eq!(altered(&[2, 2, 3]), "abcdecdef");
        assert_eq!(altered(&[2, 3, 3]), "abf");
        assert_eq!(altered(b"\x02\x0412345678"), "abcdef");
        assert_eq!(altered(b"\x02\x04123456789"), "abcdef12345678");
        assert_eq!(altered(&[2, 5, b'x']), "abxdef");
        assert_eq!(altered(&[2, 6, 1]), "abadef");
        assert_eq!(altered(&[6, 6, 1]), "abcdef", "behind the end there is nothing");
    }
}
