//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::{Aftermath, Fate, Local, Still, Waiting};
use driftlock_sim::{Metrics, Run, Scenario, Shape};

use super::account::account;
use super::crashes::{bound, farthest};
use super::grid::Algorithm;
use super::growth::Along;
use super::{Effort, PAPER, Results, figures, findings, picture};
use crate::made_up::{self, Runner, with};
use crate::study::{Account, Order};
use crate::table::Table;

const EFFORT: Effort = Effort { repetitions: 2, crashes: 2, ..Effort::DEFAULT };

fn who(scenario: &Scenario) -> Algorithm {
    let is = |who: &Algorithm| {
        who.protocol() == scenario.protocol && who.variant() == scenario.variant.as_deref()
    };
    Algorithm::ALL.into_iter().find(is).unwrap()
}

/// A run in which everybody waits so long, with so many messages, and starves so far away.
fn run_of(wait: f64, messages: f64, reach: u32) -> Run {
    let still = Still { entries: 1, mean: wait, max: wait };
    let fates = [0, 1, reach].map(|distance| {
        let starves = distance > 0;
        Fate { distance: Some(distance), starves }
    });
    let metrics = Metrics {
        entries: 1,
        waiting: Waiting { mean: wait, max: wait, ..Waiting::default() },
        messages_per_entry: messages,
        messages_by_kind: [("Fork", messages)].into_iter().collect(),
        local: Some(Local { demotions: 0, still }),
        aftermath: Some(Aftermath { crashed: 1, starving: 2, reach: Some(reach) }),
        fates: fates.to_vec(),
        ..Metrics::default()
    };
    made_up::run_of(metrics)
}

/// A run in which everything is as stated, and bounds are reached.
fn as_stated(scenario: &Scenario) -> Run {
    let who = who(scenario);
    let cold = scenario.requests.rate == 0.0 && scenario.network.shape == Shape::Line;
    let (wait, messages) = match who {
        Algorithm::Two => (5.0, 8.0),
        Algorithm::Quiet => (6.0, 7.0),
        Algorithm::ChandyMisra => (7.0, 2.0),
        _ => (10.0, 20.0),
    };
    let chained = matches!(who, Algorithm::Greedy | Algorithm::Two | Algorithm::ChandyMisra);
    let wait = if cold && chained { scenario.network.nodes as f64 } else { wait };
    let messages = if scenario.motion.is_some() { 2.0 * messages } else { messages };
    run_of(wait, messages, bound(who).unwrap_or(7))
}

/// A run in which everything grows as fast as nobody has stated.
fn otherwise(scenario: &Scenario, reach: u32) -> Run {
    let network = &scenario.network;
    let n = network.nodes as f64;
    let degree = match (network.shape, network.degree, network.links) {
        (Shape::Clique, ..) => n,
        (_, Some(degree), _) => degree,
        (_, _, Some(links)) => 2.0 * links as f64 / n,
        _ => 2.0,
    };
    let factor = match who(scenario) {
        Algorithm::ChandyMisra => 9.0,
        Algorithm::Two => 3.0,
        Algorithm::Quiet => 2.0,
        _ => 1.0,
    };
    let slow = factor * n.powi(3) * degree.powi(9);
    let still = if scenario.motion.is_some() { 0.1 } else { 1.0 };
    run_of(slow, still * factor * n * degree.powi(3), reach)
}

fn gathered(run: Runner<'_>) -> Results {
    with(2, run, |means| Results::gather(EFFORT, means))
}

fn told(threads: usize, run: Runner<'_>) -> Account {
    with(threads, run, |means| account(Results::gather(EFFORT, means), means))
}

fn verdicts(table: &Table) -> Vec<String> {
    let last = |line: &str| line.rsplit(',').next().unwrap_or("").to_owned();
    table.csv().lines().skip(1).map(last).collect()
}

#[test]
fn what_comes_out_as_stated_holds() {
    let Results { gathered, trials, .. } = gathered(&|scenario| Some(as_stated(scenario)));
    let tables =
        [findings::times(&gathered), findings::localities(&trials), findings::messages(&gathered)];
    for (table, rows) in tables.iter().zip([22, 9, 9]) {
        let verdicts = verdicts(table);
        assert_eq!(verdicts.len(), rows);
        assert!(verdicts.iter().all(|verdict| verdict == "yes"), "{}", table.plain_text());
    }
    assert_eq!(farthest(&trials, Algorithm::Greedy), Some(7));
}

#[test]
fn every_claim_can_fail() {
    for (reach, failed) in [(0, 5), (50, 4)] {
        let results = gathered(&|scenario| Some(otherwise(scenario, reach)));
        for table in [findings::times(&results.gathered), findings::messages(&results.gathered)] {
            let verdicts = verdicts(&table);
            assert!(verdicts.iter().all(|verdict| verdict == "no"), "{}", table.plain_text());
        }
        let verdicts = verdicts(&findings::localities(&results.trials));
        assert_eq!(verdicts.iter().filter(|verdict| *verdict == "no").count(), failed);
    }
}

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let one = told(1, &|scenario| Some(as_stated(scenario)));
    let several = told(7, &|scenario| Some(as_stated(scenario)));
    assert_eq!(one.files, several.files);
    assert_eq!(one.text, several.text);
    let order = Order { full: false, repetitions: 2, seed: 1 };
    let crashes = Effort { repetitions: 2, ..Effort::DEFAULT }.crash_jobs().len();
    let planned = one.planned - EFFORT.crash_jobs().len() + crashes;
    assert_eq!((PAPER.runs)(&order), planned);
    let names: Vec<&str> = one.files.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["index.html", "results.md", "runs.csv", "locality.svg", "response-n.svg"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn what_is_missing_is_left_out_and_said() {
    let some = |scenario: &Scenario| (scenario.protocol != "lme2").then(|| as_stated(scenario));
    let told = told(2, &some);
    assert!(told.finished < told.planned);
    assert!(told.text.contains("not enough finished runs") && told.text.contains("interrupted"));
    assert_eq!(picture::map(&gathered(&some).drawn).charts.len(), 2);
}

#[test]
fn figures_have_all_their_curves() {
    let Results { gathered, trials, .. } = gathered(&|scenario| Some(as_stated(scenario)));
    for (along, clique) in [(Along::Nodes, 5), (Along::Degree, 5)] {
        let figure = figures::response(&gathered, &EFFORT, along);
        let others = if along == Along::Nodes { 5 } else { 4 };
        for (panel, (curves, points)) in
            figure.panels.iter().zip([(6, clique), (6, others), (4, others)])
        {
            assert_eq!(panel.series.len(), curves);
            assert!(panel.series.iter().all(|series| series.points.len() == points));
        }
    }
    let panels = figures::messages(&gathered, &EFFORT).panels;
    assert!(panels.iter().all(|panel| panel.series.len() == 6));
    let panels = figures::locality(&trials).panels;
    let curves: Vec<usize> = panels.iter().map(|panel| panel.series.len()).collect();
    assert_eq!(curves, [6, 6, 4]);
    assert!(panels[0].series[0].points.iter().any(|point| point.y == 100.0));
}
