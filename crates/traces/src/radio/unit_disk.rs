//! The unit disk.

use super::Reach;

/// Two nodes are linked while their distance is at most `range`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UnitDisk {
    /// In meters.
    pub range: f64,
}

impl UnitDisk {
    pub(super) fn reach(&self) -> Reach {
        Reach { joins: self.range, leaves: self.range, until: f64::INFINITY }
    }
}
