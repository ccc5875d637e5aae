//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::{Faults, Waiting};
use driftlock_sim::{Metrics, Run, Scenario};

use super::account::account;
use super::faults::{EPOCH, NODES, ROUNDS};
use super::grid::{HEAVY, LOADS, UNITS};
use super::{Effort, PAPER, Results, claims, faults, figures, formulas, tables};
use crate::made_up::{self, Runner, with};
use crate::study::{Account, Order};
use crate::table::Table;

/// Networks differ in how many clusters they have, so it takes some to say anything of them.
const EFFORT: Effort = Effort::DEFAULT;

/// The place of the load of a scenario; the heaviest where a script asks.
fn load(scenario: &Scenario) -> f64 {
    let rate = scenario.requests.rate * UNITS;
    let is = |load: &f64| (load / rate - 1.0).abs() < 1e-9;
    LOADS.iter().position(is).unwrap_or(LOADS.len() - 1) as f64
}

fn run_of(messages: f64, throughput: f64, wait: f64, (entries, deposed): (u64, u64)) -> Run {
    made_up::run_of(Metrics {
        entries,
        time: 1.0,
        waiting: Waiting { mean: wait, max: wait, ..Waiting::default() },
        messages_per_entry: messages,
        messages_by_kind: [("Req", messages)].into(),
        hops_per_message: 1.0,
        throughput,
        faults: Some(Faults { deposed, ..Faults::default() }),
        // Whatever goes wrong in it begins epochs, too.
        notes: [(EPOCH, deposed)].into(),
        ..Metrics::default()
    })
}

/// How many get in if everyone does who has not stopped. Who stops inside, or is inside when its
/// head stops, gets in once more.
fn due(scenario: &Scenario) -> u64 {
    let all = ROUNDS * NODES;
    let crash = scenario.script.iter().find(|scripted| scripted.crash.is_some());
    let once = crash.is_some_and(|crash| crash.once.is_some());
    let asked = scenario.script.len() == all + 2;
    let stopped = if crash.is_some() { ROUNDS } else { 0 };
    (all - stopped + usize::from(once || asked)) as u64
}

/// A run as section 6 has it, where nothing moves and nothing goes wrong.
fn as_in_section_6(scenario: &Scenario) -> Option<Run> {
    let nodes = scenario.network.nodes;
    let clusters = || formulas::heads(&formulas::network(nodes, scenario.seed).unwrap()).len();
    let still = scenario.protocol == "cluster" && scenario.motion.is_none();
    let m = (still && scenario.script.is_empty()).then(clusters)? as f64;
    let is_heavy = load(scenario) as usize == HEAVY;
    let messages = if is_heavy { 2.0 + m / nodes as f64 } else { 1.0 + m };
    Some(run_of(messages, 0.5, 2.5, (1, 0)))
}

/// A run in which everything is as the paper says.
fn as_stated(scenario: &Scenario) -> Run {
    if let Some(run) = as_in_section_6(scenario) {
        return run;
    }
    let (load, nodes) = (load(scenario), scenario.network.nodes as f64);
    let asking = scenario.requests.nodes.as_ref().map_or(nodes, |nodes| nodes.len() as f64);
    let due = (due(scenario), 0);
    if scenario.protocol == "ring" {
        return run_of(200.0 - load, 1.0, 20.0, due);
    }
    run_of((3.0 + load) * (2.0 - asking / nodes), 1.0 + load, 5.0, due)
}

/// A run in which nothing is.
fn otherwise(scenario: &Scenario) -> Run {
    let (load, nodes) = (load(scenario), scenario.network.nodes as f64);
    let asking = scenario.requests.nodes.as_ref().map_or(nodes, |nodes| nodes.len() as f64);
    if scenario.protocol == "ring" {
        return run_of(1.0 + load, 1.0 + load, 1.0, (0, 0));
    }
    let speed = scenario.motion.as_ref().and_then(|motion| motion.speed);
    let speed = speed.map_or(1.0, |speed| speed.to_string().len() as f64);
    let wait = 10.0 * (1.0 + load) * speed;
    run_of((900.0 - 9.0 * load) * nodes * (1.0 + asking) * speed, 1.0, wait, (0, 3))
}

fn gathered(run: Runner<'_>) -> Results {
    with(2, run, |means| Results::gather(EFFORT, means))
}

fn told(threads: usize, run: Runner<'_>) -> Account {
    with(threads, run, |means| account(&Results::gather(EFFORT, means), means))
}

fn verdicts(table: &Table) -> Vec<String> {
    let last = |line: &str| line.rsplit(',').next().unwrap_or("").to_owned();
    table.csv().lines().skip(1).map(last).collect()
}

fn judged(results: &Results) -> [Table; 4] {
    let Results { gathered, faults: trials, .. } = results;
    [
        claims::table(gathered),
        claims::compared(gathered),
        formulas::table(gathered),
        faults::claims(trials),
    ]
}

#[test]
fn what_comes_out_as_stated_holds() {
    let results = gathered(&|scenario| Some(as_stated(scenario)));
    for (table, rows) in judged(&results).iter().zip([11, 5, 18, 3]) {
        let verdicts = verdicts(table);
        assert_eq!(verdicts.len(), rows);
        assert!(verdicts.iter().all(|verdict| verdict == "yes"), "{}", table.plain_text());
    }
}

#[test]
fn every_claim_can_fail() {
    let results = gathered(&|scenario| Some(otherwise(scenario)));
    for table in &judged(&results) {
        let verdicts = verdicts(table);
        assert!(verdicts.iter().all(|verdict| verdict == "no"), "{}", table.plain_text());
    }
}

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let one = told(1, &|scenario| Some(as_stated(scenario)));
    let several = told(7, &|scenario| Some(as_stated(scenario)));
    assert_eq!((&one.files, &one.text), (&several.files, &several.text));
    let order = Order { full: false, repetitions: EFFORT.repetitions, seed: 1 };
    assert_eq!((PAPER.runs)(&order), one.planned);
    let names: Vec<&str> = one.files.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["index.html", "results.md", "runs.csv", "figure2.svg", "figure4-6.svg"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn what_is_missing_is_left_out_and_said() {
    let some = |scenario: &Scenario| (scenario.protocol == "ring").then(|| as_stated(scenario));
    let told = told(2, &some);
    assert!(told.finished < told.planned);
    assert!(told.text.contains("not enough finished runs") && told.text.contains("interrupted"));
}

#[test]
fn remarks_follow_from_the_runs() {
    let said = |run: Runner<'_>| told(2, run).text;
    let measured = ["was mended here", "times the messages of the ring", "times those at heavy"];
    let all = said(&|scenario| Some(as_stated(scenario)));
    assert!(measured.iter().all(|part| all.contains(part)), "{all}");
    let bad = said(&|scenario| Some(otherwise(scenario)));
    assert!(!bad.contains("was mended here"), "{bad}");
    let still = said(&|scenario| scenario.motion.is_none().then(|| as_stated(scenario)));
    assert!(still.contains("was mended here") && !still.contains("times the messages of the ring"));
    let none = said(&|_| None);
    assert!(!measured.iter().any(|part| none.contains(part)), "{none}");
}

/// A wait is as wrong below what is stated as above it.
#[test]
fn both_bounds_of_a_wait_count() {
    let soon = gathered(&|scenario| {
        let metrics = as_stated(scenario).metrics;
        let waiting = Waiting { mean: 1.0, ..metrics.waiting };
        Some(made_up::run_of(Metrics { waiting, ..metrics }))
    });
    let verdicts = verdicts(&formulas::table(&soon.gathered));
    assert_eq!(verdicts[12..], ["no"; 6]);
    assert!(verdicts[..12].iter().all(|verdict| verdict == "yes"), "{verdicts:?}");
}

#[test]
fn figures_and_tables_have_all_their_points() {
    let Results { gathered, faults: trials, .. } = gathered(&|scenario| Some(as_stated(scenario)));
    let by_askers = figures::by_askers(&gathered);
    assert_eq!(by_askers.panels.len(), 3);
    let series = by_askers.panels.iter().flat_map(|panel| &panel.series);
    assert!(series.into_iter().all(|series| series.points.len() == 5));
    for table in [formulas::table(&gathered), tables::by_load(&gathered), faults::table(&trials)] {
        let csv = table.csv();
        assert!(!csv.contains(",,") && !csv.contains(",\n"), "{csv}");
    }
}
