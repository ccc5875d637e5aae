//! Path loss by the logarithm of the distance, with shadowing.

use super::{Reach, length};

/// Shadowing is cut off at so many standard deviations, so that there is a farthest distance.
const MOST_DEVIATIONS: f64 = 3.0;

/// The shortest time for which shadowing may stay the same, in seconds.
const LEAST_COHERENCE: f64 = 0.001;

/// Two nodes at the distance d (in meters) are linked while what arrives is enough:
///
/// ```text
/// power − loss − 10 · exponent · log10(d) − shadow ≥ sensitivity
/// ```
///
/// The shadow is drawn from a normal distribution with mean 0, cut off at three standard
/// deviations, for each pair and for each time of length `coherence`, by the seed. So within such a
/// time a pair has a range of its own, and its link changes at exact moments, as with the unit
/// disk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LogDistance {
    /// What is sent, in dBm.
    pub power: f64,
    /// The loss over the first meter, in dB.
    pub loss: f64,
    /// How fast the loss grows: 2 in free space, 2.7 to 3.5 in towns, up to 6 in buildings.
    pub exponent: f64,
    /// What is still heard, in dBm.
    pub sensitivity: f64,
    /// The standard deviation of the shadow, in dB; 0 for none.
    pub shadow: f64,
    /// For how many seconds the shadow of a pair stays the same. Infinity: for ever.
    pub coherence: f64,
    /// What shadows are drawn by. They depend on it, on the two nodes' places in the list of names,
    /// and on the number of the time since 0, and on nothing else.
    pub seed: u64,
}

impl Default for LogDistance {
    /// Radios at 2.4 GHz in the open part of a town, with a range of 255 m without a shadow.
    fn default() -> Self {
        LogDistance {
            power: 20.0,
            loss: 40.0,
            exponent: 2.7,
            sensitivity: -85.0,
            shadow: 4.0,
            coherence: 10.0,
            seed: 1,
        }
    }
}

impl LogDistance {
    /// The distance at which two nodes hear each other without a shadow.
    pub fn range(&self) -> f64 {
        self.range_behind(0.0)
    }

    /// The same behind a shadow of so many dB.
    fn range_behind(&self, shadow: f64) -> f64 {
        let budget = self.power - self.loss - self.sensitivity - shadow;
        libm::pow(10.0, budget / (10.0 * self.exponent))
    }

    pub(super) fn farthest(&self) -> f64 {
        self.range_behind(-MOST_DEVIATIONS * self.shadow)
    }

    pub(super) fn reach(&self, a: u32, b: u32, t: f64) -> Reach {
        let mut number =
            if self.coherence.is_finite() { (t / self.coherence).floor() } else { 0.0 };
        let mut until = f64::INFINITY;
        if self.coherence.is_finite() {
            until = (number + 1.0) * self.coherence;
            if until <= t {
                // The division was rounded down.
                number += 1.0;
                until = (number + 1.0) * self.coherence;
            }
        }
        let range = self.range_behind(self.shadow * deviation(self.seed, a, b, number as i64));
        Reach { joins: range, leaves: range, until }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let numbers = [self.power, self.loss, self.sensitivity, self.exponent, self.shadow];
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err("power, loss, sensitivity, exponent and shadow should be numbers".into());
        }
        if self.exponent <= 0.0 || self.shadow < 0.0 {
            return Err("the exponent should be more than 0, and the shadow not less than 0".into());
        }
        if self.coherence.is_nan() || self.coherence < LEAST_COHERENCE {
            return Err(format!("the coherence should be {LEAST_COHERENCE} s or more"));
        }
        length("range without a shadow", self.range())?;
        length("range with the best shadow", self.farthest())
    }
}

/// A number from the standard normal distribution, cut off, at an address.
fn deviation(seed: u64, a: u32, b: u32, number: i64) -> f64 {
    let pair = u64::from(a) << 32 | u64::from(b);
    let address = mixed(mixed(mixed(seed) ^ pair) ^ number as u64);
    // Box and Muller. The first number is in (0, 1], so that it has a logarithm.
    let unit = |bits: u64| ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
    let radius = (-2.0 * libm::log(unit(mixed(address ^ 1)))).sqrt();
    let angle = 2.0 * std::f64::consts::PI * unit(mixed(address ^ 2));
    (radius * libm::cos(angle)).clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS)
}

/// The output function of splitmix64 (Steele, Lea, Flood 2014): every bit depends on every bit.
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: LogDistance = LogDistance {
        power: 20.0,
        loss: 40.0,
        exponent: 3.0,
        sensitivity: -80.0,
        shadow: 6.0,
        coherence: 10.0,
        seed: 7,
    };

    #[test]
    fn the_range_is_where_the_budget_is_spent() {
        assert!((MODEL.range() - 100.0).abs() < 1e-9);
        // 18 dB more, at 30 dB for each factor of ten.
        assert!((MODEL.farthest() - 398.107).abs() < 0.001);
    }

    #[test]
    fn shadows_have_their_deviation_and_their_addresses() {
        let numbers: Vec<f64> = (0..100_000).map(|k| deviation(7, 1, 2, k)).collect();
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let square = numbers.iter().map(|number| number * number).sum::<f64>() / n;
        assert!(mean.abs() < 0.02 && (square - 1.0).abs() < 0.04, "{mean} {square}");
        assert!(numbers.iter().all(|number| number.abs() <= 3.0));
        let other = [deviation(8, 1, 2, 0), deviation(7, 1, 3, 0), deviation(7, 0, 2, 0)];
        assert!(other.iter().all(|&number| number != numbers[0]));
    }

    /// Worlds stay as they are, on every machine and in every version.
    #[test]
    fn the_first_shadows_stay_as_they_are() {
        let shadows = [0, 1].map(|number| deviation(7, 1, 2, number).to_bits());
        assert_eq!(shadows, [4_611_551_221_854_714_129, 13_821_799_582_821_578_960]);
    }

    #[test]
    fn a_shadow_lasts_for_the_coherence() {
        let [a, b, c] = [10.0, 19.999, 20.0].map(|t| MODEL.reach(1, 2, t));
        assert_eq!(a, b);
        assert_eq!((a.until, c.until), (20.0, 30.0));
        assert_ne!(a.joins, c.joins);
        let ever = LogDistance { coherence: f64::INFINITY, ..MODEL };
        assert_eq!(ever.reach(1, 2, 0.0), ever.reach(1, 2, 1e9));
        // Wherever it is asked, the answer holds for some time.
        let fine = LogDistance { coherence: 0.1, ..MODEL };
        let mut t = 0.0;
        for _ in 0..10_000 {
            let until = fine.reach(1, 2, t).until;
            assert!(until > t && until < t + 0.11, "{t} {until}");
            t = until;
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        assert_eq!(MODEL.check(), Ok(()));
        let bad = [
            LogDistance { exponent: 0.0, ..MODEL },
            LogDistance { shadow: -1.0, ..MODEL },
            LogDistance { coherence: 0.0, ..MODEL },
            LogDistance { power: f64::NAN, ..MODEL },
            LogDistance { sensitivity: -1000.0, ..MODEL },
        ];
        assert!(bad.iter().all(|model| model.check().is_err()));
    }
}
