//! How long the doorways of LME-1 take by themselves: Lemmas 1 and 2. What is behind them takes a
//! unit of time, and so does a message; everyone comes back almost at once.

use driftlock_sim::{Measure, Network, Requests, Scenario, Shape, Span, World};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;

use crate::walker::{Kind, Walker};

/// The longest that anybody waited.
fn longest(shape: Shape, nodes: usize, kind: Kind) -> f64 {
    let longest = (1..=5).map(|seed| {
        let entries = Some(40 * nodes as u64);
        let scenario = Scenario {
            seed,
            network: Network { shape, nodes, ..Network::default() },
            requests: Requests { rate: 10.0, ..Requests::default() },
            delay: Span::Uniform(0.0, 1.0),
            measure: Some(Measure { warmup: 0, entries, until: None }),
            ..Scenario::default()
        };
        let exclusion = Exclusion::AtMost(nodes as u32);
        let rules = Rules { exclusion, ..Rules::default() };
        let run = World::<Walker>::under(&scenario, &kind, rules).unwrap().run();
        assert!(run.violation.is_none(), "{:?}", run.violation);
        run.metrics.waiting.max
    });
    longest.fold(0.0, f64::max)
}

/// O(δT), whatever the size of the network.
#[test]
fn the_time_through_a_double_doorway_does_not_depend_on_the_network() {
    let double = Kind::Double { returns: 0 };
    let times = [12, 120, 1200].map(|nodes| longest(Shape::Ring, nodes, double));
    // There are more who may have to wait the longest in a large network, but not for longer.
    assert!(times.iter().all(|time| *time < 4.0 * 2.0 * 2.0), "{times:?}");
}

/// It grows with the number of neighbors no faster than in proportion.
#[test]
fn the_time_through_a_double_doorway_grows_with_the_neighbors() {
    let double = Kind::Double { returns: 0 };
    let times = [5, 9, 17, 33].map(|nodes| longest(Shape::Clique, nodes, double));
    for (time, nodes) in times.iter().zip([5, 9, 17, 33]) {
        assert!(*time < 4.0 * f64::from(nodes - 1), "{times:?}");
    }
}

/// O(δTR): with R returns it takes no more than in proportion longer. Who returns at once, as here,
/// finds the inner doorway open nearly always, so it takes no longer at all.
#[test]
fn the_return_path_costs_its_share() {
    let times = [0, 1, 3, 7].map(|returns| longest(Shape::Ring, 60, Kind::Double { returns }));
    for (time, returns) in times.iter().zip([0, 1, 3, 7]) {
        assert!(*time <= times[0] * f64::from(returns + 1), "{times:?}");
    }
}
