//! How it went: [`Summary`].

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::book::{Book, Page};
use super::play::LOCKS;
use super::watch::Seen;
use crate::Verdict;
use crate::args::DemoArgs;

/// How it went, as JSON has it.
#[derive(Serialize, Debug)]
pub(super) struct Summary {
    nodes: usize,
    seed: u64,
    loss: f64,
    still: bool,
    /// How long programs had.
    seconds: f64,
    interrupted: bool,
    locks: Vec<OfLock>,
    links: OfLinks,
    /// Tokens that came back from broken links.
    tokens_returned: u64,
    /// How often somebody was inside who must not be.
    overlaps: u64,
    /// How often the fence of the exclusive lock did not grow.
    fences_fallen: u64,
}

#[derive(Serialize, Debug)]
struct OfLock {
    name: &'static str,
    kind: &'static str,
    grants: usize,
    per_second: f64,
    median_wait_ms: Option<f64>,
    p95_wait_ms: Option<f64>,
    longest_wait_ms: Option<f64>,
    /// Grants that were taken back.
    lost: u64,
    /// The fence of the last grant.
    fence: u64,
}

#[derive(Serialize, Debug)]
struct OfLinks {
    up: usize,
    ups: u64,
    downs: u64,
    frames: u64,
    retransmissions: u64,
}

impl Summary {
    pub(super) fn new<W>(
        args: &DemoArgs,
        played: Duration,
        interrupted: bool,
        book: &Book<W>,
        seen: &Seen,
    ) -> Summary {
        let seconds = played.as_secs_f64();
        let locks = book.pages.iter().zip(&LOCKS).map(|(page, lock)| {
            let grants = page.waits.len();
            let [median_wait_ms, p95_wait_ms, longest_wait_ms] = waits(page);
            OfLock {
                name: lock.name,
                kind: lock.kind,
                grants,
                per_second: if 0.0 < seconds { grants as f64 / seconds } else { 0.0 },
                median_wait_ms,
                p95_wait_ms,
                longest_wait_ms,
                lost: page.lost,
                fence: page.fence,
            }
        });
        let total = seen.total();
        Summary {
            nodes: args.nodes,
            seed: args.seed,
            loss: args.loss,
            still: args.still,
            seconds,
            interrupted,
            locks: locks.collect(),
            links: OfLinks {
                up: seen.links().len(),
                ups: total.ups,
                downs: total.downs,
                frames: total.frames,
                retransmissions: total.retransmissions,
            },
            tokens_returned: total.returned,
            overlaps: book.overlaps(),
            fences_fallen: book.pages.iter().map(|page| page.fences_fallen).sum(),
        }
    }

    /// Fine, if nobody was inside who must not be, fences grew, and every lock was granted.
    pub(super) fn verdict(&self) -> Verdict {
        let granted = self.locks.iter().all(|lock| 0 < lock.grants);
        if self.overlaps + self.fences_fallen == 0 && granted {
            Verdict::Held
        } else {
            Verdict::Violated
        }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("text takes all");
        text
    }

    fn write(&self, to: &mut String) -> std::fmt::Result {
        let early = if self.interrupted { ", interrupted" } else { "" };
        let loss = match self.loss {
            0.0 => String::new(),
            loss => format!(", {} % of all frames lost", loss * 100.0),
        };
        writeln!(to, "{} nodes for {:.1} s{loss}{early}\n", self.nodes, self.seconds)?;
        let head = ["lock", "kind", "grants", "per s", "median wait", "95 %", "longest"];
        writeln!(to, "{}", columns(head))?;
        for lock in &self.locks {
            let [grants, rate] = [lock.grants.to_string(), format!("{:.1}", lock.per_second)];
            let waits = [lock.median_wait_ms, lock.p95_wait_ms, lock.longest_wait_ms];
            let [median, p95, longest] = waits.map(in_ms);
            let cells = [lock.name, lock.kind, &grants, &rate, &median, &p95, &longest];
            writeln!(to, "{}", columns(cells))?;
            if lock.grants == 0 {
                writeln!(to, "{}: never granted", lock.name)?;
            }
        }
        let OfLinks { ups, downs, up, .. } = self.links;
        writeln!(to, "\nlinks: {ups} came up, {downs} went down, {up} are up")?;
        writeln!(to, "tokens that came back from broken links: {}", self.tokens_returned)?;
        let lost: u64 = self.locks.iter().map(|lock| lock.lost).sum();
        writeln!(to, "local holders that met another and were told to stop: {lost}")?;
        writeln!(to, "fences that did not grow: {}", self.fences_fallen)?;
        writeln!(to, "overlaps: {}", self.overlaps)
    }
}

fn columns([lock, kind, grants, rate, median, p95, longest]: [&str; 7]) -> String {
    format!("{lock:<9} {kind:<10} {grants:>7} {rate:>7} {median:>12} {p95:>9} {longest:>9}")
}

fn in_ms(time: Option<f64>) -> String {
    time.map_or("-".into(), |ms| format!("{ms:.1} ms"))
}

/// The median, 95 % and the longest, in milliseconds, if there are any.
fn waits<W>(page: &Page<W>) -> [Option<f64>; 3] {
    let mut waits = page.waits.clone();
    waits.sort_unstable();
    // The smallest wait that this share of all does not exceed.
    let quantile = |percent: usize| {
        let rank = (waits.len() * percent).div_ceil(100).max(1);
        waits.get(rank - 1).map(|wait| wait.as_micros() as f64 / 1000.0)
    };
    [quantile(50), quantile(95), quantile(100)]
}

#[cfg(test)]
mod tests {
    use super::super::book::{Inside, Rule};
    use super::*;

    fn args() -> DemoArgs {
        DemoArgs { nodes: 3, seconds: 20.0, seed: 1, loss: 0.1, still: false, json: false }
    }

    /// A book in which the locks so far were granted as often as said, with waits of 1 ms, 2 ms...
    fn book(grants: [u64; 4]) -> Book<()> {
        let mut book = Book::new([Rule::Exclusive, Rule::Permits(2), Rule::Group, Rule::Local]);
        for (lock, &count) in grants.iter().enumerate() {
            for k in 1..=count {
                let who = Inside { node: 0, group: None, witness: () };
                let grant = book.enter(lock, who, k, Duration::from_millis(k));
                book.leave(lock, grant, false);
            }
        }
        book
    }

    fn summary(book: &Book<()>) -> Summary {
        Summary::new(&args(), Duration::from_secs(20), true, book, &Seen::new(3))
    }

    #[test]
    fn waits_are_ranked() {
        let summary = summary(&book([100, 1, 1, 1]));
        let lock = &summary.locks[0];
        let waits = [lock.median_wait_ms, lock.p95_wait_ms, lock.longest_wait_ms];
        assert_eq!(waits, [Some(50.0), Some(95.0), Some(100.0)]);
        assert_eq!((lock.grants, lock.per_second, lock.fence), (100, 5.0, 100));
        assert_eq!(summary.verdict(), Verdict::Held);
        let text = summary.text();
        assert!(text.starts_with("3 nodes for 20.0 s, 10 % of all frames lost, interrupted\n"));
        assert!(text.ends_with("\noverlaps: 0\n"), "{text}");
    }

    #[test]
    fn overlaps_fences_and_locks_that_were_never_granted_are_told() {
        let never = summary(&book([1, 1, 0, 1]));
        assert_eq!(never.verdict(), Verdict::Violated);
        assert!(never.text().contains("survey: never granted"), "{}", never.text());
        assert_eq!(never.locks[2].median_wait_ms, None);
        let mut overlapping = book([1, 1, 1, 1]);
        for fence in [2, 2] {
            let who = Inside { node: 0, group: None, witness: () };
            overlapping.enter(0, who, fence, Duration::ZERO);
        }
        let summary = summary(&overlapping);
        assert_eq!((summary.overlaps, summary.fences_fallen), (1, 1));
        assert_eq!(summary.verdict(), Verdict::Violated);
    }
}
