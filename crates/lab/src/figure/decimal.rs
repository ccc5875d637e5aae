//! Exact decimal numbers for tick labels.

/// An integer times a power of ten. Ticks are made of these, so that a label never shows the
/// rounding of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: i64,
    pub(super) exponent: i32,
}

impl Decimal {
    pub(super) fn value(self) -> f64 {
        // Dividing by a positive power keeps 0.1 and its kin as exact as they can be.
        if self.exponent < 0 {
            return self.digits as f64 / libm::pow(10.0, f64::from(-self.exponent));
        }
        self.digits as f64 * libm::pow(10.0, f64::from(self.exponent))
    }

    /// Whether all digits can be written out without a row of zeros that nobody counts.
    pub(super) fn is_plain(self) -> bool {
        let first_digit = self.exponent + self.digits.unsigned_abs().max(1).ilog10() as i32;
        self.digits == 0 || ((-4..6).contains(&first_digit) && -6 <= self.exponent)
    }

    /// `-0.05`, `1200`.
    pub(super) fn plain(self) -> String {
        if self.digits == 0 && 0 < self.exponent {
            return "0".to_owned();
        }
        let digits = self.digits.unsigned_abs().to_string();
        let text = if self.exponent < 0 {
            let decimals = self.exponent.unsigned_abs() as usize;
            let digits = format!("{digits:0>width$}", width = decimals + 1);
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            format!("{whole}.{fraction}")
        } else {
            digits + &"0".repeat(self.exponent as usize)
        };
        self.signed(text)
    }

    /// `10⁻⁵`, `2.5×10⁶`.
    pub(super) fn scientific(self) -> String {
        if self.digits == 0 {
            return "0".to_owned();
        }
        let digits = self.digits.unsigned_abs().to_string();
        let power = superscript(self.exponent + digits.len() as i32 - 1);
        let text = match digits.trim_end_matches('0') {
            "1" => format!("10{power}"),
            digits if digits.len() == 1 => format!("{digits}×10{power}"),
            digits => format!("{}.{}×10{power}", &digits[..1], &digits[1..]),
        };
        self.signed(text)
    }

    fn signed(self, text: String) -> String {
        if self.digits < 0 { format!("−{text}") } else { text }
    }
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = number.to_string();
    let raise = |character: char| match character.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    };
    raised.chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(digits: i64, exponent: i32) -> Decimal {
        Decimal { digits, exponent }
    }

    #[test]
    fn plain_writes_all_digits() {
        assert_eq!(decimal(5, -2).plain(), "0.05");
        assert_eq!(decimal(-125, -1).plain(), "−12.5");
        assert_eq!(decimal(10, -1).plain(), "1.0");
        assert_eq!(decimal(12, 2).plain(), "1200");
        assert_eq!(decimal(0, 3).plain(), "0");
        assert_eq!(decimal(0, -1).plain(), "0.0");
    }

    #[test]
    fn scientific_normalizes() {
        assert_eq!(decimal(1, -5).scientific(), "10⁻⁵");
        assert_eq!(decimal(25, 5).scientific(), "2.5×10⁶");
        assert_eq!(decimal(-20, 10).scientific(), "−2×10¹¹");
        assert_eq!(decimal(0, 7).scientific(), "0");
    }

    #[test]
    fn very_large_and_very_small_numbers_are_not_plain() {
        assert!(decimal(1, -4).is_plain());
        assert!(decimal(0, 90).is_plain());
        assert!(decimal(9, 5).is_plain());
        assert!(!decimal(1, -5).is_plain());
        assert!(!decimal(1, 6).is_plain());
    }

    #[test]
    fn values_are_the_nearest_floats() {
        assert_eq!(decimal(1, -1).value(), 0.1);
        assert_eq!(decimal(3, -4).value(), 0.0003);
        assert_eq!(decimal(7, 3).value(), 7000.0);
    }
}
