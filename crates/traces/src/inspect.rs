//! What a trace holds: [`inspect`].

use crate::parts::Parts;
use crate::trace::micros;
use crate::track::Track;
use crate::{Format, Kind, LinkChange, LinkChanges, Span, Trace};

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
    /// What was tolerated when it was read.
    pub notes: Vec<String>,
}

/// What happens at some moment.
enum Event {
    Link(LinkChange),
    /// So many nodes appear; less than 0, if they leave.
    Nodes(i64),
}

/// Sums over time, in units of microseconds.
#[derive(Default)]
struct Sums {
    links: i128,
    nodes: i128,
    parts: i128,
    connected: i128,
    most_parts: usize,
}

/// Tell what a trace holds, with these link changes of it.
pub fn inspect(trace: &Trace, changes: &LinkChanges) -> Inspection {
    let span = changes.span;
    let sums = sums(trace, changes);
    let seconds = span.seconds();
    let count = |is_wanted: fn(&LinkChange) -> bool| {
        changes.changes.iter().filter(|change| is_wanted(change)).count()
    };
    let (n_up, n_down) = (count(|change| change.up), count(|change| !change.up));
    let n_initial = changes.changes.iter().take_while(|change| change.at == span.start).count();
    let mut pairs: Vec<(u32, u32)> = changes.changes.iter().map(|c| (c.a, c.b)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let (area, n_records) = match &trace.kind {
        Kind::Movement(tracks) => (area(tracks), tracks.iter().flat_map(Track::waypoints).count()),
        Kind::Contacts(contacts) => (None, contacts.len()),
    };
    let length = f64_of(i128::from(span.end) - i128::from(span.start));
    Inspection {
        format: trace.format,
        n_nodes: trace.nodes.len(),
        span,
        n_records,
        area,
        present: ratio(f64_of(sums.nodes), length),
        n_initial,
        n_up,
        n_down,
        n_pairs: pairs.len(),
        changes_per_second: ratio((n_up + n_down - n_initial) as f64, seconds),
        link_seconds: ratio(f64_of(sums.links) / 1e6, n_up as f64),
        degree: ratio(2.0 * f64_of(sums.links), f64_of(sums.nodes)),
        partitions: ratio(f64_of(sums.parts), length),
        most_partitions: sums.most_parts,
        share_connected: ratio(f64_of(sums.connected), length),
        notes: trace.notes.clone(),
    }
}

fn f64_of(number: i128) -> f64 {
    number as f64
}

/// Nothing out of nothing is nothing.
fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

fn area(tracks: &[Track]) -> Option<[[f64; 3]; 2]> {
    let places = tracks.iter().flat_map(Track::waypoints).map(|waypoint| waypoint.at);
    places.fold(None, |area, at| {
        let [min, max] = area.unwrap_or([at, at]);
        let axes = [0, 1, 2];
        Some([axes.map(|k| min[k].min(at[k])), axes.map(|k| max[k].max(at[k]))])
    })
}

/// Go through everything that happens, in its order.
fn sums(trace: &Trace, changes: &LinkChanges) -> Sums {
    let span = changes.span;
    let mut events = arrivals(trace, span);
    events.extend(changes.changes.iter().map(|&change| (change.at, Event::Link(change))));
    events.sort_by_key(|&(at, _)| at);
    let mut sums = Sums::default();
    let mut parts = Parts::new(trace.nodes.len());
    let (mut n_links, mut n_there, mut last) = (0, 0, span.start);
    let mut events = events.into_iter().peekable();
    while let Some((at, event)) = events.next() {
        match event {
            Event::Nodes(more) => n_there += more,
            Event::Link(LinkChange { a, b, up: true, .. }) => {
                n_links += 1;
                parts.join(a, b);
            }
            Event::Link(LinkChange { a, b, up: false, .. }) => {
                n_links -= 1;
                parts.part(a, b);
            }
        }
        // What happens at one moment happens at once.
        let next = events.peek().map_or(span.end, |&(next, _)| next);
        if next > at || events.peek().is_none() {
            // Who is not there has no links, and is a part alone.
            let absent = trace.nodes.len() as i64 - n_there;
            let n_parts = (parts.len() as i64 - absent).max(0);
            sums.add(next - last.max(at), n_links, n_there, n_parts);
            last = next;
        }
    }
    sums
}

impl Sums {
    fn add(&mut self, length: i64, n_links: i64, n_there: i64, n_parts: i64) {
        if length <= 0 {
            return;
        }
        let length = i128::from(length);
        self.links += length * i128::from(n_links);
        self.nodes += length * i128::from(n_there);
        self.parts += length * i128::from(n_parts);
        self.connected += length * i128::from(n_parts == 1);
        self.most_parts = self.most_parts.max(n_parts as usize);
    }
}

/// When nodes appear and leave.
fn arrivals(trace: &Trace, span: Span) -> Vec<(i64, Event)> {
    let Kind::Movement(tracks) = &trace.kind else {
        return vec![(span.start, Event::Nodes(trace.nodes.len() as i64))];
    };
    let mut events = Vec::new();
    for stretch in tracks.iter().flat_map(|track| &track.stretches) {
        let (start, until) = (micros(stretch.start()), micros(stretch.until));
        if start <= span.end && until > span.start {
            events.push((start.max(span.start), Event::Nodes(1)));
            if until < span.end {
                events.push((until, Event::Nodes(-1)));
            }
        }
    }
    events
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
        assert_eq!(found.area, Some([[0.0; 3], [50.0, 0.0, 0.0]]));
    }
}
