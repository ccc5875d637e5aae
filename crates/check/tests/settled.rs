//! Links as they really are: their ends are told of changes one by one, what carries a token or
//! weight and does not arrive comes back, all else on a link that breaks is lost, and whoever is
//! idle may never be told. And cold starts over them.

use std::fmt::Write;

use driftlock_check::{Checked, Connectivity, Refusal, Setup};
use driftlock_core::{Graph, Input, LinkRole, Medium, NoTimer, NodeId, ResourceId};
use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::rl::{self, Rl};
use driftlock_replay::{Action, enact, schedule_of};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::networks::{explored, graph};
use crate::rl::check_golden;

pub(crate) const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
pub(crate) const TRIANGLE: &[(u32, u32)] = &[(0, 1), (1, 2), (0, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];

/// Everyone asks once, and so many links change.
pub(crate) fn warm(links: &[(u32, u32)], link_changes: u8) -> Setup {
    let n = links.iter().map(|&(a, b)| a.max(b) as usize + 1).max().unwrap();
    let rules = Rules { settled: true, ..Rules::default() };
    Setup { link_changes, rules, ..Setup::new(graph(n, links)) }
}

/// The same, but all nodes start alone, and these links come up besides.
pub(crate) fn cold(links: &[(u32, u32)], link_changes: u8) -> Setup {
    let coming = links.iter().map(|&(a, b)| (NodeId(a), NodeId(b))).collect();
    let setup = warm(links, link_changes);
    Setup { graph: Graph::new(setup.requests.len()), coming, ..setup }
}

/// Explore what has to hold, and say in a line how large that was.
fn held<P: Checked>(name: &str, setup: &Setup, config: &P::Config) -> String {
    let report = explored::<P>(setup, config);
    let start = if setup.coming.is_empty() { "warm" } else { "cold" };
    let links = setup.graph.n_links() + setup.coming.len();
    let (n, changes) = (setup.requests.len(), setup.link_changes);
    let case = format!("{name}, {n} nodes, {links} links, {changes} changes, {start}");
    assert!(report.held(), "{case}: {:?} {:?}", report.end, report.counterexample);
    let explored = report.explored;
    format!("{case}: {} states, {} steps, {} cut\n", explored.states, explored.edges, report.cut)
}

#[test]
fn rl_takes_its_token_back() {
    let setups = [
        warm(LINE, 1),
        warm(TRIANGLE, 1),
        warm(TRIANGLE, 2),
        Setup { spread: Some(6), ..warm(LINE, 2) },
        cold(LINE, 0),
        cold(TRIANGLE, 0),
    ];
    let config = rl::Config::default();
    let found: String = setups.iter().map(|setup| held::<Rl>("rl", setup, &config)).collect();
    check_golden("settled_rl", &found);
}

/// The network may fall apart.
fn krl(tokens: u32, forwarding: Forwarding, setup: Setup) -> String {
    let rules = Rules { exclusion: Exclusion::AtMost(tokens), ..setup.rules };
    let setup = Setup { rules, connectivity: Connectivity::Partitions, ..setup };
    let config = krl::Config::new(Variant::Repaired, tokens, forwarding);
    let name = if forwarding == Forwarding::Adaptive { "krla" } else { "krl" };
    held::<Krl>(&format!("{name} with {tokens}"), &setup, &config)
}

#[test]
fn krl_takes_its_tokens_back() {
    let mut found = String::new();
    for setup in [warm(&[(0, 1)], 3), warm(LINE, 2), warm(TRIANGLE, 2)] {
        let _ = write!(found, "{}", krl(1, Forwarding::Never, setup.clone()));
        let _ = write!(found, "{}", krl(2, Forwarding::Never, setup.clone()));
        let _ = write!(found, "{}", krl(2, Forwarding::Adaptive, setup));
    }
    check_golden("settled_krl", &found);
}

#[test]
fn krl_starts_cold() {
    let mut found = String::new();
    for setup in [cold(LINE, 1), cold(TRIANGLE, 0), cold(LINE_4, 0)] {
        let _ = write!(found, "{}", krl(1, Forwarding::Never, setup.clone()));
        let _ = write!(found, "{}", krl(2, Forwarding::Adaptive, setup));
    }
    check_golden("settled_krl_cold", &found);
}

#[test]
fn gme_takes_its_token_and_its_weight_back() {
    let mut found = String::new();
    for setup in [warm(LINE, 1), warm(TRIANGLE, 1), cold(LINE, 0), cold(TRIANGLE, 0)] {
        let rules = Rules { exclusion: Exclusion::SameGroup, ..setup.rules };
        let setup = Setup { rules, resources: 2, ..setup };
        let config = gme::Config { session: Some(1), units: 2, ..gme::Config::default() };
        let _ = write!(found, "{}", held::<Gme>("gme", &setup, &config));
    }
    check_golden("settled_gme", &found);
}

/// Whoever moved is told first or last; two are neighbors while both count on their link.
#[test]
fn lme2_leaves_its_forks_with_the_link() {
    let local = |setup: Setup| {
        let rules = Rules { settled: true, ..Rules::local(2) };
        Setup { rules, connectivity: Connectivity::Partitions, ..setup }
    };
    let two_ask = Setup { requests: vec![1, 1, 0], ..warm(TRIANGLE, 1) };
    let pair = Setup { requests: vec![2, 2], ..warm(&[(0, 1)], 2) };
    let mut found = String::new();
    for setup in [pair, two_ask, cold(LINE, 0)] {
        let config = lme2::Config::default();
        let _ = write!(found, "{}", held::<Lme2>("lme2", &local(setup), &config));
    }
    check_golden("settled_lme2", &found);
}

/// The published text has no answer, and the shortest way to that is known.
#[test]
fn a_text_that_takes_nothing_back_is_found_out() {
    let report = explored::<Rl>(&warm(TRIANGLE, 1), &Variant::Published.into());
    let found = report.counterexample.unwrap();
    assert_eq!(found.violation.promise, Promise::DefinedStep);
    let told = |node, peer| Action::Tell { node: NodeId(node), peer: NodeId(peer), role: None };
    assert!(found.schedule.contains(&told(0, 1)) || found.schedule.contains(&told(0, 2)));
    // Its journal has the same schedule in it.
    let mut journal = Vec::new();
    let to = Some(("test", &mut journal as &mut dyn std::io::Write));
    let setting = warm(TRIANGLE, 1).setting("rl");
    enact::<Rl>(&setting, &Variant::Published.into(), &found.schedule, None, to).unwrap();
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    assert_eq!(schedule_of(&mut reader).unwrap(), (setting, found.schedule));
}

/// 1 is sent the token, and is told that the link is down before it arrives: it comes back to 0,
/// which is told then. When the link comes up again, 0 is told first.
#[test]
fn what_comes_back_comes_right_before_the_end_of_the_link() {
    let setup = Setup { connectivity: Connectivity::Partitions, ..warm(&[(0, 1)], 2) };
    let [a, b] = [NodeId(0), NodeId(1)];
    let tell = |node, peer, role| Action::Tell { node, peer, role };
    let schedule: Vec<Action<NoTimer>> = vec![
        Action::Request(b, ResourceId(0)),
        Action::Deliver { from: b, to: a },
        tell(b, a, None),
        Action::Deliver { from: a, to: b },
        tell(a, b, None),
        tell(a, b, Some(LinkRole::Static)),
        tell(a, b, Some(LinkRole::Moving)),
        tell(b, a, Some(LinkRole::Static)),
        tell(b, a, Some(LinkRole::Moving)),
    ];
    let config = krl::Config::new(Variant::Repaired, 1, Forwarding::Never);
    let enacted = enact::<Krl>(&setup.setting(""), &config, &schedule, None, None).unwrap();
    assert_eq!((enacted.violation, enacted.skipped), (None, 3));
    let inputs: Vec<&Input<krl::Msg>> = enacted.steps.iter().map(|step| &step.input).collect();
    let [.., ask, down, back, then, up, again] = inputs[..] else { panic!("{inputs:?}") };
    assert!(matches!(ask, Input::Recv { msg: krl::Msg::Request(..), .. }));
    assert!(matches!((down, then), (Input::LinkDown { peer: x }, Input::LinkDown { peer: y })
        if *x == a && *y == b));
    assert!(matches!(back, Input::Returned { to, msg: krl::Msg::Token(..) } if *to == b));
    assert!(matches!(up, Input::LinkUp { role: LinkRole::Static, .. }));
    assert!(matches!(again, Input::LinkUp { role: LinkRole::Moving, .. }));
}

#[test]
fn what_makes_no_sense_over_settled_links_is_refused() {
    let settled = || warm(LINE, 1);
    assert_eq!(Setup { losses: 1, ..settled() }.check(), Err(Refusal::Unsettled));
    assert_eq!(Setup { crashes: 1, ..settled() }.check(), Err(Refusal::Unsettled));
    assert_eq!(Setup { medium: Medium::Mesh, ..settled() }.check(), Err(Refusal::Unsettled));
    let outside = Setup { coming: vec![(NodeId(0), NodeId(3))], ..settled() };
    assert_eq!(outside.check(), Err(Refusal::Coming));
    let together = Setup { rules: Rules::default(), ..cold(LINE, 0) };
    assert_eq!(together.check(), Err(Refusal::NotConnected));
}
