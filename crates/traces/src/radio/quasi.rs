//! The quasi-unit disk, with hysteresis.

use super::{Reach, length};

/// Up to `inner` two nodes are linked, beyond `outer` they are not. In between a link stays as it
/// was: it came up at `inner` and goes down beyond `outer`. Whoever appears in between has none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuasiUnitDisk {
    /// In meters.
    pub inner: f64,
    /// In meters; not less.
    pub outer: f64,
}

impl QuasiUnitDisk {
    pub(super) fn reach(&self) -> Reach {
        Reach { joins: self.inner, leaves: self.outer, until: f64::INFINITY }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        length("inner radius", self.inner)?;
        length("outer radius", self.outer)?;
        if self.outer < self.inner {
            let QuasiUnitDisk { inner, outer } = self;
            return Err(format!(
                "the outer radius {outer} m is less than the inner one, {inner} m"
            ));
        }
        Ok(())
    }
}
