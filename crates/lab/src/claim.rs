//! Claims that are about ratios, and verdicts on them that know how far the runs can be trusted.

use core::fmt;

use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// Where a ratio is claimed to lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Above this.
    pub low: f64,
    /// Below this.
    pub high: f64,
}

impl Bounds {
    /// Below a number.
    pub const fn below(high: f64) -> Self {
        Bounds { low: f64::NEG_INFINITY, high }
    }

    /// Above a number.
    pub const fn above(low: f64) -> Self {
        Bounds { low, high: f64::INFINITY }
    }

    /// From one number to another.
    pub const fn within(low: f64, high: f64) -> Self {
        Bounds { low, high }
    }

    /// What one estimate says: yes if its whole interval lies inside, no if all of it lies
    /// outside, and neither if it straddles a bound. Without an interval the mean has to do.
    pub fn judge(self, estimate: &Estimate) -> Verdict {
        let half_width = estimate.half_width.unwrap_or(0.0);
        let (least, most) = (estimate.mean - half_width, estimate.mean + half_width);
        if self.low < least && most < self.high {
            Verdict::Yes
        } else if most <= self.low || self.high <= least {
            Verdict::No
        } else {
            Verdict::Open
        }
    }
}

/// Whether a claim holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// At every point.
    Yes,
    /// At no point, or it fails at some and is open at the others.
    No,
    /// It holds at some points and fails at others.
    Partly,
    /// It fails nowhere, and at some points the intervals are too wide to say.
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Partly => "in part",
            Verdict::Open => "open",
        })
    }
}

/// What was measured, in words, and what that says of a claim; nothing if runs are missing.
pub type Judged = Option<(String, Verdict)>;

/// The verdict on a claim about several ratios, and where they lie.
pub fn judge(ratios: &[Estimate], bounds: Bounds) -> Judged {
    let of = |verdict| ratios.iter().filter(|ratio| bounds.judge(ratio) == verdict).count();
    let (yes, no, open) = (of(Verdict::Yes), of(Verdict::No), of(Verdict::Open));
    let by_mean = |a: &&Estimate, b: &&Estimate| a.mean.total_cmp(&b.mean);
    let (least, most) = (ratios.iter().min_by(by_mean)?, ratios.iter().max_by(by_mean)?);
    let range = if ratios.len() == 1 { least.to_string() } else { format!("{least} to {most}") };
    let verdict = match (yes, no, open) {
        (_, 0, 0) => Verdict::Yes,
        (_, 0, _) => Verdict::Open,
        (0, _, _) => Verdict::No,
        _ => Verdict::Partly,
    };
    let n = ratios.len();
    let count = match (no, open) {
        _ if n == 1 => String::new(),
        (0, 0) => format!(" at {n} points"),
        _ => format!("; of {n} points {yes} yes, {no} no, {open} open"),
    };
    Some((format!("{range}{count}"), verdict))
}

/// A table of claims with what was measured and the verdicts.
pub fn table<'c>(
    title: &str,
    whose: &str,
    claims: impl IntoIterator<Item = (&'c str, Judged)>,
) -> Table {
    let mut table = Table::new(title, [whose, "we measure", "holds"]);
    for (claim, judged) in claims {
        let (measured, verdict) = match judged {
            Some((measured, verdict)) => (measured, verdict.to_string()),
            None => ("not enough finished runs".into(), String::new()),
        };
        table.row([Cell::text(claim), Cell::text(measured), Cell::text(verdict)]);
    }
    table.note(
        "a point says yes or no if the whole 95 % interval of its ratio does, and is open \
         otherwise; runs of one seed are compared with each other",
    );
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, half_width: f64) -> Estimate {
        Estimate { mean, half_width: Some(half_width), n: 5 }
    }

    #[test]
    fn an_interval_that_straddles_a_bound_decides_nothing() {
        let half = Bounds::below(0.5);
        assert_eq!(half.judge(&estimate(0.4, 0.05)), Verdict::Yes);
        assert_eq!(half.judge(&estimate(0.4, 0.2)), Verdict::Open);
        assert_eq!(half.judge(&estimate(0.6, 0.2)), Verdict::Open);
        assert_eq!(half.judge(&estimate(0.6, 0.05)), Verdict::No);
        assert_eq!(half.judge(&Estimate { mean: 0.4, half_width: None, n: 1 }), Verdict::Yes);
        let comparable = Bounds::within(0.5, 2.0);
        assert_eq!(comparable.judge(&estimate(1.0, 0.2)), Verdict::Yes);
        assert_eq!(comparable.judge(&estimate(0.3, 0.1)), Verdict::No);
        assert_eq!(comparable.judge(&estimate(2.5, 0.1)), Verdict::No);
        assert_eq!(Bounds::above(1.0).judge(&estimate(1.2, 0.1)), Verdict::Yes);
    }

    #[test]
    fn a_claim_holds_where_all_its_points_do() {
        let verdict = |means: &[f64]| {
            let ratios: Vec<Estimate> = means.iter().map(|&mean| estimate(mean, 0.1)).collect();
            judge(&ratios, Bounds::below(1.0)).map(|(_, verdict)| verdict)
        };
        assert_eq!(verdict(&[0.5, 0.6]), Some(Verdict::Yes));
        assert_eq!(verdict(&[0.5, 1.6]), Some(Verdict::Partly));
        assert_eq!(verdict(&[0.95, 1.6]), Some(Verdict::No));
        assert_eq!(verdict(&[0.95, 0.6]), Some(Verdict::Open));
        assert_eq!(verdict(&[]), None);
        let (text, _) =
            judge(&[estimate(0.5, 0.1), estimate(1.6, 0.1)], Bounds::below(1.0)).unwrap();
        assert_eq!(text, "0.50 ± 0.10 to 1.60 ± 0.10; of 2 points 1 yes, 1 no, 0 open");
    }

    #[test]
    fn a_claim_without_runs_has_no_verdict() {
        let table = table("", "the paper says", [("so", None)]);
        assert!(table.csv().contains("so,not enough finished runs,\n"));
    }
}
