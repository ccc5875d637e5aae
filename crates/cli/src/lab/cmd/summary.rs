//! What several repetitions of a scenario come to.

use std::collections::BTreeMap;

use driftlock_lab::stats::Estimate;
use driftlock_lab::table::{Cell, Table};
use driftlock_sim::Run;
use driftlock_sim::metrics::{self, Metrics};
use serde::Serialize;

use super::sim::without_majority;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    held_up: Option<Estimate>,
    notes: BTreeMap<&'static str, Option<Estimate>>,
    #[serde(flatten)]
    sharing: Option<Sharing>,
    #[serde(flatten)]
    choice: Option<Choice>,
    #[serde(flatten)]
    local: Option<Local>,
    #[serde(flatten)]
    aftermath: Option<Aftermath>,
    #[serde(flatten)]
    faults: Option<Faults>,
}

/// What went wrong on a mesh, and what came of it.
#[derive(Serialize)]
struct Faults {
    lost: Option<Estimate>,
    deposed: Option<Estimate>,
    /// In how many repetitions so many nodes stopped that nobody was owed progress any more, if
    /// in any.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_majority: Option<usize>,
}

/// What moving did, where only neighbors exclude each other.
#[derive(Serialize)]
struct Local {
    demotions: Option<Estimate>,
    still_mean: Option<Estimate>,
    still_max: Option<Estimate>,
}

/// What crashes did, where only neighbors exclude each other. Only where someone starves there is a
/// reach.
#[derive(Serialize)]
struct Aftermath {
    crashed: Option<Estimate>,
    starving: Option<Estimate>,
    reach: Option<Estimate>,
    reach_max: Option<u32>,
}

/// How many were inside together, where there may be several.
#[derive(Serialize)]
struct Sharing {
    concurrency: Option<Estimate>,
    most_inside: Option<Estimate>,
}

/// How resources were used, where there are several.
#[derive(Serialize)]
struct Choice {
    switches_per_entry: Option<Estimate>,
    resources: Vec<ResourceUse>,
}

#[derive(Serialize)]
struct ResourceUse {
    entries: u64,
    waiting_mean: Option<Estimate>,
}

/// Where a trace is held together: for which share of their time links are up only because of that.
fn held_up(runs: &[&Run]) -> Option<Estimate> {
    Estimate::of(&runs.iter().filter_map(|run| run.metrics.held_up).collect::<Vec<f64>>())
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
            held_up: held_up(runs),
            notes: notes.into_iter().map(|name| (name, note(name))).collect(),
            sharing: Sharing::of(runs),
            choice: Choice::of(runs),
            local: Local::of(runs),
            aftermath: Aftermath::of(runs),
            faults: Faults::of(runs),
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
        if let Some(Local { still_mean, still_max, .. }) = &self.local {
            row("  standing still, mean", still_mean, "");
            row("  standing still, longest", still_max, "");
        }
        row("messages", &self.messages_per_entry, "per entry");
        for (kind, value) in &self.messages_by_kind {
            row(&format!("  {kind}"), value, "");
        }
        row("hops", &self.hops_per_message, "per message");
        row("throughput", &self.throughput, "entries per time unit");
        row("fairness", &self.fairness, "Jain's index, 1 is fair");
        row("link changes", &self.link_changes, "per run");
        row("links held up", &self.held_up, "share of the time of all links");
        for (note, value) in &self.notes {
            row(note, value, "per run");
        }
        if let Some(Sharing { concurrency, most_inside }) = &self.sharing {
            row("inside at a time", concurrency, "on average over time");
            row("  at most", most_inside, "");
        }
        if let Some(Choice { switches_per_entry, resources }) = &self.choice {
            row("resource switches", switches_per_entry, "per entry");
            for (k, used) in resources.iter().enumerate() {
                let unit = format!("time units, {} entries", used.entries);
                row(&format!("waiting for resource {k}"), &used.waiting_mean, &unit);
            }
        }
        if let Some(Local { demotions, .. }) = &self.local {
            row("sent back to waiting", demotions, "per run");
        }
        if let Some(Aftermath { crashed, starving, reach, reach_max }) = &self.aftermath {
            row("crashed", crashed, "per run");
            row("starving", starving, "per run");
            let most = reach_max.map_or(String::new(), |most| format!(", {most} at most"));
            row("  farthest from a crash", reach, &format!("links{most}"));
        }
        if let Some(Faults { lost, deposed, .. }) = &self.faults {
            row("lost messages", lost, "per run");
            row("deposed entries", deposed, "per run");
        }
        table.plain_text()
    }
}

impl Faults {
    fn of(runs: &[&Run]) -> Option<Self> {
        let all: Vec<_> = runs.iter().filter_map(|run| run.metrics.faults).collect();
        let over = |value: &dyn Fn(&metrics::Faults) -> u64| {
            Estimate::of(&Vec::from_iter(all.iter().map(|faults| value(faults) as f64)))
        };
        (!all.is_empty()).then(|| Faults {
            lost: over(&|faults| faults.lost),
            deposed: over(&|faults| faults.deposed),
            without_majority: Some(without_majority(runs)).filter(|&count| count > 0),
        })
    }
}

impl Local {
    fn of(runs: &[&Run]) -> Option<Self> {
        let all: Vec<_> = runs.iter().filter_map(|run| run.metrics.local).collect();
        let demotions = all.iter().map(|local| local.demotions as f64);
        let waited = all.iter().map(|local| local.still).filter(|still| still.entries > 0);
        (!all.is_empty()).then(|| Local {
            demotions: Estimate::of(&Vec::from_iter(demotions)),
            still_mean: Estimate::of(&Vec::from_iter(waited.clone().map(|still| still.mean))),
            still_max: Estimate::of(&Vec::from_iter(waited.map(|still| still.max))),
        })
    }
}

impl Aftermath {
    fn of(runs: &[&Run]) -> Option<Self> {
        let all: Vec<_> = runs.iter().filter_map(|run| run.metrics.aftermath).collect();
        let reaches = all.iter().filter_map(|after| after.reach);
        let count = |value: &dyn Fn(&metrics::Aftermath) -> u64| {
            Estimate::of(&Vec::from_iter(all.iter().map(|after| value(after) as f64)))
        };
        (!all.is_empty()).then(|| Aftermath {
            crashed: count(&|after| after.crashed),
            starving: count(&|after| after.starving),
            reach: Estimate::of(&Vec::from_iter(reaches.clone().map(f64::from))),
            reach_max: reaches.max(),
        })
    }
}

impl Sharing {
    fn of(runs: &[&Run]) -> Option<Self> {
        let all: Vec<_> = runs.iter().filter_map(|run| run.metrics.sharing).collect();
        let over = |value: &dyn Fn(&metrics::Sharing) -> f64| {
            Estimate::of(&Vec::from_iter(all.iter().map(value)))
        };
        (!all.is_empty()).then(|| Sharing {
            concurrency: over(&|sharing| sharing.concurrency),
            most_inside: over(&|sharing| f64::from(sharing.most_inside)),
        })
    }
}

impl Choice {
    fn of(runs: &[&Run]) -> Option<Self> {
        let entered = runs.iter().filter(|run| run.metrics.entries > 0);
        let all: Vec<_> = entered.filter_map(|run| run.metrics.choice.as_ref()).collect();
        let resources = all.first()?.resources.len();
        let switches = all.iter().map(|choice| choice.switches_per_entry);
        Some(Choice {
            switches_per_entry: Estimate::of(&Vec::from_iter(switches)),
            resources: (0..resources).map(|k| ResourceUse::of(k, &all)).collect(),
        })
    }
}

impl ResourceUse {
    fn of(resource: usize, all: &[&metrics::Choice]) -> Self {
        let used = all.iter().filter_map(|choice| choice.resources.get(resource));
        let entered = used.clone().filter(|used| used.entries > 0);
        ResourceUse {
            entries: used.map(|used| used.entries).sum(),
            waiting_mean: Estimate::of(&Vec::from_iter(entered.map(|used| used.waiting))),
        }
    }
}

fn names(runs: &[&Run], of: impl Fn(&Metrics) -> Vec<&'static str>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = runs.iter().flat_map(|run| of(&run.metrics)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(metrics: Metrics) -> Run {
        Run {
            metrics,
            violation: None,
            steps: 1,
            ended_at: 1.0,
            interrupted: false,
            journal_error: None,
        }
    }

    #[test]
    fn what_is_shared_is_told_only_where_something_is() {
        let plain = run(Metrics { entries: 4, ..Metrics::default() });
        let text = Summary::of(&[&plain, &plain]).plain_text();
        assert!(!text.contains("inside at a time") && !text.contains("resource"), "{text}");
        let json = serde_json::to_string(&Summary::of(&[&plain])).unwrap();
        assert!(!json.contains("concurrency") && !json.contains("resources"), "{json}");

        let used = |entries, waiting| metrics::ResourceUse { entries, waiting };
        let resources = vec![used(3, 2.0), used(1, 8.0), used(0, 0.0)];
        let shared = run(Metrics {
            entries: 4,
            sharing: Some(metrics::Sharing { concurrency: 1.5, most_inside: 3 }),
            choice: Some(metrics::Choice { switches_per_entry: 0.25, resources }),
            ..Metrics::default()
        });
        let summary = Summary::of(&[&shared, &shared]);
        let text = summary.plain_text();
        for part in ["inside at a time", "at most", "resource switches", "6 entries", "resource 1"]
        {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
        assert!(!text.contains("resource 2"), "nobody waited for it: {text}");
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(json["concurrency"]["mean"], 1.5);
        assert_eq!(json["resources"][0]["entries"], 6);
        assert_eq!(json["switches_per_entry"]["mean"], 0.25);
    }

    #[test]
    fn faults_are_told_where_there_may_be_any() {
        let faults = Some(metrics::Faults { lost: 7, deposed: 2 });
        let run = run(Metrics { entries: 4, faults, ..Metrics::default() });
        let summary = Summary::of(&[&run]);
        let text = summary.plain_text();
        assert!(text.contains("lost messages") && text.contains("deposed entries"), "{text}");
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!((&json["lost"]["mean"], &json["deposed"]["mean"]), (&7.0.into(), &2.0.into()));
    }

    #[test]
    fn crashes_are_told_where_there_were_any_and_their_reach_where_someone_starves() {
        let with = |starving, reach| {
            let aftermath = Some(metrics::Aftermath { crashed: 1, starving, reach });
            run(Metrics { entries: 4, aftermath, ..Metrics::default() })
        };
        let (none, some) = (with(0, None), with(4, Some(2)));
        let text = Summary::of(&[&none]).plain_text();
        assert!(text.contains("starving") && !text.contains("farthest"), "{text}");
        let summary = Summary::of(&[&none, &some]);
        assert!(summary.plain_text().contains("links, 2 at most"), "{}", summary.plain_text());
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!((&json["starving"]["mean"], &json["reach_max"]), (&2.0.into(), &2.into()));
    }
}
