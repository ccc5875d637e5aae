//! Up to `k` at once, by permission.

use driftlock_core::{Protocol, Status};
use driftlock_protocols::raymond_k::{Config, RaymondK};

use crate::stage::Stage;
use crate::storms::{Storm, Weather};

fn network(n: usize, tokens: u32) -> Stage<RaymondK> {
    let links: Vec<(u32, u32)> = (1..n as u32).map(|k| (0, k)).collect();
    Stage::new(n, &links, &Config { tokens })
}

fn sent(stage: &Stage<RaymondK>) -> usize {
    stage.story.lines().filter(|line| line.contains(" -> ")).count()
}

fn inside(stage: &Stage<RaymondK>) -> Vec<usize> {
    let is_inside = |k: &usize| stage.processes[*k].status() == Status::Critical;
    (0..stage.processes.len()).filter(is_inside).collect()
}

/// `k` and nobody more are inside, and everyone gets in; even if messages overtake each other.
#[test]
fn raymond_k_serves_everyone_in_any_schedule() {
    for n in 2..=6 {
        for tokens in [1, 2, 3, n as u32] {
            for (seed, overtaking) in (0..300).flat_map(|seed| [(seed, false), (seed, true)]) {
                let mut storm: Storm<RaymondK> = Storm::new(n, seed, &Config { tokens });
                let weather = Weather { requests: 14, resources: 1, changes: 0, overtaking };
                let waiting = storm.run(weather, &|storm| {
                    let inside = storm.inside().len();
                    assert!(inside <= tokens as usize, "{}", storm.stage.story);
                });
                assert!(waiting.is_empty(), "n={n} k={tokens} seed={seed}\n{}", storm.stage.story);
            }
        }
    }
}

/// With `k = 1` this is Ricart and Agrawala: each entry takes `2(n - 1)` messages.
#[test]
fn with_one_token_an_entry_takes_two_messages_for_each_other_node() {
    for n in 2..=6 {
        for seed in 0..50 {
            let mut storm: Storm<RaymondK> = Storm::new(n, seed, &Config { tokens: 1 });
            let weather = Weather { requests: 9, resources: 1, changes: 0, overtaking: false };
            storm.run(weather, &|_| {});
            assert_eq!(sent(&storm.stage), 9 * 2 * (n - 1));
        }
    }
}

/// The older request goes first; of two of the same age, that of the lower node.
#[test]
fn older_requests_go_first() {
    let mut stage = network(3, 1);
    stage.request(2);
    stage.request(1);
    stage.deliver_all();
    assert_eq!(inside(&stage), [1]);
    stage.release(1);
    stage.deliver_all();
    assert_eq!(inside(&stage), [2]);
}

/// With `k = 2` a node does not wait for the reply of one that is inside, and one reply answers
/// both of the requests that it made meanwhile.
#[test]
fn one_reply_answers_all_requests_that_were_deferred() {
    let mut stage = network(3, 2);
    stage.request(0);
    stage.deliver_all();
    for _ in 0..2 {
        stage.request(1);
        stage.deliver_all();
        assert_eq!(inside(&stage), [0, 1]);
        stage.release(1);
    }
    let before = sent(&stage);
    stage.release(0);
    assert_eq!(sent(&stage), before + 1);
    assert!(stage.story.ends_with("Reply(2)\n"), "{}", stage.story);
    stage.deliver_all();
}

/// If everyone may be inside, nobody waits for anybody.
#[test]
fn with_as_many_tokens_as_nodes_everyone_enters_at_once() {
    let mut stage = network(4, 4);
    (0..4).for_each(|k| stage.request(k));
    assert_eq!(inside(&stage), [0, 1, 2, 3]);
}
