//! Random walks: every now and then another direction and another speed, drawn anew (Camp, Boleng,
//! Davies: *A Survey of Mobility Models for Ad Hoc Network Research*, 2002, section 2.1). Borders
//! turn nodes back, as a mirror does light.

use std::f64::consts::TAU;

use driftlock_core::NodeId;

use super::Place;
use super::way::{Law, Way};
use crate::span::units;

impl Law {
    /// `node` goes on in another direction.
    pub(super) fn begin_walk(&self, node: NodeId, way: &mut Way, now: u64) {
        let angle = TAU * self.number(node, way.number, 0);
        let speed = self.speed.draw(self.number(node, way.number, 2));
        let time = self.leg(node, way.number);
        let length = speed * units(time);
        let from = way.to.folded(self.area);
        let (x, y) = (from.x + length * libm::cos(angle), from.y + length * libm::sin(angle));
        way.go_on(from, Place { x, y }, now, time);
    }
}
