//! The moments at which two nodes come into range and leave it.

use super::{LinkChange, LinksError, Up, WORK_OF_A_LOOK, Work, both, square};
use crate::near::{Bounds, pairs_near};
use crate::radio::Reach;
use crate::trace::seconds;
use crate::track::Track;
use crate::{Radio, Span};

/// With so few nodes all pairs are looked at, from start to end.
const FEW: usize = 64;

/// How many windows there are at most.
const MOST_WINDOWS: f64 = 100_000.0;

/// All changes of all links.
///
/// Time is cut into windows in which nodes move about as far as the radio reaches. In each, only
/// those are looked at who come near each other, and those who are linked.
pub(super) fn changes(
    tracks: &[Track],
    radio: &Radio,
    span: Span,
    work: &mut Work,
) -> Result<Vec<LinkChange>, LinksError> {
    let (start, end) = (seconds(span.start), seconds(span.end));
    let n_windows = n_windows(tracks, radio.farthest(), end - start);
    let edge = |k: u64| match k {
        k if k >= n_windows => end,
        k => start + (end - start) * k as f64 / n_windows as f64,
    };
    let mut up = Up::default();
    for k in 0..n_windows {
        let (from, to) = (edge(k), edge(k + 1));
        work.spend(tracks.len())?;
        let bounds: Vec<Option<Bounds>> =
            tracks.iter().map(|track| bounds(track, from, to, work)).collect::<Result<_, _>>()?;
        let near = pairs_near(&bounds, radio.farthest(), work)?;
        // Each of them is looked at whenever its shadow changes.
        let n_looks = near.len() as f64 * (to - from) / radio.coherence();
        work.expect(n_looks * WORK_OF_A_LOOK as f64)?;
        for pair in up.with(near) {
            walk(tracks, pair, radio, (from, to), &mut up, work)?;
        }
    }
    Ok(up.changes)
}

/// How many windows the time is cut into.
fn n_windows(tracks: &[Track], reach: f64, length: f64) -> u64 {
    if tracks.len() <= FEW {
        return 1;
    }
    let (mut way, mut time) = (0.0, 0.0);
    for stretch in tracks.iter().flat_map(|track| &track.stretches) {
        for two in stretch.waypoints.windows(2) {
            way += square(two[0].at, two[1].at).sqrt();
            time += two[1].t - two[0].t;
        }
    }
    let speed = if time > 0.0 { way / time } else { 0.0 };
    (length * speed / reach).clamp(1.0, MOST_WINDOWS) as u64
}

/// Where a node is in this time, if it is anywhere.
fn bounds(
    track: &Track,
    from: f64,
    to: f64,
    work: &mut Work,
) -> Result<Option<Bounds>, LinksError> {
    let mut bounds: Option<Bounds> = None;
    let mut t = from;
    while t < to {
        work.spend(WORK_OF_A_LOOK)?;
        let leg = track.leg(t);
        let until = leg.until.min(to);
        for at in [leg.at(t), leg.at(until)].into_iter().flatten() {
            bounds = Some(bounds.map_or(Bounds::of(at), |bounds| bounds.with(at)));
        }
        t = until;
    }
    Ok(bounds)
}

/// Follow two nodes through a window.
fn walk(
    tracks: &[Track],
    pair: (u32, u32),
    radio: &Radio,
    (from, to): (f64, f64),
    up: &mut Up,
    work: &mut Work,
) -> Result<(), LinksError> {
    let [one, two] = both(tracks, pair);
    let mut t = from;
    while t < to {
        work.spend(WORK_OF_A_LOOK)?;
        let legs = [one.leg(t), two.leg(t)];
        let mut until = to.min(legs[0].until).min(legs[1].until);
        match legs.map(|leg| leg.at(t)) {
            [Some(a), Some(b)] => {
                let reach = radio.reach(pair.0, pair.1, t);
                until = until.min(reach.until);
                let ends = legs.map(|leg| leg.at(until).unwrap_or_default());
                let start = [0, 1, 2].map(|k| a[k] - b[k]);
                let end = [0, 1, 2].map(|k| ends[0][k] - ends[1][k]);
                let is_up = up.links.contains(&pair);
                for (part, is_up) in crossings(start, end, reach, is_up).into_iter().flatten() {
                    up.set((t + part * (until - t)).min(until), pair, is_up, work)?;
                }
            }
            _ => up.set(t, pair, false, work)?,
        }
        t = until;
    }
    Ok(())
}

/// What becomes of a link while one end moves evenly from `start` to `end`, as the other sees it:
/// at which part of the way it comes up (true) or goes down. At the start it may do either, and
/// then come up once and go down once, since the distance falls first and grows then.
fn crossings(
    start: [f64; 3],
    end: [f64; 3],
    reach: Reach,
    mut is_up: bool,
) -> [Option<(f64, bool)>; 3] {
    let mut found = [None; 3];
    let way = [0, 1, 2].map(|k| end[k] - start[k]);
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    // The square of the distance at the part x of the way is a x² + 2 b x + now.
    let (a, b, now) = (dot(way, way), dot(start, way), dot(start, start));
    let in_reach =
        now <= if is_up { reach.leaves * reach.leaves } else { reach.joins * reach.joins };
    if in_reach != is_up {
        is_up = in_reach;
        found[0] = Some((0.0, is_up));
    }
    if a <= 0.0 {
        return found;
    }
    let mut since = 0.0;
    if !is_up {
        let more = now - reach.joins * reach.joins;
        let under = b * b - a * more;
        // The smaller root, in the form in which nothing cancels. It comes nearer: b < 0.
        let part = if b < 0.0 && under >= 0.0 { more / (under.sqrt() - b) } else { f64::INFINITY };
        if part > 1.0 {
            return found;
        }
        (is_up, since) = (true, part);
        found[1] = Some((part, is_up));
    }
    let less = reach.leaves * reach.leaves - now;
    let under = b * b + a * less;
    // The greater root, likewise. Who has just come in may be a hair outside, by rounding.
    let root = under.max(0.0).sqrt();
    let part = if b > 0.0 { less / (b + root) } else { (root - b) / a };
    if part <= 1.0 {
        found[2] = Some((part.max(since), !is_up));
    }
    found
}
