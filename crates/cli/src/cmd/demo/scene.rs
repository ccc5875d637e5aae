//! What there is to see at a moment: [`Scene`].

use std::collections::VecDeque;

use super::book::{Book, Page};
use super::play::LOCKS;
use super::watch::Seen;
use super::world::{Point, World};

/// Over how many seconds rates are taken.
const RATE_OVER: f64 = 2.0;

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mark {
    pub(super) place: Point,
    pub(super) moves: bool,
    /// The first lock that it is inside of, by its place in [`LOCKS`].
    pub(super) inside: Option<usize>,
}

/// A lock.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Row {
    pub(super) holders: Vec<usize>,
    pub(super) group: Option<&'static str>,
    pub(super) waiting: Vec<usize>,
    pub(super) tokens: Vec<usize>,
    pub(super) per_second: f64,
}

/// All there is to see.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Scene {
    pub(super) seconds: f64,
    pub(super) marks: Vec<Mark>,
    /// Links that both ends report.
    pub(super) links: Vec<(usize, usize)>,
    /// A row to a lock.
    pub(super) rows: Vec<Row>,
    pub(super) changes: u64,
    pub(super) returned: u64,
    pub(super) in_doubt: u64,
    pub(super) pieces: usize,
    pub(super) overlaps: u64,
}

/// How many grants there were when.
#[derive(Default)]
pub(super) struct Rates {
    past: VecDeque<(f64, [usize; LOCKS.len()])>,
}

impl Scene {
    pub(super) fn take<W>(
        seconds: f64,
        world: &World,
        book: &Book<W>,
        seen: &Seen,
        rates: &mut Rates,
    ) -> Scene {
        let grants = core::array::from_fn(|lock| book.pages[lock].waits.len());
        let per_second = rates.next(seconds, grants);
        let row = |(lock, page): (usize, &Page<W>)| Row {
            holders: page.holders(),
            group: page.group(),
            waiting: page.waiting(),
            // What nodes have said is a little older than what programs do.
            tokens: if page.is_full() {
                page.holders()
            } else {
                seen.tokens[lock].iter().copied().collect()
            },
            per_second: per_second[lock],
        };
        let rows: Vec<Row> = book.pages.iter().enumerate().map(row).collect();
        let mark = |node| Mark {
            place: world.place(node),
            moves: world.moves(node),
            inside: rows.iter().position(|row| row.holders.contains(&node)),
        };
        let total = seen.total();
        Scene {
            seconds,
            marks: (0..seen.links.len()).map(mark).collect(),
            links: seen.links(),
            changes: total.ups + total.downs,
            returned: total.returned,
            in_doubt: seen.in_doubt,
            pieces: seen.pieces(),
            overlaps: book.overlaps(),
            rows,
        }
    }

    /// Whether the network is in one piece, in words.
    pub(super) fn togetherness(&self) -> String {
        match self.pieces {
            1 => "in one piece".into(),
            pieces => format!("apart, {pieces} pieces"),
        }
    }
}

impl Rates {
    fn next(&mut self, now: f64, grants: [usize; LOCKS.len()]) -> [f64; LOCKS.len()] {
        while self.past.front().is_some_and(|(then, _)| RATE_OVER < now - then) {
            self.past.pop_front();
        }
        let &(then, before) = self.past.front().unwrap_or(&(0.0, [0; LOCKS.len()]));
        self.past.push_back((now, grants));
        let time = (now - then).max(0.1);
        core::array::from_fn(|lock| (grants[lock] - before[lock]) as f64 / time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_last_seconds() {
        let mut rates = Rates::default();
        assert_eq!(rates.next(0.5, [5, 0, 0, 0])[0], 10.0);
        assert_eq!(rates.next(1.5, [25, 1, 0, 0])[..2], [20.0, 1.0]);
        assert_eq!(rates.next(3.5, [25, 1, 0, 0])[..2], [0.0, 0.0]);
        assert_eq!(rates.next(5.5, [65, 1, 0, 0])[..2], [20.0, 0.0]);
    }
}
