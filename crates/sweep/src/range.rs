//! Values from one to another: `{ from = 0.001, to = 1, steps = 4, scale = "log" }`.

use serde::Deserialize;
use toml::Value;

/// How many values one key may have.
pub(crate) const VALUES_MAX: usize = 100_000;

/// Values from one to another, both included.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// How many values there are.
    pub steps: usize,
    /// What is the same from one value to the next.
    #[serde(default)]
    pub scale: Scale,
}

/// What is the same from one value to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The difference.
    #[default]
    Linear,
    /// The ratio.
    Log,
}

impl Range {
    /// All values, or what is wrong with the range. Whole numbers are integers.
    pub fn values(&self) -> Result<Vec<Value>, String> {
        let Range { from, to, steps, scale } = *self;
        if !from.is_finite() || !to.is_finite() {
            return Err("`from` and `to` are numbers".into());
        }
        if !(2..=VALUES_MAX).contains(&steps) {
            return Err(format!("`steps` is a number of values from 2 to {VALUES_MAX}"));
        }
        if scale == Scale::Log && (from <= 0.0 || to <= 0.0) {
            return Err("equal ratios need `from` and `to` above 0".into());
        }
        let value = |k: usize| {
            let part = k as f64 / (steps - 1) as f64;
            match (k, scale) {
                (0, _) => from,
                (k, _) if k == steps - 1 => to,
                (_, Scale::Linear) => rounded(from + part * (to - from)),
                (_, Scale::Log) => rounded(from * libm::pow(to / from, part)),
            }
        };
        Ok((0..steps).map(|k| as_written(value(k))).collect())
    }
}

/// What someone would have written: not 0.010000000000000002.
fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

fn as_written(value: f64) -> Value {
    let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
    if is_whole { Value::Integer(value as i64) } else { Value::Float(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<String, String> {
        let values = toml::from_str::<Range>(text).unwrap().values()?;
        Ok(values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn values_are_those_that_one_would_write() {
        let log = "from = 0.001\nto = 1\nsteps = 4\nscale = 'log'";
        assert_eq!(values(log).unwrap(), "0.001 0.01 0.1 1");
        assert_eq!(values("from = 10\nto = 50\nsteps = 5").unwrap(), "10 20 30 40 50");
        assert_eq!(values("from = 0\nto = 0.3\nsteps = 4").unwrap(), "0 0.1 0.2 0.3");
        assert_eq!(values("from = 2\nto = -2\nsteps = 2").unwrap(), "2 -2");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "from = 1\nto = 2\nsteps = 1",
            "from = 1\nto = 2\nsteps = 100001",
            "from = 0\nto = 2\nsteps = 3\nscale = 'log'",
            "from = nan\nto = 2\nsteps = 3",
            "from = 1\nto = inf\nsteps = 3",
        ] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
