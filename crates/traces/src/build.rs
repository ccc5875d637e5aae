//! From what was read to a trace: [`Movement`], [`Meetings`].

use std::collections::BTreeMap;

use crate::names::Names;
use crate::trace::micros;
use crate::track::{Stretch, Track, Waypoint};
use crate::{Contact, Format, Kind, Span, Trace};

/// Tracks by the numbers of their nodes, as they are read.
#[derive(Default)]
pub(crate) struct Movement {
    pub(crate) names: Names,
    pub(crate) tracks: Vec<Track>,
    pub(crate) notes: Vec<String>,
}

impl Movement {
    /// The number of this node, which may be new. It has a track.
    pub(crate) fn number(&mut self, name: &str) -> usize {
        let number = self.names.number(name) as usize;
        if number >= self.tracks.len() {
            self.tracks.resize_with(number + 1, Track::default);
        }
        number
    }

    /// The track of this node, which may be new.
    pub(crate) fn track(&mut self, name: &str) -> &mut Track {
        let number = self.number(name);
        &mut self.tracks[number]
    }

    /// The track of this node, if it is known.
    pub(crate) fn find(&mut self, name: &str) -> Option<&mut Track> {
        let number = self.names.find(name)?;
        self.tracks.get_mut(number as usize)
    }

    /// Put it in order. It starts and ends at these seconds.
    pub(crate) fn trace(self, format: Format, start: f64, end: f64) -> Trace {
        let (nodes, places) = self.names.ordered();
        let mut tracks = vec![Track::default(); nodes.len()];
        for (track, place) in self.tracks.into_iter().zip(places) {
            tracks[place as usize] = track;
        }
        let span = Span { start: micros(start), end: micros(end.max(start)) };
        Trace { format, nodes, span, kind: Kind::Movement(tracks), notes: self.notes }
    }
}

/// The time of the first waypoint and of the last.
pub(crate) fn ends(tracks: &[Track]) -> Option<(f64, f64)> {
    let times = tracks.iter().flat_map(Track::waypoints).map(|waypoint| waypoint.t);
    times.fold(None, |ends, t| match ends {
        Some((first, last)) => Some((t.min(first), t.max(last))),
        None => Some((t, t)),
    })
}

impl Track {
    /// Go on to a waypoint, in the only stretch.
    pub(crate) fn push(&mut self, waypoint: Waypoint) {
        match self.stretches.last_mut() {
            Some(stretch) => stretch.push(waypoint),
            None => *self = Track::whole(vec![waypoint]),
        }
    }

    /// It is there only in these times, which are in order and do not overlap.
    pub(crate) fn only(&self, times: &[(f64, f64)]) -> Track {
        let Some(whole) = self.stretches.first() else { return Track::default() };
        let cut = |&(start, until): &(f64, f64)| {
            let at = self.at(start)?;
            let mut waypoints = vec![Waypoint { t: start, at }];
            let from = whole.waypoints.partition_point(|waypoint| waypoint.t <= start);
            let to = whole.waypoints.partition_point(|waypoint| waypoint.t < until);
            waypoints.extend(whole.waypoints.get(from..to).into_iter().flatten());
            // It may leave on its way to somewhere.
            let last = waypoints.last().map_or(start, |waypoint| waypoint.t);
            let end = self.leg(last).at(until).filter(|_| until.is_finite());
            waypoints.extend(end.map(|at| Waypoint { t: until, at }));
            Some(Stretch { waypoints, until })
        };
        Track { stretches: times.iter().filter_map(cut).collect() }
    }
}

/// So many contacts may go on at once before it is looked for those that are over.
const FEW_OPEN: usize = 1024;

/// Who meets whom, as it is read.
#[derive(Default)]
pub(crate) struct Meetings {
    pub(crate) names: Names,
    contacts: Vec<Contact>,
    /// By pair, the last contact of those that may still go on.
    open: BTreeMap<(u32, u32), u32>,
    /// How many of these there were when those that are over were forgotten.
    n_open: usize,
    /// How many had no length.
    n_empty: u64,
    pub(crate) notes: Vec<String>,
}

impl Meetings {
    /// Two meet. The times are microseconds.
    pub(crate) fn meet(&mut self, a: u32, b: u32, start: i64, end: Option<i64>) {
        if end.is_some_and(|end| end <= start) {
            self.n_empty += 1;
            return;
        }
        let contact = Contact { a: a.min(b), b: a.max(b), start, end };
        let pair = (contact.a, contact.b);
        let known = self.open.get(&pair).and_then(|&k| self.contacts.get_mut(k as usize));
        if known.is_some_and(|known| known.join(&contact)) {
            return;
        }
        if let Ok(k) = u32::try_from(self.contacts.len()) {
            self.open.insert(pair, k);
        }
        self.contacts.push(contact);
        // Lines mostly come by time. If they do not, some contacts are joined only in the end.
        if self.open.len() > 2 * self.n_open + FEW_OPEN {
            let contacts = &self.contacts;
            let is_open = |k: u32| contacts[k as usize].end.is_none_or(|end| end >= start);
            self.open.retain(|_, k| is_open(*k));
            self.n_open = self.open.len();
        }
    }

    /// Put it in order. It ends no earlier than the last that is known of it.
    pub(crate) fn trace(mut self, format: Format, last: Option<i64>) -> Trace {
        let (nodes, places) = self.names.ordered();
        for contact in &mut self.contacts {
            let (a, b) = (places[contact.a as usize], places[contact.b as usize]);
            (contact.a, contact.b) = (a.min(b), a.max(b));
        }
        self.open = BTreeMap::new();
        let contacts = joined(self.contacts);
        let start = contacts.iter().map(|contact| contact.start).min().or(last).unwrap_or(0);
        let ends = contacts.iter().map(|contact| contact.end.unwrap_or(contact.start));
        let end = ends.chain(last).max().unwrap_or(start);
        if self.n_empty > 0 {
            self.notes.push(format!("{} contacts of no length were left out.", self.n_empty));
        }
        let span = Span { start, end: end.max(start) };
        Trace { format, nodes, span, kind: Kind::Contacts(contacts), notes: self.notes }
    }
}

/// The same contacts in order; of each pair, those that overlap or touch are one.
pub(crate) fn joined(mut contacts: Vec<Contact>) -> Vec<Contact> {
    contacts.sort_unstable();
    contacts.dedup_by(|next, last| (last.a, last.b) == (next.a, next.b) && last.join(next));
    contacts.shrink_to_fit();
    contacts
}

impl Contact {
    /// Make one of this one and another one of the same pair, if they overlap or touch.
    fn join(&mut self, other: &Contact) -> bool {
        let reaches = |one: &Contact, two: &Contact| one.end.is_none_or(|end| two.start <= end);
        let is_one = reaches(self, other) && reaches(other, self);
        if is_one {
            self.start = self.start.min(other.start);
            self.end = self.end.zip(other.end).map(|(one, two)| one.max(two));
        }
        is_one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_that_touch_are_one() {
        let contact = |a, b, start, end| Contact { a, b, start, end };
        let contacts = vec![
            contact(0, 1, 20, Some(40)),
            contact(0, 2, 40, Some(50)),
            contact(0, 1, 0, Some(20)),
            contact(0, 1, 41, Some(60)),
            contact(0, 1, 45, Some(50)),
            contact(1, 2, 5, None),
            contact(1, 2, 7, Some(9)),
        ];
        assert_eq!(
            joined(contacts),
            [
                contact(0, 1, 0, Some(40)),
                contact(0, 1, 41, Some(60)),
                contact(0, 2, 40, Some(50)),
                contact(1, 2, 5, None),
            ]
        );
    }

    #[test]
    fn a_track_can_be_cut_to_the_times_when_its_node_is_there() {
        let waypoint = |t: f64, x: f64| Waypoint { t, at: [x, 0.0, 0.0] };
        let track = Track::whole(vec![waypoint(0.0, 0.0), waypoint(10.0, 10.0)]);
        let cut = track.only(&[(2.0, 4.0), (8.0, 20.0)]);
        let x = |t| cut.at(t).map(|at| at[0]);
        assert_eq!([x(1.0), x(2.0), x(3.0), x(4.0)], [None, Some(2.0), Some(3.0), None]);
        assert_eq!([x(9.0), x(15.0), x(20.0)], [Some(9.0), Some(10.0), None]);
    }

    #[test]
    fn contacts_are_joined_while_they_come() {
        let mut meetings = Meetings::default();
        for name in ["a", "b", "c"] {
            meetings.names.number(name);
        }
        for t in 0..1000 {
            meetings.meet(0, 1, 20 * t, Some(20 * t + 20));
            meetings.meet(2, 1, 30 * t, Some(30 * t + 20));
        }
        assert_eq!(meetings.contacts.len(), 1001);
        // Late, and over a hundred others.
        meetings.meet(1, 2, 0, Some(3000));
        let trace = meetings.trace(Format::Csv, None);
        let Kind::Contacts(contacts) = trace.kind else { panic!("they are contacts") };
        assert_eq!(
            contacts[..2],
            [
                Contact { a: 0, b: 1, start: 0, end: Some(20_000) },
                Contact { a: 1, b: 2, start: 0, end: Some(3020) },
            ]
        );
        assert_eq!(contacts.len(), 2 + 899);
    }

    /// Whatever the order of lines, it comes to the same as joining all of them in the end.
    #[test]
    fn the_order_of_contacts_does_not_matter() {
        let mut dice = driftlock_fuzz::Dice::new(3);
        for _ in 0..50 {
            let mut meetings = Meetings::default();
            for node in 0..60 {
                meetings.names.number(&format!("{node:02}"));
            }
            let mut all = Vec::new();
            for k in 0..4000 {
                let a = dice.below(59) as u32;
                let b = a + 1 + dice.below(59 - a as usize) as u32;
                let start = (dice.below(100) + k / 4) as i64;
                let end = (dice.below(40) > 0).then(|| start + 1 + dice.below(30) as i64);
                all.push(Contact { a, b, start, end });
                meetings.meet(b, a, start, end);
            }
            let trace = meetings.trace(Format::Csv, None);
            assert!(trace.kind == Kind::Contacts(joined(all)));
        }
    }
}
