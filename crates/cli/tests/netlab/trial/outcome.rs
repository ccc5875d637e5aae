//! What came of a trial: [`Outcome`].

use driftlock_faults::{Change, Deed, Event, Schedule};
use serde::{Deserialize, Serialize};

/// What came of one trial, or of many together.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Outcome {
    pub(crate) seed: u64,
    pub(crate) nodes: u64,
    /// Daemons that were killed, and that were stopped.
    pub(crate) kills: u64,
    pub(crate) stops: u64,
    /// Machines that failed, for good or not; nodes that were cut off from all others; nodes that
    /// were forgotten.
    pub(crate) failures: u64,
    pub(crate) isolations: u64,
    pub(crate) forgotten: u64,
    /// Links that were cut, and in one direction only; networks in two parts; times of loss.
    pub(crate) cuts: u64,
    pub(crate) one_way: u64,
    pub(crate) splits: u64,
    pub(crate) losses: u64,
    /// Programs, and of these: who ran to their end, who were told to stop inside, who were killed.
    pub(crate) asks: u64,
    pub(crate) served: u64,
    pub(crate) cut_short: u64,
    pub(crate) killed: u64,
    /// How often a program asked again because its node was killed.
    pub(crate) again: u64,
    /// How often somebody was inside.
    pub(crate) entries: u64,
    pub(crate) overlaps: u64,
    pub(crate) lost_updates: u64,
    /// The longest wait once all was well.
    pub(crate) worst_wait_ms: u64,
    /// What is wrong.
    pub(crate) wrong: Vec<String>,
    /// Where everything was kept.
    pub(crate) folder: Option<String>,
}

impl Outcome {
    /// What is known before.
    pub(crate) fn of(schedule: &Schedule) -> Outcome {
        let deeds = |deed: Deed| {
            schedule.count(|event| matches!(event, Event::Node(_, done) if *done == deed))
        };
        let changes = |is_like: fn(&Change) -> bool| {
            schedule.count(|event| matches!(event, Event::Air(change) if is_like(change)))
        };
        Outcome {
            seed: schedule.seed,
            nodes: schedule.nodes as u64,
            kills: deeds(Deed::Kill),
            stops: deeds(Deed::Stop),
            failures: deeds(Deed::Fail),
            isolations: changes(|change| matches!(change, Change::Isolate(_))),
            cuts: changes(|change| matches!(change, Change::Cut(..))),
            one_way: changes(|change| matches!(change, Change::Deafen { .. })),
            splits: changes(|change| matches!(change, Change::Split(_))),
            losses: changes(|change| matches!(change, Change::Lose(percent) if *percent > 0)),
            asks: schedule.asks.len() as u64,
            ..Outcome::default()
        }
    }

    /// A trial that could not be carried out.
    pub(crate) fn failed(seed: u64, why: String) -> Outcome {
        Outcome { wrong: vec![why], ..Outcome::of(&Schedule::draw(seed)) }
    }

    /// What went wrong, and how to see it again.
    pub(crate) fn complaint(&self) -> String {
        let Outcome { seed, nodes, wrong, folder, .. } = self;
        let kept = folder.as_deref().unwrap_or("nowhere");
        format!(
            "seed {seed}, {nodes} nodes: {}\n  kept in {kept}; to run it again:\n  \
             cargo bench -p driftlock --bench faults -- --seed {seed}\n  \
             FAULTS={seed} cargo test --release -p driftlock-node faults",
            wrong.join("; "),
        )
    }
}
