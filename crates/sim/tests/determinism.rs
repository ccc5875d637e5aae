//! The same scenario gives the same bytes; another seed gives others; and what two protocols
//! share under one seed.

use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{ChangeModel, Scenario, Span};

use crate::worlds::{changes, cold, first_requests, load, recorded, rl, routed, rr};

fn stormy(seed: u64) -> Scenario {
    Scenario {
        protocol: "rl".into(),
        seed,
        link_changes: changes(ChangeModel::Toggle, 0.02),
        delay: Span::Uniform(0.5, 2.0),
        critical_section: Span::Exponential(1.0),
        requests: load(0.1),
        measure: cold(200),
        ..Scenario::default()
    }
}

#[test]
fn one_seed_is_one_run_byte_for_byte() {
    let journal = |seed| recorded::<Rl>(&stormy(seed), &Config::default()).1;
    assert_eq!(journal(5), journal(5));
    assert_ne!(journal(5), journal(6));
}

/// On every machine. A new number here is a new version of the dice or of a protocol's behavior,
/// and has to be announced.
#[test]
fn the_bytes_of_a_run_are_pinned() {
    let (_, rl) = recorded::<Rl>(&stormy(5), &Config::default());
    let raymond = Scenario { protocol: "raymond".into(), ..routed(&stormy(5)) };
    let (_, raymond) = recorded::<Raymond>(&raymond, &());
    assert_eq!((fnv(&rl), fnv(&raymond)), (PINNED_RL, PINNED_RAYMOND));
}

const PINNED_RL: u64 = 1_632_471_541_045_812_110;
const PINNED_RAYMOND: u64 = 11_176_942_341_410_471_763;

/// FNV-1a: short enough to be right by inspection.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Common random numbers: every node asks first at the same time whoever serves it.
#[test]
fn two_protocols_face_the_same_requests() {
    let scenario = stormy(7);
    let (_, of_rl) = recorded::<Rl>(&scenario, &Config::default());
    let (_, of_rr) = recorded::<Raymond>(&routed(&scenario), &());
    let (of_rl, of_rr) = (first_requests(&of_rl, 30), first_requests(&of_rr, 30));
    assert!(of_rl.iter().flatten().count() > 20);
    for (rl, rr) in of_rl.into_iter().zip(of_rr) {
        assert!(rl == rr || rl.is_none() || rr.is_none(), "{rl:?} {rr:?}");
    }
}

/// Changes are rare enough here for none to find its link busy.
#[test]
fn two_protocols_face_the_same_link_changes() {
    let scenario = Scenario {
        link_changes: changes(ChangeModel::Literal, 0.5),
        requests: load(0.001),
        measure: Some(driftlock_sim::Measure { until: Some(500.0), ..Default::default() }),
        ..stormy(3)
    };
    let (rl, rr) = (rl(&scenario).metrics.link_changes, rr(&scenario).metrics.link_changes);
    assert!(rl > 400 && rl == rr, "{rl} {rr}");
}

/// More numbers used of one stream shift none of another.
#[test]
fn delays_do_not_shift_requests() {
    let constant = Scenario { delay: Span::Constant(1.0), ..stormy(9) };
    let (_, a) = recorded::<Rl>(&constant, &Config::default());
    let (_, b) = recorded::<Rl>(&stormy(9), &Config::default());
    for (a, b) in first_requests(&a, 30).into_iter().zip(first_requests(&b, 30)) {
        assert!(a == b || a.is_none() || b.is_none());
    }
}
