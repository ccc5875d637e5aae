//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::Waiting;
use driftlock_sim::{Metrics, Run, Scenario};

use super::figures::PLOTS;
use super::grid::{Algorithm, Effort, Load, Mobility, READINGS, points};
use super::published::{self, Quantity, ROWS};
use super::{Results, claims, page, tables};
use crate::made_up::run_of;

const EFFORT: Effort = Effort { repetitions: 2, ..Effort::DEFAULT };

/// A run in which exactly the published values come out, or 10 where there are none.
fn as_published(scenario: &Scenario) -> Run {
    let value = |quantity| {
        let algorithm = ROWS.iter().find(|(algorithm, _)| {
            let name = algorithm.name().to_lowercase();
            scenario.protocol == if name == "rr" { "raymond" } else { "rl" }
        });
        let load = Load::ALL
            .into_iter()
            .find(|load| super::grid::RATES[load.rate_index()] == scenario.requests.rate);
        let mobility = Mobility::ALL[[0.0, 0.01, 0.1]
            .iter()
            .position(|rate| *rate == scenario.link_changes.rate)
            .expect("a mobility of the paper")];
        let connectivity = scenario.network.connectivity.unwrap_or(0.0) as u32;
        let published = |load| {
            let (algorithm, _) = algorithm.expect("an algorithm of the paper");
            published::value(quantity, *algorithm, load, mobility, connectivity)
        };
        load.and_then(published).unwrap_or(10.0)
    };
    let waiting = Waiting { mean: value(Quantity::Time), ..Waiting::default() };
    let messages_per_entry = value(Quantity::Messages);
    run_of(Metrics { entries: 1, waiting, messages_per_entry, ..Metrics::default() })
}

fn gathered(run: impl Fn(&Scenario) -> Option<Run> + Sync) -> Results {
    Results::gather(EFFORT, 2, &false.into(), run)
}

#[test]
fn what_comes_out_as_published_has_the_ratio_one() {
    let results = gathered(|scenario| Some(as_published(scenario)));
    assert_eq!(
        (results.gathered.planned, results.gathered.finished),
        (points().len() * 2, points().len() * 2)
    );
    for quantity in Quantity::ALL {
        let csv = tables::comparison(&results, quantity).csv();
        let rows: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(rows.len(), 24);
        for row in rows {
            assert_eq!(row.matches(",1.00").count(), 4, "{row}");
        }
    }
}

/// With the published numbers the claims about the cells of the tables hold.
#[test]
fn claims_are_judged_by_the_numbers() {
    let verdicts = |results: &Results| {
        let csv = claims::table(results, claims::CLOSEST).csv();
        csv.lines().skip(1).map(|line| line.rsplit(',').next().unwrap_or("") == "yes").collect()
    };
    let published: Vec<bool> = verdicts(&gathered(|scenario| Some(as_published(scenario))));
    assert!(published[2] && published[3], "a wait of 75 that falls with mobility");
    let other: Vec<bool> = verdicts(&gathered(|scenario| {
        let mut run = as_published(scenario);
        run.metrics.waiting.mean *= 2.0 + scenario.link_changes.rate * 100.0;
        Some(run)
    }));
    assert!(!other[2] && !other[3]);
}

/// An interrupted sweep shows what there is and says what is missing.
#[test]
fn what_is_missing_is_left_out_and_said() {
    let results =
        gathered(|scenario| (scenario.link_changes.rate == 0.0).then(|| as_published(scenario)));
    assert!(results.gathered.finished < results.gathered.planned);
    let table = tables::comparison(&results, Quantity::Time).plain_text();
    assert!(table.contains("zero mobility") && table.contains("high mobility"));
    assert!(page::precision(&results).contains("interrupted"));
    let html = page::page(&results, "driftlock reproduce rl", &|_| String::new()).html();
    assert!(html.contains("not enough finished runs"));
}

#[test]
fn broken_promises_are_shown_with_how_to_see_them_again() {
    let results = gathered(|scenario| {
        let mut run = as_published(scenario);
        run.violation = (scenario.seed == 2 && scenario.protocol == "rl").then(|| {
            let (promise, at) = (driftlock_spec::Promise::Exclusion, driftlock_core::Ticks(3));
            let what = "n1 and n2".into();
            driftlock_spec::Violation { promise, at, step: 9, nodes: Vec::new(), what }
        });
        Some(run)
    });
    let of_rl = points().into_iter().filter(|point| point.algorithm == Algorithm::Rl).count();
    assert_eq!(results.gathered.failures.len(), of_rl);
    let html = page::page(&results, "", &|scenario| format!("again {}", scenario.seed)).html();
    assert!(html.contains("Broken promises") && html.contains("again 2"));
}

#[test]
fn figures_have_three_panels_four_curves_and_the_published_points() {
    let results = gathered(|scenario| Some(as_published(scenario)));
    for plot in PLOTS {
        for reading in READINGS {
            let figure = plot.figure(&results, reading);
            assert_eq!(figure.panels.len(), 3);
            for panel in &figure.panels {
                let n_points: Vec<usize> =
                    panel.series.iter().map(|series| series.points.len()).collect();
                let along = if plot.number % 2 == 1 { 9 } else { 10 };
                assert_eq!(n_points, [along, along, along, along, 2, 2, 2, 2]);
            }
        }
    }
}

#[test]
fn one_repetition_claims_no_intervals() {
    let effort = Effort { repetitions: 1, ..EFFORT };
    let results = Results::gather(effort, 1, &false.into(), |job| Some(as_published(job)));
    let text = page::precision(&results);
    assert!(text.contains("one repetition") && text.contains("no intervals"), "{text}");
}
