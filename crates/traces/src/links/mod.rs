//! From a trace to link changes: [`links`], [`sampled`].

mod exact;
mod sampled;

use std::collections::BTreeSet;

use thiserror::Error;

use crate::track::{Stretch, Track};
use crate::{Contact, Kind, Radio, Span, Trace};

/// When links come up and go down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkChanges {
    /// How many nodes there are.
    pub n_nodes: usize,
    /// When it starts and ends, in microseconds of the file's own time.
    pub span: Span,
    /// All changes, by time, then by nodes. At most one for each pair and microsecond. Before the
    /// first one all links are down: what is up at the start comes up there.
    pub changes: Vec<LinkChange>,
}

/// A link comes up or goes down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinkChange {
    /// When, in microseconds of the file's own time.
    pub at: i64,
    /// One end, with the lower number.
    pub a: u32,
    /// The other end.
    pub b: u32,
    /// Whether it comes up.
    pub up: bool,
}

/// Why there are no link changes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinksError {
    /// The radio makes no sense.
    #[error("the radio cannot be used: {0}")]
    Radio(String),
    /// The step makes no sense.
    #[error("a step of {0} µs cannot be used: it should be more than 0")]
    Step(i64),
    /// It would take too long.
    #[error(
        "there are too many pairs and moments to look at, more than {0} units of work; cut the \
         trace to a shorter time, or take a smaller range, a longer step or a longer coherence"
    )]
    TooMuch(u64),
}

/// How much is done at most: a quarter of a minute's work. The unit is a pair whose boxes are
/// compared, some nanoseconds.
const MOST_WORK: u64 = 5_000_000_000;

/// A change takes memory, so that there may be no more than 100 million of them.
const WORK_OF_A_CHANGE: usize = 50;

/// Where a node is, or whether two hear each other, is more work.
const WORK_OF_A_LOOK: usize = 10;

/// When links change, to the microsecond: nodes move in straight lines between waypoints, so the
/// moment at which a distance is reached is the root of a quadratic equation.
///
/// Contacts are links already; for them the radio does not matter. A link that is up, or down, for
/// less than a microsecond is not told.
pub fn links(trace: &Trace, radio: &Radio) -> Result<LinkChanges, LinksError> {
    links_within(trace, radio, MOST_WORK)
}

/// The same, with so much work.
pub(crate) fn links_within(
    trace: &Trace,
    radio: &Radio,
    most: u64,
) -> Result<LinkChanges, LinksError> {
    radio.check().map_err(LinksError::Radio)?;
    let changes = match &trace.kind {
        Kind::Contacts(contacts) => of_contacts(contacts, trace.span),
        Kind::Movement(tracks) => {
            let Span { start, end } = trace.span;
            let known = Span { start: remembered(tracks, radio, start), end };
            let mut work = Work::new(most);
            let changes = if known.start == end {
                sampled::changes(tracks, radio, [end], &mut work)?
            } else {
                exact::changes(tracks, radio, known, &mut work)?
            };
            if known.start < start { folded(changes, start) } else { changes }
        }
    };
    Ok(LinkChanges { n_nodes: trace.nodes.len(), span: trace.span, changes: settled(changes) })
}

/// When links change for somebody who looks every `step` microseconds, for the first time one step
/// after the start. This is how the ONE sees its nodes. Contacts are as in [`links`].
pub fn sampled(trace: &Trace, radio: &Radio, step: i64) -> Result<LinkChanges, LinksError> {
    radio.check().map_err(LinksError::Radio)?;
    if step <= 0 {
        return Err(LinksError::Step(step));
    }
    let Kind::Movement(tracks) = &trace.kind else { return links(trace, radio) };
    let Span { start, end } = trace.span;
    let n_looks = (end - start) / step;
    // Looks up to the start tell nothing, but are remembered.
    let n_before = (start - remembered(tracks, radio, start) + step - 1) / step;
    let times = (1 - n_before..=n_looks).map(|k| start + k * step);
    let mut work = Work::new(MOST_WORK);
    work.expect((n_before + n_looks) as f64 * (tracks.len() * WORK_OF_A_LOOK) as f64)?;
    let changes = sampled::changes(tracks, radio, times, &mut work)?;
    let changes = match (n_before, n_looks) {
        (1.., 0) => Vec::new(),
        (1.., _) => folded(changes, start + step),
        _ => changes,
    };
    Ok(LinkChanges { n_nodes: trace.nodes.len(), span: trace.span, changes: settled(changes) })
}

/// Since when one has to look to know what is linked at the start: a link of a quasi-unit disk may
/// have come up before, and others depend on the moment only.
fn remembered(tracks: &[Track], radio: &Radio, start: i64) -> i64 {
    let first = tracks.iter().flat_map(|track| &track.stretches).map(Stretch::start);
    match radio {
        Radio::Quasi(_) => first.map(crate::trace::micros).fold(start, i64::min),
        Radio::UnitDisk(_) | Radio::LogDistance(_) => start,
    }
}

/// What comes of changes for somebody who looks from `start` on: what is up by then comes up then.
/// Those of one pair are in order.
fn folded(mut changes: Vec<LinkChange>, start: i64) -> Vec<LinkChange> {
    let mut up = BTreeSet::new();
    for &LinkChange { a, b, up: is_up, .. } in changes.iter().filter(|change| change.at <= start) {
        if is_up {
            up.insert((a, b))
        } else {
            up.remove(&(a, b))
        };
    }
    changes.retain(|change| change.at > start);
    changes.extend(up.into_iter().map(|(a, b)| LinkChange { at: start, a, b, up: true }));
    changes
}

/// Contacts that come up or go down in this time.
fn of_contacts(contacts: &[Contact], span: Span) -> Vec<LinkChange> {
    let mut changes = Vec::new();
    for &Contact { a, b, start, end } in contacts {
        if start > span.end || end.is_some_and(|end| end <= span.start) {
            continue;
        }
        changes.push(LinkChange { at: start.max(span.start), a, b, up: true });
        let end = end.filter(|&end| end <= span.end);
        changes.extend(end.map(|at| LinkChange { at, a, b, up: false }));
    }
    changes
}

/// In order, and without what is over within a microsecond. Those of one pair come up and go down
/// in turns.
fn settled(mut changes: Vec<LinkChange>) -> Vec<LinkChange> {
    changes.sort_unstable();
    let key = |change: &LinkChange| (change.at, change.a, change.b);
    let (mut from, mut n_kept) = (0, 0);
    while let Some(first) = changes.get(from) {
        let n = changes[from..].iter().take_while(|change| key(change) == key(first)).count();
        // Of those at one moment the first is like the last, if their number is odd: there is one
        // more of them than of the others, and in the middle of all, which are in order.
        if n % 2 == 1 {
            changes[n_kept] = changes[from + n / 2];
            n_kept += 1;
        }
        from += n;
    }
    changes.truncate(n_kept);
    changes
}

/// How much may still be done.
pub(crate) struct Work {
    left: u64,
    most: u64,
}

impl Work {
    pub(crate) fn new(most: u64) -> Self {
        Work { left: most, most }
    }

    /// Do so much.
    pub(crate) fn spend(&mut self, n: usize) -> Result<(), LinksError> {
        self.left = self.left.checked_sub(n as u64).ok_or(self.too_much())?;
        Ok(())
    }

    /// At least so much will have to be done.
    fn expect(&self, n: f64) -> Result<(), LinksError> {
        if n > self.left as f64 { Err(self.too_much()) } else { Ok(()) }
    }

    pub(crate) fn too_much(&self) -> LinksError {
        LinksError::TooMuch(self.most)
    }
}

/// The links that are up while time goes on.
#[derive(Default)]
struct Up {
    links: BTreeSet<(u32, u32)>,
    changes: Vec<LinkChange>,
}

impl Up {
    /// From now on this link is up, or down, which it may have been before.
    fn set(
        &mut self,
        at: f64,
        (a, b): (u32, u32),
        up: bool,
        work: &mut Work,
    ) -> Result<(), LinksError> {
        let is_new = if up { self.links.insert((a, b)) } else { self.links.remove(&(a, b)) };
        if is_new {
            work.spend(WORK_OF_A_CHANGE)?;
            self.changes.push(LinkChange { at: crate::trace::micros(at), a, b, up });
        }
        Ok(())
    }

    /// These pairs, and those that are linked, in order.
    fn with(&self, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        pairs.extend(&self.links);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// The square of how far two places are from each other.
fn square(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum()
}

/// The tracks of a pair.
fn both(tracks: &[Track], (a, b): (u32, u32)) -> [&Track; 2] {
    [&tracks[a as usize], &tracks[b as usize]]
}

#[cfg(test)]
mod tests;
