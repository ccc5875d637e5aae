//! Means of independent repetitions and how far to trust them.

use core::fmt;

use serde::Serialize;

/// Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom.
const T_QUANTILES: [f64; 30] = [
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
    2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922,
    2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831,
    2.048407, 2.045230, 2.042272,
];

/// The two-sided 95 % quantile of the normal distribution.
const NORMAL_QUANTILE: f64 = 1.959963984540054;

/// The mean of independent repetitions with the half-width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The arithmetic mean of the samples.
    pub mean: f64,
    /// Half the width of the interval, by Student's t. A single sample says nothing about its own
    /// spread, so it has none.
    pub half_width: Option<f64>,
    /// The number of samples.
    pub n: usize,
}

impl Estimate {
    /// The estimate from one number per repetition.
    ///
    /// None if there are no samples, or if they contain a value that is not finite: such a value
    /// would silently turn the mean into nonsense, so the caller has to decide what it means.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Estimate> {
        let n = samples.len();
        let mean = samples.iter().sum::<f64>() / n as f64;
        // An empty slice ends here too: its mean is 0 / 0.
        if !mean.is_finite() {
            return None;
        }
        if n == 1 {
            return Some(Estimate { mean, half_width: None, n });
        }
        let squares: f64 = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
        let standard_error = (squares / (n - 1) as f64 / n as f64).sqrt();
        let half_width = t_quantile(n - 1) * standard_error;
        half_width.is_finite().then_some(Estimate { mean, half_width: Some(half_width), n })
    }

    /// This estimate as a multiple of a published value, interval included.
    ///
    /// None if the published value is zero or not finite.
    #[must_use]
    pub fn ratio_to(&self, published: f64) -> Option<Estimate> {
        if published == 0.0 || !published.is_finite() {
            return None;
        }
        let half_width = self.half_width.map(|half_width| half_width / published.abs());
        Some(Estimate { mean: self.mean / published, half_width, n: self.n })
    }

    /// The half-width as a fraction of the mean, to decide whether more repetitions are needed.
    ///
    /// None for a single sample and for a mean of zero.
    #[must_use]
    pub fn relative_half_width(&self) -> Option<f64> {
        if self.mean == 0.0 {
            return None;
        }
        self.half_width.map(|half_width| half_width / self.mean.abs())
    }
}

/// The exponent of the power law that fits best: the slope of the least squares line through the
/// logarithms.
///
/// None if there are fewer than two different x, or if something is not positive and finite.
///
/// ```
/// use driftlock_lab::stats::growth;
/// let cubes = [(1.0, 5.0), (2.0, 40.0), (4.0, 320.0)];
/// assert!((growth(&cubes).unwrap() - 3.0).abs() < 1e-12);
/// assert_eq!(growth(&[(2.0, 0.0), (4.0, 1.0)]), None);
/// ```
#[must_use]
pub fn growth(points: &[(f64, f64)]) -> Option<f64> {
    let fits = |value: f64| value.is_finite() && 0.0 < value;
    if !points.iter().all(|&(x, y)| fits(x) && fits(y)) {
        return None;
    }
    let logs = || points.iter().map(|&(x, y)| (libm::log(x), libm::log(y)));
    let n = points.len() as f64;
    let (sum_x, sum_y) = logs().fold((0.0, 0.0), |(x, y), log| (x + log.0, y + log.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let above: f64 = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = logs().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    let slope = above / below;
    slope.is_finite().then_some(slope)
}

/// Shows as many digits as the interval supports: `75.2 ± 1.3`. Without an interval, four.
impl fmt::Display for Estimate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&plus_minus(self.mean, self.half_width))
    }
}

/// The two-sided 95 % quantile of Student's t.
///
/// Up to 30 degrees of freedom from a table; beyond, by the Cornish-Fisher expansion around the
/// normal quantile up to the third power of 1 / degrees, which errs by less than 0.000002 there.
///
/// # Panics
///
/// If there are no degrees of freedom: a single sample has no interval.
#[must_use]
pub fn t_quantile(degrees: usize) -> f64 {
    assert!(0 < degrees, "a t quantile needs at least one degree of freedom");
    if let Some(quantile) = T_QUANTILES.get(degrees - 1) {
        return *quantile;
    }
    let z = NORMAL_QUANTILE;
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z);
    let inverse = 1.0 / degrees as f64;
    let first = (z3 + z) / 4.0;
    let second = (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0;
    let third = (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0;
    z + inverse * (first + inverse * (second + inverse * third))
}

/// The value below which a fraction of the sorted samples lies, interpolated between neighbors.
///
/// None if there are no samples or the fraction is not between 0 and 1.
#[must_use]
pub fn quantile(sorted: &[f64], fraction: f64) -> Option<f64> {
    if sorted.is_empty() || !(0.0..=1.0).contains(&fraction) {
        return None;
    }
    let position = fraction * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = position.ceil() as usize;
    let weight = position - position.floor();
    // Equal neighbors are returned as they are: interpolating two infinities would give NaN.
    if sorted[below] == sorted[above] {
        return Some(sorted[below]);
    }
    Some(sorted[below] * (1.0 - weight) + sorted[above] * weight)
}

/// A value and its half-width with as many digits as the half-width supports.
///
/// Two significant digits of the half-width, and the same number of decimals for the value; values
/// that would need many zeros share a power of ten. A half-width that cannot be one is not shown.
pub(crate) fn plus_minus(value: f64, half_width: Option<f64>) -> String {
    let half_width = half_width.filter(|half_width| (0.0..f64::INFINITY).contains(half_width));
    let is_spread =
        |half_width: f64| if half_width < 1e-9 * value.abs() { 0.0 } else { half_width };
    let half_width = half_width.map(is_spread);
    let size = half_width.map_or(value.abs(), |half_width| half_width.max(value.abs()));
    if !value.is_finite() || size == 0.0 {
        return with_decimals(value, half_width, 0);
    }
    let exponent = leading_exponent(size, 4);
    if (-4..7).contains(&exponent) {
        return with_decimals(value, half_width, decimals_for(value, half_width));
    }
    let unit = libm::pow(10.0, f64::from(exponent));
    let (value, half_width) = (value / unit, half_width.map(|half_width| half_width / unit));
    let shown = with_decimals(value, half_width, decimals_for(value, half_width));
    match half_width {
        Some(_) => format!("({shown})e{exponent}"),
        None => format!("{shown}e{exponent}"),
    }
}

fn with_decimals(value: f64, half_width: Option<f64>, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    // Rounding a small negative value leaves a minus sign before nothing but zeros.
    let is_zero = value.is_finite() && !shown.contains(|digit| ('1'..='9').contains(&digit));
    let shown = if is_zero { shown.trim_start_matches('-') } else { &shown };
    match half_width {
        Some(half_width) => format!("{shown} ± {half_width:.decimals$}"),
        None => shown.to_owned(),
    }
}

/// The number of decimals that shows two significant digits of the half-width, or at most four of
/// a value that stands alone.
fn decimals_for(value: f64, half_width: Option<f64>) -> usize {
    // Beyond nine decimals the digits are those of the arithmetic, not of the measurement.
    const DECIMALS_MAX: i32 = 9;
    match half_width {
        // A spread of rounding errors is none.
        Some(half_width) if 1e-9 * value.abs() < half_width => {
            (1 - leading_exponent(half_width, 2)).clamp(0, DECIMALS_MAX) as usize
        }
        _ if value == 0.0 => 0,
        _ => {
            let decimals = (3 - leading_exponent(value.abs(), 4)).clamp(0, DECIMALS_MAX) as usize;
            let shown = format!("{value:.decimals$}");
            let trailing = shown.len() - shown.trim_end_matches('0').len();
            decimals.saturating_sub(trailing)
        }
    }
}

/// The power of ten of the first digit after rounding to some significant digits: 0 for 9.94, but
/// 1 for 9.96 with two digits.
fn leading_exponent(positive: f64, digits: i32) -> i32 {
    let exponent = libm::log10(positive).floor() as i32;
    let unit = libm::pow(10.0, f64::from(exponent + 1 - digits));
    let rounded = (positive / unit).round() * unit;
    if rounded < libm::pow(10.0, f64::from(exponent + 1)) { exponent } else { exponent + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, half_width: f64) -> Estimate {
        Estimate { mean, half_width: Some(half_width), n: 10 }
    }

    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    #[test]
    fn t_quantiles_are_those_of_the_tables() {
        assert_near(t_quantile(1), 12.706, 0.0005);
        assert_near(t_quantile(4), 2.776, 0.0005);
        assert_near(t_quantile(9), 2.262, 0.0005);
        assert_near(t_quantile(30), 2.042, 0.0005);
    }

    #[test]
    fn t_quantiles_beyond_the_table_are_close() {
        assert_near(t_quantile(31), 2.0395134, 0.000002);
        assert_near(t_quantile(40), 2.0210754, 0.000002);
        assert_near(t_quantile(60), 2.0002978, 0.000002);
        assert_near(t_quantile(120), 1.9799304, 0.000002);
        assert_near(t_quantile(1_000_000), 1.9599664, 0.000002);
    }

    #[test]
    fn t_quantiles_fall_with_the_degrees() {
        for degrees in 1..200 {
            assert!(t_quantile(degrees + 1) < t_quantile(degrees), "at {degrees}");
        }
    }

    #[test]
    fn estimate_of_five_samples() {
        let found = Estimate::of(&[12.1, 11.4, 13.0, 12.6, 11.9]).unwrap();
        assert_near(found.mean, 12.2, 1e-9);
        assert_near(found.half_width.unwrap(), 0.770432, 1e-6);
        assert_eq!(found.n, 5);
    }

    #[test]
    fn estimate_needs_finite_samples() {
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
        assert_eq!(Estimate::of(&[1.0, f64::INFINITY]), None);
        assert_eq!(Estimate::of(&[f64::MAX, f64::MAX]), None);
        assert_eq!(Estimate::of(&[1e200, -1e200]), None);
    }

    #[test]
    fn one_sample_has_no_interval() {
        let found = Estimate::of(&[3.5]).unwrap();
        assert_eq!(found, Estimate { mean: 3.5, half_width: None, n: 1 });
        assert_eq!(found.relative_half_width(), None);
    }

    #[test]
    fn equal_samples_have_a_zero_interval() {
        let found = Estimate::of(&[2.0, 2.0, 2.0]).unwrap();
        assert_eq!(found.half_width, Some(0.0));
        assert_eq!(found.relative_half_width(), Some(0.0));
    }

    #[test]
    fn ratio_keeps_the_relative_interval() {
        let found = estimate(75.0, 1.5).ratio_to(50.0).unwrap();
        assert_eq!(found, estimate(1.5, 0.03));
        assert_eq!(estimate(4.0, 1.0).ratio_to(-2.0).unwrap(), estimate(-2.0, 0.5));
        assert_eq!(estimate(1.0, 0.1).ratio_to(0.0), None);
        assert_eq!(estimate(1.0, 0.1).ratio_to(f64::NAN), None);
    }

    #[test]
    fn relative_half_width_ignores_the_sign_of_the_mean() {
        assert_eq!(estimate(-50.0, 5.0).relative_half_width(), Some(0.1));
        assert_eq!(estimate(0.0, 5.0).relative_half_width(), None);
    }

    #[test]
    fn display_follows_the_interval() {
        assert_eq!(estimate(75.2134, 1.2913).to_string(), "75.2 ± 1.3");
        assert_eq!(estimate(0.004231, 0.000312).to_string(), "0.00423 ± 0.00031");
        assert_eq!(estimate(1900.3, 12.7).to_string(), "1900 ± 13");
        assert_eq!(estimate(1900.3, 129.6).to_string(), "1900 ± 130");
        assert_eq!(estimate(88.0, 9.96).to_string(), "88 ± 10");
        assert_eq!(estimate(-0.001, 0.4).to_string(), "0.00 ± 0.40");
        assert_eq!(estimate(-75.2, 1.3).to_string(), "-75.2 ± 1.3");
    }

    #[test]
    fn display_without_spread() {
        assert_eq!(estimate(4.0, 0.0).to_string(), "4 ± 0");
        assert_eq!(estimate(0.0, 0.0).to_string(), "0 ± 0");
        assert_eq!(Estimate::of(&[1900.3]).unwrap().to_string(), "1900");
        assert_eq!(Estimate::of(&[0.0042]).unwrap().to_string(), "0.0042");
        assert_eq!(Estimate::of(&[12.3456]).unwrap().to_string(), "12.35");
        assert_eq!(Estimate::of(&[99.999]).unwrap().to_string(), "100");
        assert_eq!(Estimate::of(&[0.0]).unwrap().to_string(), "0");
    }

    #[test]
    fn display_of_extreme_values_shares_a_power() {
        assert_eq!(estimate(4.2e-7, 3.1e-8).to_string(), "(4.20 ± 0.31)e-7");
        assert_eq!(estimate(1.234e9, 5.6e7).to_string(), "(1.234 ± 0.056)e9");
        assert_eq!(Estimate::of(&[6.5e12]).unwrap().to_string(), "6.5e12");
    }

    #[test]
    fn display_leaves_out_what_cannot_be_a_half_width() {
        for half_width in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(estimate(1e-310, half_width).to_string(), "1e-310");
        }
    }

    #[test]
    fn display_pads_like_text() {
        assert_eq!(format!("[{:>12}]", estimate(75.2, 1.3)), "[  75.2 ± 1.3]");
    }

    #[test]
    fn growth_needs_two_places_and_positive_numbers() {
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[(2.0, 3.0), (2.0, 5.0)]), None);
        assert_eq!(growth(&[(1.0, f64::NAN), (2.0, 5.0)]), None);
        assert_eq!(growth(&[(1.0, 7.0), (9.0, 7.0)]), Some(0.0));
        let noisy = [(1.0, 1.1), (2.0, 1.9), (4.0, 4.1), (8.0, 7.8)];
        assert_near(growth(&noisy).unwrap(), 0.958754, 1e-6);
    }

    #[test]
    fn quantiles_interpolate() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&sorted, 0.0), Some(1.0));
        assert_eq!(quantile(&sorted, 0.5), Some(3.0));
        assert_eq!(quantile(&sorted, 1.0), Some(8.0));
        assert_eq!(quantile(&sorted, 1.5), None);
        assert_eq!(quantile(&sorted, f64::NAN), None);
    }
}
