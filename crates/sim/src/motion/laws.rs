//! For tests: whether nodes move as their laws say.

use driftlock_core::NodeId;

use super::{Movers, Place, gather};
use crate::agenda::Agenda;
use crate::dice::{Dice, Stream};
use crate::network::{Network, Shape};
use crate::scenario::{Motion, MotionModel, MotionStart, Scenario, Speed};
use crate::span::{Span, ticks, units};

const AREA: f64 = 10.0;

fn scenario(nodes: usize, motion: Motion) -> Scenario {
    let (range, area) = (Some(1.5), Some(AREA));
    let network = Network { shape: Shape::Geometric, nodes, range, area, ..Network::default() };
    Scenario { network, motion: Some(motion), ..Scenario::default() }
}

fn brisk(model: MotionModel) -> Motion {
    Motion { model, speed: Some(Speed::uniform(0.5, 2.0)), ..Motion::default() }
}

/// Who is shown every step, and when it is.
type Seen<'s> = dyn FnMut(&Movers, NodeId, u64) + 's;

/// Let all nodes move until a time.
fn travel(scenario: &Scenario, until: u64, seen: &mut Seen<'_>) -> Movers {
    let mut die = Dice::new(scenario.seed).sequence(Stream::Network);
    let mut places = scenario.network.places(&mut die);
    gather(scenario, &mut places, 0);
    let nodes = places.len();
    let mut movers =
        Movers::new(scenario, scenario.motion.as_ref().expect("nodes move"), places, 0);
    let mut agenda = Agenda::new();
    for node in (0..nodes).map(NodeId::at) {
        movers.first(node).into_iter().for_each(|at| agenda.schedule(at, node));
    }
    while let Some((at, node)) = agenda.pop().filter(|(at, _)| *at < until) {
        let (moved, next) = movers.step(node, at);
        assert!(next > at, "time goes on");
        agenda.schedule(next, node);
        if moved {
            seen(&movers, node, at);
        }
    }
    movers
}

fn places(movers: &Movers, n: usize) -> Vec<Place> {
    (0..n).map(|k| movers.cells.place(NodeId::at(k))).collect()
}

#[test]
fn nobody_leaves_the_area_or_jumps() {
    for model in MotionModel::ALL {
        let mut steps = 0;
        let mut before: Vec<Option<(u64, Place)>> = vec![None; 40];
        travel(&scenario(40, brisk(model)), 60_000, &mut |movers, node, at| {
            steps += 1;
            let place = movers.cells.place(node);
            assert_eq!(place, place.within(AREA), "{model:?}");
            if let Some((then, old)) = before[node.index()].replace((at, place)) {
                // Gauss-Markov has no fastest speed, and a member of a group adds its own.
                let fastest = if model == MotionModel::GaussMarkov { 8.0 } else { 4.5 };
                let far = fastest * units(at - then) + 0.1;
                assert!(old.distance(place) <= far, "{model:?}: {old:?} {place:?}");
            }
        });
        assert!(steps > 5_000, "{model:?}: {steps}");
    }
}

/// The ways of a node are the same whoever else there is, and others under another seed.
#[test]
fn ways_depend_on_the_seed_and_on_the_node() {
    for model in MotionModel::ALL {
        let at_end = |nodes, seed| {
            let scenario = Scenario { seed, ..scenario(nodes, brisk(model)) };
            places(&travel(&scenario, 30_000, &mut |_, _, _| {}), 20)
        };
        assert_eq!(at_end(20, 1), at_end(45, 1), "{model:?}");
        let (one, two) = (at_end(20, 1), at_end(20, 2));
        assert!(one.iter().zip(&two).all(|(a, b)| a != b), "{model:?}");
    }
}

/// Uniform places and directions stay so, for borders are mirrors.
#[test]
fn walks_are_everywhere_alike() {
    for model in [MotionModel::Walk, MotionModel::GaussMarkov] {
        let movers = travel(&scenario(4_000, brisk(model)), 40_000, &mut |_, _, _| {});
        let mut count = [0; 4];
        for place in places(&movers, 4_000) {
            count[usize::from(place.x > 2.5) + 2 * usize::from(place.y > 7.5)] += 1;
        }
        let expected = [750, 2_250, 250, 750];
        for (count, expected) in count.into_iter().zip(expected) {
            assert!(f64::from(i32::abs(count - expected)) < 0.2 * f64::from(expected), "{count}");
        }
    }
}

/// A leg has the speed that was drawn, also where the border turns it back.
#[test]
fn walkers_keep_their_speed() {
    let leg = Some(Span::Constant(3.0));
    let motion = Motion { leg, speed: Some(Speed::constant(2.0)), ..brisk(MotionModel::Walk) };
    let mut legs = 0;
    travel(&scenario(50, motion), 60_000, &mut |movers, node, at| {
        let way = &movers.ways[node.index()];
        assert!((way.speed() - 2.0).abs() < 1e-9, "{}", way.speed());
        assert_eq!(way.end - way.start, ticks(3.0));
        legs += usize::from(way.start == at);
    });
    assert!(legs > 900, "{legs}");
}

/// The velocity of one leg has the memory that was asked for in the next, and its mean speed.
#[test]
fn gauss_markov_remembers() {
    for memory in [0.0, 0.5, 0.9] {
        let (speed, leg) = (Some(Speed::constant(1.0)), Some(Span::Constant(1.0)));
        let motion = Motion { memory: Some(memory), speed, leg, ..brisk(MotionModel::GaussMarkov) };
        let mut legs: Vec<Vec<Place>> = vec![Vec::new(); 300];
        let mut scenario = scenario(300, motion);
        // So wide that nobody gets to the border.
        scenario.network.area = Some(1e6);
        travel(&scenario, 120_000, &mut |movers, node, at| {
            let way = &movers.ways[node.index()];
            if way.start == at {
                legs[node.index()].push(way.velocity());
            }
        });
        let covariance = |lag: usize| {
            let pairs = legs.iter().flat_map(|legs| legs.iter().zip(&legs[lag..]));
            let (n, sum) =
                pairs.fold((0.0, 0.0), |(n, sum), (a, b)| (n + 2.0, sum + a.x * b.x + a.y * b.y));
            sum / n
        };
        for lag in 1..4 {
            let found = covariance(lag) / covariance(0);
            let asked = memory.powi(lag as i32);
            assert!((found - asked).abs() < 0.03, "{memory} after {lag}: {found}");
        }
        let all: Vec<f64> = legs.iter().flatten().map(|v| v.distance(Place::default())).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!((mean - 1.0).abs() < 0.05, "{mean}");
    }
}

/// Nodes are on streets, turn as often as they are asked to, and go back only at dead ends, of
/// which a grid has none.
#[test]
fn streets_are_kept_to() {
    for (block, turn) in [(Some(1.1), Some(0.5)), (Some(2.5), Some(0.0)), (Some(30.0), None)] {
        let motion = Motion { block, turn, ..brisk(MotionModel::Manhattan) };
        let width = motion.street_distance(AREA, 1.5);
        let is_street = |at: f64| (at / width - (at / width).round()).abs() < 1e-9;
        let (mut turns, mut straight) = (0, 0);
        let mut headings = vec![None; 40];
        travel(&scenario(40, motion), 100_000, &mut |movers, node, at| {
            let place = movers.cells.place(node);
            assert!(is_street(place.x) || is_street(place.y), "{place:?}");
            let way = &movers.ways[node.index()];
            if way.start != at {
                return;
            }
            assert!(is_street(way.from.x) && is_street(way.from.y));
            let heading = ((way.to.x - way.from.x).signum(), (way.to.y - way.from.y).signum());
            let along = (way.to.x != way.from.x, heading);
            let inner = |at: f64| at > 0.5 * width && at < AREA - 0.5 * width;
            if let Some(before) = headings[node.index()].replace(along)
                && inner(way.from.x)
                && inner(way.from.y)
            {
                assert!(before.0 != along.0 || before == along, "nobody goes back");
                turns += usize::from(before.0 != along.0);
                straight += usize::from(before.0 == along.0);
            }
        });
        let share = turns as f64 / (turns + straight).max(1) as f64;
        match turn {
            // Who never turns but at the border stays there.
            Some(0.0) => assert!(turns == 0 && straight > 10, "{turns} {straight}"),
            Some(turn) => assert!((share - turn).abs() < 0.05 && straight > 500, "{share}"),
            None => assert_eq!(turns + straight, 0, "one block has no inner crossing"),
        }
    }
}

/// Members are within the spread of their reference point, all over it, and move while it rests.
#[test]
fn groups_wander_around_their_reference_point() {
    let motion = Motion { group: Some(6), spread: Some(0.8), ..brisk(MotionModel::Rpgm) };
    let (mut steps, mut resting, mut far) = (0, 0, 0);
    travel(&scenario(60, motion), 40_000, &mut |movers, node, at| {
        let leader = NodeId(node.0 - node.0 % 6);
        let center = movers.ways[node.index()];
        let its = movers.ways[leader.index()];
        // The other may not have been looked at since.
        if center.start == its.start {
            assert_eq!((center.place(at), center.end), (its.place(at), its.end));
        }
        let distance = movers.cells.place(node).distance(center.place(at));
        assert!(distance <= 0.8 + 1e-9, "{distance}");
        steps += 1;
        far += usize::from(distance > 0.4);
        resting += usize::from(!center.is_under_way);
    });
    assert!(steps > 5_000 && resting > 500, "{steps} {resting}");
    let share = far as f64 / f64::from(steps);
    assert!((0.4..0.9).contains(&share), "all over the disc: {share}");
}

/// What is measured of random waypoints at a moment: speed with pauses, the share of those who
/// pause, and the square of the distance from the middle.
fn measured(movers: &Movers, n: usize) -> [f64; 3] {
    let middle = Place { x: AREA / 2.0, y: AREA / 2.0 };
    let mut sums = [0.0; 3];
    for k in 0..n {
        let (way, place) = (&movers.ways[k], movers.cells.place(NodeId::at(k)));
        sums[0] += if way.is_under_way { way.speed() } else { 0.0 };
        sums[1] += f64::from(u8::from(!way.is_under_way));
        sums[2] += place.distance(middle) * place.distance(middle);
    }
    sums.map(|sum| sum / n as f64)
}

/// A start from the stationary distribution is as it is later, and as the formulas say. The cold
/// one is not: it is faster at first, and not as much in the middle.
#[test]
fn the_stationary_start_is_stationary() {
    let n = 6_000;
    for pause in [Span::Constant(5.0), Span::Uniform(1.0, 9.0), Span::Exponential(5.0)] {
        let motion = |start| Motion {
            start,
            pause,
            speed: Some(Speed::uniform(0.1, 2.0)),
            step: Some(2.0),
            ..Motion::default()
        };
        let after = |start, time: f64| {
            measured(&travel(&scenario(n, motion(start)), ticks(time), &mut |_, _, _| {}), n)
        };
        let (at_start, later) =
            (after(MotionStart::Stationary, 0.0), after(MotionStart::Stationary, 300.0));
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.07;
        for (a, b) in at_start.into_iter().zip(later) {
            assert!(near(a, b), "{pause}: {at_start:?} {later:?}");
        }
        // E[L] E[1/V] and E[P]; the mean speed of those under way.
        let travel = 5.214 * libm::log(20.0) / 1.9;
        let share = 5.0 / (5.0 + travel);
        assert!(near(at_start[1], share), "{} {share}", at_start[1]);
        assert!(near(at_start[0], (1.0 - share) * 1.9 / libm::log(20.0)), "{}", at_start[0]);
        let cold = after(MotionStart::Cold, 5.0);
        let under_way = |[speed, pausing, _]: [f64; 3]| speed / (1.0 - pausing);
        assert!(under_way(cold) > 1.15 * under_way(later), "{pause}: {cold:?} {later:?}");
        let cold = after(MotionStart::Cold, 0.0);
        assert!((cold[0], cold[1]) == (0.0, 1.0) && cold[2] > 1.15 * later[2], "{cold:?}");
    }
}

/// Each draw of a network is another one, until one is connected.
#[test]
fn a_stationary_network_is_drawn_until_it_is_connected() {
    let start = MotionStart::Stationary;
    let draws = |draw| {
        let scenario = scenario(30, Motion { start, ..brisk(MotionModel::Waypoint) });
        let mut places = vec![Place::default(); 30];
        gather(&scenario, &mut places, draw);
        places
    };
    assert_eq!(draws(3), draws(3));
    assert!(draws(0).iter().zip(&draws(1)).all(|(a, b)| a != b));
}
