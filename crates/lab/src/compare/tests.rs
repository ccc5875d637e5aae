//! What is shown, from made-up runs whose right answers are known.

use driftlock_sim::metrics::{Detail, Recovery, Waiting};
use driftlock_sim::{Medium, Metrics, Run, Scenario, Scripted};

use super::quantity::Quantity;
use super::rows::measured;
use super::{Case, Compared, Contest, Entrant, conduct, worlds};
use crate::gathered::PointRun;
use crate::made_up::run_of;
use crate::study::Means;

fn waited(mean: f64) -> Metrics {
    Metrics { entries: 1, waiting: Waiting { mean, ..Waiting::default() }, ..Metrics::default() }
}

/// Differences of 2, 1 and 3: a mean of 2 and a deviation of 1, so by Student's t with two degrees
/// of freedom 4.302653 / √3 to either side.
#[test]
fn differences_are_between_runs_of_one_seed() {
    let runs = |waits: &[(u64, f64)]| -> Vec<PointRun> {
        waits.iter().map(|&(seed, mean)| PointRun { seed, metrics: waited(mean) }).collect()
    };
    let first = runs(&[(1, 8.0), (2, 19.0), (3, 57.0), (4, 1000.0)]);
    let other = runs(&[(1, 10.0), (2, 20.0), (3, 60.0), (5, 0.0)]);
    let difference = measured(Quantity::WaitingMean, &other, &first).difference.unwrap();
    assert_eq!((difference.mean, difference.n), (2.0, 3));
    let expected = 4.302653 / 3f64.sqrt();
    assert!((difference.half_width.unwrap() - expected).abs() < 1e-6, "{difference:?}");
    let alone = measured(Quantity::WaitingMean, &other, &[]);
    assert_eq!((alone.difference, alone.runs), (None, 4));
}

fn entrant(name: &str, promise: &str) -> Entrant {
    Entrant { name: name.into(), promise: promise.into() }
}

/// Three protocols, of which one promises something else and one refuses the second case.
fn contest() -> Contest {
    let script = vec![Scripted { crash: Some(1), ..Scripted::default() }];
    let scenario = Scenario { script, ..Scenario::default() };
    let case = |value: &str| Case {
        title: "30 nodes".into(),
        stem: String::new(),
        panel: String::new(),
        value: value.into(),
        scenario: scenario.clone(),
    };
    let run = |protocol: &str, tokens| {
        let tokens = Some(tokens);
        Ok(Scenario { protocol: protocol.into(), tokens, ..scenario.clone() })
    };
    let refused = Err("it cannot".into());
    Contest {
        key: "load".into(),
        cases: vec![case("0.1"), case("1")],
        entrants: vec![entrant("a", "one"), entrant("b", "one"), entrant("c", "many")],
        scenarios: vec![
            vec![run("a", 1), run("b", 1), run("c", 1)],
            vec![run("a", 2), refused, run("c", 2)],
        ],
        warnings: Vec::new(),
        repetitions: 3,
        seed: 1,
    }
}

/// `b` waits one unit longer than the others, and node 1 is missed by it in one run of three.
fn made_up(scenario: &Scenario) -> Option<Run> {
    let is_b = scenario.protocol == "b";
    let backlog = (!is_b || scenario.seed == 2).then_some(4.0);
    let recovery = Some(Recovery { next_entry: Some(2.0), backlog });
    let wait = scenario.seed as f64 * 10.0 + f64::from(is_b);
    let detail = Some(Detail { bytes_per_entry: 12.0, recovery });
    Some(run_of(Metrics { messages_per_entry: 3.0, detail, ..waited(wait) }))
}

fn compared(run: &(dyn Fn(&Scenario) -> Option<Run> + Sync)) -> Compared {
    let replay = |scenario: &Scenario| format!("again {}", scenario.seed);
    let stop = false.into();
    let means = Means { threads: 2, stop: &stop, run, replay: &replay, command: "driftlock" };
    conduct(&contest(), &means)
}

#[test]
fn the_table_says_what_differs_and_what_cannot_be_compared() {
    let Compared { rows, account } = compared(&made_up);
    assert_eq!((account.planned, account.finished, rows.len()), (15, 15, 6));
    let text = &account.text;
    for part in [
        "vs a",
        "+1 ± 0",
        "in 1 of 3",
        "NOT THE SAME PROMISE, so no difference is given between them: c: many; a, b: one",
        "refused: b in 30 nodes: it cannot",
        "15 of 15 runs: 3 repetitions of each point with the seeds 1 to 3.",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let difference = |k: usize| rows[k].quantities["waiting_mean"].difference;
    assert_eq!(difference(1).map(|difference| difference.mean), Some(1.0));
    assert_eq!([difference(0), difference(2), difference(4)], [None; 3]);
    let names: Vec<&str> = account.files.iter().map(|(name, _)| &**name).collect();
    let drawn = ["waiting", "messages", "bytes", "fairness", "next-entry", "backlog"];
    let mut files = ["results.md", "results.csv", "runs.csv"].map(String::from).to_vec();
    files.extend(drawn.map(|name| format!("{name}.svg")));
    assert_eq!(names, files);
    assert!(account.files[0].1.contains("![Waiting time of each protocol](waiting.svg)"));
}

/// A row for each protocol in each case, and nothing in a cell but one number or name.
#[test]
fn machines_read_one_thing_in_each_column() {
    let Compared { account, .. } = compared(&made_up);
    let file = |wanted: &str| {
        let (_, text) = account.files.iter().find(|(name, _)| name == wanted).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<&str>>());
        (lines.next().unwrap(), lines.collect::<Vec<Vec<&str>>>())
    };
    for (name, n_rows) in [("results.csv", 6), ("runs.csv", 15)] {
        let (headers, rows) = file(name);
        assert_eq!(rows.len(), n_rows);
        let is_plain = |header: &&str| {
            header.chars().all(|c| c.is_ascii_lowercase() || "_0123456789".contains(c))
        };
        assert!(headers.iter().all(is_plain), "{headers:?}");
        assert!(rows.iter().all(|row| row.len() == headers.len() && row[0] == "30 nodes"));
    }
    let (headers, rows) = file("results.csv");
    let cell = |row: usize, header: &str| {
        let column = headers.iter().position(|it| *it == header);
        rows[row][column.unwrap_or_else(|| panic!("no {header} in {headers:?}"))]
    };
    // Waits of 10, 20 and 30: a deviation of 10, by Student's t with two degrees of freedom.
    let half_width: f64 = cell(0, "waiting_mean_half_width").parse().unwrap();
    assert_eq!(cell(0, "waiting_mean"), "20");
    assert!((half_width - 4.302653 * 10.0 / 3f64.sqrt()).abs() < 1e-4, "{half_width}");
    assert_eq!([cell(0, "load"), cell(5, "load")], ["0.1", "1"]);
    assert_eq!([cell(1, "waiting_mean_difference"), cell(1, "compared_with")], ["1", "a"]);
    assert_eq!([cell(1, "recovery_backlog"), cell(1, "recovery_backlog_runs")], ["4", "1"]);
    assert_eq!(
        [cell(4, "refused"), cell(4, "runs"), cell(4, "waiting_mean")],
        ["it cannot", "0", ""]
    );
}

#[test]
fn who_cannot_take_part_is_no_reference() {
    let mut contest = contest();
    assert_eq!(contest.reference(), 0);
    contest.scenarios[0][0] = Err("it cannot".into());
    assert_eq!(contest.reference(), 0, "it can in the other case");
    contest.scenarios[1][0] = Err("it cannot".into());
    assert_eq!((contest.reference(), contest.runs()), (1, 9));
}

#[test]
fn what_was_not_finished_is_left_out() {
    let some = |scenario: &Scenario| made_up(scenario).filter(|_| scenario.seed < 3);
    let Compared { rows, account } = compared(&some);
    assert_eq!((account.planned, account.finished, rows[0].runs), (15, 10, 2));
    assert!(account.text.contains("The run was interrupted"), "{}", account.text);
}

#[test]
fn the_worlds_of_the_papers_make_sense_and_belong_to_nobody() {
    let (global, local) = (worlds::global(), worlds::local());
    for case in global.iter().chain(&local) {
        assert_eq!((&*case.scenario.protocol, case.scenario.medium), ("", None));
        assert_eq!(case.value.parse(), Ok(case.scenario.requests.rate));
        let on_mesh = Scenario { medium: Some(Medium::Mesh), ..case.scenario.clone() };
        let checked = case.scenario.check().or_else(|_| on_mesh.check());
        checked.unwrap_or_else(|error| panic!("{}: {error}", case.world()));
    }
    let count = |cases: &[Case], paper: &str| {
        cases.iter().filter(|case| case.title.starts_with(paper)).count()
    };
    let papers = ["WWV 2001", "WCM 2001", "Jiang", "AKW 2008", "SBS 2014"];
    let counts = papers.map(|paper| count(&global, paper));
    assert_eq!(counts, [2 * 12, 2 * 12, 8, 12, 12]);
    assert_eq!((local.len(), count(&local, "AKW 2008")), (12, 12));
    // Nodes that move leave the network in one piece where a lock is for all of them.
    let together = |case: &Case| case.scenario.motion.as_ref().map(|motion| motion.together);
    let moving = |cases: &[Case]| cases.iter().filter_map(together).collect::<Vec<bool>>();
    assert_eq!((moving(&global), moving(&local)), (vec![true; 4 + 8], vec![false; 4]));
    // What is no paper's has trouble: bridges, losses and crashes, of two kinds each.
    let troubled = &global[counts.iter().sum::<usize>()..];
    let scripted = troubled.iter().filter(|case| case.has_trouble()).count();
    let lossy = troubled.iter().filter(|case| case.scenario.loss > 0.0).count();
    assert_eq!((troubled.len(), scripted, lossy), (24, 16, 8));
}
