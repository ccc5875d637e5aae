//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::Waiting;
use driftlock_sim::{Metrics, Run, Scenario};

use super::account::account;
use super::figures::{Cast, PLOTS};
use super::grid::{Algorithm, points};
use super::{Effort, PAPER, Results, claims};
use crate::made_up::{Runner, run_of, with};
use crate::study::{Account, Order};

const EFFORT: Effort = Effort { repetitions: 2, ..Effort::DEFAULT };

/// A run of which everything is true that the paper says and that we want of KRLA.
fn as_claimed(scenario: &Scenario) -> Run {
    let (rate, moves) = (scenario.requests.rate, scenario.link_changes.rate > 0.0);
    let lively = 1.0 + 10.0 * scenario.link_changes.rate;
    let krl = (40.0 / lively, 10.0 * lively);
    let krlf = (10.0, if rate < 0.01 { 100.0 } else { 8.0 });
    let (time, messages) = match scenario.protocol.as_str() {
        "krl" => krl,
        "krlf" => krlf,
        "krla" if rate < 0.1 => (krl.0 * 0.25, if rate < 0.01 { krl.1 } else { 7.9 }),
        "krla" => krlf,
        _ => (20.0, 100.0),
    };
    let notes = [("RaiseHeight", u64::from(moves))].into_iter().collect();
    let waiting = Waiting { mean: time, ..Waiting::default() };
    run_of(Metrics {
        entries: 1,
        waiting,
        messages_per_entry: messages,
        fairness: 1.0,
        notes,
        ..Metrics::default()
    })
}

fn told(threads: usize, run: Runner<'_>) -> Account {
    with(threads, run, |means| account(Results::gather(EFFORT, means), means))
}

fn verdicts(run: Runner<'_>) -> Vec<String> {
    let gathered = with(2, run, |means| Results::gather(EFFORT, means)).gathered;
    let tables = [claims::table(&gathered, claims::REPAIRED), claims::goals(&gathered)];
    let last = |line: &str| line.rsplit(',').next().unwrap_or("").to_owned();
    tables
        .iter()
        .flat_map(|table| table.csv().lines().skip(1).map(last).collect::<Vec<_>>())
        .collect()
}

#[test]
fn what_comes_out_as_claimed_holds() {
    let verdicts = verdicts(&|scenario| Some(as_claimed(scenario)));
    assert_eq!(verdicts.len(), 10 + 8);
    assert!(verdicts.iter().all(|verdict| verdict == "yes"), "{verdicts:?}");
}

/// Everything the other way round: KRL as good as KRLF should be, and the reverse.
#[test]
fn every_claim_can_fail() {
    let verdicts = verdicts(&|scenario| {
        let moves = scenario.link_changes.rate;
        let mut run = as_claimed(scenario);
        let (time, messages) = match scenario.protocol.as_str() {
            "krl" => (10.0 + moves * 100.0, 1.0 / (1.0 + moves)),
            "krlf" if scenario.requests.rate < 0.01 => (20.0, 0.1),
            "krlf" => (20.0 * (1.0 + scenario.network.links.unwrap_or(0) as f64), 100.0),
            _ => (1e6, 200.0),
        };
        run.metrics.fairness = if scenario.protocol == "krla" { 0.5 } else { 1.0 };
        run.metrics.waiting.mean = time;
        run.metrics.messages_per_entry = messages;
        run.metrics.notes.insert("RaiseHeight", 1);
        Some(run)
    });
    let held = verdicts.iter().filter(|verdict| *verdict == "yes").count();
    assert_eq!(held, 0, "{verdicts:?}");
}

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let one = told(1, &|scenario| Some(as_claimed(scenario)));
    let several = told(7, &|scenario| Some(as_claimed(scenario)));
    assert_eq!(one.files, several.files);
    assert_eq!(one.text, several.text);
    assert_eq!(one.finished, one.planned);
    let order = Order { full: false, repetitions: 2, seed: 1 };
    assert_eq!((PAPER.runs)(&order), one.planned);
    let names: Vec<&str> = one.files.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["index.html", "results.md", "runs.csv", "figure6.svg", "figure9-ours.svg"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn what_is_missing_is_left_out_and_said() {
    let told =
        told(2, &|scenario| (scenario.link_changes.rate == 0.0).then(|| as_claimed(scenario)));
    assert!(told.finished < told.planned);
    assert!(told.text.contains("not enough finished runs") && told.text.contains("interrupted"));
}

/// The published text is known to break promises; the others are not.
#[test]
fn broken_promises_of_the_published_text_are_counted_and_those_of_ours_are_failures() {
    let broken = |protocol: &'static str, published: bool| {
        told(2, &move |scenario| {
            let mut run = as_claimed(scenario);
            let meant = scenario.protocol == protocol && scenario.variant.is_some() == published;
            run.violation = (meant && scenario.seed == 2).then(|| {
                let (promise, at) = (driftlock_spec::Promise::Exclusion, driftlock_core::Ticks(3));
                let what = "n1 and n2".into();
                driftlock_spec::Violation { promise, at, step: 9, nodes: Vec::new(), what }
            });
            Some(run)
        })
    };
    let published = broken("krlf", true);
    assert!(published.failures.is_empty());
    assert!(published.text.contains("1 of 2"), "{}", published.text);
    let ours = broken("krla", false);
    assert_eq!(ours.failures.len(), points(&[Algorithm::Krla]).len());
    let page = &ours.files.iter().find(|(name, _)| name == "index.html").unwrap().1;
    assert!(page.contains("Broken promises") && page.contains("again 2"));
}

#[test]
fn figures_have_all_their_curves() {
    let results = with(2, &|job| Some(as_claimed(job)), |means| Results::gather(EFFORT, means));
    for plot in PLOTS {
        for (cast, who) in [(Cast::Paper, 2), (Cast::Ours, 4)] {
            let figure = plot.figure(&results.gathered, cast);
            let (panels, curves, along) = if plot.by_load { (3, 2 * who, 7) } else { (who, 3, 8) };
            assert_eq!(figure.panels.len(), panels);
            for panel in &figure.panels {
                assert_eq!(panel.series.len(), curves);
                assert!(panel.series.iter().all(|series| series.points.len() == along));
            }
        }
    }
}
