//! The lowest and the highest of those numbers of which only differences matter: [`Range`].

/// How many kinds of such numbers there can be.
pub(crate) const KINDS: usize = 4;

/// For each kind of number, what has to be added to bring the lowest of a state to 0.
pub(crate) type Shift = [i32; KINDS];

/// The lowest and the highest number of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) low: [i32; KINDS],
    pub(crate) high: [i32; KINDS],
}

impl Range {
    /// No number at all.
    pub(crate) const EMPTY: Range = Range { low: [i32::MAX; KINDS], high: [i32::MIN; KINDS] };

    /// A number of a kind is there. Numbers too large to be kept are taken for the largest.
    pub(crate) fn see(&mut self, kind: usize, number: i64) {
        let number = i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
        self.low[kind] = self.low[kind].min(number);
        self.high[kind] = self.high[kind].max(number);
    }

    /// All numbers of both.
    #[inline]
    pub(crate) fn join(&self, other: &Range) -> Range {
        Range {
            low: std::array::from_fn(|kind| self.low[kind].min(other.low[kind])),
            high: std::array::from_fn(|kind| self.high[kind].max(other.high[kind])),
        }
    }

    /// What brings the lowest of each kind to 0; nothing, if they are there.
    #[inline]
    pub(crate) fn shift(&self) -> Option<Shift> {
        let shift = self.low.map(|low| if low == i32::MAX { 0 } else { -low });
        (shift != [0; KINDS]).then_some(shift)
    }

    /// How far apart the numbers of the widest kind are.
    #[inline]
    pub(crate) fn spread(&self) -> u32 {
        let widths = (0..KINDS).filter(|&kind| self.low[kind] <= self.high[kind]);
        widths.map(|kind| self.high[kind].abs_diff(self.low[kind])).max().unwrap_or(0)
    }
}
