//! The cluster algorithm, step by step: what the paper says, and where that goes wrong.

use driftlock_core::{Initial, Input, NodeId, Protocol, Status};
use driftlock_protocols::cluster::published::{self, Published};
use driftlock_protocols::cluster::{Cluster, Config, Msg, Timer};

use crate::stage::Stage;

/// Two clusters: 0 with 2 and 4, 1 with 3 and 5; 2 and 3 hear each other.
const TWO: &[(u32, u32)] = &[(0, 2), (0, 4), (1, 3), (1, 5), (2, 3)];

/// Four heads in a line, 0 to 3, with a member between each two.
const LINE: &[(u32, u32)] = &[(0, 4), (4, 1), (1, 5), (5, 2), (2, 6), (6, 3)];

fn two() -> Stage<Cluster> {
    Stage::new(6, TWO, &Config::default())
}

fn inside<P: Initial>(stage: &Stage<P>) -> Vec<usize> {
    let all = stage.processes.iter().enumerate();
    all.filter(|(_, process)| process.status() == Status::Critical).map(|(k, _)| k).collect()
}

/// Everything arrives, and who is inside leaves, until nothing happens any more. Returns who was
/// inside, in order.
fn serve_all(stage: &mut Stage<Cluster>) -> Vec<usize> {
    let mut order = Vec::new();
    loop {
        stage.deliver_all();
        let now = inside(stage);
        assert!(now.len() <= 1, "{now:?}\n{}", stage.story);
        let Some(&k) = now.first() else { return order };
        order.push(k);
        stage.release(k as u32);
    }
}

#[test]
fn clusters_are_those_of_the_lowest_identifier() {
    let heads = |stage: &Stage<Cluster>| -> Vec<u32> {
        stage.processes.iter().map(|process| process.head().0).collect()
    };
    assert_eq!(heads(&two()), [0, 1, 0, 1, 0, 1]);
    let line: Stage<Cluster> = Stage::new(7, LINE, &Config::default());
    assert_eq!(heads(&line), [0, 1, 2, 3, 0, 1, 2]);
    assert_eq!(line.processes[1].neighbors(), [NodeId(0), NodeId(2)]);
}

/// A cluster is served in the order of its requests, and each entry takes a request, a local token
/// and an `over`.
#[test]
fn a_cluster_is_served_in_the_order_of_its_requests() {
    let mut stage = two();
    for node in [4, 2, 0] {
        stage.request(node);
    }
    // 0 has the token and asks last, but nothing was delivered yet.
    assert_eq!(inside(&stage), [0]);
    stage.deliver(2, 0);
    stage.deliver(4, 0);
    assert_eq!(serve_all(&mut stage), [0, 2, 4]);
}

/// A request that comes while others are served is served at the next visit.
#[test]
fn d1_later_requests_are_served_in_the_next_round() {
    let mut stage = two();
    stage.request(0);
    stage.request(2);
    stage.request(3);
    stage.deliver_all();
    assert_eq!(inside(&stage), [0]);
    stage.release(0);
    assert_eq!(serve_all(&mut stage), [3, 2]);
}

/// 4 cannot hear 2: the local token goes back to the head, which sends it on.
#[test]
fn d2_a_local_token_that_is_back_is_sent_on() {
    let mut stage = two();
    stage.request(5);
    stage.deliver_all();
    stage.request(4);
    stage.request(2);
    stage.deliver(4, 0);
    stage.deliver(2, 0);
    assert_eq!(serve_all(&mut stage), [5, 4, 2]);
    assert!(stage.story.contains("n4 -> n0 Local"), "{}", stage.story);
}

/// Only head 3 was not visited; in the text, the token goes back and forth between 0 and 1.
#[test]
fn d3_the_token_finds_the_last_head_that_was_not_visited() {
    let config = published::Config { dual: false, ..published::Config::default() };
    let mut stage: Stage<Published> = Stage::new(7, LINE, &config);
    stage.request(3);
    for _ in 0..100 {
        let next = stage.channels.iter().find(|(_, msgs)| !msgs.is_empty());
        let Some((&(from, to), _)) = next else { break };
        stage.deliver(from.0, to.0);
        if inside(&stage) == [3] {
            stage.release(3);
            stage.request(3);
        }
    }
    let is_sent = |line: &&str| line.contains("-> ") && line.contains("Global(");
    let sent: Vec<&str> = stage.story.lines().filter(is_sent).collect();
    let between = |line: &&str| line.contains("n0 -> n1") || line.contains("n1 -> n0");
    assert!(sent[sent.len() - 50..].iter().all(between), "{}", stage.story);

    let mut stage: Stage<Cluster> = Stage::new(7, LINE, &Config::default());
    for round in 0..3 {
        stage.request(3);
        assert_eq!(serve_all(&mut stage), [3], "round {round}");
    }
}

/// 5 becomes a head of its own, of which nobody was told in advance.
#[test]
fn d4_new_heads_are_visited() {
    let mut stage = two();
    stage.request(0);
    stage.release(0);
    stage.deliver_all();
    stage.up(4, 5);
    stage.down(1, 5);
    stage.deliver_all();
    assert_eq!(stage.processes[5].head(), NodeId(5));
    stage.request(5);
    assert_eq!(serve_all(&mut stage), [5]);
}

/// 5 was a head and gives up: the token finds out once, and does not go there again.
#[test]
fn d4_who_is_no_head_any_more_is_left_out() {
    let mut stage = two();
    stage.up(4, 5);
    stage.down(1, 5);
    stage.deliver_all();
    stage.request(5);
    assert_eq!(serve_all(&mut stage), [5]);
    let sent = |stage: &Stage<Cluster>| stage.story.matches("-> n5 Global(").count();
    let before = sent(&stage);
    stage.up(1, 5);
    stage.request(2);
    stage.deliver_all();
    assert_eq!(inside(&stage), [2]);
    stage.step(NodeId(5), Input::Timer(Timer::Contend));
    assert_eq!(serve_all(&mut stage), [2]);
    assert_eq!(stage.processes[5].head(), NodeId(1));
    for round in 0..4 {
        stage.request(4);
        stage.request(3);
        assert_eq!(serve_all(&mut stage).len(), 2, "round {round}");
        assert_eq!(sent(&stage), before + 1, "round {round}");
    }
}

/// 1 has never heard of 0, nor 0 of 1, when its request begins an epoch: the token of that goes
/// back and forth between them from then on, and there is no other epoch.
#[test]
fn d4_a_head_that_was_not_known_begins_one_epoch() {
    let mut stage: Stage<Cluster> = Stage::new(4, &[(0, 2), (1, 2), (1, 3)], &Config::default());
    stage.up(2, 3);
    // The `Hello` of 2 is lost: 3 does not know of 0, nor does 1 when 2 is out of range.
    let hello = stage.channels.get_mut(&(NodeId(2), NodeId(3))).and_then(|msgs| msgs.pop_front());
    assert!(matches!(hello, Some(Msg::Hello(_))));
    stage.deliver_all();
    stage.down(1, 2);
    stage.deliver_all();
    let known = [0, 1].map(|k: usize| stage.processes[k].neighbors());
    assert_eq!(known, [vec![NodeId(1)], Vec::new()]);
    for _ in 0..3 {
        stage.request(1);
        stage.request(0);
        let mut order = serve_all(&mut stage);
        if order.len() < 2 {
            stage.step(NodeId(0), Input::Timer(Timer::Lost));
            order.extend(serve_all(&mut stage));
        }
        order.sort_unstable();
        assert_eq!(order, [0, 1], "{}", stage.story);
    }
    let number = stage.processes[1].promised().number;
    assert!(number <= 1, "{number} epochs\n{}", stage.story);
}

/// A node that waits moves to the other cluster, and its request with it.
#[test]
fn d5_a_request_moves_with_its_node() {
    let mut stage = two();
    stage.request(2);
    stage.deliver_all();
    stage.request(4);
    stage.deliver_all();
    stage.up(1, 4);
    stage.deliver_all();
    stage.down(0, 4);
    stage.deliver_all();
    assert_eq!(stage.processes[4].head(), NodeId(1));
    assert_eq!(serve_all(&mut stage), [2, 4]);
    assert_eq!(serve_all(&mut stage), [0_usize; 0], "nobody is served twice");
}

/// Two heads hear each other: the higher one gives up when they still do after a while, and those
/// it leaves go where they can.
#[test]
fn d5_of_two_heads_the_higher_gives_up() {
    let mut stage = two();
    stage.up(0, 1);
    stage.deliver_all();
    assert_eq!(stage.processes[1].head(), NodeId(1));
    stage.request(5);
    stage.deliver_all();
    stage.step(NodeId(1), Input::Timer(Timer::Contend));
    stage.deliver_all();
    let heads: Vec<u32> = stage.processes.iter().map(|process| process.head().0).collect();
    assert_eq!(heads, [0, 0, 0, 3, 0, 5]);
    assert_eq!(serve_all(&mut stage), [5]);
}

/// Time goes on while two heads are neighbors, whoever else comes and goes. It ends when they part.
#[test]
fn d5_two_heads_contend_whatever_else_is_new() {
    let mut stage = two();
    stage.up(0, 1);
    stage.deliver_all();
    let told = |stage: &Stage<Cluster>, what: &str| stage.story.matches(what).count();
    assert_eq!(told(&stage, "sets Contend"), 1, "{}", stage.story);
    for _ in 0..3 {
        stage.up(1, 2);
        stage.deliver_all();
        stage.down(1, 2);
        stage.deliver_all();
    }
    let counts = ["sets Contend", "cancels Contend"].map(|what| told(&stage, what));
    assert_eq!(counts, [1, 0], "{}", stage.story);
    stage.down(0, 1);
    let counts = ["sets Contend", "cancels Contend"].map(|what| told(&stage, what));
    assert_eq!(counts, [1, 1], "{}", stage.story);
}

/// One time-out that is wrong, and the text lets two in; the new epoch waits for who is inside.
#[test]
fn d6_a_wrong_time_out_lets_nobody_in() {
    let config = published::Config { dual: false, ..published::Config::default() };
    let mut stage: Stage<Published> = Stage::new(6, TWO, &config);
    stage.request(4);
    stage.deliver(4, 0);
    stage.step(NodeId(0), Input::Timer(published::Timer::Over));
    stage.deliver(0, 4);
    stage.release(4);
    stage.request(2);
    stage.request(5);
    stage.deliver(5, 1);
    stage.deliver(1, 0);
    // `over&out` of the first token arrives, and that of the second is slow.
    stage.deliver(4, 0);
    stage.deliver(4, 0);
    stage.deliver(0, 1);
    stage.deliver(2, 0);
    stage.deliver(1, 5);
    stage.release(5);
    stage.request(5);
    stage.deliver(5, 1);
    stage.deliver(5, 1);
    stage.deliver(5, 1);
    stage.deliver(1, 0);
    stage.deliver(0, 4);
    stage.deliver(0, 2);
    assert_eq!(inside(&stage), [2]);
    stage.deliver(4, 0);
    stage.deliver(0, 1);
    stage.deliver(1, 5);
    assert_eq!(inside(&stage), [2, 5], "{}", stage.story);

    let mut stage = two();
    stage.request(4);
    stage.deliver_all();
    stage.step(NodeId(0), Input::Timer(Timer::Lost));
    stage.request(5);
    stage.deliver_all();
    assert_eq!(inside(&stage), [4]);
    assert_eq!(stage.processes[1].promised().number, 1);
    assert_eq!(serve_all(&mut stage), [4, 5]);
}

/// 2 waits while it is written off, and gets in all the same: the old local token was on its way.
#[test]
fn d6_who_is_written_off_while_it_waits_may_get_in_later() {
    let links = &[(0, 2), (2, 3), (1, 3), (1, 4)];
    let config = Config { patience: Some(0), ..Config::default() };
    let mut stage: Stage<Cluster> = Stage::new(5, links, &config);
    stage.request(2);
    stage.deliver(2, 0);
    stage.request(4);
    stage.deliver(4, 1);
    stage.step(NodeId(1), Input::Timer(Timer::Lost));
    for member in [3, 4] {
        stage.deliver(1, member);
        stage.deliver(member, 1);
    }
    let waits = |stage: &Stage<Cluster>| stage.processes[2].status() == Status::Waiting;
    assert!(waits(&stage) && inside(&stage).is_empty());
    stage.step(NodeId(1), Input::Timer(Timer::Answers));
    stage.deliver(1, 4);
    assert!(waits(&stage) && inside(&stage) == [4]);
    stage.deliver(0, 2);
    assert_eq!(inside(&stage), [2, 4], "{}", stage.story);
    let epochs = [2, 4].map(|k: usize| stage.processes[k].inside_under().unwrap().number);
    assert_eq!(epochs, [0, 1]);
    // It is sent out as soon as it hears of the new epoch, and waits for its turn in that.
    stage.deliver_all();
    assert_eq!(inside(&stage), [4]);
    assert_eq!(serve_all(&mut stage), [4, 2]);
}

/// 0 is inside and refuses an old token of 2, which begins an epoch that 0 knows of by others: to
/// refuse is not to promise.
#[test]
fn d6_who_is_inside_promises_nothing_by_refusing() {
    let mut stage: Stage<Cluster> =
        Stage::new(4, &[(0, 3), (1, 3), (2, 3)], &Config { patience: None, ..Config::default() });
    let late = |stage: &mut Stage<Cluster>, node: u32| {
        stage.request(node);
        stage.step(NodeId(node), Input::Timer(Timer::Lost));
    };
    // 2 had the global token and sends it to 0, which takes long.
    stage.request(2);
    [(2, 0), (0, 1), (1, 2)].iter().for_each(|&(from, to)| stage.deliver(from, to));
    assert_eq!(inside(&stage), [2]);
    stage.release(2);
    // 0 would begin an epoch, of which 3 hears late; 1 begins the next, under which 0 gets in.
    late(&mut stage, 0);
    stage.deliver(0, 1);
    late(&mut stage, 1);
    (0..3).for_each(|_| stage.deliver(1, 0));
    [(0, 1), (1, 2), (2, 1), (1, 3), (3, 1)].iter().for_each(|&(from, to)| stage.deliver(from, to));
    stage.release(1);
    stage.deliver(1, 0);
    assert_eq!(inside(&stage), [0]);
    // 2 begins one more. 0 hears of it by 3, then comes the old global token.
    late(&mut stage, 2);
    [(2, 1), (2, 1), (1, 2), (2, 3), (3, 2)].iter().for_each(|&(from, to)| stage.deliver(from, to));
    [(0, 3), (3, 0), (2, 0), (0, 2), (0, 2)].iter().for_each(|&(from, to)| stage.deliver(from, to));
    assert_eq!(stage.processes[0].promised().number, 3);
    assert_eq!(inside(&stage), [0], "{}", stage.story);
    assert_eq!(serve_all(&mut stage), [0, 2]);
}

/// The local token is lost with the node that has it; nobody else notices but by the time.
#[test]
fn d6_what_got_lost_is_made_anew() {
    let mut stage = two();
    for node in [4, 2, 5] {
        stage.request(node);
    }
    stage.deliver(4, 0);
    stage.deliver(2, 0);
    stage.deliver(5, 1);
    let lost = stage.channels.get_mut(&(NodeId(0), NodeId(4))).and_then(|msgs| msgs.pop_front());
    assert!(matches!(lost, Some(Msg::Local(_))));
    assert_eq!(serve_all(&mut stage), [0_usize; 0]);
    stage.step(NodeId(1), Input::Timer(Timer::Lost));
    assert_eq!(serve_all(&mut stage), [5, 4, 2]);
}

/// Nobody wants anything: after a round the token rests, and the next request wakes it.
#[test]
fn d7_the_global_token_rests() {
    let mut stage = two();
    stage.request(5);
    assert_eq!(serve_all(&mut stage), [5]);
    let sent = |stage: &Stage<Cluster>| stage.story.matches("Global(").count();
    let before = sent(&stage);
    assert_eq!(serve_all(&mut stage), [0_usize; 0]);
    assert_eq!(sent(&stage), before);
    stage.request(5);
    stage.request(4);
    assert_eq!(serve_all(&mut stage).len(), 2);
}
