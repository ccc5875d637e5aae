//! What several repetitions of a scenario come to.

use std::collections::BTreeMap;

use driftlock_lab::stats::Estimate;
use driftlock_lab::table::{Cell, Table};
use driftlock_sim::{Metrics, Run};
use serde::Serialize;

/// The averages over all repetitions. Of waiting times and of numbers per entry only those with an
/// entry have any.
#[derive(Serialize)]
pub(crate) struct Summary {
    entries: u64,
    repetitions: usize,
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
        let all = |value: &dyn Fn(&Metrics) -> f64| {
            Estimate::of(&Vec::from_iter(runs.iter().map(|run| value(&run.metrics))))
        };
        let entered: Vec<&Metrics> =
            runs.iter().map(|run| &run.metrics).filter(|metrics| metrics.entries > 0).collect();
        let over = |value: &dyn Fn(&Metrics) -> f64| {
            Estimate::of(&Vec::from_iter(entered.iter().map(|metrics| value(metrics))))
        };
        let kinds = names(runs, |metrics| metrics.messages_by_kind.keys().copied().collect());
        let notes = names(runs, |metrics| metrics.notes.keys().copied().collect());
        let kind = |name| over(&|m: &Metrics| m.messages_by_kind.get(name).copied().unwrap_or(0.0));
        let note = |name| all(&|m: &Metrics| m.notes.get(name).map_or(0.0, |&n| n as f64));
        Summary {
            entries: runs.iter().map(|run| run.metrics.entries).sum(),
            repetitions: runs.len(),
            waiting_mean: over(&|metrics| metrics.waiting.mean),
            waiting_median: over(&|metrics| metrics.waiting.median),
            waiting_p95: over(&|metrics| metrics.waiting.p95),
            waiting_p99: over(&|metrics| metrics.waiting.p99),
            waiting_max: over(&|metrics| metrics.waiting.max),
            messages_per_entry: over(&|metrics| metrics.messages_per_entry),
            messages_by_kind: kinds.into_iter().map(|name| (name, kind(name))).collect(),
            hops_per_message: over(&|metrics| metrics.hops_per_message),
            throughput: all(&|metrics| metrics.throughput),
            fairness: over(&|metrics| metrics.fairness),
            link_changes: all(&|metrics| metrics.link_changes as f64),
            notes: notes.into_iter().map(|name| (name, note(name))).collect(),
        }
    }

    /// A row for each number there is.
    pub(crate) fn plain_text(&self) -> String {
        let (one, many) = (self.repetitions == 1, self.repetitions);
        let repetitions = if one { "1 repetition".into() } else { format!("{many} repetitions") };
        let title = format!("{repetitions}, {} entries measured", self.entries);
        let mut table = Table::new(title, ["", "mean ± 95 % interval", "unit"]);
        let mut row = |name: &str, value: &Option<Estimate>, unit: &str| {
            if let Some(estimate) = value {
                table.row([Cell::text(name), Cell::from(*estimate), Cell::text(unit)]);
            }
        };
        row("waiting time, mean", &self.waiting_mean, "time units");
        row("  median", &self.waiting_median, "");
        row("  95th percentile", &self.waiting_p95, "");
        row("  99th percentile", &self.waiting_p99, "");
        row("  longest", &self.waiting_max, "");
        row("messages", &self.messages_per_entry, "per entry");
        for (kind, value) in &self.messages_by_kind {
            row(&format!("  {kind}"), value, "");
        }
        row("hops", &self.hops_per_message, "per message");
        row("throughput", &self.throughput, "entries per time unit");
        row("fairness", &self.fairness, "Jain's index, 1 is fair");
        row("link changes", &self.link_changes, "per run");
        for (note, value) in &self.notes {
            row(note, value, "per run");
        }
        table.plain_text()
    }
}

fn names(runs: &[&Run], of: impl Fn(&Metrics) -> Vec<&'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = runs.iter().flat_map(|run| of(&run.metrics)).collect();
    names.sort_unstable();
    names.dedup();
    names
}
