//! The second global token of section 8.1, as it was published: what it is for, and where it makes
//! a second primary.

use driftlock_core::{Input, NodeId, Protocol, Status};
use driftlock_protocols::cluster::published::{Config, Msg, Published, Timer};

use crate::stage::Stage;

/// Two clusters: 0 with 2 and 4, 1 with 3 and 5; 2 and 3 hear each other.
const TWO: &[(u32, u32)] = &[(0, 2), (0, 4), (1, 3), (1, 5), (2, 3)];

/// 5 asks, and the two tokens are on their way from 0 to 1.
fn stage() -> Stage<Published> {
    let mut stage = Stage::new(6, TWO, &Config::default());
    stage.request(5);
    deliver(&mut stage, &[(5, 1), (1, 0)]);
    let sent: Vec<&Msg> = stage.channels[&(NodeId(0), NodeId(1))].iter().collect();
    assert!(matches!(sent[..], [Msg::Global(_), Msg::Secondary(0)]), "{sent:?}");
    stage
}

fn deliver(stage: &mut Stage<Published>, ways: &[(u32, u32)]) {
    ways.iter().for_each(|&(from, to)| stage.deliver(from, to));
}

fn late(stage: &mut Stage<Published>, node: u32, timer: Timer) {
    stage.step(NodeId(node), Input::Timer(timer));
}

/// The oldest message on this way is lost.
fn lost(stage: &mut Stage<Published>, from: u32, to: u32) -> Msg {
    let way = stage.channels.get_mut(&(NodeId(from), NodeId(to)));
    way.and_then(|msgs| msgs.pop_front()).expect("something is in transit")
}

fn inside(stage: &Stage<Published>) -> Vec<usize> {
    let all = stage.processes.iter().enumerate();
    all.filter(|(_, process)| process.status() == Status::Critical).map(|(k, _)| k).collect()
}

/// (i), Case 1: the primary was lost. The secondary waits for it, and has a new one made.
#[test]
fn the_second_token_replaces_a_primary_that_was_lost() {
    let mut stage = stage();
    assert!(matches!(lost(&mut stage, 0, 1), Msg::Global(_)));
    stage.deliver_all();
    assert!(inside(&stage).is_empty());
    late(&mut stage, 1, Timer::Primary);
    deliver(&mut stage, &[(1, 0), (0, 1), (1, 5)]);
    assert_eq!(inside(&stage), [5], "{}", stage.story);
    // Both tokens go on, and the next one is lost and replaced like that.
    stage.release(5);
    deliver(&mut stage, &[(5, 1), (5, 1)]);
    stage.request(4);
    deliver(&mut stage, &[(4, 0)]);
    assert!(matches!(lost(&mut stage, 1, 0), Msg::Global(_)));
    deliver(&mut stage, &[(1, 0)]);
    late(&mut stage, 0, Timer::Primary);
    deliver(&mut stage, &[(0, 1), (1, 0), (0, 4)]);
    assert_eq!(inside(&stage), [4], "{}", stage.story);
}

/// (i), Case 2: the primary was slow, and the secondary overtook it. There are two then, and the
/// one that comes later is consumed.
#[test]
fn a_primary_that_was_slow_is_consumed() {
    let mut stage = stage();
    let slow = lost(&mut stage, 0, 1);
    deliver(&mut stage, &[(0, 1)]);
    late(&mut stage, 1, Timer::Primary);
    deliver(&mut stage, &[(1, 0), (0, 1), (1, 5)]);
    assert_eq!(inside(&stage), [5]);
    let before = stage.in_transit();
    stage.step(NodeId(1), Input::Recv { from: NodeId(0), msg: slow });
    assert_eq!((stage.in_transit(), inside(&stage)), (before, vec![5]), "{}", stage.story);
}

/// (ii): the secondary was lost. Who has sent the primary on makes a new one.
#[test]
fn a_secondary_that_was_lost_is_made_anew() {
    let mut stage = stage();
    deliver(&mut stage, &[(0, 1)]);
    assert!(matches!(lost(&mut stage, 0, 1), Msg::Secondary(0)));
    deliver(&mut stage, &[(1, 5)]);
    stage.release(5);
    deliver(&mut stage, &[(5, 1), (5, 1)]);
    assert_eq!(stage.channels[&(NodeId(1), NodeId(0))].len(), 1, "the primary alone");
    late(&mut stage, 1, Timer::Secondary);
    assert!(matches!(lost(&mut stage, 1, 0), Msg::Global(_)));
    deliver(&mut stage, &[(1, 0)]);
    late(&mut stage, 0, Timer::Primary);
    stage.request(4);
    deliver(&mut stage, &[(4, 0), (0, 1), (1, 0), (0, 4)]);
    assert_eq!(inside(&stage), [4], "the new one replaces a primary: {}", stage.story);
}

/// The head that begins a round makes a new secondary with the number of that, after one time-out
/// that was wrong. The old one has the number before, so it is not consumed. It waits for a primary
/// of its own and has one made, and two are inside.
#[test]
fn d6_the_second_token_makes_two_primaries() {
    let mut stage = stage();
    deliver(&mut stage, &[(0, 1), (0, 1), (1, 5)]);
    stage.release(5);
    deliver(&mut stage, &[(5, 1), (5, 1)]);
    // Both tokens are on their way to 0, which sends the primary on at once.
    deliver(&mut stage, &[(1, 0)]);
    stage.request(4);
    deliver(&mut stage, &[(4, 0), (0, 1)]);
    // 1 begins a round, sends the primary back and is too impatient for the secondary.
    late(&mut stage, 1, Timer::Secondary);
    deliver(&mut stage, &[(1, 0), (0, 1)]);
    // The old secondary is at 1 now, the primary at 0 and 4 inside.
    deliver(&mut stage, &[(1, 0)]);
    deliver(&mut stage, &[(0, 4)]);
    assert_eq!(inside(&stage), [4], "{}", stage.story);
    stage.request(5);
    deliver(&mut stage, &[(5, 1)]);
    late(&mut stage, 1, Timer::Primary);
    deliver(&mut stage, &[(1, 0), (1, 0), (0, 1), (1, 5)]);
    assert_eq!(inside(&stage), [4, 5], "{}", stage.story);
}
