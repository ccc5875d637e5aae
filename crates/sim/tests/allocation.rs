//! Hot paths do not allocate: ten times the run, the same number of allocations.

use allocation_counter::measure;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{ChangeModel, Scenario, World};

use crate::worlds::{changes, cold, routed};

fn scenario(entries: u64) -> Scenario {
    Scenario { measure: cold(entries), ..Scenario::default() }
}

#[test]
fn a_static_network_allocates_nothing_in_the_steady_state() {
    let rl = |entries| {
        let scenario = scenario(entries);
        let world = World::<Rl>::new(&scenario, &Config::default()).unwrap();
        measure(|| assert_eq!(world.run().violation, None)).count_total
    };
    assert_eq!(rl(5_000), rl(50_000));
    let rr = |entries| {
        let scenario = routed(&scenario(entries));
        let world = World::<Raymond>::new(&scenario, &()).unwrap();
        measure(|| assert_eq!(world.run().violation, None)).count_total
    };
    assert_eq!(rr(5_000), rr(50_000));
}

/// A link that forms may be the first its ends have so many of. That ends: the second half of a
/// long run allocates next to nothing, though a link changes with every fourth step.
#[test]
fn a_moving_network_allocates_next_to_nothing() {
    let allocations = |entries| {
        let link_changes = changes(ChangeModel::Toggle, 0.01);
        let scenario = Scenario { link_changes, ..scenario(entries) };
        let world = World::<Rl>::new(&scenario, &Config::default()).unwrap();
        let mut run = None;
        let count = measure(|| run = Some(world.run())).count_total;
        (count, run.unwrap().steps)
    };
    let ((few, steps), (many, more_steps)) = (allocations(10_000), allocations(20_000));
    let rate = (many - few) as f64 / (more_steps - steps) as f64;
    assert!(rate < 1e-4, "{rate} allocations per step");
}
