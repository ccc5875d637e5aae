//! How a network is while time goes on: [`course`].

use crate::inspect::Sums;
use crate::walk::{State, walk};
use crate::{LinkChanges, Span, Trace};

/// What a network is like in a part of the time. All are means over it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slice {
    /// When it starts and ends.
    pub span: Span,
    /// How many nodes are there.
    pub present: f64,
    /// How many links are up.
    pub links: f64,
    /// How many parts the nodes that are there form.
    pub partitions: f64,
    /// The part of the time in which they form one.
    pub share_connected: f64,
}

/// Tell what the network is like in each of `n` equal parts of the time. There are fewer if the
/// time has fewer microseconds.
///
/// ```
/// use driftlock_traces::{Options, Radio, UnitDisk, course, links, read};
///
/// let trace = read("0,4,a,b\n2,4,b,c\n".as_bytes(), &Options::default()).unwrap();
/// let changes = links(&trace, &Radio::UnitDisk(UnitDisk { range: 1.0 })).unwrap();
/// let links: Vec<f64> = course(&trace, &changes, 2).iter().map(|slice| slice.links).collect();
/// assert_eq!(links, [1.0, 2.0]);
/// ```
pub fn course(trace: &Trace, changes: &LinkChanges, n: usize) -> Vec<Slice> {
    let mut slices = Slices::new(changes.span, n);
    walk(trace, changes, |stretch, state| slices.add(stretch, state));
    slices.told()
}

/// Equal parts of a time, as it is gone through.
pub(crate) struct Slices {
    slices: Vec<(Span, Sums)>,
    now: usize,
}

impl Slices {
    pub(crate) fn new(Span { start, end }: Span, n: usize) -> Self {
        let length = i128::from(end) - i128::from(start);
        let n = (n as i128).min(length);
        let bound = |k: i128| start + (length * k / n) as i64;
        let slice = |k| (Span { start: bound(k), end: bound(k + 1) }, Sums::default());
        Slices { slices: (0..n).map(slice).collect(), now: 0 }
    }

    /// It was like this in the next stretch of time.
    pub(crate) fn add(&mut self, stretch: Span, state: State) {
        while let Some((span, sums)) = self.slices.get_mut(self.now) {
            let (from, to) = (stretch.start.max(span.start), stretch.end.min(span.end));
            sums.add(to - from, state);
            if stretch.end < span.end {
                break;
            }
            self.now += 1;
        }
    }

    pub(crate) fn told(&self) -> Vec<Slice> {
        self.slices.iter().map(|(span, sums)| sums.slice(*span)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Radio, UnitDisk, inspect, inspect_with_course, links, read};

    const DISK: Radio = Radio::UnitDisk(UnitDisk { range: 10.0 });

    /// Three nodes that meet in turns, and with pauses.
    const CONTACTS: &str = "2,10,a,b\n6,8,b,c\n8,10,a,c\n11,12.5,a,c\n";

    #[test]
    fn a_change_within_a_slice_counts_for_its_share() {
        let trace = read(CONTACTS.as_bytes(), &Options::default()).unwrap();
        let changes = links(&trace, &DISK).unwrap();
        let slices = course(&trace, &changes, 3);
        let bounds: Vec<i64> = slices.iter().map(|slice| slice.span.start).collect();
        assert_eq!(bounds, [2_000_000, 5_500_000, 9_000_000]);
        let told: Vec<[f64; 3]> = slices
            .iter()
            .map(|slice| [slice.links * 3.5, slice.partitions * 3.5, slice.share_connected * 3.5])
            .collect();
        // One link; then half a second of one and three of two; then one second of two, one of
        // none, and one and a half of one.
        assert_eq!(told, [[3.5, 7.0, 0.0], [6.5, 4.0, 3.0], [3.5, 7.0, 1.0]]);
    }

    #[test]
    fn slices_amount_to_the_whole() {
        let trace = read(CONTACTS.as_bytes(), &Options::default()).unwrap();
        let changes = links(&trace, &DISK).unwrap();
        let whole = inspect(&trace, &changes);
        for n in [1, 7, 60, 1000] {
            let slices = course(&trace, &changes, n);
            assert_eq!(slices.len(), n);
            assert_eq!(inspect_with_course(&trace, &changes, n), (whole.clone(), slices.clone()));
            assert!(slices.windows(2).all(|two| two[0].span.end == two[1].span.start));
            let sum = |value: fn(&Slice) -> f64| -> f64 {
                slices.iter().map(|slice| value(slice) * slice.span.seconds()).sum()
            };
            let is_near = |sum: f64, mean: f64| {
                assert!((sum - mean * 10.5).abs() < 1e-9, "{n}: {sum} {mean}");
            };
            is_near(sum(|slice| slice.partitions), whole.partitions);
            is_near(sum(|slice| slice.share_connected), whole.share_connected);
            is_near(sum(|slice| slice.present), whole.present);
            is_near(sum(|slice| 2.0 * slice.links), whole.degree * whole.present);
        }
    }

    #[test]
    fn a_moment_has_no_course() {
        let text = "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n";
        let trace = read(text.as_bytes(), &Options::default()).unwrap();
        let changes = links(&trace, &DISK).unwrap();
        assert_eq!(trace.span.seconds(), 0.0);
        assert_eq!(course(&trace, &changes, 60), []);
    }
}
