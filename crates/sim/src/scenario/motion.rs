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
    /// How long it stands still between two ways.
    pub pause: Span,
    /// The share of nodes that move; of groups, where these move together.
    pub moving: f64,
    /// The time between two looks at where a node is; long enough for a tenth of the range at full
    /// speed if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// For `convoy`: how many make a group; 5 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// For `convoy`: how far the members of a group are from its middle at most, in each
    /// direction; half the range if it is left out.
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
            group: None,
            spread: None,
            together: false,
        }
    }
}

/// A law of motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionModel {
    /// Every node for itself: it draws a point and a speed, goes there in a straight line, stands
    /// still for a while, and does so again.
    #[default]
    Waypoint,
    /// Groups, whose members keep their places in it and move and stand still together.
    Convoy,
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
        match self.model {
            MotionModel::Waypoint => 1,
            MotionModel::Convoy => self.group.unwrap_or(5),
        }
    }

    /// How fast nodes are.
    pub(crate) fn speed(&self, range: f64) -> Speed {
        self.speed.unwrap_or(Speed::uniform(range / 20.0, range / 5.0))
    }

    /// The time between two looks, in units.
    pub(crate) fn step(&self, range: f64) -> f64 {
        self.step.unwrap_or((range / 10.0 / self.speed(range).most()).min(UNITS_MAX))
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
        self.check_convoy(scenario.network.radio_range())?;
        self.check_step(scenario.network.radio_range())
    }

    fn check_convoy(&self, range: f64) -> Result<(), ScenarioError> {
        let refuse =
            |key: &str, what: &str| Err(ScenarioError::value(&format!("motion.{key}"), what));
        let given = [("group", self.group.is_some()), ("spread", self.spread.is_some())];
        if let Some((key, _)) = given.into_iter().find(|(_, given)| *given)
            && self.model != MotionModel::Convoy
        {
            return refuse(key, "only a `convoy` has this, the model is `waypoint`");
        }
        if self.group == Some(0) {
            return refuse("group", "it takes at least 1 node to make a group");
        }
        match self.spread.filter(|spread| !(0.0..=1e9 * range).contains(spread)) {
            Some(spread) => {
                refuse("spread", &format!("a distance is a number from 0 on, not {spread}"))
            }
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
