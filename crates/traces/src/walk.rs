//! Everything that happens in a trace, in its order: [`walk`].

use crate::parts::Parts;
use crate::trace::micros;
use crate::{Kind, LinkChange, LinkChanges, Span, Trace};

/// How a network is for a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// How many links are up.
    pub(crate) n_links: i64,
    /// How many nodes are there.
    pub(crate) n_there: i64,
    /// How many parts these form.
    pub(crate) n_parts: i64,
    /// Whether one of them has more than half of all nodes, those that are not there included.
    pub(crate) has_majority: bool,
}

/// What happens at some moment.
enum Event {
    Link(LinkChange),
    /// So many nodes appear; less than 0, if they leave.
    Nodes(i64),
}

/// Go through the time of a trace. `see` is given each stretch of it in which nothing happens, in
/// order; before the first node is there, there is none.
pub(crate) fn walk(trace: &Trace, changes: &LinkChanges, mut see: impl FnMut(Span, State)) {
    let span = changes.span;
    let mut arrivals = arrivals(trace, span);
    arrivals.sort_by_key(|&(at, _)| at);
    let links = changes.changes.iter().map(|&change| (change.at, Event::Link(change)));
    let mut events = merged(arrivals.into_iter(), links).peekable();
    let mut parts = Parts::new(trace.nodes.len());
    let (mut n_links, mut n_there) = (0, 0);
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
        if next > at {
            // Who is not there has no links, and is a part alone.
            let absent = trace.nodes.len() as i64 - n_there;
            let n_parts = (parts.len() as i64 - absent).max(0);
            let has_majority = n_there > 0 && parts.has_majority();
            let state = State { n_links, n_there, n_parts, has_majority };
            see(Span { start: at, end: next }, state);
        }
    }
}

/// What happens in both, which are in order.
fn merged(
    one: impl Iterator<Item = (i64, Event)>,
    two: impl Iterator<Item = (i64, Event)>,
) -> impl Iterator<Item = (i64, Event)> {
    let (mut one, mut two) = (one.peekable(), two.peekable());
    std::iter::from_fn(move || match (one.peek(), two.peek()) {
        (Some((a, _)), Some((b, _))) if b < a => two.next(),
        (Some(_), _) => one.next(),
        (None, _) => two.next(),
    })
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
