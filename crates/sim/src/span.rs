//! Lengths of time as people write them: [`Span`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::dice;

/// How many ticks of virtual time make one of the papers' time units. Times are rounded to it.
pub const TICKS_PER_UNIT: u64 = 1000;

/// Longer times than this, in units, would not fit into ticks with room to add them up.
pub(crate) const UNITS_MAX: f64 = 1e12;

/// A time in ticks.
///
/// The caller has checked that it is finite, not negative and at most `1e12`.
pub fn ticks(units: f64) -> u64 {
    (units * TICKS_PER_UNIT as f64).round() as u64
}

/// A time in units.
pub fn units(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_UNIT as f64
}

/// A length of time, or how it is drawn: `1`, `uniform:0.5..1.5` or `exponential:2`, in units.
///
/// ```
/// use driftlock_sim::Span;
/// assert_eq!("1.5".parse(), Ok(Span::Constant(1.5)));
/// assert_eq!("uniform:0.5..1.5".parse(), Ok(Span::Uniform(0.5, 1.5)));
/// assert_eq!(Span::Exponential(2.0).to_string(), "exponential:2");
/// assert!("uniform:3..1".parse::<Span>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Span {
    /// Always the same.
    Constant(f64),
    /// Anything between two lengths with the same probability.
    Uniform(f64, f64),
    /// Exponential with this mean.
    Exponential(f64),
}

impl Span {
    /// The average, in units.
    pub(crate) fn mean(self) -> f64 {
        match self {
            Span::Constant(length) | Span::Exponential(length) => length,
            Span::Uniform(from, to) => from + (to - from) / 2.0,
        }
    }

    /// A length that is practically never exceeded, in units.
    pub fn longest(self) -> f64 {
        match self {
            Span::Constant(length) => length,
            Span::Uniform(_, to) => to,
            // One in 10^17.
            Span::Exponential(mean) => 40.0 * mean,
        }
    }

    fn check(self) -> Result<Self, String> {
        let fits = |length: f64| length.is_finite() && length > 0.0 && length <= UNITS_MAX;
        // What is drawn takes a tick at least, so it may begin at 0.
        let begins = |length: f64| length == 0.0 || fits(length);
        match self {
            Span::Constant(length) | Span::Exponential(length) if !fits(length) => {
                Err(format!("a length of time is a positive number of units, not {length}"))
            }
            Span::Uniform(from, to) if !(begins(from) && fits(to)) => {
                Err(format!("lengths of time are positive numbers of units, not {from} and {to}"))
            }
            Span::Uniform(from, to) if from > to => {
                Err(format!("the shortest time, {from}, is longer than the longest, {to}"))
            }
            _ => Ok(self),
        }
    }
}

/// A [`Span`] in ticks, ready to be drawn from in a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Length {
    Constant(u64),
    Uniform(f64, f64),
    Exponential(f64),
}

impl Length {
    pub(crate) fn of(span: Span) -> Self {
        let unit = TICKS_PER_UNIT as f64;
        match span {
            Span::Constant(length) => Length::Constant(ticks(length).max(1)),
            Span::Uniform(from, to) => Length::Uniform(from * unit, to * unit),
            Span::Exponential(mean) => Length::Exponential(mean * unit),
        }
    }

    /// The length for a random number, in ticks and at least one.
    #[inline]
    pub(crate) fn draw(self, number: impl FnOnce() -> u64) -> u64 {
        let length = match self {
            Length::Constant(length) => return length,
            Length::Uniform(from, to) => from + dice::unit(number()) * (to - from),
            Length::Exponential(mean) => dice::exponential(number(), mean),
        };
        ((length + 0.5) as u64).max(1)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("expected a number, `uniform:FROM..TO` or `exponential:MEAN`, found `{text}`")
        };
        let number = |part: &str| part.trim().parse::<f64>().map_err(|_| expected());
        let span = match text.split_once(':') {
            None => Span::Constant(number(text)?),
            Some(("uniform", range)) => {
                let (from, to) = range.split_once("..").ok_or_else(expected)?;
                Span::Uniform(number(from)?, number(to)?)
            }
            Some(("exponential", mean)) => Span::Exponential(number(mean)?),
            Some(_) => return Err(expected()),
        };
        span.check()
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span::Constant(length) => write!(f, "{length}"),
            Span::Uniform(from, to) => write!(f, "uniform:{from}..{to}"),
            Span::Exponential(mean) => write!(f, "exponential:{mean}"),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Span::Constant(length) => serializer.serialize_f64(*length),
            drawn => serializer.collect_str(drawn),
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"uniform:FROM..TO\" or \"exponential:MEAN\"")
            }
            fn visit_i64<E: de::Error>(self, length: i64) -> Result<Span, E> {
                Span::Constant(length as f64).check().map_err(E::custom)
            }
            fn visit_f64<E: de::Error>(self, length: f64) -> Result<Span, E> {
                Span::Constant(length).check().map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for span in [Span::Constant(1.0), Span::Uniform(0.0, 3.0), Span::Exponential(7.5)] {
            assert_eq!(span.to_string().parse(), Ok(span));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["", "x", "0", "-1", "nan", "inf", "1e300", "uniform:1", "gauss:1", "uniform:0..0"]
        {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn draws_stay_within_their_bounds_and_are_never_zero() {
        let numbers = [0, 1, u64::MAX / 2, u64::MAX];
        for number in numbers {
            assert!(Length::of(Span::Uniform(0.0, 0.001)).draw(|| number) >= 1);
            let uniform = Length::of(Span::Uniform(0.5, 1.5)).draw(|| number);
            assert!((500..=1500).contains(&uniform));
            assert!(Length::of(Span::Exponential(0.001)).draw(|| number) >= 1);
        }
        assert_eq!(Length::of(Span::Constant(1.0)).draw(|| 0), TICKS_PER_UNIT);
    }
}
