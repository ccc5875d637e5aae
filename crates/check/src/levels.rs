//! Numbers of which only differences matter: how low and how high they are, and what brings them
//! down.

use driftlock_core::Level;

use crate::layout::NODES_MAX;

/// How many kinds of shared numbers there can be.
pub(crate) const SHARED: usize = 4;

/// For each kind of number in a state, what has to be added to bring the lowest to 0: first the
/// shared ones, then those of each node.
pub(crate) type Shift = [i32; SHARED + NODES_MAX];

/// The same, as it concerns a channel: the shared ones, the sender's, the receiver's.
pub(crate) type ChannelShift = [i32; SHARED + 2];

/// Where the sender's numbers are, and the receiver's.
const SENDER: usize = SHARED;
const RECEIVER: usize = SHARED + 1;

/// The lowest number of each of `K` kinds, and the highest of those that are shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range<const K: usize> {
    low: [i32; K],
    high: [i32; SHARED],
}

/// The range of a node, or of a whole state.
pub(crate) type StateRange = Range<{ SHARED + NODES_MAX }>;

/// The range of a channel.
pub(crate) type ChannelRange = Range<{ SHARED + 2 }>;

impl<const K: usize> Range<K> {
    /// No number at all.
    pub(crate) const EMPTY: Self = Range { low: [i32::MAX; K], high: [i32::MIN; SHARED] };

    /// A number is there. Numbers too large to be kept are taken for the largest.
    pub(crate) fn see(&mut self, level: Level, number: i64) {
        if matches!(level, Level::Below(_)) {
            return;
        }
        let number = i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
        let place = place(level);
        self.low[place] = self.low[place].min(number);
        if let Some(high) = self.high.get_mut(place) {
            *high = (*high).max(number);
        }
    }

    /// All numbers of both.
    #[inline]
    pub(crate) fn join(&mut self, other: &Self) {
        for (low, other) in self.low.iter_mut().zip(&other.low) {
            *low = (*low).min(*other);
        }
        self.join_high(&other.high);
    }

    #[inline]
    fn join_high(&mut self, other: &[i32; SHARED]) {
        for (high, other) in self.high.iter_mut().zip(other) {
            *high = (*high).max(*other);
        }
    }
}

impl StateRange {
    /// And all numbers in the channel from `from` to `to`.
    #[inline]
    pub(crate) fn join_channel(&mut self, channel: &ChannelRange, from: usize, to: usize) {
        for (low, other) in self.low.iter_mut().zip(&channel.low[..SHARED]) {
            *low = (*low).min(*other);
        }
        let (from, to) = (SHARED + from, SHARED + to);
        self.low[from] = self.low[from].min(channel.low[SENDER]);
        self.low[to] = self.low[to].min(channel.low[RECEIVER]);
        self.join_high(&channel.high);
    }

    /// What brings the lowest of each kind to 0; nothing, if they are there.
    #[inline]
    pub(crate) fn shift(&self) -> Option<Shift> {
        let shift = self.low.map(|low| if low == i32::MAX { 0 } else { -low });
        (shift.iter().any(|&by| by != 0)).then_some(shift)
    }

    /// How far apart the shared numbers of the widest kind are.
    #[inline]
    pub(crate) fn spread(&self) -> u32 {
        let ends = self.low.iter().zip(&self.high).filter(|(low, high)| low <= high);
        ends.map(|(low, high)| high.abs_diff(*low)).max().unwrap_or(0)
    }
}

/// What of a shift concerns the channel from `from` to `to`.
#[inline]
pub(crate) fn of_channel(shift: &Shift, from: usize, to: usize) -> ChannelShift {
    let mut of_channel = [0; SHARED + 2];
    of_channel[..SHARED].copy_from_slice(&shift[..SHARED]);
    of_channel[SENDER] = shift[SHARED + from];
    of_channel[RECEIVER] = shift[SHARED + to];
    of_channel
}

/// Shift a number.
pub(crate) fn shift_number(level: Level, number: &mut i64, shift: &[i32]) {
    *number += i64::from(shift[place(level)]);
    if matches!(level, Level::Below(_)) {
        *number = (*number).max(0);
    }
}

/// Where a kind of number is in a range or in a shift.
///
/// Panics if a protocol names a kind that there is none of: that is a mistake in its `Canonical`.
fn place(level: Level) -> usize {
    let place = match level {
        Level::Shared(kind) => usize::from(kind),
        Level::Of(node) | Level::Below(node) => SHARED + node.index(),
        Level::Sender => SENDER,
        Level::Receiver => RECEIVER,
    };
    let right = match level {
        Level::Shared(_) => place < SHARED,
        Level::Of(_) | Level::Below(_) => place < SHARED + NODES_MAX,
        Level::Sender | Level::Receiver => true,
    };
    assert!(right, "there is no {level:?}");
    place
}
