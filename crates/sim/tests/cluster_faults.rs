//! The cluster algorithm, each fault by itself, placed where it hurts: it is seen that it strikes
//! there, and that everyone gets in as often as it asks, unless it has stopped.

use driftlock_core::{Inspect, NodeId, Protocol, Status, Ticks};
use driftlock_protocols::cluster::published::{self, Published};
use driftlock_protocols::cluster::{Cluster, Config};
use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Medium, Moment, Network, Requests, Scenario, Scripted,
    Shape, Span, ticks,
};
use driftlock_spec::Rules;

use crate::film::{Film, Frame, film};
use crate::scripted::{ask, crash, down, lose, up};

/// Heads 0 and 1, and members 2 to 5.
const NODES: usize = 6;

/// How long a critical section takes. A message takes 1.
const STAY: f64 = 20.0;

/// Two clusters, in which only the script asks.
fn scenario(script: Vec<Scripted>) -> Scenario {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clusters.txt");
    Scenario {
        protocol: "cluster".into(),
        medium: Some(Medium::Mesh),
        network: Network { shape: Shape::File, file: Some(file.into()), ..Network::default() },
        critical_section: Span::Constant(STAY),
        requests: Requests { rate: 0.0, ..Requests::default() },
        link_changes: LinkChanges { model: ChangeModel::Scripted, ..LinkChanges::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(3000.0) }),
        script,
        ..Scenario::default()
    }
}

/// Time-outs are longer than messages take, and than all others are inside.
fn patient() -> Config {
    Config::for_delays(Ticks(ticks(6.0)), Ticks(ticks(200.0)))
}

fn shot(script: Vec<Scripted>, config: &Config) -> Film<Cluster> {
    film(&scenario(script), config, Rules { fenced: true, quorum: true, ..Rules::default() })
}

/// Everyone asks.
fn all(at: f64) -> impl Iterator<Item = Scripted> {
    (0..NODES as u32).map(move |node| ask(at + f64::from(node), node))
}

/// These, and later everyone twice.
fn then_all(script: Vec<Scripted>) -> Vec<Scripted> {
    script.into_iter().chain(all(600.0)).chain(all(1500.0)).collect()
}

fn heads(frame: &Frame<Cluster>) -> Vec<u32> {
    frame.nodes.iter().map(|node| node.head().0).collect()
}

/// Who has the global token.
fn holder(frame: &Frame<Cluster>) -> Vec<usize> {
    let all = frame.nodes.iter().enumerate();
    all.filter(|(_, node)| node.has_global()).map(|(k, _)| k).collect()
}

/// The number of the latest epoch that anyone alive knows of.
fn epochs(film: &Film<Cluster>) -> i64 {
    film.last().nodes.iter().map(|node| node.promised().number).max().unwrap_or(0)
}

/// How often this came to anyone.
fn times<P: Protocol>(film: &Film<P>, what: &str) -> usize {
    film.frames.iter().filter(|frame| frame.what.starts_with(what)).count()
}

/// So often did each get in, nobody was deposed, and there was one epoch more.
fn mended(film: &Film<Cluster>, entries: [usize; NODES]) {
    assert_eq!(film.entries(), entries);
    assert_eq!(film.run.metrics.faults.unwrap().deposed, 0);
    assert_eq!(epochs(film), 1, "epochs");
}

#[test]
fn a_global_token_gets_lost() {
    let film = shot(then_all(vec![lose(5.0, "Global"), ask(10.0, 3)]), &patient());
    let strike = film.only("lost Global");
    assert!(holder(strike).is_empty() && strike.waits(3));
    mended(&film, [2, 2, 2, 3, 2, 2]);
}

#[test]
fn a_local_token_gets_lost() {
    let film = shot(then_all(vec![lose(5.0, "Local"), ask(10.0, 3), ask(10.0, 5)]), &patient());
    let strike = film.only("lost Local");
    assert_eq!((holder(strike), strike.inside()), (vec![1], Vec::new()));
    assert!(strike.waits(3) && strike.waits(5));
    mended(&film, [2, 2, 2, 3, 2, 3]);
}

/// 5 is in the local token, which 3 has, and is sent to 5 all the same.
#[test]
fn a_member_stops_that_waits() {
    let script = vec![ask(10.0, 3), ask(10.0, 5), crash(20.0, 5, Some(Moment::Waiting))];
    let film = shot(then_all(script), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, strike.inside(), holder(strike)), (5, vec![3], vec![1]));
    assert!(strike.waits(5));
    mended(&film, [2, 2, 2, 3, 2, 0]);
}

#[test]
fn a_member_stops_inside() {
    let script = vec![ask(10.0, 3), ask(11.0, 5), crash(10.0, 3, Some(Moment::Inside))];
    let film = shot(then_all(script), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, strike.inside(), holder(strike)), (3, vec![3], vec![1]));
    mended(&film, [2, 2, 2, 1, 2, 3]);
}

/// The global token rests at 0. Its members become heads, as nobody is near who is one.
#[test]
fn a_head_stops_that_has_the_global_token() {
    let film = shot(then_all(vec![crash(10.0, 0, None)]), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, holder(strike)), (0, vec![0]));
    assert_eq!(heads(strike), [0, 1, 0, 1, 0, 1]);
    assert_eq!(heads(film.last())[1..], [1, 2, 1, 4, 1]);
    mended(&film, [0, 2, 2, 2, 2, 2]);
}

/// 1 has the global token, and its member the local one.
#[test]
fn a_head_stops_while_its_member_is_inside() {
    let film = shot(then_all(vec![ask(10.0, 3), crash(20.0, 1, None)]), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, strike.inside(), holder(strike)), (1, vec![3], vec![1]));
    assert_eq!(heads(film.last()), [0, 1, 0, 3, 0, 5]);
    mended(&film, [2, 0, 2, 3, 2, 2]);
}

#[test]
fn a_head_stops_that_has_the_local_token() {
    let script = vec![ask(10.0, 1), ask(15.0, 5), crash(10.0, 1, Some(Moment::Inside))];
    let film = shot(then_all(script), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, strike.inside(), holder(strike)), (1, vec![1], vec![1]));
    assert!(strike.nodes[1].inside_under().is_some());
    mended(&film, [2, 1, 2, 2, 2, 3]);
}

/// Nobody waits for 1, and the token is not there. It is sent to 1, and lost.
#[test]
fn a_head_stops_that_has_no_token() {
    let film = shot(then_all(vec![ask(5.0, 3), ask(60.0, 0), crash(70.0, 1, None)]), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.node, strike.inside(), holder(strike)), (1, vec![0], vec![0]));
    mended(&film, [3, 0, 2, 3, 2, 2]);
}

/// A head misses the token though it is where it should be: somebody is inside. It is waited for,
/// and nobody gets in beside it.
#[test]
fn time_outs_are_wrong() {
    let hasty = Config { lost: Ticks(ticks(3.0)), patience: None, ..patient() };
    let script: Vec<Scripted> = all(10.0).chain(all(200.0)).collect();
    let rules = Rules::default();
    let film: Film<Cluster> = film(&scenario(script), &hasty, rules);
    let is_early =
        |frame: &&Frame<Cluster>| frame.what == "Timer Lost" && frame.inside().len() == 1;
    let early = film.frames.iter().filter(is_early).count();
    assert!(early > 1, "{early}");
    let put_off = film.first(|frame| frame.what.contains("Recv Inside"));
    assert_eq!(put_off.unwrap().inside().len(), 1);
    assert!(film.frames.iter().all(|frame| frame.inside().len() <= 1));
    assert!(film.first(|frame| frame.what.starts_with("lost")).is_none());
    assert_eq!(film.entries(), [2; NODES]);
    assert!(epochs(&film) > 0);
}

/// 4 waits while it goes from one cluster to the other: before it is in a local token, while it is,
/// and while that comes to it. It gets in once, whenever that is.
#[test]
fn a_node_moves_to_another_cluster_while_it_waits() {
    let mut in_token = 0;
    for tenths in 0..300 {
        let moves = 12.0 + f64::from(tenths) / 10.0;
        let mut script = vec![ask(10.0, 2), ask(10.0, 4), ask(10.5, 3)];
        script.extend([up(moves - 1.5, 1, 4), down(moves, 0, 4)]);
        let film = shot(script, &patient());
        let moved = film.first(|frame| heads(frame)[4] == 1).unwrap();
        // What is in transit on the link arrives first.
        let after = moved.at - moves;
        assert!((-0.001..10.0).contains(&after) && moved.node == 4, "{after} after {moves}");
        in_token += usize::from(moved.waits(4));
        assert_eq!(film.entries(), [0, 0, 1, 1, 1, 0], "moves at {moves}");
        assert_eq!((film.run.metrics.faults.unwrap().deposed, epochs(&film)), (0, 0));
        assert!(film.last().nodes.iter().all(|node| node.head() != NodeId(4)));
    }
    assert!(in_token > 100, "{in_token}");
}

/// The head stops, both of its members become heads, and one gives up when they have been neighbors
/// for a while. They wait all the time, and are served once.
#[test]
fn members_of_a_head_that_stops_find_new_heads() {
    let script =
        vec![ask(10.0, 3), ask(19.0, 2), ask(19.0, 4), crash(25.0, 0, None), up(40.0, 2, 4)];
    let film = shot(then_all(script), &patient());
    let strike = film.only("crashes");
    assert_eq!((strike.inside(), heads(strike)), (vec![3], vec![0, 1, 0, 1, 0, 1]));
    let alone = film.first(|frame| frame.at > 26.0).unwrap();
    assert_eq!(heads(alone)[1..], [1, 2, 1, 4, 1]);
    assert!(alone.waits(2) && alone.waits(4));
    let joined = film.first(|frame| frame.at > 26.0 && heads(frame)[4] == 2).unwrap();
    assert_eq!(joined.what, "Timer Contend");
    assert_eq!(film.entries(), [0, 2, 3, 3, 3, 2]);
    assert_eq!(film.run.metrics.faults.unwrap().deposed, 0);
    assert_eq!(heads(film.last())[1..], [1, 2, 1, 2, 1]);
}

/// 0 and 1 are neighbors from 10 on, and 1 gives up when they have been for 24, though another
/// neighbor of 1 comes and goes all the time.
#[test]
fn two_heads_become_one_whoever_passes() {
    let mut script = vec![up(10.0, 0, 1)];
    for k in 0..20 {
        let at = 12.0 + 5.0 * f64::from(k);
        script.extend([up(at, 1, 2), down(at + 2.5, 1, 2)]);
    }
    let film = shot(then_all(script), &patient());
    let joined = film.first(|frame| heads(frame)[1] == 0).unwrap();
    assert_eq!((joined.node, joined.at, joined.what.as_str()), (1, 35.0, "Timer Contend"));
    assert_eq!(film.entries(), [2; NODES]);
    assert_eq!(epochs(&film), 0);
}

/// One `Hello` or `Beside` is lost, and one of the heads does not know of the other. Where that one
/// replaces a token that got lost, the other is heard of when it promises or calls. There is no
/// other epoch.
#[test]
fn heads_that_do_not_know_each_other_find_each_other() {
    let mut unknown = 0;
    for (kind, moving) in [("Hello", 3), ("Hello", 4), ("Beside", 4)] {
        let moves = Scripted { moving: Some(moving), ..up(10.0, 3, 4) };
        let mut script = vec![down(5.0, 4, 5), lose(9.0, kind), moves, down(20.0, 2, 3)];
        script.push(lose(90.0, "Global"));
        let nodes = [0, 1, 5, 2].into_iter().cycle().zip(0..40);
        script.extend(nodes.map(|(node, k)| ask(100.0 + 50.0 * f64::from(k), node)));
        let film = shot(script, &patient());
        film.only(&format!("lost {kind}"));
        film.only("lost Global");
        let parted = film.first(|frame| frame.at > 30.0).unwrap();
        let known = [0, 1].map(|k: usize| parted.nodes[k].neighbors().len());
        assert_eq!(known[0] + known[1], 1, "{kind}");
        unknown += usize::from(known[0] == 0);
        assert_eq!(epochs(&film), 1, "{kind} {moving}");
        assert!(times(&film, "Recv Inquire") < NODES, "{kind}");
        assert_eq!(film.entries(), [10, 10, 10, 0, 0, 10], "{kind}");
    }
    assert!(unknown > 0, "the head that replaces the token knows of the other");
}

/// What each kind of message takes to be sent: a script, and time-outs.
fn sends(kind: &str) -> (Vec<Scripted>, Config) {
    let late = Config { answers: Ticks(ticks(1.5)), patience: Some(0), ..patient() };
    let early = Config { lost: Ticks(ticks(3.0)), ..patient() };
    match kind {
        "Hello" | "Beside" => (vec![up(10.0, 1, 4), down(20.0, 0, 4), ask(22.0, 4)], patient()),
        "Inquire" | "Promise" => (vec![lose(5.0, "Global"), ask(10.0, 3)], patient()),
        "Inside" => (vec![ask(10.0, 3), ask(10.0, 2)], early),
        "Begun" => (vec![ask(10.0, 3), ask(10.0, 2)], Config { lost: early.lost, ..late }),
        _ => (vec![ask(10.0, 3), ask(10.0, 5), ask(40.0, 2)], patient()),
    }
}

/// The first message of each kind is lost, and everyone gets in as often as it asks; more often
/// only who is deposed, and asks again.
#[test]
fn any_message_can_get_lost() {
    for &kind in <Cluster as Inspect>::KINDS {
        let (mut script, config) = sends(kind);
        script.push(lose(6.0, kind));
        let asked: Vec<Option<u32>> = script.iter().map(|scripted| scripted.request).collect();
        let film = shot(then_all(script), &config);
        film.only(&format!("lost {kind}"));
        let asks = |k: u32| 2 + asked.iter().filter(|&&node| node == Some(k)).count();
        let asks: Vec<usize> = (0..NODES as u32).map(asks).collect();
        let entries = film.entries();
        let deposed = film.run.metrics.faults.unwrap().deposed;
        if deposed == 0 {
            assert_eq!(entries, asks, "{kind}");
        }
        assert!(entries.iter().zip(&asks).all(|(entries, asks)| entries >= asks), "{kind}");
        assert_eq!(deposed > 0, kind == "Begun", "{kind}");
    }
}

/// The published text, whose global token never rests.
fn shot_published(kind: &str) -> Film<Published> {
    let config =
        published::Config { over: Ticks(ticks(60.0)), other: Ticks(ticks(10.0)), dual: true };
    let script = all(10.0).chain([lose(100.0, kind)]).chain(all(300.0)).collect();
    let until = Some(Measure { warmup: 0, entries: None, until: Some(600.0) });
    let scenario = Scenario { measure: until, ..scenario(script) };
    let rules = Rules { silent: false, ..Rules::default() };
    let film: Film<Published> = film(&scenario, &config, rules);
    film.only(&format!("lost {kind}"));
    assert_eq!(film.entries(), [2; NODES], "{kind}");
    assert!(film.last().nodes.iter().all(|node| node.status() == Status::Remainder));
    film
}

/// Section 8.1 and 8.3, where time-outs are longer than messages take.
#[test]
fn published_replaces_a_global_or_local_token_that_gets_lost() {
    let primary = shot_published("Global");
    assert_eq!((times(&primary, "Timer Primary"), times(&primary, "Recv Generate")), (1, 1));
    let local = shot_published("Local");
    assert_eq!(times(&local, "Timer Over"), 1);
}

/// The secondary is lost. A head gives it up and makes a new one, and so does the next, which the
/// primary has come to in the meantime. One of the two finds no primary before it and has one made,
/// though none was lost.
#[test]
fn published_makes_several_secondaries_of_one() {
    let film = shot_published("Secondary");
    let timers = ["Timer Secondary", "Timer Primary", "Recv Generate"];
    assert_eq!(timers.map(|what| times(&film, what)), [2, 1, 1]);
}
