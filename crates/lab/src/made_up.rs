//! For tests: runs that nobody ran, whose right answers are known.

use driftlock_sim::{Metrics, Run, Scenario};

use crate::study::Means;

/// Who makes up a run for a scenario.
pub(crate) type Runner<'r> = &'r (dyn Fn(&Scenario) -> Option<Run> + Sync);

/// A run that went well and measured this.
pub(crate) fn run_of(metrics: Metrics) -> Run {
    Run {
        metrics,
        violation: None,
        steps: 1,
        ended_at: 1.0,
        interrupted: false,
        journal_error: None,
    }
}

/// What is done with such runs.
pub(crate) fn with<R>(threads: usize, run: Runner<'_>, then: impl FnOnce(&Means<'_>) -> R) -> R {
    let replay = |scenario: &Scenario| format!("again {}", scenario.seed);
    then(&Means { threads, stop: &false.into(), run, replay: &replay, command: "driftlock" })
}
