//! Groups whose members wander (Hong, Gerla, Pei, Chiang: *A Group Mobility Model for Ad Hoc
//! Wireless Networks*, MSWiM 1999): a reference point goes from waypoint to waypoint, and each
//! member is somewhere around it, at most as far away as the spread. It goes from one such place to
//! the next.

use std::f64::consts::TAU;

use driftlock_core::NodeId;

use super::Place;
use super::way::{Law, Way};
use crate::dice::Stream;
use crate::span::units;

/// Where a member is, seen from the reference point of its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wander {
    from: Place,
    to: Place,
    start: u64,
    end: u64,
    /// How many such ways there were, with this one.
    number: u32,
}

/// How many numbers such a way takes: an angle, a distance, and a time.
const NUMBERS: u64 = 3;

impl Wander {
    fn place(&self, now: u64) -> Place {
        let share = (now - self.start) as f64 / (self.end - self.start) as f64;
        self.from.towards(self.to, share.min(1.0))
    }

    /// How far it leads in a unit of time.
    pub(super) fn speed(&self) -> f64 {
        self.from.distance(self.to) / units((self.end - self.start).max(1))
    }
}

impl Law {
    /// Where `node` is at the start, seen from the reference point. Who leads the group is there.
    pub(super) fn first_aside(&self, node: NodeId) -> Place {
        match self.leader(node) == node {
            true => Place::default(),
            false => self.aside(node, 0),
        }
    }

    /// The first way around the reference point.
    pub(super) fn first_wander(&self, node: NodeId) -> Wander {
        let from = self.first_aside(node);
        let mut wander = Wander { from, to: from, start: 0, end: 0, number: 0 };
        self.wander_on(node, &mut wander);
        wander
    }

    /// Go on to the next place around the reference point.
    fn wander_on(&self, node: NodeId, wander: &mut Wander) {
        let number = wander.number + 1;
        let index = u64::from(number) * NUMBERS + 2;
        let time = self.leg.draw(|| self.dice.draw(Stream::Wander, node.0, index));
        let (start, end) = (wander.end, wander.end.saturating_add(time.max(1)));
        *wander = Wander { from: wander.to, to: self.aside(node, number), start, end, number };
    }

    /// A place around the reference point: any within the spread.
    fn aside(&self, node: NodeId, number: u32) -> Place {
        let drawn = |k| self.unit(Stream::Wander, node, u64::from(number) * NUMBERS + k);
        let (angle, distance) = (TAU * drawn(0), self.spread * drawn(1).sqrt());
        Place { x: distance * libm::cos(angle), y: distance * libm::sin(angle) }
    }

    /// The reference point goes on, or stands still, until after `now`. All members of a group draw
    /// the same numbers for it.
    fn reference(&self, node: NodeId, way: &mut Way, now: u64) {
        while way.end <= now {
            if !way.is_under_way {
                let at = way.end;
                self.begin(node, way, at);
                continue;
            }
            way.is_under_way = false;
            way.from = way.to;
            way.start = way.end;
            way.end = way.end.saturating_add(self.pause(node, way.number));
        }
    }

    /// Where `node` is now, and when to look next.
    pub(super) fn wander(
        &self,
        node: NodeId,
        way: &mut Way,
        wander: &mut Wander,
        now: u64,
    ) -> (Place, u64) {
        self.reference(node, way, now);
        while wander.end <= now {
            self.wander_on(node, wander);
        }
        let next = now.saturating_add(self.step).min(way.end).min(wander.end);
        (self.around(way.place(now), wander.place(now)), next)
    }

    /// The place that lies so far aside, or the nearest one of the area.
    pub(super) fn around(&self, center: Place, aside: Place) -> Place {
        Place { x: center.x + aside.x, y: center.y + aside.y }.within(self.area)
    }
}
