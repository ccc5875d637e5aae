//! Commands without our locks, and logs that are made up: what should be noticed is.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use tempfile::TempDir;

use crate::trial::judge::judge;
use crate::trial::outcome::Outcome;
use crate::trial::prepare;

/// A folder for commands.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().unwrap());
        prepare(place.path());
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A command that is inside, as `driftlock lock` would run it if it were granted the lock.
    /// Returns once it is.
    fn enter(&self, number: usize, kind_name_whose: &str, hold: &str) -> Child {
        let mut command = Command::new("sh");
        command.arg("inside.sh").arg(number.to_string()).args(kind_name_whose.split(' '));
        command.args([hold, "false"]).env("DRIFTLOCK_FENCE", number.to_string());
        let child = command.current_dir(self.path()).spawn().unwrap();
        let name = kind_name_whose.split(' ').nth(1).unwrap();
        let begins = format!("{number} begins");
        while !self.log(name).contains(&begins) {
            std::thread::park_timeout(std::time::Duration::from_millis(2));
        }
        child
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn judge(&self) -> Outcome {
        let mut outcome = Outcome::default();
        judge(self.path(), &mut outcome);
        outcome
    }
}

/// These are inside at the same time. Returns what is judged when all have left.
fn together(wanted: &[&str]) -> Outcome {
    let place = Place::new();
    let enter = |(k, wanted): (usize, &&str)| place.enter(k, wanted, "0.5");
    let children: Vec<Child> = wanted.iter().enumerate().map(enter).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    place.judge()
}

#[test]
fn those_who_may_be_inside_together_are_fine() {
    let allowed: [&[&str]; 4] = [
        &["exclusive pad 0", "exclusive dock 0"],
        &["permits camera 0", "permits camera 1"],
        &["group channel 1", "group channel 1", "group channel 1"],
        &["local crossing 0", "local crossing 1"],
    ];
    for wanted in allowed {
        let outcome = together(wanted);
        assert!(outcome.wrong.is_empty(), "{wanted:?}: {:?}", outcome.wrong);
        assert_eq!(outcome.entries, wanted.len() as u64);
    }
}

#[test]
fn those_who_may_not_are_noticed() {
    let forbidden: [&[&str]; 4] = [
        &["exclusive pad 0", "exclusive pad 1"],
        &["permits camera 0", "permits camera 1", "permits camera 2"],
        &["group channel 1", "group channel 1", "group channel 0"],
        &["local crossing 3", "local crossing 3"],
    ];
    for wanted in forbidden {
        let outcome = together(wanted);
        assert_eq!(outcome.overlaps, 1, "{wanted:?}: {:?}", outcome.wrong);
        let is_counted = wanted[0].starts_with("exclusive");
        assert_eq!(outcome.lost_updates > 0, is_counted, "{wanted:?}: {:?}", outcome.wrong);
    }
}

#[test]
fn what_a_command_leaves_behind_is_inside_still() {
    let place = Place::new();
    let mut first = place.enter(1, "exclusive pad 0", "0");
    assert!(first.wait().unwrap().success());
    let mut killed = place.enter(2, "exclusive pad 0", "3");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let mut third = place.enter(3, "exclusive pad 0", "0");
    assert!(third.wait().unwrap().success());
    let outcome = place.judge();
    assert_eq!((outcome.overlaps, outcome.lost_updates), (1, 0), "{:?}", outcome.wrong);
}

#[test]
fn what_is_wrong_in_logs_is_noticed() {
    let cases = [
        ("1 begins 5 1.0 0 0\n1 ends\n2 begins 6 1.1 1 0\n2 ends\n", "2", ""),
        ("1 begins 5 1.0 0 0\n2 begins 6 1.1 0 0\n2 ends\n", "1", ""),
        ("1 begins 5 1.0 0 0\n2 begins 6 1.1 1 0\n2 ends\n", "2", ""),
        ("1 begins 5 1.0 0 0\n1 ends\n2 begins 6 1.1 0 0\n2 ends\n", "1", "2 found 0"),
        ("1 begins 5 1.0 0 0\n1 ends\n", "0", "the end found 0"),
        ("1 begins 5 1.0 0 0\n1 ends\n2 begins 5 1.1 1 0\n2 ends\n", "2", "the fence 5 of 2"),
        ("1 begins 5 1.0 0 0\n1 ends\n1 ends\n", "1", "is not one"),
    ];
    for (log, count, expected) in cases {
        let place = Place::new();
        place.write("pad.log", log);
        place.write("pad.count", count);
        let wrong = place.judge().wrong;
        assert_eq!(wrong.is_empty(), expected.is_empty(), "{log}: {wrong:?}");
        assert!(wrong.concat().contains(expected), "{log}: {wrong:?}");
    }
    let place = Place::new();
    let same = "1 begins 5 1.0 0 0\n2 begins 4 1.0 0 0\n1 ends\n2 ends\n";
    place.write("channel.log", &format!("{same}3 begins 5 1.2 0 1\n3 ends\n"));
    let wrong = place.judge().wrong;
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("the fence 5 of 3"), "{wrong:?}");
}
