//! The same bytes for any number of threads, parts and stops.

use driftlock_fuzz::Dice;
use driftlock_sweep::Shard;
use tempfile::tempdir;

use crate::study::Study;

/// A sweep drawn at random: some axes, some points, either rule.
fn drawn(dice: &mut Dice) -> String {
    let mut text = "[scenario]\nprotocol = 'rl'\nnetwork = { nodes = 8, connectivity = 50 }\n\
                    measure = { warmup = 0, entries = 30 }\n"
        .to_owned();
    text.push_str("[grid]\n'requests.rate' = [0.1, 1, 5]\n");
    if dice.below(2) == 0 {
        text.push_str("'link-changes.rate' = { from = 0.01, to = 0.1, steps = 2 }\n");
        text.push_str("'link-changes.model' = ['toggle']\n");
    }
    if dice.below(2) == 0 {
        text.push_str("[[zip]]\nnetwork.nodes = [4, 6]\nnetwork.connectivity = [100, 70]\n");
    }
    if dice.below(2) == 0 {
        text.push_str("[[points]]\nnetwork.shape = 'ring'\n[[points]]\ndelay = 2\n");
    }
    text.push_str("[repetitions]\n");
    text.push_str(&match dice.below(2) {
        0 => format!("count = {}\n", 1 + dice.below(5)),
        _ => "until = { metric = 'waiting_mean', half-width = 0.1, least = 2, most = 12 }\n".into(),
    });
    format!("{text}seed = {}\n", dice.below(1000))
}

#[test]
fn results_do_not_depend_on_threads_parts_and_stops() {
    for seed in 0..100 {
        let mut dice = Dice::new(seed);
        let text = drawn(&mut dice);
        let study = Study::new(&text);
        let whole = tempdir().unwrap();
        assert!(study.work(whole.path(), None, 1, None));
        let expected = study.results(&[whole.path()]);
        assert!(expected.0.lines().count() >= study.plan.cells.len(), "{text}");

        let stopped = tempdir().unwrap();
        let threads = 1 + dice.below(4);
        while !study.work(stopped.path(), None, threads, Some(1 + dice.below(40))) {}
        assert_eq!(
            study.results(&[stopped.path()]),
            expected,
            "stopped, {threads} threads\n{text}"
        );

        let count = 1 + dice.below(5) as u32;
        let parts = [tempdir().unwrap(), tempdir().unwrap()];
        let paths = parts.each_ref().map(|part| part.path());
        for index in 1..=count {
            let (shard, folder) = (Some(Shard { index, count }), paths[index as usize % 2]);
            let threads = 1 + dice.below(3);
            study.work(folder, shard, threads, Some(2));
            assert!(study.work(folder, shard, threads, None));
        }
        assert_eq!(study.results(&paths), expected, "{count} parts\n{text}");
    }
}

/// What is finished is not run again, also if the file has more in it by now.
#[test]
fn a_finished_cell_is_never_run_again() {
    let text = |rates: &str| {
        format!(
            "[scenario]\nprotocol = 'rl'\nmeasure = {{ warmup = 0, entries = 20 }}\n\
             [grid]\n'requests.rate' = [{rates}]\n[repetitions]\ncount = 2\n"
        )
    };
    let folder = tempdir().unwrap();
    let few = Study::new(&text("0.1, 1"));
    assert!(few.work(folder.path(), None, 2, None));
    assert!(few.work(folder.path(), None, 2, Some(1)), "nothing is left to stop");
    let more = Study::new(&text("0.01, 0.1, 0.5, 1"));
    assert!(!more.work(folder.path(), None, 1, Some(4)), "four runs of two new cells are");
    assert!(more.work(folder.path(), None, 1, Some(1)), "and then nothing");
    let fresh = tempdir().unwrap();
    assert!(more.work(fresh.path(), None, 2, None));
    assert_eq!(more.results(&[folder.path()]), more.results(&[fresh.path()]));
    let other = Study::new(&text("0.1, 1").replace("count = 2", "count = 3"));
    assert!(!other.work(folder.path(), None, 1, Some(6)), "another rule is another result");
    let newer = Study::built(&text("0.1, 1"), "other code");
    assert!(!newer.work(folder.path(), None, 1, Some(4)), "and so is other code");
}

#[test]
fn two_at_once_are_refused_unless_they_are_parts() {
    use driftlock_sweep::Folder;
    let folder = tempdir().unwrap();
    let first = Folder::open(folder.path(), None).unwrap();
    let second = Folder::open(folder.path(), None).unwrap_err();
    assert!(second.to_string().contains("another sweep is at work here"), "{second}");
    let part = Some(Shard { index: 1, count: 2 });
    drop(Folder::open(folder.path(), part).unwrap());
    drop(first);
    Folder::open(folder.path(), None).unwrap();
}

/// A sweep of two cells, with a rule.
fn ruled(rule: &str) -> Study {
    Study::new(&format!(
        "[scenario]\nprotocol = 'rl'\nnetwork = {{ nodes = 8, connectivity = 50 }}\n\
         measure = {{ warmup = 0, entries = 40 }}\n[grid]\n'requests.rate' = [0.05, 2]\n\
         [repetitions]\n{rule}\n"
    ))
}

/// What an adaptive cell has is the beginning of what a longer one has, as far as it has to be.
#[test]
fn repetitions_end_as_soon_as_the_mean_is_known() {
    use driftlock_lab::stats::Estimate;
    let waits = |study: &Study| -> Vec<Vec<f64>> {
        let folder = tempdir().unwrap();
        assert!(study.work(folder.path(), None, 3, None));
        let frame = driftlock_sweep::csv::read(&study.results(&[folder.path()]).0).unwrap();
        let number = |name: &str, row| frame.column(name).unwrap().data.number(row).unwrap();
        let of = |cell: f64| (0..frame.rows()).filter(move |&row| number("cell", row) == cell);
        [1.0, 2.0].map(|cell| of(cell).map(|row| number("waiting_mean", row)).collect()).to_vec()
    };
    let long = waits(&ruled("count = 60"));
    let rule = "until = { metric = 'waiting_mean', half-width = 0.04, least = 3, most = 60 }";
    let short = waits(&ruled(rule));
    let width = |runs: &[f64]| Estimate::of(runs).unwrap().relative_half_width().unwrap();
    for (short, long) in short.iter().zip(&long) {
        let n = (3..60).find(|&n| width(&long[..n]) <= 0.04).unwrap_or(60);
        assert_eq!(short, &long[..n]);
    }
    assert_ne!(short[0].len(), short[1].len(), "one is known sooner than the other");
}

/// Two runs of one cell meet: neither goes on before the other has come.
#[test]
fn one_cell_is_enough_for_several_threads() {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicBool;

    use driftlock_sweep::engine::{Work, conduct};

    let never = "until = { metric = 'waiting_mean', half-width = 1e-9, least = 2, most = 8 }";
    for rule in ["count = 8", never] {
        let study = ruled(rule);
        let meeting = Barrier::new(2);
        let run = |scenario: &driftlock_sim::Scenario| {
            meeting.wait();
            crate::study::run(scenario)
        };
        let (stop, kept) = (AtomicBool::new(false), std::sync::Mutex::new(Vec::new()));
        let (plan, tell) = (&study.plan, &|_| ());
        let work = Work { plan, cells: &[0], threads: 2, stop: &stop, run: &run, tell };
        let keep = |cell, outcome: driftlock_sweep::Outcome| {
            kept.lock().unwrap().push((cell, outcome.runs.len()));
            Ok::<(), ()>(())
        };
        conduct(&work, &keep).unwrap();
        assert_eq!(kept.into_inner().unwrap(), [(0, 8)], "{rule}");
    }
}
