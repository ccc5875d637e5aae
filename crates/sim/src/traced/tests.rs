use std::path::PathBuf;

use super::*;
use crate::scenario::ConnectedBy;

fn sample(name: &str) -> Traced {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/samples");
    Traced::of(PathBuf::from(folder).join(name))
}

fn apart(trace: Traced) -> Scenario {
    let mut scenario = Scenario { trace: Some(trace), ..Scenario::default() };
    scenario.link_changes.connected_by = ConnectedBy::Partitions;
    scenario
}

/// All runs of a process share what was read once, and others ask for something else.
#[test]
fn a_file_is_read_once() {
    let trace = sample("rwp30.movements.gz");
    let of = |trace: Traced| apart(trace).plan().unwrap().unwrap();
    let one = of(trace.clone());
    assert!(Arc::ptr_eq(&one, &of(trace.clone())));
    let wider = of(Traced { range: Some(300.0), ..trace.clone() });
    assert!(!Arc::ptr_eq(&one, &wider) && wider.changes.len() != one.changes.len());
    let together = plan(&trace, true).unwrap();
    assert!(!Arc::ptr_eq(&one, &together));
    assert_eq!(together.changes.len(), one.changes.len());
}

#[test]
fn a_plan_is_what_the_trace_says_in_ticks() {
    let trace = Traced { unit: 2.0, ..sample("rwp30.movements.gz") };
    let plan = apart(trace.clone()).plan().unwrap().unwrap();
    let (_, links) = read(&trace).unwrap();
    assert_eq!((plan.nodes.len(), plan.length, plan.seconds), (30, 300_000, 600.0));
    assert_eq!((plan.n_initial(), plan.changes.len()), (118, links.changes.len()));
    assert!((plan.share_connected - 0.6155).abs() < 1e-4);
    assert!(plan.changes.is_sorted_by_key(|&(at, _)| at));
    for (&(at, change), link) in plan.changes.iter().zip(&links.changes) {
        let (Change::Up(a, b) | Change::Down(a, b)) = change;
        assert_eq!((a.0.min(b.0), a.0.max(b.0)), (link.a, link.b));
        assert_eq!(matches!(change, Change::Up(..)), link.up);
        assert!((at as f64 - link.at as f64 / 2_000.0).abs() <= 0.5, "{at} {link:?}");
    }
    assert_eq!(plan.start().n_links(), 118);
    assert_eq!(plan.absence(NodeId(3), 7), None, "all are there all the time");
}

/// Parts of the start are joined by the first links that do, and by no more than it takes.
#[test]
fn what_is_apart_at_the_start_is_joined() {
    let plan = plan(&sample("workplace_InVS_tij.dat.zip"), true).unwrap();
    assert!(plan.start().is_connected() && plan.left_out.is_empty());
    let n_parts = plan.nodes.len() - (plan.n_initial() - cycles(&plan));
    assert_eq!(plan.n_joining(), n_parts - 1);
    let first_up = |pair: (NodeId, NodeId)| {
        let is_pair = |&&(_, change): &&(u64, Change)| change == Change::Up(pair.0, pair.1);
        plan.changes.iter().position(|change| is_pair(&change)).unwrap()
    };
    let order: Vec<usize> = plan.joining().iter().map(|&pair| first_up(pair)).collect();
    assert!(order.is_sorted() && order[0] >= plan.n_initial());
}

/// Links of the start that join nothing.
fn cycles(plan: &Plan) -> usize {
    let mut parts = parts::Parts::new(plan.nodes.len());
    let joins = |&&(_, change): &&(u64, Change)| {
        let (Change::Up(a, b) | Change::Down(a, b)) = change;
        !parts.join(a.0, b.0)
    };
    plan.changes[..plan.n_initial()].iter().filter(joins).count()
}

#[test]
fn vehicles_come_and_go() {
    let trace = Traced { range: Some(100.0), ..sample("generated_grid_fcd.xml") };
    let plan = apart(trace.clone()).plan().unwrap().unwrap();
    let (file, _) = read(&trace).unwrap();
    let driftlock_traces::Kind::Movement(tracks) = &file.kind else { panic!("vehicles move") };
    let start = file.span.start as f64 / 1e6;
    let mut absent = 0;
    for (node, track) in tracks.iter().enumerate() {
        for at in (0..plan.length).step_by(1_000) {
            let is_there = track.at(start + at as f64 / 1000.0).is_some();
            let absence = plan.absence(NodeId::at(node), at);
            assert_eq!(absence.is_none(), is_there, "{} at {at}", file.nodes[node]);
            absent += usize::from(!is_there);
            if let Some(Some(back)) = absence {
                assert!(back > at && plan.absence(NodeId::at(node), back).is_none());
            }
        }
    }
    assert!(absent > 400, "{absent}");
    // Whole seconds are those of the file, so that the count is the share.
    let share = absent as f64 / (tracks.len() as f64 * plan.units());
    assert!((plan.share_absent - share).abs() < 1e-9, "{} {share}", plan.share_absent);
    let there = apart(sample("rwp30.movements.gz")).plan().unwrap().unwrap();
    assert_eq!(there.share_absent, 0.0);
}

#[test]
fn what_does_not_go_with_a_file_is_refused() {
    let told = |trace: Traced| apart(trace).plan().unwrap_err().to_string();
    let contacts = || sample("workplace_InVS_tij.dat.zip");
    let movement = || sample("rwp30.movements.gz");
    assert!(told(sample("nothing.gz")).starts_with("trace.file: "));
    assert!(told(sample("nothing.gz")).contains("cannot be read"));
    assert!(told(Traced { range: Some(9.0), ..contacts() }).starts_with("trace.range: it goes"));
    assert!(told(Traced { step: Some(9.0), ..contacts() }).contains("has links already"));
    assert!(told(Traced { slot: Some(9.0), ..movement() }).starts_with("trace.slot: it goes"));
    assert!(told(Traced { mutual: true, ..movement() }).contains("it goes with Haggle contacts"));
    assert!(told(Traced { start: Some(600.0), ..movement() }).contains("is over when it starts"));
    assert!(told(Traced { start: Some(700.0), ..movement() }).contains("after its end"));
    assert!(told(Traced { activity: Some("x".into()), ..movement() }).contains("x: cannot be"));
    assert!(told(sample("README.md")).contains("line 1"), "{}", told(sample("README.md")));
}
