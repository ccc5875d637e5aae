//! What several repetitions of a scenario come to.

use std::collections::BTreeMap;

use driftlock_lab::stats::Estimate;
use driftlock_lab::table::{Cell, Table};
use driftlock_sim::{Metrics, Run};
use serde::Serialize;

/// The averages over all repetitions.
#[derive(Serialize)]
pub(crate) struct Summary {
    waiting_mean: Option<Estimate>,
    waiting_median: Option<Estimate>,
    waiting_p95: Option<Estimate>,
    waiting_p99: Option<Estimate>,
    waiting_max: Option<Estimate>,
    messages_per_entry: Option<Estimate>,
    messages_by_kind: BTreeMap<&'static str, Option<Estimate>>,
    hops_per_message: Option<Estimate>,
    throughput: Option<Estimate>,
    fairness: Option<Estimate>,
    link_changes: Option<Estimate>,
    notes: BTreeMap<&'static str, Option<Estimate>>,
}

impl Summary {
    pub(crate) fn of(runs: &[&Run]) -> Self {
        let over = |value: &dyn Fn(&Metrics) -> f64| {
            let samples: Vec<f64> = runs.iter().map(|run| value(&run.metrics)).collect();
            Estimate::of(&samples)
        };
        let kinds = names(runs, |metrics| metrics.messages_by_kind.keys().copied().collect());
        let notes = names(runs, |metrics| metrics.notes.keys().copied().collect());
        let kind = |name| over(&|m: &Metrics| m.messages_by_kind.get(name).copied().unwrap_or(0.0));
        let note = |name| over(&|m: &Metrics| m.notes.get(name).map_or(0.0, |&n| n as f64));
        Summary {
            waiting_mean: over(&|metrics| metrics.waiting.mean),
            waiting_median: over(&|metrics| metrics.waiting.median),
            waiting_p95: over(&|metrics| metrics.waiting.p95),
            waiting_p99: over(&|metrics| metrics.waiting.p99),
            waiting_max: over(&|metrics| metrics.waiting.max),
            messages_per_entry: over(&|metrics| metrics.messages_per_entry),
            messages_by_kind: kinds.into_iter().map(|name| (name, kind(name))).collect(),
            hops_per_message: over(&|metrics| metrics.hops_per_message),
            throughput: over(&|metrics| metrics.throughput),
            fairness: over(&|metrics| metrics.fairness),
            link_changes: over(&|metrics| metrics.link_changes as f64),
            notes: notes.into_iter().map(|name| (name, note(name))).collect(),
        }
    }

    /// A row for each number.
    pub(crate) fn table(&self, entries: u64, repetitions: usize) -> Table {
        let title = format!("{repetitions} repetitions, {entries} entries measured");
        let mut table = Table::new(title, ["", "mean ± 95 % interval", "unit"]);
        let mut row = |name: String, value: &Option<Estimate>, unit: &str| {
            let cell = value.map_or(Cell::empty(), Cell::from);
            table.row([Cell::text(name), cell, Cell::text(unit)]);
        };
        row("waiting time, mean".into(), &self.waiting_mean, "time units");
        row("  median".into(), &self.waiting_median, "");
        row("  95th percentile".into(), &self.waiting_p95, "");
        row("  99th percentile".into(), &self.waiting_p99, "");
        row("  longest".into(), &self.waiting_max, "");
        row("messages".into(), &self.messages_per_entry, "per entry");
        for (kind, value) in &self.messages_by_kind {
            row(format!("  {kind}"), value, "");
        }
        row("hops".into(), &self.hops_per_message, "per message");
        row("throughput".into(), &self.throughput, "entries per time unit");
        row("fairness".into(), &self.fairness, "Jain's index, 1 is fair");
        row("link changes".into(), &self.link_changes, "per run");
        for (note, value) in &self.notes {
            row(note.to_string(), value, "per run");
        }
        table
    }
}

fn names(runs: &[&Run], of: impl Fn(&Metrics) -> Vec<&'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = runs.iter().flat_map(|run| of(&run.metrics)).collect();
    names.sort_unstable();
    names.dedup();
    names
}
