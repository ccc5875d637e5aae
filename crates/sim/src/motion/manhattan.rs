//! Streets of a city (Bai, Sadagopan, Helmy: *IMPORTANT*, INFOCOM 2003; ETSI TR 101 112): they form
//! a grid, nodes go from crossing to crossing, and turn there or not. Whoever cannot go on, goes
//! another way; back only where there is no other.

use driftlock_core::NodeId;

use super::Place;
use super::way::{Law, Way};
use crate::dice::Stream;
use crate::span::TICKS_PER_UNIT;

/// A direction along a street.
type Heading = (i64, i64);

impl Law {
    /// The nearest place on one of the two kinds of streets, which is drawn.
    pub(super) fn on_street(&self, node: NodeId, place: Place) -> Place {
        let street = |at: f64| self.street(self.nearest(at));
        match self.unit(Stream::Groups, node, 0) < 0.5 {
            true => Place { y: street(place.y), ..place },
            false => Place { x: street(place.x), ..place },
        }
    }

    /// `node` goes on to another crossing.
    pub(super) fn begin_block(&self, node: NodeId, way: &mut Way, now: u64) {
        let speed = self.speed.draw(self.number(node, way.number, 2));
        let from = way.to;
        let to = match way.number {
            0 => self.first_crossing(node, from),
            _ => self.next_crossing(node, way),
        };
        let time = from.distance(to) / speed * TICKS_PER_UNIT as f64;
        way.go_on(from, to, now, time as u64);
    }

    /// An end of the block that a node starts in.
    fn first_crossing(&self, node: NodeId, place: Place) -> Place {
        let ahead = self.number(node, 0, 0) < 0.5;
        let end = |at: f64| {
            let block = ((at / self.block) as i64).clamp(0, self.last_street() - 1);
            self.street(block + i64::from(ahead))
        };
        match self.unit(Stream::Groups, node, 0) < 0.5 {
            true => Place { x: end(place.x), ..place },
            false => Place { y: end(place.y), ..place },
        }
    }

    fn next_crossing(&self, node: NodeId, way: &Way) -> Place {
        let (dx, dy) = (way.to.x - way.from.x, way.to.y - way.from.y);
        let along: Heading =
            if dy == 0.0 { (dx.signum() as i64, 0) } else { (0, dy.signum() as i64) };
        let here = (self.nearest(way.to.x), self.nearest(way.to.y));
        let (left, right, back) = ((-along.1, along.0), (along.1, -along.0), (-along.0, -along.1));
        let drawn = self.number(node, way.number, 0);
        // Of the two ways to turn, each is as likely as the other.
        let (first, other) =
            if self.number(node, way.number, 1) < 0.5 { (left, right) } else { (right, left) };
        let order = match drawn < self.turn {
            true => [first, other, along, back],
            false => [along, first, other, back],
        };
        let crossing = |(x, y): Heading| (here.0 + x, here.1 + y);
        let exists = |(x, y): (i64, i64)| {
            let streets = 0..=self.last_street();
            streets.contains(&x) && streets.contains(&y)
        };
        let next = order.into_iter().map(crossing).find(|&next| exists(next));
        let (x, y) = next.unwrap_or(here);
        Place { x: self.street(x), y: self.street(y) }
    }

    fn last_street(&self) -> i64 {
        self.nearest(self.area)
    }

    /// The number of the nearest street.
    fn nearest(&self, at: f64) -> i64 {
        (at / self.block).round() as i64
    }

    /// Where a street is.
    fn street(&self, number: i64) -> f64 {
        (number as f64 * self.block).min(self.area)
    }
}
