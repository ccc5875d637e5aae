//! The doorways of LME-1 alone, through every schedule: Lemmas 1 and 2 but for time, which
//! `crates/sim/tests/doorways.rs` measures. What is behind the doorways is a node by itself, so its
//! failure locality is 0 and that of the double doorway is to be 2.

use driftlock_check::{Connectivity, Setup};
use driftlock_protocols::lme1::doorway::{Doors, Doorway, Notice, Passage};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};
use crate::walker::{Kind, Walker};

const LINE: [(u32, u32); 3] = [(0, 1), (1, 2), (2, 3)];

/// Everyone may be behind together: neighbors that cross at the same time are.
fn setup(links: &[(u32, u32)], requests: &[u8], locality: u32) -> Setup {
    let n = requests.len();
    let rules = Rules { exclusion: Exclusion::AtMost(n as u32), ..Rules::local(locality) };
    let connectivity = Connectivity::Partitions;
    Setup { requests: requests.to_vec(), rules, connectivity, ..Setup::new(graph(n, links)) }
}

#[test]
fn everyone_gets_through_if_nobody_stops() {
    let kinds = [
        Kind::Synchronous,
        Kind::Asynchronous,
        Kind::Double { returns: 0 },
        Kind::Double { returns: 1 },
    ];
    for kind in kinds {
        for links in [&[(0, 1), (1, 2)][..], &[(0, 1), (1, 2), (0, 2)]] {
            let report = explored::<Walker>(&setup(links, &[1, 1, 1], 0), &kind);
            assert!(report.held(), "{kind:?}: {:?}", report.counterexample);
        }
    }
}

/// Whoever is more than two links from a node that stops gets through, at whatever moment it stops.
#[test]
fn a_double_doorway_has_a_failure_locality_of_two() {
    let stops = Setup { crashes: 1, ..setup(&LINE, &[1; 4], 2) };
    let report = explored::<Walker>(&stops, &Kind::Double { returns: 0 });
    assert!(report.held(), "{:?}", report.counterexample);
}

/// The node in the middle has crossed the outer doorway, waits for one neighbor that has stopped
/// behind the inner one, and is waited for by the other, which has come back.
#[test]
fn there_are_moments_at_which_one_two_links_away_starves() {
    for returns in [0, 1] {
        let stops = Setup { crashes: 1, ..setup(&LINE[..2], &[2, 1, 1], 1) };
        let found = explored::<Walker>(&stops, &Kind::Double { returns }).counterexample.unwrap();
        assert_eq!(found.violation.promise, Promise::NoStarvation);
    }
}

/// Who waits for a doorway that a node has stopped behind is itself behind nothing.
#[test]
fn a_doorway_alone_has_a_failure_locality_of_one() {
    for kind in [Kind::Synchronous, Kind::Asynchronous] {
        let stops = |locality| Setup { crashes: 1, ..setup(&LINE[..2], &[1; 3], locality) };
        assert!(explored::<Walker>(&stops(1), &kind).held());
        assert!(!explored::<Walker>(&stops(0), &kind).held());
    }
}

fn hear(passages: &mut [Passage], from: usize, notice: Notice) {
    passages[from].hear(notice);
}

/// Two neighbors, of which always one is behind: an asynchronous doorway opens, a synchronous one
/// does not. And whoever crosses while this node knows of it and stays is waited for by both.
#[test]
fn one_doorway_waits_for_all_at_once_the_other_for_each() {
    for (doorway, opens) in [(Doorway::AdF, true), (Doorway::SdF, false)] {
        let cross = Notice::Cross(doorway);
        let exit = Notice::Exit(doorway.into());
        let mut passages = [Passage::behind(Doors::NONE); 2];
        hear(&mut passages, 0, cross);
        hear(&mut passages, 1, cross);
        Doorway::begin(passages.iter_mut());
        assert!(!doorway.opens(passages.iter_mut()));
        for (from, notice, open) in
            [(1, exit, false), (1, cross, false), (0, exit, opens), (0, cross, opens)]
        {
            hear(&mut passages, from, notice);
            assert_eq!(doorway.opens(passages.iter_mut()), open, "{doorway:?} {from} {notice:?}");
        }
        Doorway::begin(passages.iter_mut());
        assert!(!doorway.opens(passages.iter_mut()), "a new entry begins anew");
    }
}

#[test]
fn a_notice_of_one_doorway_says_nothing_of_the_others() {
    let mut passage = Passage::behind(Doors::ALL);
    passage.hear(Notice::Exit(Doors::R));
    assert_eq!(passage.behind, Doors::F);
    passage.hear(Notice::Exit(Doorway::SdF.into()));
    assert!(passage.behind.contains(Doorway::AdF) && !passage.behind.contains(Doorway::SdF));
    assert_eq!(format!("{:?}", passage.behind), "{AdF}");
}
