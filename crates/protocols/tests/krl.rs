//! KRL, KRLF and KRLA: what they promise, what that rests on, and where they depart from the paper.

use std::collections::VecDeque;

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::krl::{Config, Forwarding, Krl};

use crate::stage::Stage;
use crate::storms::{Storm, Weather};

const SCHEDULES: u64 = 400;

fn config(variant: Variant, tokens: u32, forwarding: Forwarding) -> Config {
    Config::new(variant, tokens, forwarding)
}

fn stage(links: &[(u32, u32)], config: &Config) -> Stage<Krl> {
    let n = links.iter().map(|&(a, b)| a.max(b) as usize + 1).max().unwrap();
    Stage::new(n, links, config)
}

fn is_quiet(stage: &Stage<Krl>, a: NodeId, b: NodeId) -> bool {
    [(a, b), (b, a)].iter().all(|pair| stage.channels.get(pair).is_none_or(VecDeque::is_empty))
}

/// All pairs that know each other and have nothing in transit between them.
fn quiet_links(stage: &Stage<Krl>) -> Vec<(NodeId, NodeId)> {
    let n = stage.processes.len() as u32;
    let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (NodeId(a), NodeId(b))));
    let knows = |a: NodeId, b: NodeId| stage.processes[a.index()].height_of(b).is_some();
    let quiet = pairs.filter(|&(a, b)| a != b && knows(a, b) && knows(b, a));
    quiet.filter(|&(a, b)| is_quiet(stage, a, b)).collect()
}

/// Links that lead the same way, up or down, at both ends.
fn at_odds(stage: &Stage<Krl>) -> usize {
    let leads_down = |a: NodeId, b: NodeId| {
        let process = &stage.processes[a.index()];
        process.height_of(b).unwrap() < process.my_height()
    };
    let links = quiet_links(stage).into_iter().filter(|(a, b)| a < b);
    links.filter(|&(a, b)| leads_down(a, b) == leads_down(b, a)).count()
}

/// Up to k inside, k tokens, none kept from who waits for it, and queues that say the truth.
fn judge(storm: &Storm<Krl>, tokens: u32) {
    let stage = &storm.stage;
    assert!(storm.inside().len() <= tokens as usize, "{}", stage.story);
    let held: u32 = stage.processes.iter().map(Tokens::held).sum();
    let sent: u32 = stage.channels.values().flatten().map(Krl::carried).sum();
    assert_eq!(held + sent, tokens, "{}", stage.story);
    assert_eq!(stage.undefined, 0, "{}", stage.story);
    for process in &stage.processes {
        let idle = process.num_tokens() > u32::from(process.status() == Status::Critical);
        assert!(!idle || process.q().is_empty(), "{}", stage.story);
    }
    for (a, b) in quiet_links(stage) {
        let (asks, asked) = (&stage.processes[a.index()], &stage.processes[b.index()]);
        let counts_on = asks.asked() == Some(b);
        assert_eq!(counts_on, asked.q().contains(a), "{a}, {b}\n{}", stage.story);
        assert_eq!(asks.unconfirmed(b), 0, "{a}, {b}\n{}", stage.story);
    }
    assert!(tokens == 1 || at_odds(stage) == 0, "{}", stage.story);
}

fn storm(n: usize, seed: u64, config: &Config, changes: usize) {
    let mut storm: Storm<Krl> = Storm::new(n, seed, config);
    let weather = Weather { requests: 10, resources: 1, changes, overtaking: false };
    let waiting = storm.run(weather, &|storm| judge(storm, config.tokens));
    let setting = format!("n={n} seed={seed} {config:?}");
    assert!(waiting.is_empty(), "{waiting:?} {setting}\n{}", storm.stage.story);
    let raised = storm.stage.story.contains("RaiseHeight");
    assert!(changes > 0 || !raised, "section 4.2: static, {setting}");
    let missing = storm.stage.processes.iter().any(Krl::no_token_reachable);
    assert!(!missing, "there is a token {setting}\n{}", storm.stage.story);
}

#[test]
fn krl_and_krla_serve_everyone_in_any_schedule() {
    for n in 2..=6 {
        for seed in 0..SCHEDULES {
            let tokens = 1 + (seed % n as u64) as u32;
            for forwarding in [Forwarding::Never, Forwarding::Adaptive] {
                let config = config(Variant::Repaired, tokens, forwarding);
                storm(n, seed, &config, 0);
                storm(n, seed, &config, 8);
            }
        }
    }
}

/// Without reference levels too, as far as the network stays connected.
#[test]
fn krl_serves_everyone_with_the_heights_of_the_paper() {
    for seed in 0..SCHEDULES {
        let tokens = 1 + (seed % 4) as u32;
        let config = config(Variant::Repaired, tokens, Forwarding::Never);
        storm(5, seed, &Config { detects: false, ..config }, 8);
    }
}

/// Two nodes leave at the same time, and both want to enter again: their tokens cross.
fn crossed(variant: Variant) -> Stage<Krl> {
    let mut stage = stage(&[(0, 1)], &config(variant, 2, Forwarding::Always));
    [0, 1].into_iter().for_each(|k| stage.request(k));
    [0, 1].into_iter().for_each(|k| stage.release(k));
    [0, 1].into_iter().for_each(|k| stage.request(k));
    stage.deliver_all();
    assert!(stage.processes.iter().all(|process| process.status() == Status::Critical));
    stage
}

#[test]
fn d5_published_tokens_that_cross_make_both_ends_deaf() {
    let stage = crossed(Variant::Published);
    assert_eq!(stage.processes[0].unconfirmed(NodeId(1)), 1, "{}", stage.story);
    assert_eq!(stage.processes[1].unconfirmed(NodeId(0)), 1, "{}", stage.story);
}

#[test]
fn d5_tokens_that_cross_are_confirmed() {
    let stage = crossed(Variant::Repaired);
    assert_eq!(stage.processes[0].unconfirmed(NodeId(1)), 0, "{}", stage.story);
    assert_eq!(stage.processes[1].unconfirmed(NodeId(0)), 0, "{}", stage.story);
    assert_eq!(at_odds(&stage), 0);
}

/// 0 gives its only token to 1.
fn given_away(variant: Variant) -> Stage<Krl> {
    let mut stage = stage(&[(0, 1)], &config(variant, 1, Forwarding::Never));
    stage.request(0);
    stage.request(1);
    stage.deliver_all();
    stage.release(0);
    stage
}

#[test]
fn d6_published_who_has_no_token_left_lowers_itself() {
    assert!(given_away(Variant::Published).story.contains("n0 does LowerHeight"));
    assert!(!given_away(Variant::Repaired).story.contains("LowerHeight"));
}

#[test]
fn d6_two_holders_alone_do_not_lower_themselves_for_ever() {
    let leave = |variant| {
        let mut stage = stage(&[(0, 1)], &config(variant, 2, Forwarding::Never));
        stage.request(1);
        stage.release(1);
        stage
    };
    let mut published = leave(Variant::Published);
    for _ in 0..100 {
        published.deliver(1, 0);
        published.deliver(0, 1);
    }
    assert_eq!(published.in_transit(), 1, "they never stop");
    let mut repaired = leave(Variant::Repaired);
    repaired.deliver_all();
    assert!(repaired.story.matches("LowerHeight").count() <= 2, "{}", repaired.story);
}

#[test]
fn d7_published_links_lead_up_at_both_ends() {
    let weather = Weather { requests: 10, resources: 1, changes: 0, overtaking: false };
    let odd = |variant| {
        (0..SCHEDULES).filter(move |&seed| {
            let config = config(variant, 2, Forwarding::Never);
            let mut storm: Storm<Krl> = Storm::new(5, seed, &config);
            storm.run(weather, &|_| {});
            at_odds(&storm.stage) > 0
        })
    };
    let published = odd(Variant::Published).count() as u64;
    assert!(published > SCHEDULES / 4, "{published} of {SCHEDULES}");
    assert_eq!(odd(Variant::Repaired).count(), 0);
}

/// 0 passes its token on to 1, which is far below it.
#[test]
fn d8_a_lower_height_is_not_forgotten() {
    let passed = |variant| {
        let heights = vec![(0, 0), (-5, 0)];
        let config = Config { heights, ..config(variant, 1, Forwarding::Always) };
        let mut stage = stage(&[(0, 1)], &config);
        stage.request(0);
        stage.release(0);
        stage.processes[0].height_of(NodeId(1)).unwrap().to_string()
    };
    assert_eq!(passed(Variant::Published), "(0,-1,1)");
    assert_eq!(passed(Variant::Repaired), "(-5,0,1)");
}

#[test]
fn d9_a_token_is_kept_where_there_is_no_neighbor() {
    let left_alone = |variant| {
        let mut stage = stage(&[(0, 1)], &config(variant, 1, Forwarding::Always));
        stage.request(0);
        stage.down(0, 1);
        stage.release(0);
        stage
    };
    assert!(left_alone(Variant::Published).story.contains("PickLowest&ForwardToken, line 3"));
    let mut repaired = left_alone(Variant::Repaired);
    assert_eq!((repaired.undefined, repaired.processes[0].num_tokens()), (0, 1));
    repaired.up(0, 1);
    repaired.deliver(0, 1);
    repaired.deliver(1, 0);
    assert_eq!(repaired.processes[0].num_tokens(), 0, "it is passed on\n{}", repaired.story);
}

/// 1 and 2 are cut off from the token, and 2 asks.
fn cut_off(variant: Variant) -> Stage<Krl> {
    let mut stage = stage(&[(0, 1), (1, 2)], &config(variant, 1, Forwarding::Never));
    stage.request(2);
    stage.deliver_all();
    stage.release(2);
    stage.request(0);
    stage.deliver_all();
    stage.down(0, 1);
    stage.request(2);
    stage
}

#[test]
fn d10_published_a_part_without_a_token_never_falls_silent() {
    let mut stage = cut_off(Variant::Published);
    for _ in 0..1000 {
        let busy = stage.channels.iter().find(|(_, messages)| !messages.is_empty());
        let (&(from, to), _) = busy.expect("there is always something in transit");
        stage.deliver(from.0, to.0);
    }
    assert!(stage.in_transit() > 0);
}

#[test]
fn d10_a_part_without_a_token_knows_it_and_recovers() {
    let mut stage = cut_off(Variant::Repaired);
    stage.deliver_all();
    let says =
        |stage: &Stage<Krl>| [0, 1, 2].map(|k: usize| stage.processes[k].no_token_reachable());
    assert_eq!(says(&stage), [false, true, true], "{}", stage.story);
    assert!(stage.story.contains("no token reachable"));
    assert_eq!(stage.processes[2].status(), Status::Waiting);
    stage.up(0, 2);
    stage.deliver_all();
    assert_eq!(says(&stage), [false; 3], "{}", stage.story);
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.processes[2].status(), Status::Critical, "{}", stage.story);
}

/// Where nobody waits for anybody tokens rest, and where somebody does, they go to see others.
#[test]
fn krla_moves_idle_tokens_only_under_load() {
    let ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)];
    let mut stage = stage(&ring, &config(Variant::Repaired, 2, Forwarding::Adaptive));
    for k in [0, 3, 1, 5, 2] {
        stage.request(k);
        stage.deliver_all();
        stage.release(k);
        stage.deliver_all();
    }
    assert!(!stage.story.contains('~'), "nobody had to wait\n{}", stage.story);
    for _ in 0..3 {
        (0..6).for_each(|k| stage.request(k));
        for _ in 0..6 {
            stage.deliver_all();
            let inside = |k: &u32| stage.processes[*k as usize].status() == Status::Critical;
            let inside: Vec<u32> = (0..6).filter(inside).collect();
            inside.into_iter().for_each(|k| stage.release(k));
        }
        stage.deliver_all();
    }
    assert!(stage.story.contains('~'), "everybody had to wait\n{}", stage.story);
    assert_eq!(stage.in_transit(), 0, "and every trip has an end");
}
