//! What a trace holds: [`inspect`].

use crate::course::Slices;
use crate::track::Track;
use crate::walk::{State, walk};
use crate::{Format, Kind, LinkChange, LinkChanges, Slice, Span, Trace};

/// What a trace holds, and what its links are like. Means are over time.
#[derive(Clone, PartialEq, Debug)]
pub struct Inspection {
    /// The format that it was read from.
    pub format: Format,
    /// How many nodes there are.
    pub n_nodes: usize,
    /// When it starts and ends.
    pub span: Span,
    /// How many waypoints or contacts it has.
    pub n_records: usize,
    /// The smallest box around all waypoints, by its least and its greatest corner, in meters.
    pub area: Option<[[f64; 3]; 2]>,
    /// How many nodes are there at a time.
    pub present: f64,
    /// How many links are up at the start.
    pub n_initial: usize,
    /// How often a link comes up, at the start or later.
    pub n_up: usize,
    /// How often a link goes down.
    pub n_down: usize,
    /// How many pairs are linked at some time.
    pub n_pairs: usize,
    /// How many links come up or go down in a second, after the start.
    pub changes_per_second: f64,
    /// How long a link is up, in seconds, each time.
    pub link_seconds: f64,
    /// How many links a node has that is there.
    pub degree: f64,
    /// How many parts the network falls into; nodes that are not there are in none.
    pub partitions: f64,
    /// How many parts at the worst.
    pub most_partitions: usize,
    /// The part of the time in which all nodes that are there are in one part, and there is one.
    pub share_connected: f64,
    /// The part of the time in which more than half of all nodes of the file are in one part.
    pub share_majority: f64,
    /// What was tolerated when it was read.
    pub notes: Vec<String>,
}

/// Sums over time, in units of microseconds.
#[derive(Default)]
pub(crate) struct Sums {
    links: i128,
    nodes: i128,
    parts: i128,
    connected: i128,
    majority: i128,
    most_parts: usize,
}

/// Tell what a trace holds, with these link changes of it.
pub fn inspect(trace: &Trace, changes: &LinkChanges) -> Inspection {
    inspect_with_course(trace, changes, 0).0
}

/// The same, and [`course`](crate::course), at once: the time of the trace is gone through once.
pub fn inspect_with_course(
    trace: &Trace,
    changes: &LinkChanges,
    n: usize,
) -> (Inspection, Vec<Slice>) {
    let (mut sums, mut slices) = (Sums::default(), Slices::new(changes.span, n));
    walk(trace, changes, |stretch, state| {
        sums.add(stretch.end - stretch.start, state);
        slices.add(stretch, state);
    });
    (told(trace, changes, &sums), slices.told())
}

/// What these sums over time amount to.
fn told(trace: &Trace, changes: &LinkChanges, sums: &Sums) -> Inspection {
    let span = changes.span;
    let seconds = span.seconds();
    let count = |is_wanted: fn(&LinkChange) -> bool| {
        changes.changes.iter().filter(|change| is_wanted(change)).count()
    };
    let (n_up, n_down) = (count(|change| change.up), count(|change| !change.up));
    let n_initial = changes.changes.iter().take_while(|change| change.at == span.start).count();
    let (area, n_records) = match &trace.kind {
        Kind::Movement(tracks) => (area(tracks), tracks.iter().flat_map(Track::waypoints).count()),
        Kind::Contacts(contacts) => (None, contacts.len()),
    };
    let means = sums.slice(span);
    Inspection {
        format: trace.format,
        n_nodes: trace.nodes.len(),
        span,
        n_records,
        area,
        present: means.present,
        n_initial,
        n_up,
        n_down,
        n_pairs: n_pairs(changes),
        changes_per_second: ratio((n_up + n_down - n_initial) as f64, seconds),
        link_seconds: ratio(f64_of(sums.links) / 1e6, n_up as f64),
        degree: ratio(2.0 * f64_of(sums.links), f64_of(sums.nodes)),
        partitions: means.partitions,
        most_partitions: sums.most_parts,
        share_connected: means.share_connected,
        share_majority: ratio(f64_of(sums.majority), seconds * 1e6),
        notes: trace.notes.clone(),
    }
}

/// How many pairs are linked at some time.
fn n_pairs(changes: &LinkChanges) -> usize {
    let (mut pairs, mut n_known) = (Vec::new(), 0);
    for change in changes.changes.iter().filter(|change| change.up) {
        pairs.push((change.a, change.b));
        // Few pairs may meet often.
        if pairs.len() > 2 * n_known + 1024 {
            pairs.sort_unstable();
            pairs.dedup();
            n_known = pairs.len();
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.len()
}

fn f64_of(number: i128) -> f64 {
    number as f64
}

/// Nothing out of nothing is nothing.
fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

/// The smallest box around all waypoints.
pub(crate) fn area(tracks: &[Track]) -> Option<[[f64; 3]; 2]> {
    let places = tracks.iter().flat_map(Track::waypoints).map(|waypoint| waypoint.at);
    places.fold(None, |area, at| {
        let [min, max] = area.unwrap_or([at, at]);
        let axes = [0, 1, 2];
        Some([axes.map(|k| min[k].min(at[k])), axes.map(|k| max[k].max(at[k]))])
    })
}

impl Sums {
    /// It was like this for so long.
    pub(crate) fn add(&mut self, length: i64, state: State) {
        let State { n_links, n_there, n_parts, has_majority } = state;
        if length <= 0 {
            return;
        }
        let length = i128::from(length);
        self.links += length * i128::from(n_links);
        self.nodes += length * i128::from(n_there);
        self.parts += length * i128::from(n_parts);
        self.connected += length * i128::from(n_parts == 1);
        self.majority += length * i128::from(has_majority);
        self.most_parts = self.most_parts.max(n_parts as usize);
    }

    /// The means over this time.
    pub(crate) fn slice(&self, span: Span) -> Slice {
        let length = f64_of(i128::from(span.end) - i128::from(span.start));
        let mean = |sum: i128| ratio(f64_of(sum), length);
        Slice {
            span,
            present: mean(self.nodes),
            links: mean(self.links),
            partitions: mean(self.parts),
            share_connected: mean(self.connected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Radio, UnitDisk, links, read};

    fn inspected(text: &str) -> Inspection {
        let trace = read(text.as_bytes(), &Options::default()).unwrap();
        let changes = links(&trace, &Radio::UnitDisk(UnitDisk { range: 10.0 })).unwrap();
        inspect(&trace, &changes)
    }

    #[test]
    fn contacts_are_summed_over_time() {
        // Three nodes for ten seconds: apart for 2, one link for 4, all in one part for 4.
        let found = inspected("2,10,a,b\n6,8,b,c\n8,10,a,c\n0,0,a,b\n");
        assert_eq!((found.n_nodes, found.n_records, found.n_pairs), (3, 3, 3));
        assert_eq!(found.span, Span { start: 2_000_000, end: 10_000_000 });
        assert_eq!((found.n_initial, found.n_up, found.n_down), (1, 3, 3));
        assert_eq!(found.changes_per_second, 5.0 / 8.0);
        assert_eq!(found.degree, 2.0 * 12.0 / 24.0);
        assert_eq!((found.partitions, found.most_partitions), (1.5, 2));
        assert_eq!((found.share_connected, found.link_seconds), (0.5, 4.0));
        assert_eq!(found.share_majority, 1.0);
        assert_eq!(found.notes, ["1 contacts of no length were left out."]);
    }

    #[test]
    fn who_is_not_there_is_in_no_part() {
        let step = |t: u32, inside: &str| format!("<timestep time=\"{t}\">{inside}</timestep>");
        let vehicle = |id: &str, x: u32| format!("<vehicle id=\"{id}\" x=\"{x}\" y=\"0\"/>");
        let steps = [
            step(0, &vehicle("a", 0)),
            step(1, &(vehicle("a", 0) + &vehicle("b", 5))),
            step(2, &(vehicle("a", 0) + &vehicle("c", 50))),
            step(4, ""),
            step(5, ""),
        ];
        let found = inspected(&format!("<fcd-export>{}</fcd-export>", steps.concat()));
        assert_eq!(found.present, (1.0 + 2.0 + 2.0 * 2.0 + 0.0) / 5.0);
        assert_eq!(found.degree, 2.0 / 7.0);
        assert_eq!((found.partitions, found.most_partitions), (6.0 / 5.0, 2));
        assert_eq!(found.share_connected, 2.0 / 5.0);
        // Two of three are linked for a second.
        assert_eq!(found.share_majority, 1.0 / 5.0);
        assert_eq!(found.area, Some([[0.0; 3], [50.0, 0.0, 0.0]]));
    }
}
