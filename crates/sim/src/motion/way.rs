//! From place to place: [`Way`]; and how ways are drawn: [`Law`].

use driftlock_core::NodeId;

use super::Place;
use crate::dice::{self, Dice, Stream};
use crate::network::Network;
use crate::scenario::{Motion, MotionModel, Speed};
use crate::span::{Length, Span, TICKS_PER_UNIT, ticks, units};

/// How many numbers a way takes: two coordinates, a speed, and the pause before it.
const NUMBERS: u64 = 4;

/// How ways are drawn.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) dice: Dice,
    pub(super) model: MotionModel,
    group: u32,
    moving: f64,
    pub(super) speed: Speed,
    pub(super) area: f64,
    pub(super) spread: f64,
    /// The time between two looks, in ticks.
    pub(super) step: u64,
    pause: Length,
    /// How long a pause is.
    pub(super) pauses: Span,
    /// How long a node keeps its direction, where that is drawn.
    pub(super) leg: Length,
    /// How much of its velocity a node keeps.
    pub(super) memory: f64,
    /// How far streets are from each other, and how likely a node turns at a crossing.
    pub(super) block: f64,
    pub(super) turn: f64,
}

/// The way of a node from one place to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: Place,
    /// Where it leads. It may be outside of the area: then the border turns it back.
    pub(super) to: Place,
    /// Where it leads whoever leads the group.
    leader_to: Place,
    pub(super) start: u64,
    pub(super) end: u64,
    /// How many ways there were, with this one.
    pub(super) number: u32,
    /// Whether the node is on it. If not, it stands still where it leads.
    pub(super) is_under_way: bool,
}

impl Way {
    /// A node stands still at `to`, and who leads it at `leader_to`.
    pub(super) fn before_first(to: Place, leader_to: Place) -> Self {
        Way { from: to, to, leader_to, start: 0, end: 0, number: 0, is_under_way: false }
    }

    /// Where the node is, if no border turns it back.
    pub(super) fn place(&self, now: u64) -> Place {
        if now >= self.end {
            return self.to;
        }
        let share = (now - self.start) as f64 / (self.end - self.start) as f64;
        self.from.towards(self.to, share)
    }

    /// When to look next at where the node is.
    pub(super) fn next_look(&self, now: u64, law: &Law) -> u64 {
        now.saturating_add(law.step).min(self.end)
    }

    /// Go on from `from` to `to`, for so many ticks.
    pub(super) fn go_on(&mut self, from: Place, to: Place, now: u64, time: u64) {
        let (start, end, number) = (now, now.saturating_add(time.max(1)), self.number + 1);
        *self = Way { from, to, leader_to: to, start, end, number, is_under_way: true };
    }

    /// How far it leads in a unit of time.
    pub(super) fn speed(&self) -> f64 {
        self.from.distance(self.to) / units((self.end - self.start).max(1))
    }

    /// How far it leads in each direction in a unit of time.
    pub(super) fn velocity(&self) -> Place {
        let time = units((self.end - self.start).max(1));
        Place { x: (self.to.x - self.from.x) / time, y: (self.to.y - self.from.y) / time }
    }
}

impl Law {
    pub(super) fn new(network: &Network, motion: &Motion, dice: Dice) -> Self {
        let range = network.radio_range();
        Law {
            dice,
            model: motion.model,
            group: motion.group(),
            moving: motion.moving,
            speed: motion.speed(range),
            area: network.area(),
            spread: motion.spread.unwrap_or(range / 2.0),
            step: ticks(motion.step(range)).max(1),
            pause: Length::of(motion.pause),
            pauses: motion.pause,
            leg: Length::of(motion.leg(range)),
            memory: motion.memory(),
            block: motion.street_distance(network.area(), range),
            turn: motion.turn(),
        }
    }

    /// Who leads the group of `node`: its first.
    pub(super) fn leader(&self, node: NodeId) -> NodeId {
        NodeId(node.0 - node.0 % self.group)
    }

    /// The place of `node` beside who leads it.
    pub(super) fn beside(&self, node: NodeId, leader: Place) -> Place {
        if self.leader(node) == node {
            return leader;
        }
        let aside = |k| (2.0 * self.unit(Stream::Groups, node, k) - 1.0) * self.spread;
        Place { x: leader.x + aside(0), y: leader.y + aside(1) }.within(self.area)
    }

    /// Whether `node` ever moves.
    pub(super) fn moves(&self, node: NodeId) -> bool {
        self.unit(Stream::Groups, self.leader(node), 2) <= self.moving
    }

    /// How long `node` stands still at first: a share of a pause, so that not all set out at once.
    pub(super) fn first_pause(&self, node: NodeId) -> u64 {
        let share = self.unit(Stream::Groups, self.leader(node), 3);
        ((self.pause(node, 0) as f64 * share) as u64).max(1)
    }

    /// How long `node` stands still after so many ways.
    pub(super) fn pause(&self, node: NodeId, ways: u32) -> u64 {
        let (leader, index) = (self.leader(node), u64::from(ways) * NUMBERS + 3);
        self.pause.draw(|| self.dice.draw(Stream::Motion, leader.0, index))
    }

    /// Where a node is on its way.
    pub(super) fn place(&self, way: &Way, now: u64) -> Place {
        let place = way.place(now);
        if self.model.turns_back() { place.folded(self.area) } else { place }
    }

    /// `node` sets out on its next way.
    pub(super) fn begin(&self, node: NodeId, way: &mut Way, now: u64) {
        match self.model {
            MotionModel::Waypoint | MotionModel::Convoy | MotionModel::Rpgm => {
                self.begin_to_point(node, way, now);
            }
            MotionModel::Walk => self.begin_walk(node, way, now),
            MotionModel::GaussMarkov => self.begin_gauss_markov(node, way, now),
            MotionModel::Manhattan => self.begin_block(node, way, now),
        }
    }

    /// `node` sets out for the next point. It takes as long as who leads it.
    fn begin_to_point(&self, node: NodeId, way: &mut Way, now: u64) {
        let leader = self.leader(node);
        let drawn = |k| self.number(leader, way.number, k);
        let leader_to = Place { x: drawn(0) * self.area, y: drawn(1) * self.area };
        let speed = self.speed.draw(drawn(2));
        let units = way.leader_to.distance(leader_to) / speed;
        let time = ((units * TICKS_PER_UNIT as f64) as u64).max(1);
        let to = match self.model {
            MotionModel::Rpgm => leader_to,
            _ => self.beside(node, leader_to),
        };
        *way = Way {
            from: way.to,
            to,
            leader_to,
            start: now,
            end: now.saturating_add(time),
            number: way.number + 1,
            is_under_way: true,
        };
    }

    /// A number from 0 to 1 for a way of `node`.
    pub(super) fn number(&self, node: NodeId, way: u32, k: u64) -> f64 {
        self.unit(Stream::Motion, node, u64::from(way) * NUMBERS + k)
    }

    /// How long the next leg of `node` takes, in ticks.
    pub(super) fn leg(&self, node: NodeId, way: u32) -> u64 {
        let index = u64::from(way) * NUMBERS + 3;
        self.leg.draw(|| self.dice.draw(Stream::Motion, node.0, index))
    }

    pub(super) fn unit(&self, stream: Stream, subject: NodeId, index: u64) -> f64 {
        dice::unit(self.dice.draw(stream, subject.0, index))
    }
}
