//! A start in the middle of everything: random waypoints as they are after a long time (Navidi,
//! Camp: *Stationary Distributions for the Random Waypoint Mobility Model*, IEEE Transactions on
//! Mobile Computing 3, 2004).
//!
//! Nodes that start at random points and set out from there come to the middle of the area and slow
//! down as time goes on: long ways and slow ways last longer. So whatever is measured changes for a
//! while. Here a node is on a way with the right probability; ways are drawn with a probability
//! that grows with their length, speeds with one that falls with them, and how far the node has
//! come is drawn evenly.

use driftlock_core::NodeId;

use super::Place;
use super::way::{Law, Way};
use crate::dice::{Dice, Sequence, Stream};
use crate::span::{Span, TICKS_PER_UNIT};

/// How far two random points of a square with side 1 are from each other on average.
const MEAN_DISTANCE: f64 = 0.521_405_433_164_720_7;

impl Law {
    /// Where `node` is at the start, for this draw of the network, and where it goes; or until when
    /// it stands still.
    pub(super) fn stationary(&self, node: NodeId, draw: u64) -> Way {
        let seed = self.dice.draw(Stream::Start, node.0, draw);
        let mut die = Dice::new(seed).sequence(Stream::Start);
        let travel = MEAN_DISTANCE * self.area * self.speed.mean_inverse();
        let pause = self.pauses.mean();
        if die.unit() * (pause + travel) <= pause {
            let place = self.point(&mut die);
            let mut way = Way::before_first(place, place);
            way.end = in_ticks(rest(self.pauses, &mut die));
            return way;
        }
        let (from, to) = self.long_way(&mut die);
        let speed = self.speed.slow(die.unit());
        let place = from.towards(to, die.unit());
        let mut way = Way::before_first(place, place);
        way.go_on(place, to, 0, in_ticks(place.distance(to) / speed));
        // It is not among the ways that are counted.
        way.number = 0;
        way
    }

    fn point(&self, die: &mut Sequence) -> Place {
        Place { x: die.unit() * self.area, y: die.unit() * self.area }
    }

    /// Two points, with a probability in proportion to their distance.
    fn long_way(&self, die: &mut Sequence) -> (Place, Place) {
        let longest = self.area * 2.0_f64.sqrt();
        loop {
            let (from, to) = (self.point(die), self.point(die));
            if die.unit() * longest <= from.distance(to) {
                return (from, to);
            }
        }
    }
}

/// What is left of a pause at a random moment of it: long pauses are met more often.
fn rest(pause: Span, die: &mut Sequence) -> f64 {
    let length = match pause {
        Span::Constant(length) => length,
        Span::Uniform(from, to) => (from * from + die.unit() * (to * to - from * from)).sqrt(),
        // What is left of it is as long as all of it.
        Span::Exponential(mean) => return -mean * libm::log(die.unit()),
    };
    length * die.unit()
}

fn in_ticks(units: f64) -> u64 {
    ((units * TICKS_PER_UNIT as f64) as u64).max(1)
}
