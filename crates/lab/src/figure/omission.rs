//! What could not be drawn, or not whole, and how the note says so.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Spans, is_inside};
use super::scale::Misfit;
use super::{Panel, Series, band};

/// Why a point is missing from the drawing, in the order in which the note lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    NotPositive,
    NotFinite,
    Outside,
}

/// The points missing for one reason.
#[derive(Debug, Default)]
struct Missing<'a> {
    n_points: usize,
    names: BTreeSet<&'a str>,
}

impl Reason {
    fn of(misfit: Misfit) -> Reason {
        match misfit {
            Misfit::NotFinite => Reason::NotFinite,
            Misfit::NotPositive => Reason::NotPositive,
        }
    }

    fn phrase(self) -> &'static str {
        match self {
            Reason::NotPositive => "at or below zero on a logarithmic axis",
            Reason::NotFinite => "without a finite value",
            Reason::Outside => "outside the axes",
        }
    }
}

/// Sentences on what is not drawn, or not whole; empty if all is.
pub(super) fn sentences(panels: &[Panel], spans: &[Spans]) -> String {
    let (points, bands) = (points(panels, spans), bands(panels, spans));
    [points, bands].into_iter().filter(|told| !told.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The bands that the frame cuts. A bar that it cuts shows it: it has no cap.
fn bands(panels: &[Panel], spans: &[Spans]) -> String {
    let mut names = BTreeSet::new();
    for (panel, spans) in panels.iter().zip(spans) {
        let is_cut =
            |series: &&Series| series.points.iter().any(|point| band::is_cut(spans, series, point));
        names.extend(panel.series.iter().filter(is_cut).map(|series| series.name.as_str()));
    }
    match names.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<&str> = names.into_iter().collect();
            format!("Intervals go beyond the axes, and are cut there: {}.", names.join(", "))
        }
    }
}

fn points(panels: &[Panel], spans: &[Spans]) -> String {
    let mut missing: BTreeMap<Reason, Missing<'_>> = BTreeMap::new();
    for (panel, spans) in panels.iter().zip(spans) {
        for series in &panel.series {
            let reasons = series.points.iter().filter_map(|point| match spans.fractions(point) {
                Err(misfit) => Some(Reason::of(misfit)),
                Ok(fractions) => (!is_inside(fractions)).then_some(Reason::Outside),
            });
            for reason in reasons {
                let missing = missing.entry(reason).or_default();
                missing.n_points += 1;
                missing.names.insert(&series.name);
            }
        }
    }
    if missing.is_empty() {
        return String::new();
    }
    let parts: Vec<String> =
        missing.iter().map(|(reason, missing)| missing.part(*reason)).collect();
    format!("Not drawn: {}.", parts.join("; "))
}

impl Missing<'_> {
    fn part(&self, reason: Reason) -> String {
        let points = if self.n_points == 1 { "point" } else { "points" };
        let names: Vec<&str> = self.names.iter().copied().collect();
        format!("{} {points} {} ({})", self.n_points, reason.phrase(), names.join(", "))
    }
}
