//! Which interval an axis shows, and where its ticks are.

use super::decimal::Decimal;

/// Values beyond this are treated as if they were infinite: differences between them would
/// overflow, and no result of a simulation comes near.
const VALUE_MAX: f64 = 1e100;

/// Intervals narrower than this fraction of their ends count as a single value: ticks within would
/// differ in digits that are rounding errors.
const NARROWEST: f64 = 1e-9;

/// How an axis maps values to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios. Shows positive values only.
    Log,
}

/// Why a value has no place on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Misfit {
    NotFinite,
    NotPositive,
}

/// Whether the interval leaves room between the data and the ends of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// The data touch the ends. For horizontal axes, whose ends are inset in the frame.
    Tight,
    /// Some air, and down to zero if the data are not far from it. For vertical axes.
    Airy,
}

/// The interval an axis shows, in units of its scale: values, or powers of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    scale: Scale,
    low: f64,
    high: f64,
}

/// A place along an axis, as a fraction of its length, with a label if it is a major one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

impl Scale {
    /// The value in units of this scale.
    pub(super) fn units(self, value: f64) -> Result<f64, Misfit> {
        if !value.is_finite() || VALUE_MAX < value.abs() {
            return Err(Misfit::NotFinite);
        }
        match self {
            Scale::Linear => Ok(value),
            Scale::Log if value <= 0.0 => Err(Misfit::NotPositive),
            Scale::Log => Ok(libm::log10(value)),
        }
    }
}

impl Span {
    /// The interval between two values, if the scale can show it.
    pub(super) fn between(scale: Scale, (one, other): (f64, f64)) -> Option<Span> {
        let one = scale.units(one).ok()?;
        let other = scale.units(other).ok()?;
        let (low, high) = (one.min(other), one.max(other));
        (!is_narrow(low, high)).then_some(Span { scale, low, high })
    }

    /// An interval that shows all of some values, themselves in units of the scale.
    pub(super) fn around(scale: Scale, units: &[f64], room: Room) -> Span {
        let low = units.iter().copied().reduce(f64::min);
        let high = units.iter().copied().reduce(f64::max);
        let (Some(low), Some(high)) = (low, high) else {
            return Span { scale, low: 0.0, high: 1.0 };
        };
        if is_narrow(low, high) {
            return Span::around_one(scale, (low + high) / 2.0);
        }
        let tight = Span { scale, low, high };
        if room == Room::Tight { tight } else { tight.with_air() }
    }

    /// Room around the data: down to zero if it is near, and to a round number at either end if
    /// one is near, so that axes begin and end with labels.
    fn with_air(self) -> Span {
        let reaches_zero =
            self.scale == Scale::Linear && 0.0 <= self.low && self.low < 0.6 * self.high;
        let data = if reaches_zero { Span { low: 0.0, ..self } } else { self };
        let width = data.high - data.low;
        let is_near = |distance: f64| 0.02 * width < distance && distance < 0.17 * width;
        let air = 0.05 * width;
        let (below, above) = data.rounds_around();
        let low = if is_near(data.low - below) { below } else { data.low - air };
        let high = if is_near(above - data.high) { above } else { data.high + air };
        Span { low: if reaches_zero { 0.0 } else { low }, high, ..data }
    }

    /// The round numbers next to the interval: where the next labels would stand.
    fn rounds_around(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => {
                let step = round_step(self.low, self.high, 5).map_or(1.0, Decimal::value);
                ((self.low / step).floor() * step, (self.high / step).ceil() * step)
            }
            Scale::Log => {
                let rounds =
                    |units: f64| [1.0, 2.0, 5.0, 10.0].map(|d| units.floor() + libm::log10(d));
                let below = rounds(self.low).into_iter().rfind(|round| *round <= self.low);
                let above = rounds(self.high).into_iter().find(|round| self.high <= *round);
                (below.unwrap_or(self.low), above.unwrap_or(self.high))
            }
        }
    }

    /// A single value has no width to take from: half its size to both sides, or half a decade.
    fn around_one(scale: Scale, value: f64) -> Span {
        let reach = match scale {
            Scale::Linear if value.abs() < 1.0 / VALUE_MAX => 1.0,
            Scale::Linear => value.abs() / 2.0,
            Scale::Log => 0.5,
        };
        Span { scale, low: value - reach, high: value + reach }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end, beyond either if outside.
    pub(super) fn fraction(&self, value: f64) -> Result<f64, Misfit> {
        Ok(self.fraction_of_units(self.scale.units(value)?))
    }

    fn fraction_of_units(&self, units: f64) -> f64 {
        let fraction = (units - self.low) / (self.high - self.low);
        // Ends that were given as values must not be lost to rounding.
        if fraction.abs() < NARROWEST {
            0.0
        } else if (fraction - 1.0).abs() < NARROWEST {
            1.0
        } else {
            fraction
        }
    }

    /// The ticks in ascending order, no more than `n_labels_max` of them labeled, give or take one.
    pub(super) fn ticks(&self, n_labels_max: usize) -> Vec<Tick> {
        let majors = match self.scale {
            Scale::Linear => linear_majors(self.low, self.high, n_labels_max),
            Scale::Log => self.log_majors(n_labels_max),
        };
        let is_plain = majors.iter().all(|major| major.is_plain());
        let label = |major: &Decimal| if is_plain { major.plain() } else { major.scientific() };
        let tick = |decimal: Decimal| {
            let label = majors.contains(&decimal).then(|| label(&decimal));
            self.fraction(decimal.value()).ok().map(|at| Tick { at, label })
        };
        let mut places = majors.clone();
        places.extend(self.minors().into_iter().filter(|minor| !majors.contains(minor)));
        let mut ticks: Vec<Tick> = places.into_iter().filter_map(tick).collect();
        ticks.sort_by(|one, other| one.at.total_cmp(&other.at));
        ticks
    }

    /// Powers of ten if at least three are in sight; otherwise as many round numbers between them
    /// as the closest two leave room for.
    fn log_majors(&self, n_max: usize) -> Vec<Decimal> {
        let decades = self.log_multiples(&[1]);
        if 3 <= decades.len() {
            let stride = decades.len().div_ceil(n_max.max(1));
            let is_kept = |decade: &Decimal| decade.exponent.rem_euclid(stride as i32) == 0;
            return decades.into_iter().filter(is_kept).collect();
        }
        let width = self.high - self.low;
        let sets: [(&[i64], f64); 3] = [
            (&[1, 2, 3, 4, 5, 6, 7, 8, 9], libm::log10(10.0 / 9.0)),
            (&[1, 2, 5], libm::log10(2.0)),
            (&[1, 3], libm::log10(3.0)),
        ];
        let fits = |closest: f64| width <= closest * n_max as f64;
        let (set, _) = sets.into_iter().find(|(_, closest)| fits(*closest)).unwrap_or(sets[2]);
        let majors = self.log_multiples(set);
        if 2 <= majors.len() {
            return majors;
        }
        let value = |units| libm::pow(10.0, units);
        linear_majors(value(self.low), value(self.high), n_max)
    }

    /// Unlabeled ticks, which make a logarithmic axis recognizable as one.
    fn minors(&self) -> Vec<Decimal> {
        const DECADES_MAX: f64 = 6.0;
        match self.scale {
            Scale::Log if self.high - self.low <= DECADES_MAX => {
                self.log_multiples(&[1, 2, 3, 4, 5, 6, 7, 8, 9])
            }
            _ => Vec::new(),
        }
    }

    /// The given digits in every decade, as far as they are in sight.
    fn log_multiples(&self, digits: &[i64]) -> Vec<Decimal> {
        let decades = self.low.floor() as i32..=self.high.ceil() as i32;
        let all = decades.flat_map(|exponent| {
            digits.iter().map(move |digits| Decimal { digits: *digits, exponent })
        });
        let is_in_sight = |decimal: &Decimal| {
            let units = f64::from(decimal.exponent) + libm::log10(decimal.digits as f64);
            (0.0..=1.0).contains(&self.fraction_of_units(units))
        };
        all.filter(is_in_sight).collect()
    }
}

/// Multiples of a round step.
fn linear_majors(low: f64, high: f64, n_max: usize) -> Vec<Decimal> {
    let Some(step) = round_step(low, high, n_max) else {
        return Vec::new();
    };
    let slack = NARROWEST * (high - low);
    let first = ((low - slack) / step.value()).ceil() as i64;
    let last = ((high + slack) / step.value()).floor() as i64;
    let multiple = |i| Decimal { digits: i * step.digits, exponent: step.exponent };
    (first..=last).map(multiple).collect()
}

/// The smallest step of 1, 2 or 5 times a power of ten that leaves no more than some multiples in
/// an interval, give or take one.
fn round_step(low: f64, high: f64, n_max: usize) -> Option<Decimal> {
    let step_min = (high - low) / n_max.max(1) as f64;
    let exponent = libm::log10(step_min).floor() as i32;
    let steps = [(1, 0), (2, 0), (5, 0), (1, 1), (2, 1)];
    let steps = steps.map(|(digits, more)| Decimal { digits, exponent: exponent + more });
    let step = steps.into_iter().find(|step| step_min <= step.value());
    step.filter(|step| 0.0 < step.value())
}

fn is_narrow(low: f64, high: f64) -> bool {
    let size = low.abs().max(high.abs());
    high - low <= NARROWEST * size || size < 1.0 / VALUE_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(span: Span, n_max: usize) -> Vec<String> {
        span.ticks(n_max).into_iter().filter_map(|tick| tick.label).collect()
    }

    fn between(scale: Scale, low: f64, high: f64) -> Span {
        Span::between(scale, (low, high)).unwrap()
    }

    #[test]
    fn log_axis_has_a_tick_per_decade() {
        let span = between(Scale::Log, 1e-4, 1.0);
        assert_eq!(labels(span, 6), ["0.0001", "0.001", "0.01", "0.1", "1"]);
        let ticks = span.ticks(6);
        assert_eq!(ticks.first().unwrap().at, 0.0);
        assert_eq!(ticks.last().unwrap().at, 1.0);
        assert_eq!(ticks.iter().filter(|tick| tick.label.is_none()).count(), 4 * 8);
        assert!(ticks.is_sorted_by(|one, other| one.at < other.at));
    }

    #[test]
    fn wide_log_axis_skips_decades() {
        let span = between(Scale::Log, 1e-9, 1e9);
        assert_eq!(labels(span, 5), ["10⁻⁸", "10⁻⁴", "10⁰", "10⁴", "10⁸"]);
    }

    #[test]
    fn narrow_log_axis_has_round_ticks_between_decades() {
        assert_eq!(labels(between(Scale::Log, 15.0, 600.0), 6), ["20", "50", "100", "200", "500"]);
        assert_eq!(labels(between(Scale::Log, 12.0, 950.0), 6), ["30", "100", "300"]);
        assert_eq!(labels(between(Scale::Log, 21.0, 42.0), 6), ["25", "30", "35", "40"]);
    }

    #[test]
    fn linear_ticks_are_round() {
        let percent = between(Scale::Linear, 10.0, 100.0);
        assert_eq!(labels(percent, 5), ["20", "40", "60", "80", "100"]);
        assert_eq!(labels(between(Scale::Linear, 0.0, 0.3), 4), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(between(Scale::Linear, -3.0, 3.0), 4), ["−2", "0", "2"]);
        assert_eq!(labels(between(Scale::Linear, 0.0, 3e6), 4), ["0", "10⁶", "2×10⁶", "3×10⁶"]);
    }

    #[test]
    fn a_range_the_scale_cannot_show_is_none() {
        assert_eq!(Span::between(Scale::Log, (0.0, 1.0)), None);
        assert_eq!(Span::between(Scale::Linear, (0.0, f64::NAN)), None);
        assert_eq!(Span::between(Scale::Linear, (5.0, 5.0)), None);
        let reversed = Span::between(Scale::Linear, (9.0, 1.0));
        assert_eq!(reversed, Some(between(Scale::Linear, 1.0, 9.0)));
    }

    #[test]
    fn airy_spans_reach_zero_when_it_is_near() {
        let span = Span::around(Scale::Linear, &[10.0, 100.0], Room::Airy);
        assert_eq!(span.fraction(0.0), Ok(0.0));
        assert!(span.fraction(100.0).unwrap() < 1.0);
        let far = Span::around(Scale::Linear, &[90.0, 100.0], Room::Airy);
        assert!(far.fraction(0.0).unwrap() < 0.0);
        assert!(0.0 < far.fraction(90.0).unwrap());
    }

    #[test]
    fn a_single_value_is_centered() {
        for value in [0.0, 7.0, -7.0, 1e-300, 1e99] {
            let span = Span::around(Scale::Linear, &[value], Room::Airy);
            let fraction = span.fraction(value).unwrap();
            assert!((fraction - 0.5).abs() < 1e-9, "{value} at {fraction}");
            assert!(!span.ticks(5).is_empty(), "{value}");
        }
        let log = Span::around(Scale::Log, &[2.0, 2.0], Room::Airy);
        assert_eq!(log.fraction(100.0), Ok(0.5));
    }

    #[test]
    fn misfits_are_told_apart() {
        assert_eq!(Scale::Log.units(0.0), Err(Misfit::NotPositive));
        assert_eq!(Scale::Log.units(-1.0), Err(Misfit::NotPositive));
        assert_eq!(Scale::Linear.units(-1.0), Ok(-1.0));
        assert_eq!(Scale::Log.units(f64::NAN), Err(Misfit::NotFinite));
        assert_eq!(Scale::Linear.units(f64::INFINITY), Err(Misfit::NotFinite));
    }

    #[test]
    fn ticks_stay_on_the_axis_for_any_interval() {
        let ends = [1e-99, 1e-5, 0.3, 0.999, 1.0, 7.7, 123.4, 1e6, 9e99];
        for (low, high) in ends.iter().flat_map(|low| ends.map(|high| (*low, high))) {
            for scale in [Scale::Linear, Scale::Log] {
                let Some(span) = Span::between(scale, (low, high)) else { continue };
                let ticks = span.ticks(6);
                assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.at)), "{span:?}");
                let n_labels = ticks.iter().filter(|tick| tick.label.is_some()).count();
                assert!((1..=8).contains(&n_labels), "{n_labels} labels on {span:?}");
            }
        }
    }
}
