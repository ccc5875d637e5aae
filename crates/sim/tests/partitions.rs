//! Networks that fall apart, and nodes that stop for good.

use driftlock_core::{NodeId, ResourceId};
use driftlock_journal::{Event, Reader, Record};
use driftlock_protocols::rl::{Config, Rl};
use driftlock_replay::{Action, replay, schedule_of, shrink};
use driftlock_sim::{
    ChangeModel, ConnectedBy, LinkChanges, Network, Run, Scenario, Scripted, Shape, World,
};
use driftlock_spec::Promise;

use crate::anchor::Anchor;
use crate::worlds::{cold, load, recorded, records};

fn at(at: f64) -> Scripted {
    Scripted { at, ..Scripted::default() }
}

fn apart(model: ChangeModel, rate: f64) -> LinkChanges {
    LinkChanges { model, rate, connected_by: ConnectedBy::Partitions }
}

/// Three nodes in a row, with node 0 in the middle if there is a link 0-2 and none 1-2.
fn scripted(script: Vec<Scripted>) -> Scenario {
    Scenario {
        network: Network { nodes: 3, shape: Shape::Clique, ..Network::default() },
        link_changes: apart(ChangeModel::Scripted, 0.0),
        requests: load(0.0),
        script,
        ..Scenario::default()
    }
}

/// A run that its journal can tell again.
fn verified(scenario: &Scenario) -> (Run, Vec<Record>) {
    let (run, journal) = recorded::<Anchor>(scenario, &2);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<Anchor, _>(&mut reader, &2, &mut |_, _, _, _| {}).unwrap();
    assert_eq!((replayed.steps, &replayed.violation), (run.steps, &run.violation));
    (run, records(&journal))
}

/// Node 2 is cut off, asks, and need not be served until it is back.
#[test]
fn who_is_cut_off_waits_and_nobody_is_to_blame() {
    let cut = vec![
        Scripted { down: Some([1, 2]), ..at(1.0) },
        Scripted { down: Some([0, 2]), ..at(2.0) },
        Scripted { request: Some(2), ..at(3.0) },
        Scripted { request: Some(1), ..at(4.0) },
    ];
    let scenario = Scenario { tokens: Some(2), ..scripted(cut.clone()) };
    let (run, _) = verified(&scenario);
    assert_eq!((run.violation, run.metrics.entries), (None, 1));
    let back = [cut, vec![Scripted { up: Some([0, 2]), ..at(9.0) }]].concat();
    let (run, _) = verified(&Scenario { script: back, ..scenario });
    assert_eq!((run.violation, run.metrics.entries), (None, 2));
    assert_eq!(run.metrics.waiting.max, 8.0, "asked at 3, back at 9, and two messages");
}

/// RL as it is published knows nothing of parts: the one without the token never rests.
#[test]
fn a_protocol_that_does_not_notice_is_found_out() {
    let script = vec![
        Scripted { down: Some([1, 2]), ..at(1.0) },
        Scripted { down: Some([0, 2]), ..at(2.0) },
    ];
    let scenario = scripted(script);
    let run = World::<Rl>::new(&scenario, &Config::default()).unwrap().run();
    let violation = run.violation.unwrap();
    assert_eq!(violation.promise, Promise::Reachability, "{violation}");
    let connected_by = ConnectedBy::Physical;
    let link_changes = LinkChanges { connected_by, ..scenario.link_changes.clone() };
    let whole = Scenario { link_changes, ..scenario };
    let refused = World::<Rl>::new(&whole, &Config::default()).err().unwrap().to_string();
    assert!(refused.contains("would disconnect"), "{refused}");
}

#[test]
fn drawn_changes_take_networks_apart() {
    let found = (0..20).filter(|&seed| {
        let network = Network { nodes: 4, links: Some(4), ..Network::default() };
        let link_changes = apart(ChangeModel::Toggle, 0.05);
        let measure = cold(50);
        let scenario = Scenario { seed, network, link_changes, measure, ..Scenario::default() };
        let (run, journal) = recorded::<Rl>(&scenario, &Config::default());
        let mut reader = Reader::new(journal.as_slice()).unwrap();
        let config = Config::default();
        let replayed = replay::<Rl, _>(&mut reader, &config, &mut |_, _, _, _| {}).unwrap();
        assert_eq!(replayed.violation, run.violation);
        run.violation.is_some_and(|violation| violation.promise != Promise::Model)
    });
    assert!(found.count() > 3, "some end apart, and RL does not see that");
}

/// Node 1 stops with a token and with a message to it on the way; node 0 has another token.
#[test]
fn a_crash_takes_links_messages_and_a_token_along() {
    let script = vec![
        Scripted { request: Some(1), ..at(1.0) },
        Scripted { request: Some(2), ..at(2.9) },
        Scripted { crash: Some(1), ..at(3.5) },
        Scripted { request: Some(1), ..at(5.0) },
        Scripted { request: Some(2), ..at(6.0) },
    ];
    let scenario = Scenario { tokens: Some(2), ..scripted(script) };
    let (run, records) = verified(&scenario);
    assert_eq!(run.violation, None);
    assert_eq!(run.metrics.entries, 3, "node 1 got in at 3, and node 2 twice");
    assert_eq!(run.metrics.sharing.unwrap().most_inside, 1);
    let crash = records.iter().position(|record| record.event == Event::Crash).unwrap();
    assert_eq!((records[crash].at, records[crash].node), (3500, NodeId(1)));
    let told: Vec<(NodeId, &Event)> =
        records[crash + 1..crash + 3].iter().map(|record| (record.node, &record.event)).collect();
    let down = Event::LinkDown(NodeId(1));
    assert_eq!(told, [(NodeId(0), &down), (NodeId(2), &down)]);
    assert!(records[crash + 1..].iter().all(|record| record.node != NodeId(1)));
}

/// What a node sent before it stopped never arrives.
#[test]
fn what_is_under_way_from_a_crashed_node_is_lost() {
    let script = vec![
        Scripted { request: Some(1), ..at(1.0) },
        Scripted { crash: Some(1), ..at(1.5) },
        Scripted { request: Some(2), ..at(6.0) },
    ];
    let (run, records) = verified(&Scenario { tokens: Some(2), ..scripted(script) });
    assert_eq!((run.violation, run.metrics.entries), (None, 1));
    let lost = records.iter().filter(|record| record.event == Event::Lose(NodeId(1)));
    assert_eq!(lost.map(|record| record.node).collect::<Vec<_>>(), [NodeId(0)]);
}

/// The last token is gone, and everyone has to say so: node 0 thinks it has it still.
#[test]
fn a_token_that_crashed_is_out_of_reach() {
    let script = vec![
        Scripted { request: Some(1), ..at(1.0) },
        Scripted { crash: Some(1), ..at(3.5) },
        Scripted { request: Some(2), ..at(6.0) },
    ];
    let (run, journal) = recorded::<Anchor>(&scripted(script), &1);
    assert_eq!(run.violation.map(|violation| violation.promise), Some(Promise::Reachability));
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<Anchor, _>(&mut reader, &1, &mut |_, _, _, _| {}).unwrap();
    assert_eq!(replayed.violation.map(|violation| violation.promise), Some(Promise::Reachability));
}

/// A crash that nobody is told of would be shorter, but that is no run of this world. It takes no
/// crash at all: the link is enough.
#[test]
fn a_run_is_not_shrunk_to_a_crash_that_nobody_is_told_of() {
    let script = vec![
        Scripted { request: Some(0), ..at(0.5) },
        Scripted { request: Some(1), ..at(8.0) },
        Scripted { request: Some(0), ..at(8.5) },
        Scripted { request: Some(1), ..at(16.0) },
        Scripted { crash: Some(1), ..at(18.5) },
        Scripted { request: Some(0), ..at(30.0) },
    ];
    let network = Network { nodes: 2, shape: Shape::Line, ..Network::default() };
    let (run, journal) = recorded::<Anchor>(&Scenario { network, ..scripted(script) }, &1);
    let promise = run.violation.unwrap().promise;
    assert_eq!(promise, Promise::Reachability);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let (setting, schedule) = schedule_of(&mut reader).unwrap();
    let short = shrink::<Anchor>(&setting, &1, &schedule, promise).unwrap();
    let (center, node) = (NodeId(0), NodeId(1));
    let expected = [
        Action::Request(node, ResourceId(0)),
        Action::Deliver { from: node, to: center },
        Action::Deliver { from: center, to: node },
        Action::LinkDown { a: center, b: node },
        Action::Release(node),
    ];
    assert_eq!(short.schedule, expected);
}

/// Links of a node that has crashed stay down, whatever is planned for them.
#[test]
fn nothing_comes_back_from_a_crash() {
    let script = vec![Scripted { crash: Some(2), ..at(5.0) }];
    let scenario = Scenario {
        tokens: Some(2),
        network: Network { nodes: 5, shape: Shape::Clique, ..Network::default() },
        link_changes: apart(ChangeModel::Toggle, 0.3),
        measure: cold(100),
        script,
        ..Scenario::default()
    };
    for seed in 0..10 {
        let (run, journal) = recorded::<Anchor>(&Scenario { seed, ..scenario.clone() }, &2);
        let records = records(&journal);
        let crash = records.iter().position(|record| record.event == Event::Crash).unwrap();
        for record in &records[crash + 1..] {
            assert_ne!(record.node, NodeId(2), "seed {seed}");
            assert!(!matches!(record.event, Event::LinkUp(NodeId(2), _)), "seed {seed}");
        }
        assert!(run.metrics.link_changes > 5);
    }
}

/// Links would change for ever, and nobody is served any more.
#[test]
fn a_storm_ends_when_nobody_is_left_to_ask_or_no_token() {
    let crash = |node, at_time| Scripted { crash: Some(node), ..at(at_time) };
    for script in [
        vec![crash(0, 5.0), crash(1, 6.0), crash(2, 7.0)],
        vec![crash(0, 5.0)],
        vec![crash(0, 5.0), crash(1, 6.0)],
    ] {
        let crashes = script.len();
        let scenario = Scenario {
            tokens: Some(2),
            link_changes: apart(ChangeModel::Toggle, 1.0),
            requests: load(1.0),
            measure: cold(1_000_000),
            ..scripted(script)
        };
        let (run, records) = verified(&scenario);
        let crashed = records.iter().filter(|record| record.event == Event::Crash).count();
        assert_eq!(crashed, crashes);
        assert!(run.metrics.entries < 20 && run.ended_at < 1e5, "{run:?}");
    }
}

#[test]
fn a_script_leaves_crashed_nodes_alone() {
    let script =
        vec![Scripted { crash: Some(1), ..at(3.0) }, Scripted { down: Some([0, 1]), ..at(4.0) }];
    let scenario = scripted(script);
    let refused = World::<Anchor>::new(&scenario, &1).err().unwrap().to_string();
    assert!(refused.contains("n1 has crashed"), "{refused}");
}
