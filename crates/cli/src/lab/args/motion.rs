//! How nodes move, as it is typed.

use clap::{Args as ClapArgs, ValueEnum};
use driftlock_sim::{Motion, MotionModel, Scenario, Span, Speed};

use crate::lab::values;

/// How nodes move. What is not given keeps the value of the file, or its default.
#[derive(ClapArgs, Clone, Copy, Debug)]
#[command(next_help_heading = "Motion, in a geometric network")]
pub(crate) struct MotionArgs {
    /// How nodes move: each for itself from point to point, or in groups [default: waypoint if
    /// anything is said of motion]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) motion: Option<MotionModelArg>,
    /// How far a node goes in a time unit: 0.1 or uniform:0.05..0.2 [default: from a twentieth to a
    /// fifth of the range]
    #[arg(long, value_name = "SPEED", allow_negative_numbers = true)]
    pub(crate) speed: Option<Speed>,
    /// How long a node stands still between two ways [default: exponential:10]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) pause: Option<Span>,
    /// The share of nodes that move, from 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) moving: Option<f64>,
    /// The time between two looks at where a node is [default: what a tenth of the range takes]
    #[arg(long, value_name = "TIME", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) motion_step: Option<f64>,
    /// How many nodes make a group of a convoy [default: 5]
    #[arg(long, value_name = "N", value_parser = values::some, allow_negative_numbers = true)]
    pub(crate) group: Option<u32>,
    /// How far members of a group are from who leads it, in each direction [default: half the
    /// range]
    #[arg(long, value_name = "LENGTH", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) spread: Option<f64>,
    /// Keep the network in one piece: a link that it needs is held up, whoever moves away and
    /// whatever a trace says. A mesh stays in one piece anyway
    #[arg(long)]
    pub(crate) together: bool,
}

/// A value that can be typed, for a law of motion.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum MotionModelArg {
    Waypoint,
    Convoy,
}

impl MotionArgs {
    /// Whether anything was said of motion.
    pub(crate) fn is_typed(&self) -> bool {
        let MotionArgs { motion, speed, pause, moving, motion_step, group, spread, together } =
            self;
        let numbers = moving.or(*motion_step).or(*spread).is_some() || group.is_some();
        motion.is_some() || speed.is_some() || pause.is_some() || numbers || *together
    }

    /// Put what was typed into a scenario.
    pub(crate) fn apply(&self, scenario: &mut Scenario) {
        if !self.is_typed() {
            return;
        }
        if let Some(trace) = &mut scenario.trace {
            trace.together |= self.together;
            if !(MotionArgs { together: false, ..*self }).is_typed() {
                return;
            }
        }
        let motion = scenario.motion.get_or_insert_with(Motion::default);
        motion.model = match self.motion {
            Some(MotionModelArg::Waypoint) => MotionModel::Waypoint,
            Some(MotionModelArg::Convoy) => MotionModel::Convoy,
            None => motion.model,
        };
        motion.speed = self.speed.or(motion.speed);
        motion.pause = self.pause.unwrap_or(motion.pause);
        motion.moving = self.moving.unwrap_or(motion.moving);
        motion.step = self.motion_step.or(motion.step);
        motion.group = self.group.or(motion.group);
        motion.spread = self.spread.or(motion.spread);
        motion.together |= self.together;
    }
}
