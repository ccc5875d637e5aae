//! Nodes that remember their velocity (Liang, Haas: *Predictive Distance-Based Mobility Management
//! for PCS Networks*, INFOCOM 1999): after each leg
//!
//! ```text
//! v' = memory · v + √(1 − memory²) · σ · w
//! ```
//!
//! in each direction, with w from the standard normal distribution. With a memory of 0 this is a
//! walk, and close to 1 nodes go straight on. The mean velocity is 0, so that the mean speed is
//! σ √(π/2), which is what is asked for. Borders turn nodes back, and their velocity with them.

use std::f64::consts::{FRAC_PI_2, TAU};

use driftlock_core::NodeId;

use super::Place;
use super::way::{Law, Way};
use crate::span::units;

impl Law {
    /// `node` goes on with much of its velocity. Of the first way there is none to keep, so all of
    /// it is drawn.
    pub(super) fn begin_gauss_markov(&self, node: NodeId, way: &mut Way, now: u64) {
        let sigma = self.speed.mean() / FRAC_PI_2.sqrt();
        let memory = if way.number == 0 { 0.0 } else { self.memory };
        let fresh = (1.0 - memory * memory).sqrt() * sigma;
        let [a, b] = normal([0, 1].map(|k| self.number(node, way.number, k)));
        let (kept, turned) = (way.velocity(), way.to.turned(self.area));
        let time = self.leg(node, way.number);
        let length = units(time);
        let from = way.to.folded(self.area);
        let to = Place {
            x: from.x + (memory * kept.x * turned.x + fresh * a) * length,
            y: from.y + (memory * kept.y * turned.y + fresh * b) * length,
        };
        way.go_on(from, to, now, time);
    }
}

/// Two independent numbers from the standard normal distribution, for two from 0 to 1 (Box and
/// Muller).
fn normal([a, b]: [f64; 2]) -> [f64; 2] {
    let length = (-2.0 * libm::log(a)).sqrt();
    [length * libm::cos(TAU * b), length * libm::sin(TAU * b)]
}
