//! Radios as they are typed: `unit-disk:250`, `quasi:200..250`, `log-distance:shadow=6,seed=7`.

use std::fmt;
use std::str::FromStr;

use super::{LogDistance, QuasiUnitDisk, Radio, UnitDisk};

impl fmt::Display for Radio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Radio::UnitDisk(UnitDisk { range }) => write!(f, "unit-disk:{range}"),
            Radio::Quasi(QuasiUnitDisk { inner, outer }) => write!(f, "quasi:{inner}..{outer}"),
            Radio::LogDistance(model) => {
                let LogDistance { power, loss, exponent, sensitivity, .. } = model;
                let LogDistance { shadow, coherence, seed, .. } = model;
                write!(
                    f,
                    "log-distance:power={power},loss={loss},exponent={exponent},\
                     sensitivity={sensitivity},shadow={shadow},coherence={coherence},seed={seed}"
                )
            }
        }
    }
}

impl FromStr for Radio {
    type Err = String;

    /// Numbers that make no sense together are refused as well.
    fn from_str(text: &str) -> Result<Self, String> {
        let (model, numbers) = text.split_once(':').unwrap_or((text, ""));
        let radio = match model {
            "unit-disk" => disk(numbers).map(Radio::UnitDisk),
            "quasi" => quasi(numbers).map(Radio::Quasi),
            "log-distance" => return log_distance(numbers).and_then(checked),
            _ => None,
        };
        let wrong = || {
            format!(
                "expected a radio like unit-disk:250, quasi:200..250 or \
                 log-distance:exponent=3,shadow=6, found `{text}`"
            )
        };
        radio.ok_or_else(wrong).and_then(checked)
    }
}

fn checked(radio: Radio) -> Result<Radio, String> {
    radio.check().map(|()| radio)
}

fn disk(range: &str) -> Option<UnitDisk> {
    Some(UnitDisk { range: range.parse().ok()? })
}

fn quasi(radii: &str) -> Option<QuasiUnitDisk> {
    let (inner, outer) = radii.split_once("..")?;
    Some(QuasiUnitDisk { inner: inner.parse().ok()?, outer: outer.parse().ok()? })
}

/// What is not named is as in [`LogDistance::default`].
fn log_distance(parts: &str) -> Result<Radio, String> {
    let mut model = LogDistance::default();
    for part in parts.split(',').filter(|_| !parts.is_empty()) {
        let wrong = || {
            format!(
                "expected names and numbers like exponent=3,shadow=6, found `{part}` (there are: \
                 power, loss, exponent, sensitivity, shadow, coherence, seed)"
            )
        };
        let (name, value) = part.split_once('=').ok_or_else(wrong)?;
        if name == "seed" {
            model.seed = value.parse().map_err(|_| wrong())?;
            continue;
        }
        let number = match name {
            "power" => &mut model.power,
            "loss" => &mut model.loss,
            "exponent" => &mut model.exponent,
            "sensitivity" => &mut model.sensitivity,
            "shadow" => &mut model.shadow,
            "coherence" => &mut model.coherence,
            _ => return Err(wrong()),
        };
        *number = value.parse().map_err(|_| wrong())?;
    }
    Ok(Radio::LogDistance(model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radios_are_typed_as_they_are_shown() {
        let quasi = Radio::Quasi(QuasiUnitDisk { inner: 200.0, outer: 250.5 });
        let plain = LogDistance::default();
        let model = LogDistance { shadow: 0.0, coherence: f64::INFINITY, seed: u64::MAX, ..plain };
        for (text, radio) in [
            ("unit-disk:250", Radio::UnitDisk(UnitDisk { range: 250.0 })),
            ("quasi:200..250.5", quasi),
            ("log-distance", Radio::LogDistance(plain)),
            (
                "log-distance:seed=18446744073709551615,shadow=0,coherence=inf",
                Radio::LogDistance(model),
            ),
        ] {
            assert_eq!(text.parse(), Ok(radio));
            assert_eq!(radio.to_string().parse(), Ok(radio));
        }
        assert!((plain.range() - 255.51).abs() < 0.01, "{}", plain.range());
    }

    #[test]
    fn what_is_no_radio_is_refused_with_one_that_is() {
        for (text, part) in [
            ("", "expected a radio like unit-disk:250"),
            ("disk:250", "expected a radio"),
            ("unit-disk", "found `unit-disk`"),
            ("unit-disk:x", "expected a radio"),
            ("unit-disk:-1", "the range is -1 m"),
            ("unit-disk:nan", "the range is NaN m"),
            ("quasi:200", "expected a radio"),
            ("quasi:250..200", "outer"),
            ("log-distance:shade=3", "found `shade=3` (there are: power"),
            ("log-distance:seed=-1", "found `seed=-1`"),
            ("log-distance:shadow", "found `shadow`"),
            ("log-distance:exponent=0", "exponent should be more than 0"),
            ("log-distance:exponent=3,", "found ``"),
        ] {
            let error = text.parse::<Radio>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
