//! Numbers that can be counted by hand.

use super::*;

const ONE: Shares = Shares { tokens: 1, resources: 1, local: false, faults: false };

fn waited(ticks: u64) -> Wait {
    Wait { ticks, still: true }
}

#[test]
fn percentiles_are_waits_that_occurred() {
    let mut waits: Vec<u64> = (1..=200).rev().map(|k| k * 1000).collect();
    let waiting = waiting(&mut waits);
    assert_eq!(waiting.mean, 100.5);
    assert_eq!([waiting.median, waiting.p95, waiting.p99], [100.0, 190.0, 198.0]);
    assert_eq!(waiting.max, 200.0);
}

#[test]
fn the_warm_up_is_not_measured() {
    let measure = Measure { warmup: 2, entries: Some(3), until: None };
    let mut meter = Meter::new(measure, &["Token"], 2, 2, ONE);
    for k in 0..5 {
        meter.sent();
        meter.transmitted(0, 9);
        meter.transmitted(0, 1);
        let node = NodeId(u32::from(k == 4));
        let last = meter.entered(node, ResourceId(0), 1000 * (k + 1), waited(1000 * k));
        meter.left(node, 1000 * (k + 1));
        assert_eq!(last, k == 4);
    }
    let metrics = meter.finish(5000);
    assert_eq!((metrics.entries, metrics.time, metrics.waiting.mean), (3, 3.0, 3.0));
    assert_eq!((metrics.messages_per_entry, metrics.hops_per_message), (2.0, 2.0));
    assert_eq!(metrics.throughput, 1.0);
    assert_eq!(metrics.fairness, 9.0 / 10.0);
    assert_eq!((metrics.sharing, metrics.choice), (None, None));
}

/// One is inside from 1 to 5 and is counted from 2 on, when measuring begins; another is inside
/// from 2 to 4, and a third from 5 to 6.
#[test]
fn those_inside_are_counted_over_time_and_by_what_they_wanted() {
    let measure = Measure { warmup: 2, entries: None, until: Some(10.0) };
    let mut meter = Meter::new(measure, &[], 3, 3, Shares { resources: 3, ..ONE });
    let enter = |meter: &mut Meter, resource, at: u64, wait: u64| {
        meter.entered(
            NodeId(resource),
            ResourceId(resource.into()),
            1000 * at,
            waited(1000 * wait),
        );
    };
    enter(&mut meter, 1, 1, 0);
    enter(&mut meter, 1, 2, 0);
    meter.left(NodeId(1), 4000);
    meter.left(NodeId(1), 5000);
    enter(&mut meter, 0, 5, 4);
    meter.left(NodeId(1), 6000);
    enter(&mut meter, 0, 8, 2);
    meter.left(NodeId(1), 8000);
    enter(&mut meter, 1, 9, 1);
    let metrics = meter.finish(10_000);
    let inside = 2.0 * 2.0 + 1.0 + 1.0 + 1.0;
    let sharing = Sharing { concurrency: inside / 8.0, most_inside: 2 };
    assert_eq!(metrics.sharing, Some(sharing));
    let choice = metrics.choice.unwrap();
    assert_eq!(choice.switches_per_entry, 2.0 / 3.0);
    let used = choice.resources.iter().map(|used| (used.entries, used.waiting));
    assert_eq!(used.collect::<Vec<_>>(), [(2, 3.0), (1, 1.0), (0, 0.0)]);
}

#[test]
fn nothing_measured_is_no_division_by_zero() {
    let metrics = Meter::new(Measure::default(), &[], 1, 1, ONE).finish(0);
    assert!(metrics.waiting.mean == 0.0 && metrics.throughput == 0.0 && metrics.fairness == 0.0);
}
