//! How long a grant may be used: [`Lease`].

/// The longest lease: a week, in milliseconds.
pub const LONGEST_LEASE_MS: u64 = 7 * 24 * 3_600_000;

/// A promise to be done in time, counted from the grant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lease {
    /// When it ends, in milliseconds: 1 to [`LONGEST_LEASE_MS`].
    pub ms: u64,
    /// How long before that the holder is told, in milliseconds: less than the lease.
    pub grace_ms: u64,
}

impl Lease {
    /// What the fields of a request say.
    pub(super) fn read(ms: Option<u64>, grace_ms: Option<u64>) -> Result<Option<Lease>, String> {
        let Some(ms) = ms else {
            return match grace_ms {
                None => Ok(None),
                Some(_) => Err("`grace_ms` goes with `lease_ms`, which is missing".into()),
            };
        };
        let grace_ms = grace_ms.unwrap_or(0);
        if !(1..=LONGEST_LEASE_MS).contains(&ms) {
            return Err(format!("`lease_ms` is {ms}; 1 to {LONGEST_LEASE_MS} can be"));
        }
        if ms <= grace_ms {
            return Err(format!("`grace_ms` is {grace_ms}; it is less than `lease_ms`, {ms}"));
        }
        Ok(Some(Lease { ms, grace_ms }))
    }

    /// How long after the grant the holder is told, in milliseconds.
    #[must_use]
    pub fn told_after_ms(&self) -> u64 {
        self.ms.saturating_sub(self.grace_ms)
    }
}
