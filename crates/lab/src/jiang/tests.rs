//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::{Choice, ResourceUse, Waiting};
use driftlock_sim::{Metrics, Run, Scenario, Session};

use super::account::account;
use super::figures::{Against, popular};
use super::grid::Point;
use super::{Effort, PAPER, findings};
use crate::gathered::Gathered;
use crate::made_up::{Runner, run_of, with};
use crate::study::{Account, Order};

const EFFORT: Effort = Effort { repetitions: 2, ..Effort::DEFAULT };

/// A run in which everything is as expected.
fn as_expected(scenario: &Scenario) -> Run {
    let gme = scenario.protocol == "gme";
    let bound = scenario.session.and_then(Session::bound);
    let bounded = bound.is_some_and(|bound| bound < 10) as u32;
    let some = bound.is_some() as u32;
    let used = |entries, waiting| ResourceUse { entries, waiting };
    let others = 50.0 - 10.0 * f64::from(some + bounded);
    let resources = vec![used(9, 5.0 + f64::from(bounded)), used(1, others)];
    let metrics = Metrics {
        entries: 10,
        waiting: Waiting {
            mean: if gme { 8.0 + f64::from(bounded) } else { 80.0 },
            ..Waiting::default()
        },
        messages_per_entry: if gme { 5.0 + scenario.link_changes.rate } else { 10.0 },
        throughput: if gme { 2.0 } else { 0.5 },
        choice: gme.then_some(Choice { switches_per_entry: 0.1, resources }),
        ..Metrics::default()
    };
    run_of(metrics)
}

fn gathered(run: Runner<'_>) -> Gathered<Point> {
    with(2, run, |means| means.gather(EFFORT.jobs()))
}

fn told(threads: usize, run: Runner<'_>) -> Account {
    with(threads, run, |means| account(EFFORT, means.gather(EFFORT.jobs()), means))
}

fn verdicts(run: Runner<'_>) -> Vec<String> {
    let csv = findings::table(&gathered(run)).csv();
    csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap_or("").to_owned()).collect()
}

#[test]
fn what_comes_out_as_expected_holds_and_what_does_not_fails() {
    let held = verdicts(&|scenario| Some(as_expected(scenario)));
    assert!(held.iter().all(|verdict| verdict == "yes"), "{held:?}");
    let failed = verdicts(&|scenario| {
        let mut run = as_expected(scenario);
        let metrics = &mut run.metrics;
        let gme = scenario.protocol == "gme";
        metrics.waiting.mean = if gme { 90.0 + 20.0 * scenario.link_changes.rate } else { 80.0 };
        metrics.messages_per_entry = if gme { 12.0 } else { 10.0 };
        metrics.throughput = 0.5;
        if let Some(choice) = &mut metrics.choice {
            choice.resources[0].waiting = 5.0;
            choice.resources[1].waiting = 50.0;
        }
        Some(run)
    });
    assert_eq!(failed.len(), held.len());
    assert!(failed.iter().all(|verdict| verdict == "no"), "{failed:?}");
}

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let one = told(1, &|scenario| Some(as_expected(scenario)));
    let several = told(7, &|scenario| Some(as_expected(scenario)));
    assert_eq!(one.files, several.files);
    assert_eq!(one.text, several.text);
    let order = Order { full: false, repetitions: 2, seed: 1 };
    assert_eq!((PAPER.runs)(&order), one.planned);
    let names: Vec<&str> = one.files.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["index.html", "results.md", "runs.csv", "load.svg", "popular.svg"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn what_is_missing_is_left_out_and_said() {
    let told = told(2, &|scenario| (scenario.protocol == "rl").then(|| as_expected(scenario)));
    assert!(told.finished < told.planned);
    assert!(told.text.contains("not enough finished runs") && told.text.contains("interrupted"));
}

/// A share of which nobody got in has no wait, and is not drawn at zero.
#[test]
fn who_never_got_in_has_no_wait() {
    let results = gathered(&|scenario| {
        let mut run = as_expected(scenario);
        if let Some(choice) = &mut run.metrics.choice {
            choice.resources[1].entries = 0;
        }
        Some(run)
    });
    let figure = popular(&results);
    for panel in &figure.panels {
        for series in &panel.series {
            let expected = if series.name.starts_with("others") { 0 } else { 5 };
            assert_eq!(series.points.len(), expected, "{}", series.name);
        }
    }
}

#[test]
fn figures_have_all_their_curves() {
    let results = gathered(&|scenario| Some(as_expected(scenario)));
    for (against, along) in [(Against::Load, 7), (Against::Resources, 5), (Against::Changes, 4)] {
        let figure = against.figure(&results);
        assert_eq!(figure.panels.len(), 4);
        for (panel, curves) in figure.panels.iter().zip([4, 4, 4, 2]) {
            assert_eq!(panel.series.len(), curves);
            // One resource has no switches.
            let enough = |n| n == along || (curves == 2 && n + 1 == along);
            assert!(panel.series.iter().all(|series| enough(series.points.len())));
        }
    }
}
