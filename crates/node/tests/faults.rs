//! Schedules of faults, carried out on whole nodes in simulated time. The same schedules are
//! carried out on real nodes with real commands: `cargo bench -p driftlock --bench faults`.
//!
//! `FAULTS=17 cargo test --release -p driftlock-node faults` runs the schedule of one seed and says
//! what happens; `FAULTS=1-10000` runs many.

use std::io::Write;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

mod errands;
mod run;

use self::run::{Run, Tally};

/// What `FAULTS` says; else a few hundred.
fn seeds() -> RangeInclusive<u64> {
    let Ok(words) = std::env::var("FAULTS") else { return 1..=300 };
    let number = |word: &str| word.parse().expect("FAULTS is a seed, or two with `-` in between");
    let (first, last) = words.split_once('-').unwrap_or((&words, &words));
    number(first)..=number(last)
}

/// Past the capture of output.
fn say(line: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "{line}").expect("standard error can be written to");
}

#[test]
fn whatever_goes_wrong_nobody_is_doubled_and_all_are_served_afterwards() {
    let seeds = seeds();
    let is_one = seeds.start() == seeds.end();
    let is_many = std::env::var("FAULTS").is_ok();
    let (mut tally, mut failed) = (Tally::default(), Vec::new());
    for seed in seeds {
        let run = if is_one { Run::of(seed).told() } else { Run::of(seed) };
        match catch_unwind(AssertUnwindSafe(|| run.carry_out())) {
            Ok(run) => tally.add(&run),
            Err(_) => failed.push(seed),
        }
        if is_many && seed % 1000 == 0 {
            say(&format!("seed {seed}: {tally:?}; failed: {failed:?}"));
        }
    }
    assert!(
        failed.is_empty(),
        "seeds {failed:?} failed, of {tally:?}; each can be run again by\n  \
         FAULTS=SEED cargo test --release -p driftlock-node faults\n  \
         cargo bench -p driftlock --bench faults -- --seed SEED"
    );
    if is_many {
        return say(&format!("{tally:?}"));
    }
    assert!(3000 < tally.entries && 200 < tally.kills && 100 < tally.stops, "{tally:?}");
    assert!(0 < tally.outlived && 0 < tally.returned && 0 < tally.killed, "{tally:?}");
    assert!(40 < tally.forgotten && 40 < tally.made, "{tally:?}");
}

/// The same, if nodes do not remember: the founder makes tokens anew, and others have lost theirs.
#[test]
fn nodes_that_forget_are_noticed() {
    let run = |seed| Run::of(seed).forgetful().carry_out();
    let fails = |seed: &u64| catch_unwind(AssertUnwindSafe(|| run(*seed))).is_err();
    let failed = (1..=30).filter(fails).count();
    assert!(10 < failed, "{failed} of 30");
}
