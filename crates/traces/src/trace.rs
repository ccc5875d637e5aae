//! What a file holds: [`Trace`].

use crate::Format;
use crate::track::Track;

/// What a file holds, as it is there: where nodes are, or who meets whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The format that it was read from.
    pub format: Format,
    /// The names of the nodes. Elsewhere a node is its place in this list.
    pub nodes: Vec<String>,
    /// When it starts and ends.
    pub span: Span,
    /// What happens in it.
    pub kind: Kind,
    /// What was left out or tolerated when it was read, one sentence each.
    pub notes: Vec<String>,
}

/// When something starts and ends, in microseconds of the file's own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The start.
    pub start: i64,
    /// The end, which is not before the start.
    pub end: i64,
}

/// What a trace is about.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Nodes that move, one track for each.
    Movement(Vec<Track>),
    /// Links that are up for a time, one record for each time, by node and then by time. Those of
    /// one pair neither overlap nor touch.
    Contacts(Vec<Contact>),
}

/// A time for which a link is up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Contact {
    /// One end, with the lower number.
    pub a: u32,
    /// The other end.
    pub b: u32,
    /// When it comes up, in microseconds.
    pub start: i64,
    /// When it goes down, later than that; nothing, if it is still up when the trace ends.
    pub end: Option<i64>,
}

impl Span {
    /// How long it is, in seconds.
    pub fn seconds(self) -> f64 {
        seconds(self.end) - seconds(self.start)
    }
}

/// The nearest microsecond.
pub(crate) fn micros(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}

/// The same in seconds.
pub(crate) fn seconds(micros: i64) -> f64 {
    micros as f64 / 1e6
}
