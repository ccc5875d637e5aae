//! What is measured: [`Metrics`].

mod detail;
mod fence;

use std::collections::BTreeMap;

use driftlock_core::{NodeId, ResourceId};
use serde::Serialize;

pub(crate) use self::detail::Trouble;
pub use self::detail::{Detail, Recovery};
use self::fence::Fence;
use crate::scenario::Measure;
use crate::span::{TICKS_PER_UNIT, units};

/// What was measured in one run. Times are in units.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Metrics {
    /// How many nodes there were.
    pub nodes: u32,
    /// Entries to the critical section.
    pub entries: u64,
    /// How long measuring took.
    pub time: f64,
    /// How long nodes waited from request to entry.
    pub waiting: Waiting,
    /// Messages sent per entry; one over several links counts once for each.
    pub messages_per_entry: f64,
    /// The same by kind of message.
    pub messages_by_kind: BTreeMap<&'static str, f64>,
    /// Links a message went over, on average.
    pub hops_per_message: f64,
    /// Entries per unit of time.
    pub throughput: f64,
    /// Jain's index of the entries of those who ask: 1 if all had the same number, 1/n if one had
    /// them all.
    pub fairness: f64,
    /// Links that came up or went down.
    pub link_changes: u64,
    /// Where a trace is kept in one piece: the share of the time of all links for which they were
    /// held up, from the start of the run on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_up: Option<f64>,
    /// How often procedures of the paper were carried out that processes make a note of.
    pub notes: BTreeMap<&'static str, u64>,
    /// How many were inside, where there may be several.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub sharing: Option<Sharing>,
    /// How resources were used, where there are several.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// What moving does, where only neighbors exclude each other.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub local: Option<Local>,
    /// What crashes did, where only neighbors exclude each other.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub aftermath: Option<Aftermath>,
    /// What went wrong on a mesh, where that may be.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
    /// Whether some part of the network still had more than half of all nodes at the end, where
    /// only such a part is owed progress and nodes have stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub majority_left: Option<bool>,
    /// Bytes and recovery, where they are asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// What crashes did, node by node.
    #[serde(skip)]
    pub fates: Vec<Fate>,
}

/// How many were in the critical section together.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Sharing {
    /// How many were inside, on average over time.
    pub concurrency: f64,
    /// How many were inside at most.
    pub most_inside: u32,
}

/// How several resources were used.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Choice {
    /// Entries for another resource than the entry before, per entry.
    pub switches_per_entry: f64,
    /// Each resource.
    pub resources: Vec<ResourceUse>,
}

/// How one resource was used.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct ResourceUse {
    /// Entries for it.
    pub entries: u64,
    /// How long nodes waited for it on average.
    pub waiting: f64,
}

/// What moving does to those who wait or are inside.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Local {
    /// How often someone inside was sent back to waiting.
    pub demotions: u64,
    /// The waits of those who were not the moving end of a new link meanwhile.
    pub still: Still,
}

/// Waiting times of those who stood still.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Still {
    /// How many such waits there were.
    pub entries: u64,
    /// The average.
    pub mean: f64,
    /// The longest.
    pub max: f64,
}

/// What is left when nodes have stopped and all others have come to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Aftermath {
    /// How many have stopped.
    pub crashed: u64,
    /// How many of the others wait for ever.
    pub starving: u64,
    /// How many links the farthest of them is from the nearest one that has stopped.
    pub reach: Option<u32>,
}

/// What went wrong, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// Messages that never arrived.
    pub lost: u64,
    /// Entries under a token of which there was a later generation: someone entered under that
    /// before, or while this one was inside.
    pub deposed: u64,
}

/// What became of a node, when nodes have stopped and all others have come to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fate {
    /// How many links it is from the nearest one that has stopped; nothing if none can be reached.
    pub distance: Option<u32>,
    /// Whether it waits for ever.
    pub starves: bool,
}

/// Waiting times.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Waiting {
    /// The average.
    pub mean: f64,
    /// Half waited at most so long.
    pub median: f64,
    /// 95 % waited at most so long.
    pub p95: f64,
    /// 99 % waited at most so long.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// What is counted all the time.
#[derive(Clone, Debug, Default)]
struct Counters {
    /// By kind: messages over a link.
    transmissions: Vec<u64>,
    /// Of those messages, where they are asked for.
    bytes: u64,
    /// Messages handed to the medium.
    sends: u64,
    link_changes: u64,
    demotions: u64,
    lost: u64,
    deposed: u64,
    notes: Vec<(&'static str, u64)>,
    /// Ticks spent inside, by all together.
    spent_inside: u128,
}

/// How many there are to share, in tokens and in resources, whether only among neighbors, and
/// whether things go wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub(crate) tokens: u32,
    pub(crate) resources: u32,
    pub(crate) local: bool,
    pub(crate) faults: bool,
}

/// How long someone waited, and whether it stood still all the while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) ticks: u64,
    pub(crate) still: bool,
}

/// Counts, and measures between the end of the warm-up and the end of the storm.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    measure: Measure,
    kinds: &'static [&'static str],
    counters: Counters,
    /// Whether bytes and recovery are asked for.
    pub(crate) in_detail: bool,
    /// When measuring began, and what was counted before.
    began: Option<(u64, Counters)>,
    entries: u64,
    waits: Vec<u64>,
    /// Of those who stood still: how many, how long in sum, and how long at most.
    still: (u64, u128, u64),
    entries_by_node: Vec<u32>,
    askers: usize,
    shares: Shares,
    fence: Fence,
    /// How many are inside, since when, and how many were at most.
    inside: u32,
    inside_since: u64,
    most_inside: u32,
    /// What the last entry was for, and how often that was something else than before.
    last: Option<ResourceId>,
    switches: u64,
    /// By resource: entries, and ticks waited.
    used: Vec<(u64, u128)>,
}

impl Meter {
    pub(crate) fn new(
        measure: Measure,
        kinds: &'static [&'static str],
        n_nodes: usize,
        askers: usize,
        shares: Shares,
    ) -> Self {
        let counters = Counters { transmissions: vec![0; kinds.len()], ..Counters::default() };
        let reserved = measure.entries.unwrap_or(0).min(1 << 24) as usize;
        let mut meter = Meter {
            measure,
            kinds,
            counters,
            in_detail: false,
            began: None,
            entries: 0,
            waits: Vec::with_capacity(reserved),
            still: (0, 0, 0),
            entries_by_node: vec![0; n_nodes],
            askers,
            shares,
            fence: Fence::default(),
            inside: 0,
            inside_since: 0,
            most_inside: 0,
            last: None,
            switches: 0,
            used: match shares.resources {
                0 | 1 => Vec::new(),
                several => vec![(0, 0); several as usize],
            },
        };
        meter.begin_if_warm(0);
        meter
    }

    #[inline]
    pub(crate) fn sent(&mut self) {
        self.counters.sends += 1;
    }

    /// How many bytes a message has, where they are counted.
    #[inline]
    pub(crate) fn bytes_of(&self, msg: &impl Serialize) -> u64 {
        if self.in_detail { detail::bytes_of(msg) } else { 0 }
    }

    #[inline]
    pub(crate) fn transmitted(&mut self, kind: usize, bytes: u64) {
        self.counters.transmissions[kind] += 1;
        self.counters.bytes += bytes;
    }

    pub(crate) fn link_changed(&mut self) {
        self.counters.link_changes += 1;
    }

    pub(crate) fn noted(&mut self, what: &'static str) {
        match self.counters.notes.iter_mut().find(|(name, _)| *name == what) {
            Some((_, count)) => *count += 1,
            None => self.counters.notes.push((what, 1)),
        }
    }

    /// `node` entered at `now` after a wait. Returns whether that was the last entry to measure.
    pub(crate) fn entered(
        &mut self,
        node: NodeId,
        resource: ResourceId,
        now: u64,
        wait: Wait,
    ) -> bool {
        self.entries += 1;
        self.shift_inside(now, 1);
        if self.began.is_some() {
            self.waits.push(wait.ticks);
            self.entries_by_node[node.index()] += 1;
            self.used(resource, wait.ticks);
            if wait.still {
                let (entries, sum, max) = self.still;
                let ticks = wait.ticks;
                self.still = (entries + 1, sum + u128::from(ticks), max.max(ticks));
            }
        }
        self.last = Some(resource);
        self.begin_if_warm(now);
        self.measure.entries.is_some_and(|entries| self.entries >= self.measure.warmup + entries)
    }

    /// `node` left at `now`.
    pub(crate) fn left(&mut self, node: NodeId, now: u64) {
        self.fence.left(node);
        self.shift_inside(now, -1);
    }

    /// `node` enters under this epoch.
    pub(crate) fn deposes(&mut self, node: NodeId, epoch: u64) {
        self.counters.deposed += self.fence.entered(node, epoch);
    }

    /// A message is lost.
    pub(crate) fn lost(&mut self) {
        self.counters.lost += 1;
    }

    /// `node` was sent back to waiting at `now`.
    pub(crate) fn demoted(&mut self, node: NodeId, now: u64) {
        self.counters.demotions += 1;
        self.left(node, now);
    }

    fn shift_inside(&mut self, now: u64, change: i32) {
        let since = now.saturating_sub(self.inside_since);
        self.counters.spent_inside += u128::from(self.inside) * u128::from(since);
        self.inside_since = now;
        self.inside = self.inside.saturating_add_signed(change);
        self.most_inside = self.most_inside.max(self.inside);
    }

    fn used(&mut self, resource: ResourceId, wait: u64) {
        if let Some((entries, waited)) = self.used.get_mut(resource.0 as usize) {
            *entries += 1;
            *waited += u128::from(wait);
            self.switches += u64::from(self.last.is_some_and(|last| last != resource));
        }
    }

    /// How many entries there were, measured or not.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    fn begin_if_warm(&mut self, now: u64) {
        if self.began.is_none() && self.entries >= self.measure.warmup {
            self.shift_inside(now, 0);
            self.most_inside = self.inside;
            self.began = Some((now, self.counters.clone()));
        }
    }

    /// The result, at the end of the storm.
    pub(crate) fn finish(&mut self, now: u64) -> Metrics {
        let Some((began, before)) = self.began.take() else { return Metrics::default() };
        self.shift_inside(now, 0);
        let counted = self.counters.since(&before);
        let entries = self.waits.len() as u64;
        let time = units(now - began);
        let per_entry = |count: u64| count as f64 / entries.max(1) as f64;
        let transmissions: u64 = counted.transmissions.iter().sum();
        let by_kind = self.kinds.iter().zip(&counted.transmissions);
        Metrics {
            nodes: 0,
            entries,
            time,
            waiting: waiting(&mut self.waits),
            messages_per_entry: per_entry(transmissions),
            messages_by_kind: by_kind.map(|(&kind, &count)| (kind, per_entry(count))).collect(),
            hops_per_message: ratio(transmissions as f64, counted.sends as f64),
            throughput: ratio(entries as f64, time),
            fairness: self.fairness(),
            link_changes: counted.link_changes,
            held_up: None,
            notes: counted.notes.iter().copied().collect(),
            sharing: self.sharing(counted.spent_inside, now - began),
            choice: self.choice(entries),
            local: self.shares.local.then(|| self.local(counted.demotions)),
            aftermath: None,
            majority_left: None,
            faults: self
                .shares
                .faults
                .then_some(Faults { lost: counted.lost, deposed: counted.deposed }),
            detail: self
                .in_detail
                .then(|| Detail { bytes_per_entry: per_entry(counted.bytes), recovery: None }),
            fates: Vec::new(),
        }
    }

    fn local(&self, demotions: u64) -> Local {
        let (entries, sum, max) = self.still;
        let mean = ratio(sum as f64, entries as f64) / TICKS_PER_UNIT as f64;
        Local { demotions, still: Still { entries, mean, max: units(max) } }
    }

    fn sharing(&self, spent_inside: u128, time: u64) -> Option<Sharing> {
        let Shares { tokens, resources, local, .. } = self.shares;
        (tokens > 1 || resources > 1 || local).then(|| Sharing {
            concurrency: ratio(spent_inside as f64, time as f64),
            most_inside: self.most_inside,
        })
    }

    fn choice(&self, entries: u64) -> Option<Choice> {
        let resource = |&(entries, waited): &(u64, u128)| ResourceUse {
            entries,
            waiting: ratio(waited as f64, entries as f64) / TICKS_PER_UNIT as f64,
        };
        (self.shares.resources > 1).then(|| Choice {
            switches_per_entry: ratio(self.switches as f64, entries as f64),
            resources: self.used.iter().map(resource).collect(),
        })
    }

    fn fairness(&self) -> f64 {
        let numbers = self.entries_by_node.iter().map(|&entries| f64::from(entries));
        let (sum, squares) =
            numbers.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        ratio(sum * sum, self.askers as f64 * squares)
    }
}

impl Counters {
    /// What was counted since `before`.
    fn since(&self, before: &Counters) -> Counters {
        let earlier = |what| before.notes.iter().find(|(name, _)| *name == what);
        let kinds = self.transmissions.iter().zip(&before.transmissions);
        let notes = self.notes.iter();
        Counters {
            transmissions: kinds.map(|(now, then)| now - then).collect(),
            bytes: self.bytes - before.bytes,
            sends: self.sends - before.sends,
            link_changes: self.link_changes - before.link_changes,
            demotions: self.demotions - before.demotions,
            lost: self.lost - before.lost,
            deposed: self.deposed - before.deposed,
            notes: notes
                .map(|&(what, n)| (what, n - earlier(what).map_or(0, |(_, n)| *n)))
                .collect(),
            spent_inside: self.spent_inside - before.spent_inside,
        }
    }
}

/// Percentiles are the smallest wait that so many did not exceed.
fn waiting(waits: &mut [u64]) -> Waiting {
    waits.sort_unstable();
    let Some(&max) = waits.last() else { return Waiting::default() };
    let sum: u128 = waits.iter().map(|&wait| u128::from(wait)).sum();
    let mean = sum as f64 / waits.len() as f64;
    let percentile = |percent: usize| units(waits[(waits.len() * percent).div_ceil(100) - 1]);
    Waiting {
        mean: mean / TICKS_PER_UNIT as f64,
        median: percentile(50),
        p95: percentile(95),
        p99: percentile(99),
        max: units(max),
    }
}

/// `a / b`, and 0 where there is nothing to divide by.
fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

#[cfg(test)]
mod tests;
