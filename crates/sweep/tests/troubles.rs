//! What goes wrong in a cell stays there.

use tempfile::tempdir;

use crate::study::Study;

const TROUBLED: &str = "
[scenario]
network = { shape = 'ring', nodes = 4 }
link-changes = { model = 'toggle', rate = 0.3 }
measure = { warmup = 0, entries = 200 }
[grid]
protocol = ['rl', 'rl:published', 'bug', 'nobody']
[[points]]
protocol = 'rl'
network = { shape = 'file', file = 'there/is/none' }
[repetitions]
count = 4
";

#[test]
fn failures_are_listed_and_stop_nobody() {
    let study = Study::new(TROUBLED);
    let mut told = Vec::new();
    for threads in [1, 3] {
        let folder = tempdir().unwrap();
        assert!(study.work(folder.path(), None, threads, None));
        let summary = study.summary(folder.path());
        let kinds: Vec<(usize, &str)> =
            summary.failures.iter().map(|failure| (failure.cell, &*failure.kind)).collect();
        let expected = [(2, "violated"), (3, "panicked"), (4, "refused"), (5, "refused")];
        assert_eq!(kinds, expected);
        assert_eq!((summary.cells, summary.finished), (5, 5));
        let [published, bug, nobody, network] = &summary.failures[..] else { panic!() };
        assert!(published.runs > 0 && published.replay.starts_with("sim --seed "));
        assert_eq!((&*bug.what, bug.runs, &*bug.replay), ("seed 1", 2, "sim --seed 1"));
        assert!(nobody.what.contains("there is no `nobody`"), "{}", nobody.what);
        assert_eq!(network.runs, 1, "nothing comes after a refusal");
        assert_eq!(summary.runs, 4 + 4 + 2, "rows of those who ran");
        assert_eq!(summary.violated, published.runs);
        let (csv, _) = study.results(&[folder.path()]);
        let frame = driftlock_sweep::csv::read(&csv).unwrap();
        let (status, waits) = (frame.column("status").unwrap(), frame.column("waiting_mean"));
        for row in 0..frame.rows() {
            let held = status.data.shown(row).unwrap() == "held";
            assert_eq!(waits.unwrap().data.number(row).is_some(), held);
        }
        told.push((csv, summary));
    }
    assert_eq!(told[0], told[1]);
}

/// The table of a sweep.
fn table(text: &str) -> driftlock_sweep::Frame {
    let (study, folder) = (Study::new(text), tempdir().unwrap());
    assert!(study.work(folder.path(), None, 2, None));
    driftlock_sweep::csv::read(&study.results(&[folder.path()]).0).unwrap()
}

#[test]
fn what_a_scenario_does_not_say_is_in_the_table_if_others_say_it() {
    let frame = table(
        "[scenario]\nprotocol = 'rl'\nmeasure = { warmup = 0, entries = 9 }\n\
         [[points]]\nloss = 0\n[[points]]\ntokens = 2\n[repetitions]\ncount = 1\n",
    );
    let tokens = &frame.column("tokens").unwrap().data;
    assert_eq!((tokens.number(0), tokens.number(1)), (Some(1.0), Some(2.0)));
    assert!(frame.column("loss").is_none() && frame.column("trace_unit").is_none());
}

#[test]
fn where_nobody_entered_there_is_nothing_to_average() {
    let frame = table(
        "[scenario]\nprotocol = 'rl'\nrequests = { rate = 1e-9 }\n\
         [grid]\n'measure.until' = [0.1]\n'measure.warmup' = [0]\n[repetitions]\ncount = 2\n",
    );
    let number = |name: &str| frame.column(name).unwrap().data.number(0);
    assert_eq!((number("entries"), number("throughput")), (Some(0.0), Some(0.0)));
    for name in ["waiting_mean", "waiting_max", "messages_per_entry", "bytes_per_entry", "fairness"]
    {
        assert_eq!(number(name), None, "{name}");
    }
}

/// Nothing counted is 0, for those who could have counted something.
#[test]
fn what_did_not_happen_is_counted_as_such() {
    let frame = table(
        "[scenario]\nnetwork = { shape = 'ring', nodes = 5 }\n\
         link-changes = { model = 'toggle' }\nmeasure = { warmup = 0, entries = 30 }\n\
         [grid]\nprotocol = ['rl', 'rl:published']\n'link-changes.rate' = [0, 0.2]\n\
         [repetitions]\ncount = 3\n",
    );
    let (status, rates) = (frame.column("status").unwrap(), frame.column("link_changes_rate"));
    let notes = frame.columns.iter().filter(|column| column.name.starts_with("notes_"));
    let mut zeros = 0;
    for column in notes {
        for row in (0..3).chain(3..6) {
            assert_eq!(status.data.shown(row).unwrap(), "held");
            let still = rates.unwrap().data.number(row) == Some(0.0);
            zeros += usize::from(still && column.data.number(row) == Some(0.0));
            assert!(column.data.number(row).is_some(), "{} of row {row}", column.name);
        }
    }
    assert!(zeros > 0, "without changes no height is raised");
}

#[test]
fn columns_are_typed_by_the_whole_plan() {
    use driftlock_sweep::frame::Data;
    let study = Study::new(
        "[scenario]\nprotocol = 'rl'\nnetwork = { shape = 'ring' }\n\
         measure = { warmup = 0, entries = 9 }\n\
         [grid]\n'network.nodes' = [4, 5]\ndelay = [1, 'uniform:1..2']\n\
         [repetitions]\ncount = 1\n",
    );
    let folder = tempdir().unwrap();
    study.work(folder.path(), None, 2, None);
    let (csv, _) = study.results(&[folder.path()]);
    let frame = driftlock_sweep::csv::read(&csv).unwrap();
    let data = |name: &str| &frame.column(name).unwrap().data;
    assert_eq!(data("network_nodes"), &Data::Int(vec![Some(4), Some(4), Some(5), Some(5)]));
    let delays = ["1.0", "uniform:1..2", "1.0", "uniform:1..2"];
    assert_eq!(data("delay"), &Data::Text(delays.map(|delay| Some(delay.into())).to_vec()));
    assert_eq!(data("protocol").shown(0).as_deref(), Some("rl"));
    let varied: Vec<&str> = frame.varied().iter().map(|column| &*column.name).collect();
    assert_eq!(varied, ["delay", "network_nodes"]);
    assert!(data("messages_request").number(0).is_some_and(|number| number > 0.0));
    assert!(data("bytes_per_entry").number(0).is_some_and(|number| number > 0.0));
    let mut names: Vec<&str> = frame.columns.iter().map(|column| &*column.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "no name is there twice");
}
