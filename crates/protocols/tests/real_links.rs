//! What comes back over real links, and nodes that start alone: by hand, one case each.

use driftlock_core::{Cold, Input, LinkRole, NodeId, Out, Protocol, ResourceId, Status, Tokens};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::rl::{self, Height, Rl};

use crate::settled::Settled;
use crate::stage::Stage;

const N0: NodeId = NodeId(0);
const N1: NodeId = NodeId(1);
const N2: NodeId = NodeId(2);

/// On the line 1-0-2, 1 and 2 ask, in that order.
fn two_ask<P: Cold + Tokens>(settings: &P::Settings) -> Settled<P> {
    let mut net: Settled<P> = Settled::new(3, settings, false);
    net.connect([(N0, N1), (N0, N2)]);
    net.deliver_all();
    net.request(N1, 0);
    net.request(N2, 0);
    net
}

/// The token is on its way to 1, and 2 is behind, when the link breaks: 1 is told first, then 0.
fn cut_under_way<P: Cold + Tokens>(settings: &P::Settings) -> Settled<P> {
    let mut net = two_ask::<P>(settings);
    net.deliver(N1, N0);
    net.deliver(N2, N0);
    net.cut(N0, N1);
    net.tell((N1, N0));
    assert_eq!(net.processes.iter().map(Tokens::held).sum::<u32>(), 0, "{}", net.story);
    net.tell((N0, N1));
    assert_eq!((net.returned, net.sums().0), (1, 1), "{}", net.story);
    net.deliver_all();
    net
}

#[test]
fn d5_rl_a_token_that_comes_back_goes_to_the_next() {
    let mut net = cut_under_way::<Rl>(&());
    assert_eq!(net.processes[2].status(), Status::Critical, "{}", net.story);
    net.step(N2, Input::ReleaseCs);
    net.connect([(N1, N2)]);
    net.deliver_all();
    assert_eq!(net.processes[1].status(), Status::Critical, "{}", net.story);
}

#[test]
fn d5_rl_a_token_that_comes_back_and_is_not_wanted_stays() {
    let mut stage: Stage<Rl> = Stage::new(2, &[(0, 1)], &rl::Config::default());
    stage.request(1);
    stage.deliver(1, 0);
    let msg = stage.channels.remove(&(N0, N1)).unwrap()[0];
    stage.step(N0, Input::Returned { to: N1, msg });
    stage.step(N0, Input::LinkDown { peer: N1 });
    assert_eq!((stage.processes[0].held(), stage.processes[0].next()), (1, Some(N0)));
    stage.request(0);
    assert_eq!(stage.processes[0].status(), Status::Critical, "{}", stage.story);
}

#[test]
fn the_published_texts_say_nothing_of_what_comes_back() {
    let mut stage: Stage<Rl> = Stage::new(2, &[(0, 1)], &Variant::Published.into());
    stage.request(1);
    stage.deliver(1, 0);
    let msg = stage.channels.remove(&(N0, N1)).unwrap()[0];
    stage.step(N0, Input::Returned { to: N1, msg });
    assert_eq!((stage.undefined, stage.processes[0].held()), (1, 0));

    let config = krl::Config::new(Variant::Published, 1, Forwarding::Never);
    let mut stage: Stage<Krl> = Stage::new(2, &[(0, 1)], &config);
    stage.request(1);
    stage.deliver(1, 0);
    let msg = stage.channels.remove(&(N0, N1)).unwrap()[0];
    stage.step(N0, Input::Returned { to: N1, msg });
    assert_eq!((stage.undefined, stage.processes[0].held()), (1, 0));

    let mut stage: Stage<Gme> = Stage::new(2, &[(0, 1)], &Variant::Published.into());
    stage.step(N1, Input::Returned { to: N0, msg: gme::Msg::Release(1) });
    assert_eq!((stage.undefined, stage.processes[1].weight()), (1, 0));
}

#[test]
fn d6_rl_nodes_without_a_height_are_silent_until_they_hear_one() {
    let mut net: Settled<Rl> = Settled::new(3, &(), false);
    net.connect([(N1, N2)]);
    assert_eq!(net.in_transit(N1, N2) + net.in_transit(N2, N1), 0, "{}", net.story);
    net.connect([(N0, N1)]);
    net.deliver_all();
    let heights = net.processes.iter().map(Rl::my_height);
    assert!(heights.eq([Height::new(0, 0, N0), Height::new(0, 1, N1), Height::new(0, 2, N2)]));
    assert!(!net.story.contains("RaiseHeight"), "{}", net.story);
}

#[test]
fn d11_krl_a_token_that_comes_back_goes_to_the_next() {
    let settings = Settings { tokens: 1, forwarding: Forwarding::Never };
    let net = cut_under_way::<Krl>(&settings);
    assert_eq!(net.processes[2].status(), Status::Critical, "{}", net.story);
    assert!(net.processes[1].no_token_reachable(), "{}", net.story);
}

#[test]
fn d11_krl_one_token_comes_back_while_another_is_used() {
    let settings = Settings { tokens: 2, forwarding: Forwarding::Never };
    let mut net = two_ask::<Krl>(&settings);
    net.deliver(N1, N0);
    net.deliver(N0, N1);
    net.deliver(N2, N0);
    net.cut(N0, N2);
    net.tell((N2, N0));
    net.tell((N0, N2));
    assert_eq!((net.returned, net.processes[0].held()), (1, 1), "{}", net.story);
    net.request(N0, 0);
    net.deliver_all();
    let inside = |i: usize| net.processes[i].status() == Status::Critical;
    assert!(inside(0) && inside(1) && net.sums() == (2, 0), "{}", net.story);
}

#[test]
fn krl_starts_missing_the_token_and_grows_from_the_founder() {
    let settings = Settings { tokens: 1, forwarding: Forwarding::Never };
    let mut net: Settled<Krl> = Settled::new(3, &settings, false);
    assert!(net.processes[0].is_idle() && !net.processes[1].is_idle());
    net.connect([(N1, N2)]);
    net.deliver_all();
    assert!(net.processes[1].misses_token() && net.processes[2].misses_token());
    net.connect([(N0, N1)]);
    net.deliver_all();
    assert!(net.processes.iter().all(Cold::is_idle), "{}", net.story);
    assert!(!net.story.contains("RaiseHeight"), "{}", net.story);
}

/// 0 leads a session that 1 is let into, and the subtoken is under way.
fn subtoken_under_way() -> Settled<Gme> {
    let mut net = two_ask::<Gme>(&gme::Config { units: 4, ..gme::Config::default() });
    net.request(N0, 0);
    net.deliver(N1, N0);
    assert_eq!(net.processes[0].weight(), -4, "{}", net.story);
    net
}

#[test]
fn d13_gme_a_subtoken_that_comes_back_is_weight_that_is_back() {
    let mut net = subtoken_under_way();
    net.cut(N0, N1);
    net.tell((N1, N0));
    net.tell((N0, N1));
    assert_eq!((net.returned, net.processes[0].weight()), (1, 0), "{}", net.story);
    net.step(N0, Input::ReleaseCs);
    net.deliver_all();
    assert_eq!((net.sums(), net.processes[2].status()), ((1, 0), Status::Critical));
}

#[test]
fn d13_gme_a_release_that_comes_back_goes_another_way() {
    let mut net = subtoken_under_way();
    net.deliver_all();
    net.connect([(N1, N2)]);
    net.deliver_all();
    net.step(N1, Input::ReleaseCs);
    net.cut(N0, N1);
    net.tell((N0, N1));
    net.tell((N1, N0));
    assert_eq!(net.returned, 1, "{}", net.story);
    net.step(N2, Input::ReleaseCs);
    net.deliver_all();
    assert_eq!(net.processes[0].weight(), 0, "{}", net.story);
    assert_eq!(net.processes[0].session(), Some(ResourceId(0)), "0 is inside still");
}

#[test]
fn d13_gme_a_token_that_comes_back_leads_again() {
    let net = cut_under_way::<Gme>(&gme::Config::default());
    assert_eq!(net.processes[2].status(), Status::Critical, "{}", net.story);
}

#[test]
fn d14_gme_nodes_without_a_height_are_silent_until_they_hear_one() {
    let mut net: Settled<Gme> = Settled::new(3, &gme::Config::default(), false);
    net.connect([(N1, N2)]);
    assert_eq!(net.in_transit(N1, N2) + net.in_transit(N2, N1), 0, "{}", net.story);
    net.connect([(N0, N1)]);
    net.deliver_all();
    assert!(!net.story.contains("raiseHeight"), "{}", net.story);
    net.request(N2, 0);
    net.deliver_all();
    assert_eq!(net.processes[2].status(), Status::Critical, "{}", net.story);
}

#[test]
#[should_panic(expected = "nothing here carries a token or weight")]
fn lme2_has_nothing_that_could_come_back() {
    let mut lme2 = Lme2::cold(N0, true, &lme2::Config::default());
    lme2.step(Input::LinkUp { peer: N1, role: LinkRole::Static }, &mut Out::new());
    lme2.step(Input::Returned { to: N1, msg: lme2::Msg::Fork(false) }, &mut Out::new());
}
