//! Locks per second, as ratios in one run: real nodes against etcd and Redis on the same machine,
//! and against what a Unix socket can do at best.
//!
//! etcd and Redis are started on loopback if they are installed, and left out if not. etcd is
//! asked by gRPC over one kept connection for each client, Redis by `SET NX` and `DEL`. Redis is
//! one server that forgets locks when it fails; it is there to show what is lost.
#![allow(clippy::disallowed_types, reason = "a benchmark is about the wall clock")]
#![allow(clippy::disallowed_methods, reason = "Redis has no queue: who waits has to try again")]
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]
#![allow(missing_docs, reason = "a benchmark is no library")]

mod echo;
mod etcd;
mod nodes;
mod protobuf;
mod redis;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long each measurement takes.
const SPAN: Duration = Duration::from_secs(6);

/// In how many rounds, where several take turns.
const ROUNDS: u32 = 40;

/// How many contend.
const CLIENTS: usize = 5;

/// A client of some service that has locks.
pub(crate) trait Locker: Send {
    /// Wait until the lock is had.
    fn acquire(&mut self);
    /// Give it back.
    fn release(&mut self);
}

/// Cycles of acquire and release per second by one client.
fn alone(locker: &mut dyn Locker, span: Duration) -> f64 {
    let start = Instant::now();
    let mut cycles = 0;
    while start.elapsed() < span {
        locker.acquire();
        locker.release();
        cycles += 1;
    }
    f64::from(cycles) / start.elapsed().as_secs_f64()
}

/// The same for each of these, which take turns: what else the machine does, and on which cores it
/// has two ends of a socket run, is no advantage for any. Means over all rounds.
fn in_turns<const N: usize>(mut lockers: [Option<Box<dyn Locker>>; N]) -> [Option<f64>; N] {
    let mut rates = [0.0; N];
    for _ in 0..ROUNDS {
        for (locker, rate) in lockers.iter_mut().zip(&mut rates) {
            if let Some(locker) = locker {
                *rate += alone(&mut **locker, SPAN / ROUNDS) / f64::from(ROUNDS);
            }
        }
    }
    std::array::from_fn(|k| lockers[k].as_ref().map(|_| rates[k]))
}

/// What came of several clients that contend.
struct Contended {
    per_second: f64,
    /// From asking to having, in milliseconds.
    wait_median: f64,
}

/// Grants per second to several clients at once; at every moment at most one may be inside.
fn contended(lockers: Vec<Box<dyn Locker>>) -> Contended {
    let (stop, inside) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = Instant::now();
    let mut waits: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = lockers
            .into_iter()
            .map(|mut locker| {
                let (stop, inside) = (&stop, &inside);
                scope.spawn(move || {
                    let mut waits = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let asked = Instant::now();
                        locker.acquire();
                        waits.push(asked.elapsed().as_secs_f64() * 1e3);
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two are inside");
                        inside.fetch_sub(1, Ordering::SeqCst);
                        locker.release();
                    }
                    waits
                })
            })
            .collect();
        // Somebody may wake this thread early.
        while start.elapsed() < SPAN {
            std::thread::park_timeout(SPAN.saturating_sub(start.elapsed()));
        }
        stop.store(true, Ordering::Relaxed);
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let per_second = waits.len() as f64 / start.elapsed().as_secs_f64();
    waits.sort_by(f64::total_cmp);
    Contended { per_second, wait_median: waits[waits.len() / 2] }
}

fn main() {
    // Anything that is no benchmark: `cargo test --benches` passes other flags.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let network = nodes::Line::start(folder.path(), CLIENTS);
    let etcd = etcd::Server::start(folder.path());
    let redis = redis::Server::start(folder.path());

    println!("acquire and release by one client where the token is, cycles per second, in turns");
    let [ours, dropped, bare, of_etcd, of_redis] = in_turns([
        Some(network.locker(0, "alone", true)),
        Some(network.locker(0, "dropped", false)),
        Some(Box::new(echo::Echo::start(folder.path()))),
        etcd.as_ref().map(|etcd| Box::new(etcd.locker("alone")) as Box<dyn Locker>),
        redis.as_ref().map(|redis| Box::new(redis.locker("alone")) as Box<dyn Locker>),
    ]);
    let ours = ours.unwrap();
    println!("  driftlock           {ours:10.0}");
    if let Some(dropped) = dropped {
        println!("  guards dropped      {dropped:10.0}   release not waited for");
    }
    if let Some(bare) = bare {
        let ratio = bare / ours;
        println!("  bare Unix socket    {bare:10.0}   {ratio:.2} times ours (aim: at most 3)");
    }
    if let Some(theirs) = of_etcd {
        let ratio = ours / theirs;
        println!("  etcd                {theirs:10.0}   ours is {ratio:.0} times (aim: 10)");
    }
    if let Some(theirs) = of_redis {
        println!("  Redis               {theirs:10.0}   ours is {:.1} times", ours / theirs);
    }

    println!("{CLIENTS} clients on {CLIENTS} nodes in a line, grants per second, median wait");
    let ours = contended((0..CLIENTS).map(|i| network.locker(i, "shared", true)).collect());
    println!("  driftlock           {:10.0}   {:8.2} ms", ours.per_second, ours.wait_median);
    if let Some(etcd) = &etcd {
        let lockers = (0..CLIENTS).map(|_| Box::new(etcd.locker("shared")) as Box<dyn Locker>);
        let theirs = contended(lockers.collect());
        let ratio = ours.per_second / theirs.per_second;
        println!(
            "  etcd                {:10.0}   {:8.2} ms   ours is {ratio:.0} times (aim: 10)",
            theirs.per_second, theirs.wait_median
        );
    }
    if let Some(redis) = &redis {
        let lockers = (0..CLIENTS).map(|_| Box::new(redis.locker("shared")) as Box<dyn Locker>);
        let theirs = contended(lockers.collect());
        let ratio = ours.per_second / theirs.per_second;
        println!(
            "  Redis, tried again  {:10.0}   {:8.2} ms   ours is {ratio:.1} times",
            theirs.per_second, theirs.wait_median
        );
    }

    let hops = network.hand_offs("handed", 2000);
    println!("from release at a node to grant at its neighbor");
    println!(
        "  driftlock           {:.3} ms median (aim: at most 0.2), {:.3} ms at 95 %",
        hops[hops.len() / 2],
        hops[hops.len() * 95 / 100]
    );
    for (name, there) in [("etcd", etcd.is_some()), ("Redis", redis.is_some())] {
        if !there {
            println!("{name} is not installed, and was left out");
        }
    }
}
