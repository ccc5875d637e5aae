//! Random storms over real links, from a cold start: nothing is lost or doubled, promises hold
//! after every step, and in the calm everyone gets in.

use driftlock_core::{Cold, NodeId, Protocol, Status, Tokens};
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{Forwarding, Krl, Settings};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::rl::Rl;

use crate::schedules::Lcg;
use crate::settled::{Settled, Storm};

/// A storm, a calm, a line of links, and a calm again. Returns how many messages came back.
fn storms<P: Cold + Tokens>(
    settings: &P::Settings,
    storm: Storm,
    judge: &dyn Fn(&Settled<P>),
) -> usize {
    let mut returned = 0;
    for seed in 0..400 {
        let mut dice = Lcg(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed + 1) | 1);
        let n = 2 + dice.below(5);
        let mut net: Settled<P> = Settled::new(n, settings, seed % 2 == 0);
        net.run(storm, &mut dice, judge);
        net.connect((1..n).map(|k| (NodeId::at(k - 1), NodeId::at(k))));
        let calm = Storm { requests: n, changes: 0, ..storm };
        net.run(calm, &mut dice, judge);
        assert!(net.waiting().is_empty(), "seed {seed}\n{}", net.story);
        returned += net.returned;
    }
    returned
}

/// Tokens and weight are neither made nor lost, and no more than `k` are inside.
fn at_most<P: Cold + Tokens>(net: &Settled<P>, k: u32) {
    assert_eq!(net.sums(), (k, 0), "{}", net.story);
    let inside = net.processes.iter().filter(|process| process.status() == Status::Critical);
    assert!(inside.count() <= k as usize, "{}", net.story);
}

const WHOLE: Storm = Storm { requests: 12, resources: 1, changes: 40, apart: false };
const APART: Storm = Storm { apart: true, ..WHOLE };

#[test]
fn rl_over_real_links() {
    assert!(storms::<Rl>(&(), WHOLE, &|net| at_most(net, 1)) > 20);
}

#[test]
fn krl_over_real_links_that_fall_apart() {
    for (tokens, forwarding) in
        [(1, Forwarding::Never), (2, Forwarding::Adaptive), (3, Forwarding::Adaptive)]
    {
        let settings = Settings { tokens, forwarding };
        assert!(storms::<Krl>(&settings, WHOLE, &|net| at_most(net, tokens)) > 20);
        assert!(storms::<Krl>(&settings, APART, &|net| at_most(net, tokens)) > 20);
    }
}

#[test]
fn gme_over_real_links() {
    let config = gme::Config { units: 4, ..gme::Config::default() };
    let storm = Storm { resources: 2, ..WHOLE };
    let judge = |net: &Settled<Gme>| assert_eq!(net.sums(), (1, 0), "{}", net.story);
    assert!(storms::<Gme>(&config, storm, &judge) > 20);
}

#[test]
fn lme2_over_real_links_that_fall_apart() {
    let judge = |net: &Settled<Lme2>| {
        let inside = |i: NodeId| net.processes[i.index()].status() == Status::Critical;
        for (a, b) in net.up.links() {
            let both = inside(a) && inside(b) && net.both_open(a, b);
            assert!(!both, "{a} and {b} are inside\n{}", net.story);
        }
    };
    assert_eq!(storms::<Lme2>(&lme2::Config::default(), APART, &judge), 0);
}
