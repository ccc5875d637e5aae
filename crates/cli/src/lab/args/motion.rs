//! How nodes move, as it is typed.

use clap::{Args as ClapArgs, ValueEnum};
use driftlock_sim::{Motion, MotionModel, MotionStart, Scenario, Span, Speed};

use crate::lab::values;

/// How nodes move. What is not given keeps the value of the file, or its default.
#[derive(ClapArgs, Clone, Copy, Debug)]
#[command(next_help_heading = "Motion, in a geometric network")]
pub(crate) struct MotionArgs {
    /// How nodes move: from point to point, each for itself or in convoys; in random walks; with a
    /// velocity that changes little by little; along streets; in groups whose members wander
    /// [default: waypoint if anything is said of motion]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) motion: Option<MotionModelArg>,
    /// How far a node goes in a time unit: 0.1 or uniform:0.05..0.2 [default: from a twentieth to a
    /// fifth of the range]
    #[arg(long, value_name = "SPEED", allow_negative_numbers = true)]
    pub(crate) speed: Option<Speed>,
    /// How long a node stands still between two ways, if it goes from point to point [default:
    /// exponential:10]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) pause: Option<Span>,
    /// The share of nodes that move, from 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) moving: Option<f64>,
    /// The time between two looks at where a node is [default: what a tenth of the range takes]
    #[arg(long, value_name = "TIME", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) motion_step: Option<f64>,
    /// Where waypoint nodes are at the start: cold is at random points, stationary is as they are
    /// after a long time, in the middle of their ways [default: cold]
    #[arg(long, value_enum, value_name = "START")]
    pub(crate) motion_start: Option<MotionStartArg>,
    /// How long a node of walk, gauss-markov or rpgm keeps its direction [default: what it takes to
    /// cross the range, a fifth of it, or the spread]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) leg: Option<Span>,
    /// How much of its velocity a node of gauss-markov keeps, from 0 to less than 1 [default: 0.75]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) memory: Option<f64>,
    /// How far the streets of manhattan are from each other [default: half the range]
    #[arg(long, value_name = "LENGTH", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) block: Option<f64>,
    /// How likely a node of manhattan turns at a crossing [default: 0.5]
    #[arg(long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) turn: Option<f64>,
    /// How many nodes make a group of a convoy or of rpgm [default: 5]
    #[arg(long, value_name = "N", value_parser = values::some, allow_negative_numbers = true)]
    pub(crate) group: Option<u32>,
    /// How far members of a group are from its middle: in each direction for a convoy, in any for
    /// rpgm [default: half the range]
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
    Walk,
    GaussMarkov,
    Manhattan,
    Rpgm,
}

/// A value that can be typed, for a start of motion.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum MotionStartArg {
    Cold,
    Stationary,
}

impl From<MotionModelArg> for MotionModel {
    fn from(arg: MotionModelArg) -> Self {
        match arg {
            MotionModelArg::Waypoint => MotionModel::Waypoint,
            MotionModelArg::Convoy => MotionModel::Convoy,
            MotionModelArg::Walk => MotionModel::Walk,
            MotionModelArg::GaussMarkov => MotionModel::GaussMarkov,
            MotionModelArg::Manhattan => MotionModel::Manhattan,
            MotionModelArg::Rpgm => MotionModel::Rpgm,
        }
    }
}

impl From<MotionStartArg> for MotionStart {
    fn from(arg: MotionStartArg) -> Self {
        match arg {
            MotionStartArg::Cold => MotionStart::Cold,
            MotionStartArg::Stationary => MotionStart::Stationary,
        }
    }
}

impl MotionArgs {
    /// Whether anything was said of motion.
    pub(crate) fn is_typed(&self) -> bool {
        let MotionArgs { motion, speed, pause, moving, motion_step, group, spread, .. } = self;
        let MotionArgs { motion_start, leg, memory, block, turn, together, .. } = self;
        let numbers = [moving, motion_step, spread, memory, block, turn];
        let numbers = numbers.iter().any(|number| number.is_some()) || group.is_some();
        let spans = speed.is_some() || pause.is_some() || leg.is_some();
        motion.is_some() || motion_start.is_some() || spans || numbers || *together
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
        motion.model = self.motion.map_or(motion.model, Into::into);
        motion.start = self.motion_start.map_or(motion.start, Into::into);
        motion.leg = self.leg.or(motion.leg);
        motion.memory = self.memory.or(motion.memory);
        motion.block = self.block.or(motion.block);
        motion.turn = self.turn.or(motion.turn);
        motion.speed = self.speed.or(motion.speed);
        motion.pause = self.pause.unwrap_or(motion.pause);
        motion.moving = self.moving.unwrap_or(motion.moving);
        motion.step = self.motion_step.or(motion.step);
        motion.group = self.group.or(motion.group);
        motion.spread = self.spread.or(motion.spread);
        motion.together |= self.together;
    }
}
