//! Several tokens, and several resources.

use driftlock_core::ResourceId;
use driftlock_journal::{Event, Record};
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{Network, Requests, Scenario, ScenarioError, Scripted, Shape, World};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::anchor::Anchor;
use crate::worlds::{cold, load, recorded, records};

fn star(tokens: u32) -> Scenario {
    Scenario {
        tokens: Some(tokens),
        network: Network { nodes: 7, shape: Shape::Clique, ..Network::default() },
        requests: load(5.0),
        measure: cold(500),
        ..Scenario::default()
    }
}

#[test]
fn as_many_are_inside_as_there_are_tokens_and_never_more() {
    let run = World::<Anchor>::new(&star(3), &3).unwrap().run();
    assert_eq!(run.violation, None);
    let sharing = run.metrics.sharing.unwrap();
    assert_eq!((sharing.most_inside, run.metrics.choice), (3, None));
    let by_rate = run.metrics.throughput * 1.0;
    assert!((sharing.concurrency - by_rate).abs() < 0.05, "a stay takes 1: {sharing:?} {by_rate}");
    let run = World::<Anchor>::new(&star(3), &4).unwrap().run();
    assert_eq!(run.violation.map(|violation| violation.promise), Some(Promise::Exclusion));
}

#[test]
fn rules_are_taken_from_whoever_knows_the_protocol() {
    let judged = |exclusion| {
        let scenario = Scenario { resources: Some(2), tokens: None, ..star(1) };
        let rules = Rules { exclusion, ..Rules::default() };
        let run = World::<Anchor>::under(&scenario, &3, rules).unwrap().run();
        run.violation.map(|violation| violation.promise)
    };
    assert_eq!(judged(Exclusion::AtMost(3)), None);
    assert_eq!(judged(Exclusion::AtMost(2)), Some(Promise::Exclusion));
    assert_eq!(judged(Exclusion::SameGroup), Some(Promise::Exclusion));
}

fn requests(scenario: &Scenario) -> Vec<(u64, u32, ResourceId)> {
    let (run, journal) = recorded::<Rl>(scenario, &Config::default());
    assert_eq!(run.violation, None);
    let request = |record: Record| match record.event {
        Event::Request(resource) => Some((record.at, record.node.0, resource)),
        _ => None,
    };
    records(&journal).into_iter().filter_map(request).collect()
}

/// What is asked for has dice of its own, so that who asks when stays the same.
#[test]
fn resources_are_drawn_and_shift_nothing_else() {
    let one = Scenario { measure: cold(300), ..Scenario::default() };
    let several = Scenario { resources: Some(3), ..one.clone() };
    let (plain, drawn) = (requests(&one), requests(&several));
    assert_eq!(plain.len(), drawn.len());
    for ((at, node, resource), (at_too, node_too, _)) in plain.iter().zip(&drawn) {
        assert_eq!((at, node, resource.0), (at_too, node_too, 0));
    }
    let count = |wanted| drawn.iter().filter(|(.., resource)| resource.0 == wanted).count();
    assert!((0..3).all(|wanted| count(wanted) > 60), "{}, {}, {}", count(0), count(1), count(2));
    let popular = Requests { popular: Some(0.9), ..Requests::default() };
    let drawn = requests(&Scenario { requests: popular, ..several });
    let first = drawn.iter().filter(|(.., resource)| resource.0 == 0).count();
    assert!(first * 10 > drawn.len() * 8 && first < drawn.len(), "{first} of {}", drawn.len());
}

#[test]
fn a_script_says_what_is_asked_for_even_if_it_has_to_wait() {
    let at = |at, request, resource| Scripted {
        at,
        request: Some(request),
        resource: Some(resource),
        ..Scripted::default()
    };
    let scenario = Scenario {
        resources: Some(4),
        network: Network { nodes: 3, shape: Shape::Line, ..Network::default() },
        requests: load(0.0),
        script: vec![at(1.0, 1, 3), at(1.1, 1, 2), at(1.2, 1, 1), at(1.2, 2, 0)],
        ..Scenario::default()
    };
    let asked: Vec<(u32, u64)> =
        requests(&scenario).into_iter().map(|(_, node, resource)| (node, resource.0)).collect();
    assert_eq!(asked, [(1, 3), (2, 0), (1, 2), (1, 1)]);
    let run = World::<Rl>::new(&scenario, &Config::default()).unwrap().run();
    let choice = run.metrics.choice.unwrap();
    let entries: Vec<u64> = choice.resources.iter().map(|used| used.entries).collect();
    assert_eq!((entries, choice.switches_per_entry), (vec![1, 1, 1, 1], 0.75));
}

#[test]
fn what_is_left_out_is_not_written_and_what_is_written_is_read() {
    let text = Scenario::default().to_toml();
    for key in ["tokens", "resources", "session", "popular", "resource", "crash"] {
        assert!(!text.contains(key), "{text}");
    }
    let text = "tokens = 2\nresources = 3\nsession = 4\n\
                requests = { rate = 1, popular = 0.5 }\n\
                link-changes = { connected-by = 'partitions' }\n\
                script = [{ at = 1, request = 1, resource = 2 }, { at = 2, crash = 3 }]\n";
    let scenario = Scenario::from_toml(text).unwrap();
    scenario.check().unwrap();
    assert_eq!(Scenario::from_toml(&scenario.to_toml()), Ok(scenario));
}

#[test]
fn what_makes_no_sense_is_refused_under_its_key() {
    let refused = |text: &str| {
        let scenario = Scenario::from_toml(text).unwrap();
        let checked = scenario.check();
        checked.map_err(|error: ScenarioError| error.to_string()).unwrap_err()
    };
    for (text, parts) in [
        ("tokens = 0", ["tokens: ", "at least 1"]),
        ("tokens = 31", ["tokens: 31", "which are 30"]),
        ("resources = 0", ["resources: ", "at least 1"]),
        ("resources = 1000001", ["resources: ", "at most 1000000"]),
        ("resources = 2\nrequests = { popular = 1.5 }", ["requests.popular: ", "not 1.5"]),
        ("resources = 2\nrequests = { popular = nan }", ["requests.popular: ", "from 0 to 1"]),
        ("requests = { popular = 0.5 }", ["requests.popular: ", "number of resources"]),
        (
            "resources = 2\nscript = [{ at = 1, request = 0, resource = 2 }]",
            ["script: entry 1: ", "no resource 2, the last of 2 is 1"],
        ),
        ("script = [{ at = 1, resource = 0 }]", ["script: entry 1: ", "exactly one of"]),
        ("script = [{ at = 1, crash = 0 }]", ["script: entry 1: ", "`partitions`"]),
        (
            "link-changes = { connected-by = 'partitions' }\n\
             script = [{ at = 1, crash = 0 }, { at = 2, crash = 0 }]",
            ["script: entry 2: ", "has crashed before"],
        ),
        (
            "link-changes = { connected-by = 'partitions' }\nscript = [{ at = 1, crash = 30 }]",
            ["script: ", "no node 30"],
        ),
        (
            "medium = 'routed'\nlink-changes = { connected-by = 'partitions' }",
            ["link-changes.connected-by: ", "routed"],
        ),
    ] {
        let told = refused(text);
        assert!(parts.iter().all(|part| told.contains(part)), "{text}: {told}");
    }
}
