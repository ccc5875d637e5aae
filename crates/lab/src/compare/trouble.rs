//! Worlds with trouble, which no paper has: what recovery is measured in.

use driftlock_sim::{
    ChangeModel, LinkChanges, Measure, Moment, Network, Requests, Scenario, Scripted, Shape,
};

use super::Case;
use super::worlds::{LOADS, Set};

/// How many nodes there are.
const NODES: u32 = 30;

/// When trouble begins, in units: long after the start.
const BEGINS: f64 = 500.0;

/// How long nodes ask. Whoever has to notice that a token is gone takes some hundred units.
const ENDS: f64 = 3_000.0;

/// How often a bridge moves, and how many units are between two times.
const OFTEN: u32 = 10;
const APART: f64 = 20.0;

/// All of them. In the first everybody can take part who sees links change; messages get lost and
/// nodes stop for those who live with that.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    bridges(&mut cases);
    losses(&mut cases);
    crashes(&mut cases);
    cases
}

/// The network hangs by one link, another joins its ends a unit before that goes, and it is never
/// in parts. Once, and then to and fro.
fn bridges(cases: &mut Vec<Case>) {
    let set = Set { title: format!("A bridge moves: {NODES} in a line"), stem: "bridge".into() };
    for (moves, name) in [(1, "once".to_owned()), (OFTEN, format!("{OFTEN} times"))] {
        let link_changes = LinkChanges { model: ChangeModel::Scripted, ..LinkChanges::default() };
        let script = (0..moves).flat_map(bridge_moves).collect();
        let plain = Scenario { link_changes, script, ..plain(Shape::Line) };
        all_loads(&set, &name, &plain, cases);
    }
}

/// The middle of the line is cut and its ends are joined, or the other way round.
fn bridge_moves(k: u32) -> [Scripted; 2] {
    let [middle, ends] = [[NODES / 2 - 1, NODES / 2], [0, NODES - 1]];
    let (up, down) = if k.is_multiple_of(2) { (ends, middle) } else { (middle, ends) };
    let at = BEGINS + APART * f64::from(k);
    [
        Scripted { at: at - 1.0, up: Some(up), ..Scripted::default() },
        Scripted { at, down: Some(down), ..Scripted::default() },
    ]
}

/// Any message may be lost, on each link it crosses.
fn losses(cases: &mut Vec<Case>) {
    let set = Set { title: format!("Messages get lost: grid of {NODES}"), stem: "losses".into() };
    for (loss, name) in [(0.002, "1 in 500"), (0.02, "1 in 50")] {
        all_loads(&set, name, &Scenario { loss, ..plain(Shape::Grid) }, cases);
    }
}

/// One that has nothing may stop, or one that is inside.
fn crashes(cases: &mut Vec<Case>) {
    let set = Set { title: format!("A node stops: grid of {NODES}"), stem: "crashes".into() };
    for (node, once, name) in
        [(NODES - 1, None, "in a corner"), (NODES / 2, Some(Moment::Inside), "while inside")]
    {
        let crash = Scripted { at: BEGINS, crash: Some(node), once, ..Scripted::default() };
        all_loads(&set, name, &Scenario { script: vec![crash], ..plain(Shape::Grid) }, cases);
    }
}

fn plain(shape: Shape) -> Scenario {
    Scenario {
        network: Network { shape, nodes: NODES as usize, ..Network::default() },
        measure: Some(Measure { warmup: 0, entries: None, until: Some(ENDS) }),
        ..Scenario::default()
    }
}

fn all_loads(set: &Set, name: &str, plain: &Scenario, cases: &mut Vec<Case>) {
    cases.extend(LOADS.map(|rate| {
        let requests = Requests { rate, ..Requests::default() };
        set.case(name, Scenario { requests, ..plain.clone() })
    }));
}
