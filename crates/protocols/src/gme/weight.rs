//! Weights in whole units, so that what was split adds up again.

/// `w` in `parts` parts that differ by one unit at most, the larger ones first.
///
/// ```
/// use driftlock_protocols::gme::split;
/// assert_eq!(split(7, 3).collect::<Vec<u64>>(), [3, 2, 2]);
/// ```
pub fn split(w: u64, parts: u64) -> impl Iterator<Item = u64> {
    let larger = w.checked_rem(parts).unwrap_or(0);
    (0..parts).map(move |k| w / parts + u64::from(k < larger))
}

/// A weight as a part of a balance.
///
/// Panics above the largest `i64`, which no network reaches: [`super::Config`] has no more units to
/// a subtoken than that, and who cannot book one more does not send it.
pub(super) fn signed(w: u64) -> i64 {
    i64::try_from(w).expect("weights are below 2^63")
}
