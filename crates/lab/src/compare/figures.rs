//! Waiting times and messages against what is varied.

use super::quantity::Quantity;
use super::{Case, Contest, Row};
use crate::figure::{Axis, Figure, Ink, Panel, Point, Series};

/// An axis that spans more than this many times its least value is logarithmic.
const SPAN_LINEAR: f64 = 30.0;

/// What has a figure, with the name of its file and of its axis.
const DRAWN: [(Quantity, &str, &str); 2] = [
    (Quantity::WaitingMean, "waiting", "waiting time (time units)"),
    (Quantity::Messages, "messages", "messages per entry"),
];

/// All figures, with the names of their files. What is varied by words has none.
pub(super) fn figures(contest: &Contest, rows: &[Row]) -> Vec<(String, Figure)> {
    let mut sets: Vec<&Case> = Vec::new();
    for case in &contest.cases {
        if case.value.parse::<f64>().is_ok() && sets.iter().all(|set| set.stem != case.stem) {
            sets.push(case);
        }
    }
    let named = |set: &Case, (quantity, name, label): (Quantity, &str, &str)| {
        let dash = if set.stem.is_empty() { "" } else { "-" };
        let curves = Curves { contest, rows, quantity, label };
        (format!("{name}{dash}{}.svg", set.stem), curves.figure(set))
    };
    sets.iter().flat_map(|set| DRAWN.map(|drawn| named(set, drawn))).collect()
}

/// What is drawn.
struct Curves<'a> {
    contest: &'a Contest,
    rows: &'a [Row],
    quantity: Quantity,
    label: &'a str,
}

impl Curves<'_> {
    fn figure(&self, set: &Case) -> Figure {
        let cases = self.contest.cases.iter().enumerate();
        let cases: Vec<(usize, &Case)> = cases.filter(|(_, case)| case.stem == set.stem).collect();
        let mut panels: Vec<&str> = cases.iter().map(|(_, case)| &*case.panel).collect();
        panels.dedup();
        let x: Vec<f64> = cases.iter().filter_map(|(_, case)| case.value.parse().ok()).collect();
        let drawn = cases.iter().flat_map(|(case, _)| self.points(*case));
        let y: Vec<f64> = drawn.map(|(_, point)| point.y).collect();
        let note = "Marks: means with 95 % intervals, on the same networks and seeds.";
        let mut figure = Figure::new(&set.title).with_note(note);
        for name in panels {
            let mut panel = Panel::new(name, axis(&self.contest.key, &x), axis(self.label, &y));
            for (who, entrant) in self.contest.entrants.iter().enumerate() {
                let here = cases.iter().filter(|(_, case)| case.panel == name);
                let all = here.flat_map(|(case, _)| self.points(*case));
                let own = all.filter(|(of, _)| *of == who).map(|(_, point)| point);
                let (ink, own) = (Ink::variant(who, who), own.collect());
                panel = panel.with_series(Series::measured(&entrant.name, ink, own));
            }
            figure = figure.with_panel(panel);
        }
        figure
    }

    /// The points of all entrants in a case.
    fn points(&self, case: usize) -> Vec<(usize, Point)> {
        let n = self.contest.entrants.len();
        let Ok(x) = self.contest.cases[case].value.parse() else { return Vec::new() };
        let rows = self.rows[case * n..(case + 1) * n].iter().enumerate();
        let point = |(who, row): (usize, &Row)| {
            let value = row.quantities[self.quantity.key()].value?;
            Some((who, Point::of_estimate(x, &value)))
        };
        rows.filter_map(point).collect()
    }
}

/// Logarithmic if the values span much and can be shown so.
fn axis(label: &str, values: &[f64]) -> Axis {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    if least > 0.0 && most > SPAN_LINEAR * least { Axis::log(label) } else { Axis::linear(label) }
}
