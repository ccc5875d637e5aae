//! How nodes move: [`Motion`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{ChangeModel, Scenario, ScenarioError};
use crate::network::Shape;
use crate::span::{Span, TICKS_PER_UNIT, UNITS_MAX};

/// How nodes move. Two nodes are linked as long as they are within range of each other, and that
/// is looked at whenever one of them has made a step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Motion {
    /// By which law.
    pub model: MotionModel,
    /// How far a node goes in a unit of time, drawn for each way; from a twentieth to a fifth of
    /// the range if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    /// How long it stands still between two ways, where it does: for `waypoint`, `convoy`, `rpgm`.
    pub pause: Span,
    /// The share of nodes that move; of groups, where these move together.
    pub moving: f64,
    /// The time between two looks at where a node is; long enough for a tenth of the range at full
    /// speed if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Where nodes are at the start, and whether they are on their way.
    #[serde(skip_serializing_if = "MotionStart::is_cold")]
    pub start: MotionStart,
    /// For `walk`, `gauss-markov` and `rpgm`: how long a node keeps its direction; what it takes to
    /// cross the range at a mean speed if it is left out, a fifth of that for `gauss-markov`, and
    /// what it takes to cross the spread for `rpgm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leg: Option<Span>,
    /// For `gauss-markov`: how much of its velocity a node keeps from one leg to the next, from 0
    /// to less than 1; 0.75 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
    /// For `manhattan`: how far streets are from each other; half the range if it is left out. It
    /// is rounded so that there are streets along the borders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<f64>,
    /// For `manhattan`: how likely a node turns at a crossing; 0.5 if it is left out. It is as
    /// likely to turn left as right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<f64>,
    /// For `convoy` and `rpgm`: how many make a group; 5 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// How far the members of a group are from its middle at most; half the range if it is left
    /// out. For `convoy` that is in each of two directions, for `rpgm` in any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Whether the network stays in one piece: a link that it needs is held up, whoever moves away.
    /// On a mesh it does in any case.
    #[serde(skip_serializing_if = "super::is_false")]
    pub together: bool,
}

impl Default for Motion {
    fn default() -> Self {
        Motion {
            model: MotionModel::default(),
            speed: None,
            pause: Span::Exponential(10.0),
            moving: 1.0,
            step: None,
            start: MotionStart::default(),
            leg: None,
            memory: None,
            block: None,
            turn: None,
            group: None,
            spread: None,
            together: false,
        }
    }
}

/// A law of motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MotionModel {
    /// Every node for itself: it draws a point and a speed, goes there in a straight line, stands
    /// still for a while, and does so again.
    #[default]
    Waypoint,
    /// Groups, whose members keep their places in it and move and stand still together.
    Convoy,
    /// Every now and then another direction and speed, drawn anew; borders turn nodes back.
    Walk,
    /// Every now and then another velocity, of which a part is the one before.
    GaussMarkov,
    /// Along streets, from crossing to crossing.
    Manhattan,
    /// Groups, whose members wander around a point that moves like a waypoint node.
    Rpgm,
}

impl MotionModel {
    /// All of them.
    pub const ALL: [MotionModel; 6] = [
        MotionModel::Waypoint,
        MotionModel::Convoy,
        MotionModel::Walk,
        MotionModel::GaussMarkov,
        MotionModel::Manhattan,
        MotionModel::Rpgm,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MotionModel::Waypoint => "waypoint",
            MotionModel::Convoy => "convoy",
            MotionModel::Walk => "walk",
            MotionModel::GaussMarkov => "gauss-markov",
            MotionModel::Manhattan => "manhattan",
            MotionModel::Rpgm => "rpgm",
        }
    }

    /// Whether nodes stand still between two ways.
    pub(crate) fn pauses(self) -> bool {
        matches!(self, MotionModel::Waypoint | MotionModel::Convoy | MotionModel::Rpgm)
    }

    /// Whether borders turn nodes back.
    pub(crate) fn turns_back(self) -> bool {
        matches!(self, MotionModel::Walk | MotionModel::GaussMarkov)
    }

    /// Whether nodes move in groups.
    fn groups(self) -> bool {
        matches!(self, MotionModel::Convoy | MotionModel::Rpgm)
    }
}

/// Where nodes are at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MotionStart {
    /// At random points, where they stand still for a part of a pause if they ever do.
    #[default]
    Cold,
    /// For `waypoint`: as they are after a long time, so that nothing has to settle first.
    Stationary,
}

impl MotionStart {
    fn is_cold(&self) -> bool {
        *self == MotionStart::Cold
    }
}

/// A speed, or how it is drawn: `0.1` or `uniform:0.05..0.2`, in lengths to a unit of time.
///
/// ```
/// use driftlock_sim::Speed;
/// assert_eq!("uniform:1..2".parse::<Speed>().unwrap().to_string(), "uniform:1..2");
/// assert!("-1".parse::<Speed>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed(Span);

impl Speed {
    /// Always the same. It has to be positive.
    pub const fn constant(speed: f64) -> Self {
        Speed(Span::Constant(speed))
    }

    /// Anything between two speeds, the slower first. Both have to be positive.
    pub const fn uniform(from: f64, to: f64) -> Self {
        Speed(Span::Uniform(from, to))
    }

    /// The speed for a random number from 0 to 1.
    pub(crate) fn draw(self, number: f64) -> f64 {
        match self.0 {
            Span::Uniform(from, to) => from + number * (to - from),
            Span::Constant(speed) | Span::Exponential(speed) => speed,
        }
    }

    /// The mean.
    pub(crate) fn mean(self) -> f64 {
        self.0.mean()
    }

    /// The mean of its inverse: how long a length of 1 takes on average.
    pub(crate) fn mean_inverse(self) -> f64 {
        match self.0 {
            Span::Uniform(from, to) if from < to => libm::log(to / from) / (to - from),
            other => 1.0 / other.mean(),
        }
    }

    /// The speed for a random number from 0 to 1, of those who are on their way at some moment:
    /// with a probability that falls with the speed, for slow ways last longer.
    pub(crate) fn slow(self, number: f64) -> f64 {
        match self.0 {
            Span::Uniform(from, to) => from * libm::pow(to / from, number),
            Span::Constant(speed) | Span::Exponential(speed) => speed,
        }
    }

    /// The fastest there is.
    pub(crate) fn most(self) -> f64 {
        self.0.longest()
    }

    /// Only what has a slowest and a fastest is a speed.
    fn check(self) -> Result<Self, String> {
        let fits = |speed: f64| (1e-9..=1e9).contains(&speed);
        match self.0 {
            Span::Constant(speed) if fits(speed) => Ok(self),
            Span::Uniform(from, to) if fits(from) && fits(to) && from <= to => Ok(self),
            other => Err(expected(&other.to_string())),
        }
    }
}

fn expected(found: &str) -> String {
    format!("a speed is a positive number or `uniform:FROM..TO`, not `{found}`")
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Speed(text.parse().map_err(|_| expected(text))?).check()
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Speed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Speed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Speed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or \"uniform:FROM..TO\"")
            }
            fn visit_i64<E: de::Error>(self, speed: i64) -> Result<Speed, E> {
                Speed::constant(speed as f64).check().map_err(E::custom)
            }
            fn visit_f64<E: de::Error>(self, speed: f64) -> Result<Speed, E> {
                Speed::constant(speed).check().map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Speed, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Motion {
    /// How many make a group.
    pub(crate) fn group(&self) -> u32 {
        if self.model.groups() { self.group.unwrap_or(5) } else { 1 }
    }

    /// How fast nodes are.
    pub(crate) fn speed(&self, range: f64) -> Speed {
        self.speed.unwrap_or(Speed::uniform(range / 20.0, range / 5.0))
    }

    /// The time between two looks, in units.
    pub(crate) fn step(&self, range: f64) -> f64 {
        let fastest = match self.model {
            // Hardly anybody is faster than that.
            MotionModel::GaussMarkov => 2.0 * self.speed(range).mean(),
            _ => self.speed(range).most(),
        };
        self.step.unwrap_or((range / 10.0 / fastest).min(UNITS_MAX))
    }

    /// How long a node keeps its direction.
    pub(crate) fn leg(&self, range: f64) -> Span {
        let length = match self.model {
            MotionModel::GaussMarkov => range / 5.0,
            MotionModel::Rpgm => self.spread.unwrap_or(range / 2.0),
            _ => range,
        };
        let least = 1.0 / TICKS_PER_UNIT as f64;
        let time = (length / self.speed(range).mean()).clamp(least, UNITS_MAX);
        self.leg.unwrap_or(Span::Constant(time))
    }

    /// How much of its velocity a node keeps.
    pub(crate) fn memory(&self) -> f64 {
        self.memory.unwrap_or(0.75)
    }

    /// How far streets are from each other.
    pub(crate) fn street_distance(&self, area: f64, range: f64) -> f64 {
        let blocks = (area / self.block.unwrap_or(range / 2.0)).round();
        area / blocks.clamp(1.0, 1e9)
    }

    /// How likely a node turns at a crossing.
    pub(crate) fn turn(&self) -> f64 {
        self.turn.unwrap_or(0.5)
    }

    /// Say what is wrong with a value or with how it goes with the rest of the scenario.
    pub(super) fn check(&self, scenario: &Scenario) -> Result<(), ScenarioError> {
        let refuse =
            |key: &str, what: &str| Err(ScenarioError::value(&format!("motion.{key}"), what));
        if scenario.network.shape != Shape::Geometric {
            return refuse("model", "only the nodes of a `geometric` network have places to leave");
        }
        if self.together && scenario.may_fall_apart() {
            let what = "link-changes.connected-by says that the network may fall apart";
            return refuse("together", what);
        }
        if !scenario.may_fall_apart() && !scenario.stays_together() {
            let what = "nodes that move may take the network apart: link-changes.connected-by has \
                        to be `partitions`, or motion.together true";
            return refuse("model", what);
        }
        if scenario.link_changes.model != ChangeModel::None {
            return refuse("model", "where nodes move, links change by no other law");
        }
        if let Some(Err(what)) = self.speed.map(Speed::check) {
            return refuse("speed", &what);
        }
        if !(0.0..=1.0).contains(&self.moving) {
            let what = format!("a share is a number from 0 to 1, not {}", self.moving);
            return refuse("moving", &what);
        }
        self.check_keys()?;
        self.check_numbers(scenario.network.radio_range())?;
        self.check_step(scenario.network.radio_range())
    }

    /// Refuse what the model does not have.
    fn check_keys(&self) -> Result<(), ScenarioError> {
        use MotionModel::{Convoy, GaussMarkov, Manhattan, Rpgm, Walk, Waypoint};
        let pauses = self.pause != Motion::default().pause;
        let given: [(&str, bool, &[MotionModel]); 8] = [
            ("group", self.group.is_some(), &[Convoy, Rpgm]),
            ("spread", self.spread.is_some(), &[Convoy, Rpgm]),
            ("pause", pauses, &[Waypoint, Convoy, Rpgm]),
            ("start", !self.start.is_cold(), &[Waypoint]),
            ("leg", self.leg.is_some(), &[Walk, GaussMarkov, Rpgm]),
            ("memory", self.memory.is_some(), &[GaussMarkov]),
            ("block", self.block.is_some(), &[Manhattan]),
            ("turn", self.turn.is_some(), &[Manhattan]),
        ];
        let wrong = given.into_iter().find(|(_, given, of)| *given && !of.contains(&self.model));
        let Some((key, _, of)) = wrong else { return Ok(()) };
        let names: Vec<String> = of.iter().map(|model| format!("`{}`", model.name())).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        let what =
            format!("only {} {verb} this, the model is `{}`", names.join(", "), self.model.name());
        Err(ScenarioError::value(&format!("motion.{key}"), &what))
    }

    fn check_numbers(&self, range: f64) -> Result<(), ScenarioError> {
        let refuse =
            |key: &str, what: String| Err(ScenarioError::value(&format!("motion.{key}"), &what));
        if self.group == Some(0) {
            return refuse("group", "it takes at least 1 node to make a group".into());
        }
        if let Some(spread) = self.spread.filter(|spread| !(0.0..=1e9 * range).contains(spread)) {
            return refuse("spread", format!("a distance is a number from 0 on, not {spread}"));
        }
        if let Some(memory) = self.memory.filter(|memory| !(0.0..1.0).contains(memory)) {
            let what = format!("a memory is a number from 0 to less than 1, not {memory}");
            return refuse("memory", what);
        }
        if let Some(turn) = self.turn.filter(|turn| !(0.0..=1.0).contains(turn)) {
            return refuse("turn", format!("a probability is a number from 0 to 1, not {turn}"));
        }
        match self.block.filter(|block| !(*block > 0.0 && block.is_finite())) {
            Some(block) => refuse("block", format!("a block is a positive number, not {block}")),
            None => Ok(()),
        }
    }

    fn check_step(&self, range: f64) -> Result<(), ScenarioError> {
        let tick = 1.0 / TICKS_PER_UNIT as f64;
        if let Some(step) = self.step.filter(|step| !(tick..=UNITS_MAX).contains(step)) {
            let what = format!("a step takes from {tick} to {UNITS_MAX:e} units, not {step}");
            return Err(ScenarioError::value("motion.step", &what));
        }
        let speed = self.speed(range);
        if speed.most() * tick > range {
            let what = format!(
                "at {speed} a node leaves the range of {range} within {tick} units, faster than \
                 anyone looks"
            );
            return Err(ScenarioError::value("motion.speed", &what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_written_as_they_are_read() {
        for text in ["0.5", "uniform:0.25..3"] {
            let speed: Speed = text.parse().unwrap();
            assert_eq!(speed.to_string(), text);
            let json = serde_json::to_string(&speed).unwrap();
            assert_eq!(serde_json::from_str::<Speed>(&json).unwrap(), speed);
        }
        assert_eq!(Speed::uniform(1.0, 3.0).draw(0.5), 2.0);
        assert_eq!((Speed::constant(2.0).draw(0.1), Speed::uniform(1.0, 3.0).most()), (2.0, 3.0));
    }

    #[test]
    fn names_are_those_in_files() {
        for model in MotionModel::ALL {
            assert_eq!(serde_json::to_value(model).unwrap(), model.name());
        }
    }

    #[test]
    fn keys_of_other_models_and_numbers_that_make_no_sense_are_refused() {
        let told = |motion: Motion| {
            let network = crate::network::Network {
                shape: Shape::Geometric,
                ..crate::network::Network::default()
            };
            let mut scenario = Scenario { network, motion: Some(motion), ..Scenario::default() };
            scenario.link_changes.connected_by = crate::scenario::ConnectedBy::Partitions;
            scenario.check().err().map(|error| error.to_string()).unwrap_or_default()
        };
        let with = |model| Motion { model, ..Motion::default() };
        MotionModel::ALL.into_iter().for_each(|model| assert_eq!(told(with(model)), ""));
        let (walk, streets) = (with(MotionModel::Walk), with(MotionModel::Manhattan));
        let markov = with(MotionModel::GaussMarkov);
        let (some, pause) = (Some(0.5), Span::Constant(1.0));
        let start = MotionStart::Stationary;
        for (motion, expected) in [
            (Motion { start, ..walk.clone() }, "start: only `waypoint` has this, the model is"),
            (Motion { pause, ..streets.clone() }, "pause: only `waypoint`, `convoy`, `rpgm` have"),
            (Motion { memory: some, ..walk.clone() }, "memory: only `gauss-markov` has this"),
            (Motion { block: some, ..walk.clone() }, "block: only `manhattan` has this"),
            (Motion { group: Some(3), ..walk }, "group: only `convoy`, `rpgm` have this"),
            (Motion { leg: Some(pause), ..streets.clone() }, "leg: only `walk`, `gauss-markov`,"),
            (Motion { turn: Some(1.5), ..streets.clone() }, "turn: a probability is a number"),
            (Motion { block: Some(0.0), ..streets }, "block: a block is a positive number"),
            (Motion { memory: Some(1.0), ..markov }, "memory: a memory is a number from 0 to"),
        ] {
            let told = told(motion);
            assert!(told.contains(expected), "{told}");
        }
        assert_eq!(told(Motion { start, ..Motion::default() }), "");
    }

    #[test]
    fn what_has_no_fastest_or_does_not_go_forward_is_no_speed() {
        for text in ["", "0", "-1", "x", "exponential:2", "uniform:2..1", "uniform:-1..1", "1e99"] {
            let told = text.parse::<Speed>().unwrap_err();
            assert_eq!(
                told,
                format!(
                    "a speed is a positive number or `uniform:FROM..TO`, not \
                                      `{text}`"
                )
            );
        }
        for json in ["0", "-1", "-0.5", "\"fast\"", "true"] {
            assert!(serde_json::from_str::<Speed>(json).is_err(), "{json}");
        }
    }
}
