//! Who hears whom: [`Radio`].

mod log_distance;
mod quasi;
mod text;
mod unit_disk;

pub use log_distance::LogDistance;
pub use quasi::QuasiUnitDisk;
pub use unit_disk::UnitDisk;

use crate::read::MOST_METERS;

/// What makes links of distances. All models are symmetric: two hear each other, or neither does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Radio {
    /// In range, or not.
    UnitDisk(UnitDisk),
    /// A link comes up at one distance and goes down at a greater one.
    Quasi(QuasiUnitDisk),
    /// Power that fades with the distance and with what stands in between.
    LogDistance(LogDistance),
}

/// For how far two nodes hear each other, for a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Reach {
    /// A link that is down comes up at this distance or a smaller one.
    pub(crate) joins: f64,
    /// A link that is up stays so up to this distance. It is not less.
    pub(crate) leaves: f64,
    /// When that changes, in seconds.
    pub(crate) until: f64,
}

impl Radio {
    /// How far a and b hear each other at `t`, where a is less than b.
    pub(crate) fn reach(&self, a: u32, b: u32, t: f64) -> Reach {
        match self {
            Radio::UnitDisk(disk) => disk.reach(),
            Radio::Quasi(disk) => disk.reach(),
            Radio::LogDistance(model) => model.reach(a, b, t),
        }
    }

    /// Nobody hears anybody who is farther away than that.
    pub(crate) fn farthest(&self) -> f64 {
        match self {
            Radio::UnitDisk(disk) => disk.range,
            Radio::Quasi(disk) => disk.outer,
            Radio::LogDistance(model) => model.farthest(),
        }
    }

    /// How many seconds it is the same for, at least; infinity, if for ever.
    pub(crate) fn coherence(&self) -> f64 {
        match self {
            Radio::UnitDisk(_) | Radio::Quasi(_) => f64::INFINITY,
            Radio::LogDistance(model) => model.coherence,
        }
    }

    /// What is wrong with its numbers, if anything is.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Radio::UnitDisk(disk) => length("range", disk.range),
            Radio::Quasi(disk) => disk.check(),
            Radio::LogDistance(model) => model.check(),
        }
    }
}

/// A length has to be positive, and less than all that traces may have in them.
fn length(name: &str, meters: f64) -> Result<(), String> {
    if meters > 0.0 && meters <= MOST_METERS {
        return Ok(());
    }
    Err(format!("the {name} is {meters} m and should be more than 0 and at most {MOST_METERS:e}"))
}
