//! The cluster algorithm over small networks: messages get lost, nodes stop, timers go off at any
//! moment. The repaired text keeps every promise; the published one lets two in after one time-out
//! that was wrong.

use std::fmt::Write;

use driftlock_check::Setup;
use driftlock_core::Medium;
use driftlock_protocols::cluster::published::{self, Published};
use driftlock_protocols::cluster::{Cluster, Config};
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};
use crate::rl::check_golden;

/// Two clusters of two nodes: 0 and 2, 1 and 3.
const TWO: &[(u32, u32)] = &[(0, 2), (2, 3), (1, 3)];
/// Two clusters of three nodes.
const LARGE: &[(u32, u32)] = &[(0, 2), (0, 4), (1, 3), (1, 5), (2, 3)];
/// Three heads in a line, 0 to 2, with a member between each two.
const HEADS: &[(u32, u32)] = &[(0, 3), (3, 1), (1, 4), (4, 2)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
/// Five heads: 1 beside 0, then 0, 2 and 3 beside each other, and 4 beside 2. Members 5 to 7.
const LOOP: &[(u32, u32)] = &[(0, 5), (1, 5), (0, 6), (2, 6), (3, 6), (2, 7), (3, 7), (4, 7)];

/// Timers that go off early, messages that get lost, nodes that stop, links that change.
#[derive(Clone, Copy, Default)]
struct Faults {
    timeouts: u8,
    losses: u8,
    crashes: u8,
    link_changes: u8,
}

const NONE: Faults = Faults { timeouts: 0, losses: 0, crashes: 0, link_changes: 0 };

fn setup(links: &[(u32, u32)], requests: &[u8], faults: Faults) -> Setup {
    let Faults { timeouts, losses, crashes, link_changes } = faults;
    let rules = Rules { fenced: true, quorum: true, ..Rules::default() };
    Setup {
        medium: Medium::Mesh,
        requests: requests.to_vec(),
        rules,
        timeouts,
        losses,
        crashes,
        link_changes,
        progress_despite_faults: true,
        spread: Some(6),
        ..Setup::new(graph(requests.len(), links))
    }
}

/// Explore the repaired text, which has to hold, and say in a line how large that was.
fn held(name: &str, setup: &Setup, config: &Config) -> String {
    let report = explored::<Cluster>(setup, config);
    assert!(report.held() || report.cut > 0, "{name}: {:?}", report.end);
    assert_eq!(report.counterexample, None, "{name}");
    let Setup { timeouts, losses, crashes, link_changes, requests, .. } = setup;
    let asks: String = requests.iter().map(u8::to_string).collect();
    format!(
        "{name}, {asks}: {timeouts} time-outs, {losses} losses, {crashes} crashes, {link_changes} \
         changes: {} states, {} steps, {} cut\n",
        report.explored.states, report.explored.edges, report.cut
    )
}

/// A node that has not answered once is written off; if it is inside, or gets in later, it is
/// deposed.
fn hasty() -> Config {
    Config { patience: Some(0), ..Config::default() }
}

#[test]
fn two_clusters() {
    let mut found = String::new();
    let cases: &[(&[u8], Faults)] = &[
        (&[2; 4], NONE),
        (&[1; 4], Faults { losses: 1, ..NONE }),
        (&[1; 4], Faults { timeouts: 1, ..NONE }),
        (&[1; 4], Faults { crashes: 1, ..NONE }),
        (&[1, 0, 1, 1], Faults { link_changes: 1, ..NONE }),
        (&[0, 0, 1, 1], Faults { timeouts: 1, losses: 1, crashes: 1, ..NONE }),
        (&[0, 0, 1, 1], Faults { timeouts: 1, link_changes: 1, ..NONE }),
    ];
    for (requests, faults) in cases {
        found += &held("two of two", &setup(TWO, requests, *faults), &hasty());
    }
    let cases: &[(&[u8], Faults)] = &[
        (&[1; 6], NONE),
        (&[0, 0, 1, 1, 1, 1], Faults { losses: 1, ..NONE }),
        (&[0, 0, 1, 1, 0, 0], Faults { timeouts: 1, ..NONE }),
        (&[0, 0, 1, 1, 0, 0], Faults { crashes: 1, ..NONE }),
    ];
    for (requests, faults) in cases {
        found += &held("two of three", &setup(LARGE, requests, *faults), &hasty());
    }
    check_golden("cluster_two", &found);
}

#[test]
fn three_heads() {
    let mut found = String::new();
    let cases: &[(&[u8], Faults)] = &[
        (&[1; 5], NONE),
        (&[1, 1, 1, 0, 0], Faults { losses: 1, ..NONE }),
        (&[1, 1, 1, 0, 0], Faults { timeouts: 1, ..NONE }),
        (&[0, 1, 1, 0, 0], Faults { crashes: 1, ..NONE }),
        (&[0, 1, 0, 0, 0], Faults { timeouts: 1, losses: 1, crashes: 1, ..NONE }),
        (&[0, 1, 1, 0, 0], Faults { timeouts: 1, losses: 1, ..NONE }),
    ];
    for (requests, faults) in cases {
        found += &held("three heads", &setup(HEADS, requests, *faults), &hasty());
    }
    check_golden("cluster_heads", &found);
}

#[test]
fn one_cluster_with_every_fault() {
    let mut found = String::new();
    let faults = Faults { timeouts: 1, losses: 1, crashes: 1, ..NONE };
    found += &held("line", &setup(LINE, &[1; 3], faults), &hasty());
    let moves = Faults { link_changes: 1, losses: 1, ..NONE };
    found += &held("line", &setup(LINE, &[1; 3], moves), &hasty());
    check_golden("cluster_line", &found);
}

/// If nobody is written off, there are never two inside, whatever timers do.
#[test]
fn time_outs_that_are_wrong_do_no_harm() {
    let patient = Config { patience: None, ..Config::default() };
    let mut found = String::new();
    for (name, links, requests, timeouts, losses) in
        [("line", LINE, &[1; 3][..], 2, 1), ("two of two", TWO, &[0, 0, 1, 1][..], 2, 0)]
    {
        let faults = Faults { timeouts, losses, ..NONE };
        let strict = Setup { rules: Rules::default(), ..setup(links, requests, faults) };
        let _ = write!(found, "{}", held(name, &strict, &patient));
    }
    check_golden("cluster_patient", &found);
}

/// D6: the head waits for `over` too impatiently once, and the second `over&out` of its member
/// comes when another is inside. The shortest way there is takes heads that ask; as short in one
/// more network, with three nodes.
#[test]
fn published_lets_two_in_after_one_time_out() {
    let late = Faults { timeouts: 1, ..NONE };
    let rules = Rules { silent: false, ..Rules::default() };
    for (links, requests, actions) in
        [(TWO, &[0, 0, 2, 2][..], [18, 19]), (TWO, &[1; 4], [14, 15]), (LINE, &[1; 3], [14, 15])]
    {
        let setup = Setup { rules, ..setup(links, requests, late) };
        let right = Setup { timeouts: 0, ..setup.clone() };
        for (dual, actions) in [false, true].into_iter().zip(actions) {
            let config = published::Config { dual, ..published::Config::default() };
            assert!(explored::<Published>(&right, &config).held());
            let found = explored::<Published>(&setup, &config).counterexample.unwrap();
            let broken = (found.violation.promise, found.schedule.len());
            assert_eq!(broken, (Promise::Exclusion, actions), "{requests:?}");
        }
    }
}

/// How published text breaks a promise for ever: which, and after how many actions of which the
/// last go round and round.
fn goes_round(setup: &Setup, dual: bool) -> (Promise, usize, usize) {
    let config = published::Config { dual, ..published::Config::default() };
    let found = explored::<Published>(setup, &config).counterexample.unwrap();
    let begin = found.cycle.unwrap();
    (found.violation.promise, begin, found.schedule.len() - begin)
}

/// D3: head 0 has visited neighbors only and sends the token to the lowest of them, 1, which sends
/// it back. Head 4 waits for ever.
#[test]
fn published_relays_back_and_forth() {
    let rules = Rules { silent: false, ..Rules::default() };
    let setup = Setup { rules, ..setup(LOOP, &[0, 0, 0, 0, 1, 0, 0, 0], NONE) };
    assert_eq!(goes_round(&setup, false), (Promise::NoStarvation, 7, 2));
    assert_eq!(goes_round(&setup, true).0, Promise::NoStarvation);
    let repaired = Setup { rules: Rules::default(), ..setup };
    assert!(explored::<Cluster>(&repaired, &hasty()).held());
}

/// D7: the global token goes round though nobody wants it. (What it promises elsewhere is less.)
#[test]
fn published_is_never_silent() {
    let setup = setup(TWO, &[0, 0, 1, 0], NONE);
    assert_eq!(goes_round(&setup, false), (Promise::Silence, 7, 2));
    assert!(explored::<Cluster>(&setup, &hasty()).held());
}

/// D6: a member that has stopped is sent new local tokens for ever.
#[test]
fn published_waits_for_who_has_stopped() {
    let stops = Faults { crashes: 1, ..NONE };
    let rules = Rules { silent: false, quorum: true, ..Rules::default() };
    let setup = Setup { rules, ..setup(LINE, &[0, 1, 1], stops) };
    let config = published::Config { dual: false, ..published::Config::default() };
    let found = explored::<Published>(&setup, &config).counterexample.unwrap();
    assert_eq!(found.violation.promise, Promise::NoStarvation);
}
