use driftlock_lab::figure::Role;

use super::*;
use crate::csv;

#[test]
fn labels_are_short_and_tell_values_apart() {
    let values = |all: &[&str]| -> Vec<Option<String>> {
        all.iter().map(|value| Some((*value).to_owned())).collect()
    };
    assert_eq!(labels(&values(&["0.00316227766", "1", "10"])), ["0.003162", "1", "10"]);
    assert_eq!(labels(&values(&["1.00001", "1.00002"])), ["1.00001", "1.00002"]);
    assert_eq!(labels(&values(&["rl", "rl:published", "–"])), ["rl", "rl:published", "–"]);
    assert_eq!(labels(&values(&["a/b/c.tcl", "a/b/d/c.tcl"])), ["c.tcl", "d/c.tcl"]);
    assert_eq!(labels(&values(&["a/b.tcl", "a.tcl"])), ["a/b.tcl", "a.tcl"]);
    assert_eq!(labels(&values(&["a/b.tcl"])), ["a/b.tcl"]);
    assert_eq!(labels(&[None]), ["mean of all runs"]);
}

/// Two protocols at two loads and of two sizes, two runs each.
const RUNS: &str = "\
cell,protocol,rate,nodes,seed,status,waiting
1,rl,1,10,1,held,4
1,rl,1,10,2,held,5
2,rl,2,10,1,held,6
2,rl,2,10,2,held,8
3,rl,1,20,1,held,14
3,rl,1,20,2,held,15
4,rl,2,20,1,held,16
4,rl,2,20,2,held,18
5,krl,1,10,1,held,2
5,krl,1,10,2,held,3
6,krl,2,10,1,held,3
6,krl,2,10,2,held,4
";

fn wanted(x: &str, by: Option<&str>, facet: Option<&str>) -> Wanted {
    let own = |name: Option<&str>| name.map(str::to_owned);
    Wanted { x: x.into(), y: "waiting".into(), by: own(by), facet: own(facet), ..Wanted::default() }
}

fn drawn(text: &str, wanted: &Wanted) -> Figure {
    figure(&csv::read(text).unwrap(), wanted).unwrap()
}

fn has_intervals(figure: &Figure) -> bool {
    let series = figure.panels.iter().flat_map(|panel| &panel.series);
    series.flat_map(|series| &series.points).any(|point| point.half_width.is_some())
}

#[test]
fn only_runs_of_one_cell_have_an_interval() {
    let whole = drawn(RUNS, &wanted("rate", Some("protocol"), Some("nodes")));
    assert_eq!(whole.note, "Marks: means with 95 % intervals.");
    assert!(has_intervals(&whole));
    let pooled = drawn(RUNS, &wanted("rate", Some("protocol"), None));
    assert_eq!(pooled.note, "Marks: means over all values of nodes; no intervals.");
    assert!(!has_intervals(&pooled));
    let lines = |seed: &str| -> String {
        let is_of = |line: &&str| line.split(',').nth(4).is_some_and(|field| seed.contains(field));
        RUNS.lines().take(1).chain(RUNS.lines().filter(is_of)).collect::<Vec<_>>().join("\n")
    };
    let once = drawn(&lines("1"), &wanted("rate", Some("protocol"), Some("nodes")));
    assert_eq!(once.note, "Marks: one run each; no intervals.");
    let more = lines("1") + "\n1,rl,1,10,2,held,5\n";
    let some = drawn(&more, &wanted("rate", Some("protocol"), Some("nodes")));
    assert_eq!(some.note, "Marks: means with 95 % intervals, where there are several runs.");
}

/// RL and KRL at load 1 for 10 nodes side by side, and for 20 nodes where there is RL only.
#[test]
fn what_is_no_number_stands_side_by_side() {
    let only = vec![("rate".to_owned(), "1".to_owned())];
    let all = Wanted { only, ..wanted("protocol", Some("nodes"), None) };
    let figure = drawn(RUNS, &all);
    assert_eq!(figure.title, "Waiting against protocol, by nodes");
    assert_eq!(figure.note, "Marks: means with 95 % intervals. Only rate = 1.");
    let panel = &figure.panels[0];
    assert_eq!(panel.x.names, ["rl", "krl"]);
    let series = |k: usize| {
        let series = &panel.series[k];
        let points: Vec<(f64, f64)> =
            series.points.iter().map(|point| (point.x, point.y)).collect();
        (series.name.as_str(), series.role, points)
    };
    let beside = 0.06;
    assert_eq!(series(0), ("10", Role::Apart, vec![(-beside, 4.5), (1.0 - beside, 2.5)]));
    assert_eq!(series(1), ("20", Role::Apart, vec![(beside, 14.5)]));
    let log = Wanted { log_x: true, ..all.clone() };
    let why = super::figure(&csv::read(RUNS).unwrap(), &log).unwrap_err();
    assert_eq!(why, "x: `protocol` has no numbers, so no logarithms of them");
    let numbers = Wanted { y: "protocol".into(), ..wanted("rate", None, None) };
    let why = super::figure(&csv::read(RUNS).unwrap(), &numbers).unwrap_err();
    assert_eq!(why, "y: `protocol` is no column of numbers");
}

#[test]
fn a_value_that_nobody_has_is_told_with_those_that_there_are() {
    let only = vec![("nodes".to_owned(), "10".to_owned()), ("rate".to_owned(), "3".to_owned())];
    let wanted = Wanted { only, ..wanted("rate", None, None) };
    let why = super::figure(&csv::read(RUNS).unwrap(), &wanted).unwrap_err();
    assert_eq!(why, "there is no run to draw: none has rate = 3, but 1, 2");
}

#[test]
fn runs_that_are_not_drawn_are_told() {
    let text = RUNS.replace("20,2,held,15", "20,2,held,").replace("10,2,held,8", "10,2,violated,");
    let figure = drawn(&text, &wanted("rate", Some("protocol"), Some("nodes")));
    let told = "1 run not drawn: no value of waiting. 1 run not drawn: promises were broken.";
    assert!(figure.note.ends_with(told), "{}", figure.note);
    let held: Vec<String> = RUNS
        .lines()
        .map(|line| match line.contains(",rl,") {
            true => line.replace("held", "violated"),
            false => line.to_owned(),
        })
        .collect();
    let figure = drawn(&held.join("\n"), &wanted("rate", Some("protocol"), None));
    let told = "8 runs not drawn: promises were broken. Nothing is left of protocol = rl.";
    assert!(figure.note.ends_with(told), "{}", figure.note);
    let series = &figure.panels[0].series;
    assert_eq!((series.len(), series[0].name.as_str()), (1, "krl"));
    assert_eq!(series[0].ink, Ink::variant(1, 1), "as where both are drawn");
    let text = RUNS.replace("krl,1,10,1,held", "krl,1,20,1,violated");
    let figure = drawn(&text, &wanted("rate", Some("protocol"), Some("nodes")));
    assert!(figure.note.ends_with("Nothing is left of protocol = krl at nodes = 20."));
    let only = vec![("protocol".to_owned(), "rl".to_owned())];
    let nothing = Wanted { only, ..wanted("rate", None, None) };
    let why = super::figure(&csv::read(&held.join("\n")).unwrap(), &nothing).unwrap_err();
    assert_eq!(why, "there is no run to draw: promises were broken (8 runs)");
}

#[test]
fn what_was_measured_is_drawn_run_by_run() {
    let twice = Wanted { y: "seed".into(), ..wanted("waiting", Some("protocol"), None) };
    let figure = drawn(RUNS, &twice);
    assert_eq!(figure.note, "Marks: a run each, which no line joins.");
    let points: Vec<usize> =
        figure.panels[0].series.iter().map(|series| series.points.len()).collect();
    assert_eq!(points, [8, 4], "also where two runs have the same value");
    assert!(figure.panels[0].series.iter().all(|series| series.role == Role::Runs));
}

#[test]
fn any_name_can_stand_in_a_title() {
    for (name, title) in [("é", "É against b"), ("ß_x", "SS x against b"), ("", " against b")] {
        let text = format!("{name},b\n1,2\n2,3\n");
        let figure = drawn(&text, &Wanted { y: name.into(), ..wanted("b", None, None) });
        assert_eq!(figure.title, title);
    }
}
