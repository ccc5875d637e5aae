//! Movement of which one knows when links change.

use super::*;
use crate::radio::{LogDistance, QuasiUnitDisk, UnitDisk};
use crate::track::{Stretch, Waypoint};
use crate::{Format, Options, read};
use driftlock_fuzz::Dice;

fn track(waypoints: &[(f64, f64, f64)]) -> Track {
    let waypoints = waypoints.iter().map(|&(t, x, y)| Waypoint { t, at: [x, y, 0.0] }).collect();
    Track::whole(waypoints)
}

fn trace(tracks: Vec<Track>, end: i64) -> Trace {
    let nodes = (0..tracks.len()).map(|k| k.to_string()).collect();
    let span = Span { start: 0, end };
    Trace { format: Format::Ns2, nodes, span, kind: Kind::Movement(tracks), notes: Vec::new() }
}

fn disk(range: f64) -> Radio {
    Radio::UnitDisk(UnitDisk { range })
}

fn told(changes: &LinkChanges) -> Vec<(i64, bool)> {
    changes.changes.iter().map(|change| (change.at, change.up)).collect()
}

#[test]
fn who_passes_by_is_linked_from_moment_to_moment() {
    let passing = trace(
        vec![track(&[(0.0, 0.0, 3.0)]), track(&[(0.0, -10.0, 0.0), (20.0, 10.0, 0.0)])],
        20_000_000,
    );
    let found = links(&passing, &disk(5.0)).unwrap();
    assert_eq!(told(&found), [(6_000_000, true), (14_000_000, false)]);
    // Out of reach, and touching: for no time at all.
    assert_eq!(told(&links(&passing, &disk(2.9)).unwrap()), []);
    assert_eq!(told(&links(&passing, &disk(3.0)).unwrap()), []);
    let late = sampled(&passing, &disk(5.0), 4_000_000).unwrap();
    assert_eq!(told(&late), [(8_000_000, true), (16_000_000, false)]);
}

#[test]
fn a_link_comes_up_at_the_inner_radius_and_goes_down_beyond_the_outer_one() {
    let passing = trace(
        vec![track(&[(0.0, 0.0, 0.0)]), track(&[(0.0, -10.0, 0.0), (20.0, 10.0, 0.0)])],
        20_000_000,
    );
    let radio = Radio::Quasi(QuasiUnitDisk { inner: 4.0, outer: 7.0 });
    let found = links(&passing, &radio).unwrap();
    assert_eq!(told(&found), [(6_000_000, true), (17_000_000, false)]);
    // It turns back before the outer radius: the link stays.
    let back = [(0.0, -6.0, 0.0), (6.0, 0.0, 0.0), (12.0, 6.0, 0.0), (18.0, 0.0, 0.0)];
    let back = trace(vec![track(&[(0.0, 0.0, 0.0)]), track(&back)], 18_000_000);
    assert_eq!(told(&links(&back, &radio).unwrap()), [(2_000_000, true)]);
}

/// Whoever starts later finds the links that are up by then in the whole trace.
#[test]
fn what_came_up_before_the_start_is_up_at_the_start() {
    let way = [(0.0, 9.0, 0.0), (6.0, 3.0, 0.0), (12.0, 6.0, 0.0), (24.0, 6.0, 0.0)];
    let back = [(28.0, 14.0, 0.0)];
    let way = track(&[&way[..], &back].concat());
    let whole = trace(vec![track(&[(0.0, 0.0, 0.0)]), way], 30_000_000);
    let from = |start: i64, end| Trace { span: Span { start, end }, ..whole.clone() };
    let radio = Radio::Quasi(QuasiUnitDisk { inner: 4.0, outer: 7.0 });
    let all = [(5_000_000, true), (24_500_000, false)];
    assert_eq!(told(&links(&whole, &radio).unwrap()), all);
    for start in [5_000_000, 6_000_000, 15_000_000, 24_400_000] {
        let found = links(&from(start, 30_000_000), &radio).unwrap();
        assert_eq!(told(&found), [(start, true), all[1]]);
    }
    for start in [24_600_000, 30_000_000] {
        assert_eq!(told(&links(&from(start, 30_000_000), &radio).unwrap()), []);
    }
    let moment = links(&from(15_000_000, 15_000_000), &radio).unwrap();
    assert_eq!(told(&moment), [(15_000_000, true)]);
    // Who looks from time to time remembers what could be seen at such times before.
    let seen = |start, step| told(&sampled(&from(start, 30_000_000), &radio, step).unwrap());
    assert_eq!(seen(15_000_000, 4_000_000), [(19_000_000, true), (27_000_000, false)]);
    assert_eq!(seen(22_000_000, 4_000_000), []);
    assert_eq!(seen(22_000_000, 9_000_000), []);
    assert_eq!(seen(0, 4_000_000), [(8_000_000, true), (28_000_000, false)]);
    // Others look at the moment only.
    assert_eq!(told(&links(&from(15_000_000, 30_000_000), &disk(4.0)).unwrap()), []);
}

#[test]
fn who_jumps_or_is_gone_has_no_link() {
    let mut jump = track(&[(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 99.0, 0.0), (6.0, 99.0, 0.0)]);
    jump.push(Waypoint { t: 6.0, at: [1.0, 0.0, 0.0] });
    jump.stretches[0].until = 8.0;
    let again = Stretch { waypoints: vec![Waypoint { t: 9.0, at: [2.0, 0.0, 0.0] }], until: 9.5 };
    jump.stretches.push(again);
    let found =
        links(&trace(vec![track(&[(0.0, 0.0, 0.0)]), jump], 20_000_000), &disk(5.0)).unwrap();
    let times = [0, 4_000_000, 6_000_000, 8_000_000, 9_000_000, 9_500_000];
    let expected: Vec<(i64, bool)> = times.into_iter().zip([true, false].repeat(3)).collect();
    assert_eq!(told(&found), expected);
}

#[test]
fn a_moment_is_a_trace_too() {
    let two = trace(vec![track(&[(0.0, 0.0, 0.0)]), track(&[(0.0, 3.0, 0.0)])], 0);
    assert_eq!(told(&links(&two, &disk(5.0)).unwrap()), [(0, true)]);
}

#[test]
fn contacts_are_links_whatever_the_radio() {
    let trace = read(&b"1,5,a,b\n2,3,b,c\n"[..], &Options::default()).unwrap();
    let found = links(&trace, &disk(1.0)).unwrap();
    let change = |at: i64, a, b, up| LinkChange { at: at * 1_000_000, a, b, up };
    let expected = [
        change(1, 0, 1, true),
        change(2, 1, 2, true),
        change(3, 1, 2, false),
        change(5, 0, 1, false),
    ];
    assert_eq!(found.changes, expected);
    assert_eq!(sampled(&trace, &disk(1.0), 7).unwrap(), found);
    let cut = Trace { span: Span { start: 2_500_000, end: 4_000_000 }, ..trace };
    assert_eq!(
        links(&cut, &disk(1.0)).unwrap().changes,
        [
            LinkChange { at: 2_500_000, a: 0, b: 1, up: true },
            LinkChange { at: 2_500_000, a: 1, b: 2, up: true },
            change(3, 1, 2, false)
        ]
    );
}

const SHADOWS: LogDistance = LogDistance {
    power: 20.0,
    loss: 40.0,
    exponent: 3.0,
    sensitivity: -80.0,
    shadow: 4.0,
    coherence: 7.0,
    seed: 3,
};

/// A hundred and twenty nodes: enough for windows and the grid.
fn crowd() -> Trace {
    let mut dice = Dice::new(9);
    let mut meters = || dice.below(1_000_000) as f64 / 1000.0;
    let tracks = (0..120)
        .map(|k| {
            let way = |leg| (f64::from(leg) * (20.0 + f64::from(k) / 7.0), meters(), meters());
            let mut track = track(&(0..8).map(way).collect::<Vec<_>>());
            track.stretches[0].until = if k % 9 == 0 { 77.7 } else { f64::INFINITY };
            track
        })
        .collect();
    trace(tracks, 150_000_000)
}

#[test]
fn windows_and_grid_change_nothing() {
    let crowd = crowd();
    let Kind::Movement(tracks) = &crowd.kind else { panic!("it is movement") };
    let quasi = QuasiUnitDisk { inner: 80.0, outer: 100.0 };
    for radio in [disk(100.0), Radio::Quasi(quasi), Radio::LogDistance(SHADOWS)] {
        let found = links(&crowd, &radio).unwrap();
        assert!(found.changes.len() > 5000, "{}", found.changes.len());
        // Two nodes alone have one window and no grid. Their shadows are those of nodes 0 and 1,
        // so with shadows only that pair can be compared.
        for (a, b) in (0..120).flat_map(|a| (a + 1..120).map(move |b| (a, b))) {
            if matches!(radio, Radio::LogDistance(_)) && (a, b) != (0, 1) {
                continue;
            }
            let two = trace(vec![tracks[a].clone(), tracks[b].clone()], crowd.span.end);
            let is_theirs = |c: &&LinkChange| (c.a as usize, c.b as usize) == (a, b);
            let theirs = found.changes.iter().filter(is_theirs).map(|c| (c.at, c.up));
            assert_eq!(theirs.collect::<Vec<_>>(), told(&links(&two, &radio).unwrap()));
        }
    }
}

#[test]
fn at_any_moment_links_are_those_of_the_distances() {
    let crowd = crowd();
    let Kind::Movement(tracks) = &crowd.kind else { panic!("it is movement") };
    for radio in [disk(100.0), Radio::LogDistance(SHADOWS)] {
        let found = links(&crowd, &radio).unwrap();
        let mut up = BTreeSet::new();
        let mut changes = found.changes.iter().peekable();
        for at in (0..150_000_000).step_by(1_234_567) {
            while let Some(change) = changes.next_if(|change| change.at <= at) {
                let link = (change.a, change.b);
                assert!(if change.up { up.insert(link) } else { up.remove(&link) });
            }
            for (a, b) in (0..120).flat_map(|a| (a + 1..120).map(move |b| (a, b))) {
                let t = at as f64 / 1e6;
                let [Some(one), Some(two)] = both(tracks, (a, b)).map(|track| track.at(t)) else {
                    assert!(!up.contains(&(a, b)));
                    continue;
                };
                let left = radio.reach(a, b, t).joins - square(one, two).sqrt();
                assert!(left.abs() < 1e-3 || (left > 0.0) == up.contains(&(a, b)));
            }
        }
    }
}

#[test]
fn too_much_is_refused_and_so_is_nonsense() {
    let crowd = crowd();
    for most in [10, 1000, 10_000, 100_000] {
        assert_eq!(links_within(&crowd, &disk(100.0), most), Err(LinksError::TooMuch(most)));
    }
    assert!(matches!(links(&crowd, &disk(0.0)), Err(LinksError::Radio(_))));
    assert!(matches!(links(&crowd, &disk(f64::NAN)), Err(LinksError::Radio(_))));
    assert_eq!(sampled(&crowd, &disk(100.0), 0), Err(LinksError::Step(0)));
    let inside_out = Radio::Quasi(QuasiUnitDisk { inner: 9.0, outer: 8.0 });
    assert!(links(&crowd, &inside_out).unwrap_err().to_string().contains("less than the inner"));
}

/// What would take minutes is refused before anything is done.
#[test]
fn hopeless_work_is_not_begun() {
    let text = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n$node_(1) set X_ 9\n\
        $node_(1) set Y_ 2\n$ns_ at 1 \"$node_(0) setdest 10 2 1e-9\"\n";
    let slow = crate::read(text.as_bytes(), &crate::Options::default()).unwrap();
    assert_eq!(slow.span.end, 9_000_000_001_000_000);
    let shadows = Radio::LogDistance(LogDistance::default());
    assert_eq!(links(&slow, &shadows), Err(LinksError::TooMuch(super::MOST_WORK)));
    assert_eq!(sampled(&slow, &disk(1.0), 1_000_000), Err(LinksError::TooMuch(super::MOST_WORK)));
    assert_eq!(links(&slow, &disk(2.0)).unwrap().changes.len(), 1);
}
