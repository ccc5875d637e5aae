//! Steps per second.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
#[allow(clippy::disallowed_types)]
use std::time::Instant;

use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::dice::{Dice, Stream};
use driftlock_sim::{Agenda, Measure, Network, Requests, Scenario, Shape, World};

fn heap(n: u64, events: u64) -> f64 {
    let mut x = 88172645463325252u64;
    let mut heap = BinaryHeap::new();
    for k in 0..n {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        heap.push(Reverse((x % 2000, k, k as u32)));
    }
    let mut seq = n;
    let t = Instant::now();
    for _ in 0..events {
        let Reverse((at, _, node)) = heap.pop().unwrap();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        heap.push(Reverse((at + 1 + x % 2000, seq, node)));
        seq += 1;
    }
    black_box(&heap);
    events as f64 / t.elapsed().as_secs_f64()
}
fn wheel(n: u64, events: u64) -> f64 {
    let mut x = 88172645463325252u64;
    let mut heap = Agenda::new();
    for k in 0..n {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        heap.schedule(x % 2000, k as u32);
    }
    let t = Instant::now();
    for _ in 0..events {
        let (at, node) = heap.pop().unwrap();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        heap.schedule(at + 1 + x % 2000, node);
    }
    black_box(&heap);
    events as f64 / t.elapsed().as_secs_f64()
}

fn main() {
    let pick: usize = std::env::var("N").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    for (n, entries) in [(30usize, 2_000_000u64), (10_000, 200_000), (1_000_000, 200_000)]
        .into_iter()
        .filter(|x| pick == 0 || x.0 == pick)
    {
        let quick = if std::env::var("QUICK").is_ok() { 1 } else { 5_000_000 };
        let h = heap(n as u64, quick);
        let w = wheel(n as u64, quick);
        let scenario = Scenario {
            network: if std::env::var("GRID").is_ok() {
                Network { nodes: n, shape: Shape::Grid, ..Network::default() }
            } else {
                Network { nodes: n, links: Some(3 * n), ..Network::default() }
            },
            requests: Requests { rate: 1.0, nodes: None },
            measure: Measure { warmup: 0, entries: Some(entries), until: None },
            ..Scenario::default()
        };
        let t = Instant::now();
        let world = World::<Rl>::new(&scenario, &Config::default()).unwrap();
        let setup = t.elapsed().as_secs_f64();
        let t = Instant::now();
        let run = world.run();
        assert!(run.violation.is_none());
        let secs = t.elapsed().as_secs_f64();
        let rl = run.steps as f64 / secs;
        println!(
            "n={n} heap {:.1}M wheel {:.1}M rl {:.2}M ratio {:.2} steps {} setup {setup:.1}s run {secs:.1}s",
            h / 1e6,
            w / 1e6,
            rl / 1e6,
            rl / h,
            run.steps
        );
    }
    let _ = (Shape::Line, Dice::new(1), Stream::Links);
}
