//! How many repetitions a cell has: [`Rule`].

use driftlock_lab::stats::Estimate;
use serde::Serialize;

use crate::columns;
use crate::outcome::Done;

/// A cell has at most so many repetitions.
pub const REPETITIONS_MAX: u64 = 100_000;

/// How many repetitions a cell has. It depends on the repetitions alone, in their order, and not on
/// which of them was finished first.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// So many.
    Count(u64),
    /// As many as it takes.
    Until(Until),
}

/// The smallest number of repetitions, from `least` to `most`, with which a mean is known so well.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Until {
    /// Of what: a metric of [`columns::METRICS`].
    pub metric: String,
    /// Half the width of the 95 % interval, as a part of the mean, at most.
    pub half_width: f64,
    /// At least so many repetitions.
    pub least: u64,
    /// At most so many.
    pub most: u64,
}

impl Rule {
    /// So many repetitions at least.
    pub fn least(&self) -> u64 {
        match self {
            Rule::Count(count) => *count,
            Rule::Until(until) => until.least,
        }
    }

    /// So many repetitions at most.
    pub fn most(&self) -> u64 {
        match self {
            Rule::Count(count) => *count,
            Rule::Until(until) => until.most,
        }
    }

    /// Whether a cell ends with these, its first repetitions. One that was refused is the last.
    pub fn ends_with(&self, first: &[Done]) -> bool {
        let n = first.len() as u64;
        let refused = first.last().is_some_and(Done::is_refused);
        refused || n >= self.most() || (n >= self.least() && self.is_known_by(first))
    }

    /// Whether the mean is known by these as well as it is wanted.
    pub fn is_known_by(&self, first: &[Done]) -> bool {
        let Rule::Until(Until { metric, half_width, .. }) = self else { return true };
        let Some(at) = columns::place(metric) else { return false };
        let samples: Vec<f64> = first.iter().filter_map(|done| done.number(at)).collect();
        let Some(estimate) = Estimate::of(&samples) else { return false };
        match (estimate.half_width, estimate.relative_half_width()) {
            (_, Some(relative)) => relative <= *half_width,
            (Some(absolute), None) => absolute == 0.0,
            (None, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Status, Value};

    fn until(half_width: f64, least: u64, most: u64) -> Rule {
        Rule::Until(Until { metric: "waiting_mean".into(), half_width, least, most })
    }

    fn waited(mean: f64) -> Done {
        let mut values = vec![Value::Null; columns::METRICS.len()];
        values[columns::place("waiting_mean").unwrap()] = Value::Float(mean);
        Done { status: Status::Held, values, ..Done::default() }
    }

    fn first_end(rule: &Rule, all: &[Done]) -> Option<usize> {
        (1..=all.len()).find(|&n| rule.ends_with(&all[..n]))
    }

    #[test]
    fn a_count_is_a_count() {
        let all = vec![waited(1.0); 9];
        assert_eq!(first_end(&Rule::Count(6), &all), Some(6));
        assert_eq!(first_end(&Rule::Count(10), &all), None);
    }

    #[test]
    fn the_smallest_number_is_taken_with_which_the_mean_is_known() {
        let all: Vec<Done> = (0..100).map(|k| waited(10.0 + f64::from(k % 5))).collect();
        let end = first_end(&until(0.05, 4, 100), &all).unwrap();
        let width = |n: usize| {
            let samples: Vec<f64> = (0..n as u32).map(|k| 10.0 + f64::from(k % 5)).collect();
            Estimate::of(&samples).unwrap().relative_half_width().unwrap()
        };
        assert!(width(end) <= 0.05 && (4..end).all(|n| width(n) > 0.05), "{end}");
        assert_eq!(first_end(&until(0.001, 4, 20), &all), Some(20), "no more than asked for");
        assert_eq!(first_end(&until(9.0, 7, 20), &all), Some(7), "no fewer either");
    }

    #[test]
    fn what_was_not_measured_does_not_count() {
        let broken =
            Done { status: Status::Violated("promise".into()), ..waited(0.0) }.without_values();
        let all = [waited(3.0), broken.clone(), broken, waited(3.0), waited(3.0)];
        assert_eq!(first_end(&until(0.1, 2, 5), &all), Some(4));
        assert_eq!(first_end(&until(0.1, 2, 5), &all[1..3]), None);
        let zero = [waited(0.0), waited(0.0)];
        assert_eq!(first_end(&until(0.1, 2, 5), &zero), Some(2), "nothing is known exactly");
    }

    #[test]
    fn nothing_comes_after_a_refusal() {
        let refused = Done { status: Status::Refused("no network".into()), ..Done::default() };
        let all = [waited(3.0), refused, waited(3.0)];
        assert_eq!(first_end(&Rule::Count(3), &all), Some(2));
    }
}
