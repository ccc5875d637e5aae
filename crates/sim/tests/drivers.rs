//! The conditions on the driver itself: a monitor that is told of a broken one says so.

use driftlock_core::NodeId;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_spec::links::{Delivery, Downfall};
use driftlock_spec::{Monitor, Promise, Rules};

fn judged(tell: impl FnOnce(&mut Monitor)) -> Option<Promise> {
    let mut pair = driftlock_core::Graph::new(2);
    pair.link(NodeId(0), NodeId(1));
    let processes = <Rl as driftlock_core::Initial>::initial(&pair, &Config::default());
    let mut monitor = Monitor::new(&processes, Rules::default());
    tell(&mut monitor);
    monitor.violation().map(|violation| violation.promise)
}

#[test]
fn messages_arrive_once_in_order_on_a_link_that_stayed_up() {
    let (a, b) = (NodeId(0), NodeId(1));
    let due = Delivery { up: true, number: 4, expected: 4 };
    assert_eq!(judged(|monitor| monitor.delivery(a, b, due)), None);
    for wrong in [
        Delivery { up: false, ..due },
        Delivery { number: 5, ..due },
        Delivery { number: 3, ..due },
    ] {
        assert_eq!(judged(|monitor| monitor.delivery(a, b, wrong)), Some(Promise::Model));
    }
}

#[test]
fn links_go_down_idle_and_dispensable_and_come_up_once() {
    let (a, b) = (NodeId(0), NodeId(1));
    let fine = Downfall { in_transit: 0, joined: true };
    assert_eq!(judged(|monitor| monitor.link_down(a, b, fine)), None);
    for wrong in [Downfall { in_transit: 1, ..fine }, Downfall { joined: false, ..fine }] {
        assert_eq!(judged(|monitor| monitor.link_down(a, b, wrong)), Some(Promise::Model));
    }
    assert_eq!(judged(|monitor| monitor.link_up(a, b, false)), None);
    assert_eq!(judged(|monitor| monitor.link_up(a, b, true)), Some(Promise::Model));
}
