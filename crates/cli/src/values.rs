//! Values as they are typed.

use std::fmt::Display;
use std::str::FromStr;

/// More repetitions than this are a slip of the finger.
pub(crate) const REPETITIONS_MAX: u64 = 1_000_000;

/// A number from 0 on.
pub(crate) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let wrong = || format!("expected a whole number from 0 to {}, found `{text}`", u64::MAX);
    text.parse().map_err(|_| wrong())
}

/// How many repetitions.
pub(crate) fn repetitions(text: &str) -> Result<u64, String> {
    between(text, 1, REPETITIONS_MAX)
}

/// A whole number between two others.
pub(crate) fn between<T: FromStr + PartialOrd + Display>(
    text: &str,
    least: T,
    most: T,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("expected a whole number from {least} to {most}, found `{text}`"))
}

/// Any number there is.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("expected a number, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_and_whole_ones_stay_in_their_bounds() {
        assert_eq!(number("-1.5e3"), Ok(-1500.0));
        for text in ["", "nan", "inf", "-inf", "1e400", "1,5", "one"] {
            assert!(number(text).is_err(), "{text}");
        }
        assert_eq!(repetitions("1000000"), Ok(1_000_000));
        for text in ["0", "1000001", "-1", "1.0", ""] {
            assert!(repetitions(text).is_err(), "{text}");
        }
    }
}
