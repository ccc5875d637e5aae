//! The load test: a [`Crowd`] at nodes that move, and what these use of memory.

use std::time::{Duration, Instant};

use crate::bell::Bell;
use crate::cost::Cost;
use crate::crowd::{AT_EACH, Crowd, NAMES};
use crate::fleet::Fleet;

/// Between two moves.
const PAUSE: Duration = Duration::from_secs(2);

/// So many moves come before memory is judged. Nodes remember something of each neighbor that they
/// have had, for each name; after so many moves hardly anybody is new to anybody.
const MOVES: usize = 45;

/// So much more may be in use in the last third than in the first.
const GROWTH: f64 = 1.05;

/// Programs at every node use all names while everybody moves, for so long once all are known.
pub(crate) fn run(mut fleet: Fleet, nodes: u32, time: Duration) {
    let look = fleet.map.look();
    fleet.become_near(&look).unwrap();
    let (crowd, never) = (Crowd::new(nodes), Bell::default());
    let ready: Vec<Bell> = (0..nodes * AT_EACH).map(|_| Bell::default()).collect();
    println!("{nodes} nodes, {} programs, {NAMES} names", ready.len());
    let (before, samples) = std::thread::scope(|scope| {
        for (number, ready) in (0..).zip(&ready) {
            let (crowd, socket) = (&crowd, fleet.lab.socket(1 + number / AT_EACH));
            scope.spawn(move || crowd.work(number, &socket, ready));
        }
        let start = Instant::now();
        ready.iter().for_each(|ready| while_waiting(&crowd, || !ready.wait(PAUSE)));
        println!("all names known everywhere after {:.0} s", start.elapsed().as_secs_f64());
        // While so much is going on, links may be late.
        let mut go = || {
            let _ = fleet.go(1);
            never.wait(PAUSE);
            Cost::of(&fleet.processes)
        };
        let known = go();
        let mut moves = 1..MOVES;
        while_waiting(&crowd, || moves.next().map(|_| go()).is_some());
        let [known, met] = [known, go()].map(|cost| total(&cost));
        println!("memory in total: {known} KiB then, {met} KiB after {MOVES} moves");
        let (before, start, mut samples) = (crowd.counts(), Instant::now(), Vec::new());
        while_waiting(&crowd, || {
            samples.push(go());
            start.elapsed() < time
        });
        crowd.end.ring();
        println!("then, in {:.0} s with {} moves:", start.elapsed().as_secs_f64(), samples.len());
        while_waiting(&crowd, || !never.wait(PAUSE) && crowd.is_busy());
        (before, samples)
    });
    let counts = crowd.counts();
    for ((kind, said), count) in &counts {
        println!("  {kind}, {said}: {}", count - before.get(&(*kind, *said)).unwrap_or(&0));
    }
    let of = |said| counts.iter().filter(|(key, _)| key.1 == said).map(|(_, n)| n).sum::<u64>();
    assert_eq!(of("granted"), of("released"), "whatever was granted was given back");
    assert_eq!((of("not released"), of("refused for another reason")), (0, 0));
    judge_memory(&samples);
}

/// See that nobody waits for an answer that does not come, as long as something is the case.
fn while_waiting(crowd: &Crowd, mut is_so: impl FnMut() -> bool) {
    while is_so() {
        let hung = crowd.hung();
        if hung > 0 {
            // Nobody can wait for their threads.
            println!("{hung} programs have no answer");
            std::process::exit(1);
        }
    }
}

/// What nodes use in the last third of the time is what they use in the first.
fn judge_memory(samples: &[Cost]) {
    let third = samples.len() / 3;
    let mean = |part: &[Cost], of: fn(&Cost) -> u64| {
        part.iter().map(|cost| of(cost) as f64).sum::<f64>() / part.len() as f64
    };
    let [first, last] = [&samples[..third], &samples[samples.len() - third..]];
    for (what, of) in [("in total", total as fn(&Cost) -> u64), ("of the largest", Cost::largest)] {
        let (first, last) = (mean(first, of), mean(last, of));
        println!("memory {what}: {first:.0} KiB in the first third, {last:.0} KiB in the last");
        assert!(last < first * GROWTH, "memory {what} grows");
    }
}

fn total(cost: &Cost) -> u64 {
    cost.memory()[0].1
}
