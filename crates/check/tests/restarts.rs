//! Nodes that are killed at any moment and wake up as they were written down.

use std::fmt::Write;

use driftlock_check::{Checked, Connectivity, Counterexample, Refusal, Setup};
use driftlock_core::{Input, LinkRole, NoTimer, NodeId, ResourceId};
use driftlock_journal::Reader;
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl, Msg};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_replay::{Action, Enacted, enact, schedule_of};
use driftlock_spec::exclusion::Exclusion;
use driftlock_spec::{Promise, Rules};

use crate::careless::{CAME, CAME_BACK, Careless, WENT};
use crate::networks::explored;
use crate::rl::check_golden;
use crate::settled::{LINE, TRIANGLE, cold, warm};

const PAIR: &[(u32, u32)] = &[(0, 1)];

/// So many restarts.
fn killed(restarts: u8, setup: Setup) -> Setup {
    Setup { restarts, ..setup }
}

/// Two nodes, killed twice: from a cold start too, asking twice, and with links that change.
fn pairs() -> [Setup; 4] {
    let twice = Setup { requests: vec![2, 2], ..warm(PAIR, 0) };
    [warm(PAIR, 0), cold(PAIR, 0), twice, warm(PAIR, 2)].map(|setup| killed(2, setup))
}

/// Three nodes, one of which is killed; in the triangle two ask.
fn threes() -> [Setup; 3] {
    let two_ask = Setup { requests: vec![1, 1, 0], ..warm(TRIANGLE, 0) };
    [warm(LINE, 0), cold(LINE, 0), two_ask].map(|setup| killed(1, setup))
}

/// Explore what has to hold, and say in a line how large that was.
fn held<P: Checked>(name: &str, setup: &Setup, config: &P::Config) -> String {
    let report = explored::<P>(setup, config);
    let start = if setup.coming.is_empty() { "warm" } else { "cold" };
    let links = setup.graph.n_links() + setup.coming.len();
    let Setup { requests, link_changes, restarts, .. } = setup;
    let asks: Vec<String> = requests.iter().map(u8::to_string).collect();
    let case = format!(
        "{name}, {links} links, requests {}, {link_changes} changes, {restarts} restarts, {start}",
        asks.join(",")
    );
    assert!(report.held(), "{case}: {:?} {:?}", report.end, report.counterexample);
    let explored = report.explored;
    format!("{case}: {} states, {} steps, {} cut\n", explored.states, explored.edges, report.cut)
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
fn krl_wakes_up_with_its_tokens() {
    let mut found = String::new();
    for setup in pairs().into_iter().chain(threes()) {
        let _ = write!(found, "{}", krl(1, Forwarding::Never, setup.clone()));
        let _ = write!(found, "{}", krl(2, Forwarding::Never, setup.clone()));
        let _ = write!(found, "{}", krl(2, Forwarding::Adaptive, setup));
    }
    check_golden("restarts_krl", &found);
}

/// In a part without the token heights climb, so something is cut off there. It needs its links, so
/// none of a pair changes.
#[test]
fn gme_wakes_up_with_its_token_and_its_weight() {
    let mut found = String::new();
    for setup in pairs().into_iter().take(3).chain(threes()) {
        let rules = Rules { exclusion: Exclusion::SameGroup, ..setup.rules };
        let setup = Setup { rules, resources: 2, spread: Some(4), ..setup };
        let config = gme::Config { session: Some(1), units: 2, ..gme::Config::default() };
        let _ = write!(found, "{}", held::<Gme>("gme", &setup, &config));
    }
    check_golden("restarts_gme", &found);
}

/// It wakes up knowing nothing.
#[test]
fn lme2_starts_anew() {
    let mut found = String::new();
    for setup in pairs().into_iter().chain(threes()) {
        let rules = Rules { settled: true, ..Rules::local(2) };
        let setup = Setup { rules, connectivity: Connectivity::Partitions, ..setup };
        let _ = write!(found, "{}", held::<Lme2>("lme2", &setup, &lme2::Config::default()));
    }
    check_golden("restarts_lme2", &found);
}

fn one_token() -> krl::Config {
    krl::Config::new(Variant::Repaired, 1, Forwarding::Never)
}

/// Two nodes that may be apart, one of which is killed.
fn apart(link_changes: u8) -> Setup {
    let connectivity = Connectivity::Partitions;
    Setup { connectivity, ..killed(1, warm(PAIR, link_changes)) }
}

/// How nodes that forget to write something down are found out.
fn careless<const FORGETS: u8>(setup: &Setup) -> Counterexample<NoTimer> {
    explored::<Careless<Krl, FORGETS>>(setup, &one_token()).counterexample.unwrap()
}

fn verdict(found: &Counterexample<NoTimer>) -> (Promise, &str, usize) {
    (found.violation.promise, &found.violation.what, found.schedule.len())
}

#[test]
fn a_token_that_went_and_is_not_written_down_is_doubled() {
    let found = careless::<WENT>(&apart(0));
    let twice = "1 tokens are held and 1 in transit, there should be 1 in all";
    assert_eq!(verdict(&found), (Promise::Tokens, twice, 4));
    let killed = Action::Restart { node: NodeId(0), inside: None };
    assert_eq!(found.schedule.last(), Some(&killed));
}

const NOWHERE: &str = "0 tokens are held and 0 in transit, there should be 1 in all";

#[test]
fn a_token_that_came_and_is_not_written_down_is_lost() {
    let found = careless::<CAME>(&apart(0));
    assert_eq!(verdict(&found), (Promise::Tokens, NOWHERE, 5));
}

#[test]
fn a_token_that_came_back_and_is_not_written_down_is_lost() {
    let found = careless::<CAME_BACK>(&apart(1));
    assert_eq!(verdict(&found), (Promise::Tokens, NOWHERE, 5));
}

/// 0 is inside, and sends 1 a share of its session.
#[test]
fn a_share_that_went_and_is_not_written_down_is_found_out() {
    let rules = Rules { exclusion: Exclusion::SameGroup, settled: true, ..Rules::default() };
    let setting = Setup { rules, ..warm(PAIR, 0) }.setting("gme");
    let ask = |node| Action::Request(node, ResourceId(0));
    let asked = Action::Deliver { from: B, to: A };
    let schedule = [ask(A), ask(B), Action::Save(A), asked, KILLED];
    let config = gme::Config::default();
    let run = enact::<Careless<Gme, WENT>>(&setting, &config, &schedule, None, None).unwrap();
    assert_eq!(run.violation.map(|broken| broken.promise), Some(Promise::Weights));
    let run = enact::<Gme>(&setting, &config, &schedule, None, None).unwrap();
    assert_eq!((run.violation, run.skipped), (None, 1));
}

/// The journal of a run with a restart has that run in it.
#[test]
fn a_restart_is_in_the_journal() {
    let found = careless::<CAME_BACK>(&apart(1));
    let mut journal = Vec::new();
    let to = Some(("test", &mut journal as &mut dyn std::io::Write));
    let setting = apart(1).setting("krl");
    enact::<Careless<Krl, CAME_BACK>>(&setting, &one_token(), &found.schedule, None, to).unwrap();
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    assert_eq!(schedule_of(&mut reader).unwrap(), (setting, found.schedule));
}

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);
const KILLED: Action<NoTimer> = Action::Restart { node: A, inside: None };
const TOLD: Action<NoTimer> = Action::Tell { node: A, peer: B, role: None };

/// Run a schedule of two nodes with one token, which 0 has.
fn enacted(schedule: &[Action<NoTimer>]) -> Enacted<Krl> {
    let setting = apart(2).setting("krl");
    let enacted = enact::<Krl>(&setting, &one_token(), schedule, None, None).unwrap();
    assert_eq!(enacted.violation, None);
    enacted
}

/// 0 wakes up inside, with 1 on its queue. It leaves before it knows that the link is gone; what it
/// sends to 1 does not arrive though 1 does not know either, and comes back.
#[test]
fn what_is_sent_over_a_link_that_is_gone_comes_back() {
    let ask = |node| Action::Request(node, ResourceId(0));
    let [there, back] = [(A, B), (B, A)].map(|(from, to)| Action::Deliver { from, to });
    let saved = Action::Save(A);
    let run = enacted(&[ask(A), ask(B), back, saved, KILLED, Action::Release(A), there, TOLD]);
    assert_eq!(run.skipped, 1);
    let inputs: Vec<&Input<Msg>> = run.steps.iter().map(|step| &step.input).collect();
    let [.., leaves, returned, down] = inputs[..] else { panic!("{inputs:?}") };
    assert_eq!(*leaves, Input::ReleaseCs);
    assert!(matches!(returned, Input::Returned { msg: Msg::Token(..), .. }), "{returned:?}");
    assert_eq!(*down, Input::LinkDown { peer: B });
}

/// What was saved is void once a token went; whoever is inside can be let in again only where the
/// token is.
#[test]
fn nobody_wakes_up_as_what_is_out_of_date() {
    let ask = |node| Action::Request(node, ResourceId(0));
    let back = Action::Deliver { from: B, to: A };
    let saved = || Action::Save(A);
    assert_eq!(enacted(&[KILLED]).skipped, 1);
    assert_eq!(enacted(&[saved(), ask(B), back, KILLED]).skipped, 1);
    let outlives = || Action::Restart { node: A, inside: Some(ResourceId(0)) };
    assert_eq!(enacted(&[saved(), outlives()]).skipped, 1);
    let run = enacted(&[saved(), ask(A), outlives(), Action::Release(A), TOLD]);
    assert_eq!((run.skipped, run.steps.len()), (0, 4));
    // Both ends are told that the link is gone before it comes up again.
    let up = |node, peer, role| Action::Tell { node, peer, role: Some(role) };
    let other = Action::Tell { node: B, peer: A, role: None };
    let up = |node, peer| up(node, peer, LinkRole::Static);
    assert_eq!(enacted(&[saved(), KILLED, up(B, A), TOLD, up(B, A), other, up(B, A)]).skipped, 2);
}

#[test]
fn restarts_need_settled_links() {
    let setup = Setup { rules: Rules::default(), ..killed(1, warm(LINE, 0)) };
    assert_eq!(setup.check(), Err(Refusal::Restarts));
}
