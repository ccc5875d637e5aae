//! What is measured, against what is varied.

use super::quantity::Quantity;
use super::{Case, Contest, Measured, Row};
use crate::figure::{Axis, Figure, Ink, Panel, Point, Series};

/// An axis that spans more than this many times its least value is logarithmic.
const SPAN_LINEAR: f64 = 30.0;

/// What has a figure, with the name of its file, what it is, and its axis.
const SHOWN: [(Quantity, &str, &str, &str); 6] = [
    (Quantity::WaitingMean, "waiting", "Waiting time", "waiting time (time units)"),
    (Quantity::Messages, "messages", "Messages per entry", "messages per entry"),
    (Quantity::Bytes, "bytes", "Bytes per entry", "bytes per entry"),
    (Quantity::Fairness, "fairness", "Fairness", "fairness (Jain's index)"),
    (Quantity::NextEntry, "next-entry", "Time to the next entry", "to the next entry (time units)"),
    (Quantity::Backlog, "backlog", "Time to serve who waited", "until all are served (time units)"),
];

/// A figure.
pub(super) struct Drawn {
    /// The name of its file.
    pub(super) name: String,
    /// What it shows.
    pub(super) what: &'static str,
    pub(super) figure: Figure,
}

/// All figures. What is varied by words has none, and neither has what nobody has.
pub(super) fn figures(contest: &Contest, rows: &[Row]) -> Vec<Drawn> {
    let mut sets: Vec<&Case> = Vec::new();
    for case in &contest.cases {
        if case.value.parse::<f64>().is_ok() && sets.iter().all(|set| set.stem != case.stem) {
            sets.push(case);
        }
    }
    let drawn =
        |set: &Case, (quantity, name, what, label): (Quantity, &str, &'static str, &str)| {
            let dash = if set.stem.is_empty() { "" } else { "-" };
            let figure = Curves { contest, rows, quantity, label }.figure(set)?;
            Some(Drawn { name: format!("{name}{dash}{}.svg", set.stem), what, figure })
        };
    sets.iter().flat_map(|set| SHOWN.into_iter().filter_map(|shown| drawn(set, shown))).collect()
}

/// What is drawn.
struct Curves<'a> {
    contest: &'a Contest,
    rows: &'a [Row],
    quantity: Quantity,
    label: &'a str,
}

impl Curves<'_> {
    /// Nothing if there is no point in it.
    fn figure(&self, set: &Case) -> Option<Figure> {
        let cases = self.contest.cases.iter().enumerate();
        let cases: Vec<(usize, &Case)> = cases.filter(|(_, case)| case.stem == set.stem).collect();
        let mut panels: Vec<&str> = cases.iter().map(|(_, case)| &*case.panel).collect();
        panels.dedup();
        let x: Vec<f64> = cases.iter().filter_map(|(_, case)| case.value.parse().ok()).collect();
        let drawn = cases.iter().flat_map(|(case, _)| self.points(*case));
        let y: Vec<f64> = drawn.map(|(_, point)| point.y).collect();
        if y.is_empty() {
            return None;
        }
        let note = match self.quantity.is_of_trouble() {
            true => "Marks: means with 95 % intervals, where there was recovery in all runs.",
            false => "Marks: means with 95 % intervals, on the same networks and seeds.",
        };
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
        Some(figure)
    }

    /// The points of all entrants in a case.
    fn points(&self, case: usize) -> Vec<(usize, Point)> {
        let n = self.contest.entrants.len();
        let Ok(x) = self.contest.cases[case].value.parse() else { return Vec::new() };
        let rows = self.rows[case * n..(case + 1) * n].iter().enumerate();
        let point = |(who, row): (usize, &Row)| {
            let Measured { value, runs, .. } = row.quantities[self.quantity.key()];
            // The mean of those that recovered would be that of the lucky ones.
            let value = value.filter(|_| runs == row.runs || !self.quantity.is_of_trouble())?;
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
