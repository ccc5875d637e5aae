//! Counting tokens after members were struck off, and making anew those that are missing.
//!
//! Everybody who is left says what has come to it from outside ([`Locks::report`]); one of them
//! adds that up ([`Locks::recount`]). Being the founder is counted like a token.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::key::{Key, Kind};
use crate::ledger::Amount;
use crate::lock::{Around, Lock};
use crate::locks::{FOUNDING, Locks};
use crate::{Loss, Output, Refusal};

/// How many fences there are to an epoch. No lock is entered so often.
const FENCES: u32 = 40;

/// What has come to a node from outside: of which lock how much. Locks whose tokens were never
/// made, as far as the node knows, are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Report {
    founder: i64,
    locks: Vec<(Key, Amount)>,
}

/// What a recount came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recount {
    /// The locks of which tokens were made anew, and how many.
    pub made: Vec<(Key, u32)>,
    /// Locks of which there are too many tokens. Nothing was done about them.
    pub doubled: Vec<Key>,
}

impl Locks {
    /// What has come here from those who are not left, as bytes.
    pub fn report(&self, is_left: impl Fn(u64) -> bool) -> Vec<u8> {
        let of_lock =
            |(key, lock): (&Key, &Lock)| (key.clone(), lock.ledger.got_from_outside(&is_left));
        let is_known = |(_, lock): &(&Key, &Lock)| self.founder || !lock.ledger.is_empty();
        let locks = self.table.iter().filter(is_known).map(of_lock);
        let elsewhere = self.minted.iter().filter(|key| !self.table.contains_key(*key));
        let locks = locks.chain(elsewhere.map(|key| (key.clone(), Amount::NOTHING)));
        let founder = self.founding.got_from_outside(&is_left).tokens;
        let report = Report { founder, locks: locks.collect() };
        postcard::to_allocvec(&report).expect("reports can be written down")
    }

    /// These are the reports of all who are left: make anew what is missing. None if one of them
    /// cannot be read.
    pub fn recount(
        &mut self,
        now: u64,
        reports: &[Vec<u8>],
        out: &mut Vec<Output>,
    ) -> Option<Recount> {
        let mut founders = 0;
        let mut sums: BTreeMap<Key, Amount> = BTreeMap::new();
        for report in reports {
            let report: Report = postcard::from_bytes(report).ok()?;
            founders += report.founder;
            for (key, amount) in report.locks.into_iter().filter(|(key, _)| key.is_valid()) {
                let sum = sums.entry(key).or_default();
                *sum = sum.plus(amount);
            }
        }
        if founders == 0 {
            self.founder = true;
            self.founding.make(FOUNDING);
            let known = self.table.keys().filter(|key| !sums.contains_key(*key)).cloned();
            let known: Vec<Key> = known.collect();
            sums.extend(known.into_iter().map(|key| (key, Amount::NOTHING)));
        }
        // Their tokens are made, wherever they are; after a restart this node may not know them.
        self.minted.extend(sums.keys().cloned());
        self.notes.on_founder();
        let mut recount = Recount::default();
        for (key, there_is) in sums.into_iter().filter(|(key, _)| key.kind != Kind::Local) {
            let missing = tokens(key.kind) - there_is.tokens;
            match u32::try_from(missing) {
                Err(_) => recount.doubled.push(key),
                Ok(0) if there_is.weight == 0 => {}
                Ok(missing) => {
                    let weight = -there_is.weight;
                    let before = out.len();
                    let again = |lock: &mut Lock, around: &mut Around<'_>| {
                        lock.regenerate(missing, weight, around);
                    };
                    self.with(now, &key, out, again);
                    self.note_grants(now, before, out);
                    recount.made.push((key, missing));
                }
            }
        }
        Some(recount)
    }

    /// Fences of this epoch are greater than all of those before it.
    pub fn begin_epoch(&mut self, epoch: u64) {
        let first = epoch.saturating_mul(1 << FENCES);
        if first <= self.floor {
            return;
        }
        self.floor = first;
        for lock in self.table.values_mut() {
            lock.clock = lock.clock.max(first);
        }
        self.raise_ceiling(first);
    }

    /// What is here is void: this node was struck off. Whoever waits is refused, and whoever is
    /// inside has to stop.
    pub fn strike_off(&mut self, out: &mut Vec<Output>) {
        self.struck = true;
        self.dismiss_all(Refusal::Struck, Some(Loss::Struck), out);
    }

    /// Whether this node may use tokens. If not any more, whoever is inside has to stop; local
    /// locks have no tokens.
    pub fn be_sure(&mut self, now: u64, sure: bool, out: &mut Vec<Output>) {
        self.sure = sure;
        if sure {
            return self.tell_awake(now, out);
        }
        for lock in self.table.values_mut().filter(|lock| lock.key.kind != Kind::Local) {
            lock.tell(|_| true, Loss::Alone, out);
        }
    }

    /// Whether this node was struck off.
    pub fn is_struck(&self) -> bool {
        self.struck
    }

    /// Whether somebody is inside here.
    pub fn has_holders(&self) -> bool {
        self.table.values().any(|lock| !lock.holders.is_empty())
    }
}

/// How many tokens a lock of this kind has in all.
fn tokens(kind: Kind) -> i64 {
    match kind {
        Kind::Exclusive | Kind::Group => 1,
        Kind::Permits(k) => i64::from(k),
        Kind::Local => 0,
    }
}
