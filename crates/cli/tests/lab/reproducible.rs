//! The same scenario and seed give the same bytes.

use crate::place::Place;

const LINES: [&str; 3] = [
    "sim rl --nodes 12 --connectivity 40 --mobility 0.05 --link-changes toggle --cold 200 --reps 7",
    "sim raymond --nodes 12 --connectivity 40 --mobility 0.5 --cold 200 --reps 7",
    "sim rl --network geometric --nodes 15 --delay uniform:0.5..1.5 --cold 200 --reps 7",
];

#[test]
fn any_number_of_threads_prints_the_same_bytes() {
    let place = Place::new();
    for line in LINES {
        for form in ["", " --json"] {
            let one = place.fine(&format!("{line}{form} --threads 1"));
            for threads in [2, 5] {
                let several = place.fine(&format!("{line}{form} --threads {threads}"));
                assert_eq!(several.out, one.out, "{line}{form}, {threads} threads");
            }
        }
    }
}

#[test]
fn repetition_k_is_the_run_with_k_added_to_the_seed() {
    let place = Place::new();
    for line in LINES {
        let all = place.fine(&format!("{line} --json --seed 40")).json();
        for k in [0, 1, 6] {
            let seed = 40 + k as u64;
            let line = line.replace("--reps 7", "--reps 1");
            let one = place.fine(&format!("{line} --json --seed {seed}")).json();
            assert_eq!(one["repetitions"][0], all["repetitions"][k], "{line}, repetition {k}");
        }
    }
}

#[test]
fn another_seed_is_another_run() {
    let place = Place::new();
    for line in LINES {
        let repetitions = place.fine(&format!("{line} --json")).json()["repetitions"].clone();
        let repetitions = repetitions.as_array().unwrap();
        for (a, b) in repetitions.iter().zip(&repetitions[1..]) {
            assert_ne!(a["metrics"], b["metrics"], "{line}");
        }
    }
}

#[test]
fn journals_of_one_run_have_the_same_bytes() {
    let place = Place::new();
    for name in ["a.dlj", "b.dlj"] {
        place.fine(&format!("sim rl --nodes 9 --connectivity 50 --cold 100 --journal {name}"));
    }
    assert_eq!(place.read("a.dlj"), place.read("b.dlj"));
}
