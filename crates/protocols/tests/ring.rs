//! The ring that is found on the way.

use std::collections::BTreeSet;

use driftlock_core::{NodeId, Protocol, Status, Tokens};
use driftlock_protocols::ring::{Msg, Ring, Token};

use crate::stage::Stage;
use crate::storms::{Storm, Weather};

const LINE: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];

fn network(n: usize, links: &[(u32, u32)]) -> Stage<Ring> {
    Stage::new(n, links, &())
}

/// Who has the token, or is about to have it.
fn holder(stage: &Stage<Ring>) -> u32 {
    let sent = tokens(stage).into_iter().map(|(_, to, _)| to);
    let held = stage.processes.iter().position(|process| process.token().is_some());
    sent.chain(held.map(NodeId::at)).next().unwrap().0
}

/// The tokens in transit, with sender and receiver.
fn tokens(stage: &Stage<Ring>) -> Vec<(NodeId, NodeId, Token)> {
    let channels = stage.channels.iter();
    let all = channels.flat_map(|(&(from, to), msgs)| msgs.iter().map(move |msg| (from, to, msg)));
    let tokens = all.filter_map(|(from, to, msg)| match msg {
        Msg::Token(token) => Some((from, to, token.clone())),
        Msg::Req(_) => None,
    });
    tokens.collect()
}

fn sent(stage: &Stage<Ring>, kind: &str) -> usize {
    stage.story.lines().filter(|line| line.contains(" -> ") && line.contains(kind)).count()
}

/// One token, at most one inside, and everybody is at most one round ahead of it.
fn judge(storm: &Storm<Ring>) {
    let stage = &storm.stage;
    assert!(storm.inside().len() <= 1, "{}", stage.story);
    let mut all: Vec<Token> = stage.processes.iter().filter_map(Ring::token).cloned().collect();
    all.extend(tokens(stage).into_iter().map(|(_, _, token)| token));
    assert_eq!(all.len(), 1, "{}", stage.story);
    for (k, process) in stage.processes.iter().enumerate() {
        let visited = all[0].visited.iter().any(|visit| visit.node == NodeId::at(k));
        let (coord, cround) = process.coord();
        assert_eq!(cround, all[0].round + i64::from(visited), "{k}\n{}", stage.story);
        assert!(!visited || coord == all[0].next, "{k}\n{}", stage.story);
        let inside = process.status() == Status::Critical;
        assert!(!inside || process.held() == 1, "{k}\n{}", stage.story);
    }
}

/// In any order of messages, while links change.
#[test]
fn the_ring_serves_everyone_in_any_schedule() {
    for (n, seed) in (1..=6).flat_map(|n| (0..600).map(move |seed| (n, seed))) {
        let mut storm: Storm<Ring> = Storm::new(n, seed, &());
        let (changes, overtaking) = ([0, 12][seed as usize % 2], seed % 3 == 0);
        let weather = Weather { requests: 14, resources: 1, changes, overtaking };
        let waiting = storm.run(weather, &judge);
        assert!(waiting.is_empty(), "n={n} seed={seed} {waiting:?}\n{}", storm.stage.story);
        let entries = sent(&storm.stage, "Token");
        assert!(entries <= 14 * n, "a round for each entry at most\n{}", storm.stage.story);
    }
}

/// A request that arrives late, when its round has begun, asks for nothing: its sender is served in
/// this round. One that arrives early, for the round to come, is kept.
#[test]
fn d1_requests_of_a_round_that_has_begun_begin_no_other() {
    let mut stage = network(2, &[(0, 1)]);
    stage.request(1);
    stage.request(0);
    stage.release(0);
    stage.deliver(0, 1);
    assert_eq!(stage.processes[1].status(), Status::Critical);
    stage.deliver(1, 0);
    stage.release(1);
    assert_eq!((stage.in_transit(), holder(&stage)), (0, 1), "the token rests\n{}", stage.story);
    assert_eq!(stage.processes[0].coord(), (NodeId(1), 1));
    stage.request(0);
    stage.deliver_all();
    assert_eq!(stage.processes[0].status(), Status::Critical);
    stage.request(1);
    assert_eq!(stage.processes[0].coord(), (NodeId(0), 2));
    stage.deliver_all();
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.processes[1].status(), Status::Critical, "it asked for round 2 in round 1");
}

/// The token goes to a node that no other is nearer than, over every network that stands still.
#[test]
fn d2_the_next_is_the_nearest_that_was_not_visited() {
    for (n, seed) in (2..=7).flat_map(|n| (0..300).map(move |seed| (n, seed))) {
        let mut storm: Storm<Ring> = Storm::new(n, seed, &());
        let weather = Weather { requests: 10, resources: 1, changes: 0, overtaking: false };
        storm.run(weather, &|storm| {
            for (from, to, token) in tokens(&storm.stage) {
                let had: BTreeSet<NodeId> = token.visited.iter().map(|visit| visit.node).collect();
                let distances = storm.links.distances(from);
                let left = storm.links.nodes().filter(|j| !had.contains(j));
                let nearest = left.min_by_key(|j| (distances[j.index()], *j));
                assert_eq!(to, nearest.unwrap_or(token.next), "{}", storm.stage.story);
            }
        });
    }
}

/// A line whose first node is in the middle of it, and the way the token takes.
#[test]
fn d2_a_way_back_leads_over_those_who_were_visited() {
    let mut stage = network(5, &[(0, 1), (1, 2), (0, 3), (3, 4)]);
    stage.request(2);
    stage.deliver(2, 0);
    let mut way = vec![0];
    while let Some((from, to, _)) = tokens(&stage).pop() {
        way.push(to.0);
        stage.deliver(from.0, to.0);
        if to.0 == 2 && stage.processes[2].status() == Status::Critical {
            stage.release(2);
        }
    }
    assert_eq!(way, [0, 1, 2, 3, 4, 1]);
}

/// Where nobody who was visited had a link to who was not, the smallest identifier is next.
#[test]
fn d2_who_is_not_known_to_be_near_is_visited_all_the_same() {
    let mut stage = network(4, &[(0, 1), (0, 2), (2, 3)]);
    for (a, b) in [(0, 1), (0, 2)] {
        stage.down(a, b);
    }
    stage.request(0);
    stage.release(0);
    assert_eq!(holder(&stage), 1);
    stage.up(0, 3);
    stage.up(1, 3);
    stage.deliver(0, 1);
    assert_eq!(holder(&stage), 3, "1 has told it of its new neighbor");
    stage.deliver_all();
    assert_eq!((holder(&stage), stage.in_transit()), (1, 0));
}

/// All have had it: the last sends it to who was second, if that is another.
#[test]
fn d3_the_last_passes_the_token_to_the_next_coordinator() {
    for n in 1..=4 {
        let mut stage = network(n, &LINE[..n - 1]);
        stage.request(0);
        stage.release(0);
        stage.deliver_all();
        let moves = [0, 1, 3, 4][n - 1];
        assert_eq!(sent(&stage, "Token"), moves, "{}", stage.story);
        assert_eq!(holder(&stage), u32::from(n > 1));
    }
}

/// One request, and a whole round, for one entry.
#[test]
fn under_light_load_an_entry_takes_one_message_and_one_for_each_node() {
    let mut stage = network(4, LINE);
    for node in [3, 0, 2, 3] {
        let before = stage.story.len();
        stage.request(node);
        stage.deliver_all();
        assert_eq!(stage.processes[node as usize].status(), Status::Critical);
        stage.release(node);
        stage.deliver_all();
        let messages = stage.story[before..].matches(" -> ").count();
        assert_eq!(messages, 1 + 4, "{}", stage.story);
    }
}

/// If all want to enter all the time, a request and a move of the token each; but the coordinator
/// asks nobody.
#[test]
fn under_heavy_load_an_entry_takes_two_messages() {
    let (n, rounds) = (4, 25);
    let mut stage = network(n, LINE);
    (0..n as u32).for_each(|k| stage.request(k));
    for _ in 0..rounds * n {
        while stage.processes.iter().all(|process| process.status() != Status::Critical) {
            let (&(from, to), _) =
                stage.channels.iter().find(|(_, msgs)| !msgs.is_empty()).unwrap();
            stage.deliver(from.0, to.0);
        }
        let inside = stage.processes.iter().position(|p| p.status() == Status::Critical).unwrap();
        stage.release(inside as u32);
        stage.request(inside as u32);
    }
    assert_eq!(sent(&stage, "Token"), rounds * n);
    let asked = sent(&stage, "Req");
    assert!((rounds * n - rounds..=rounds * n + n).contains(&asked), "{asked}");
}
