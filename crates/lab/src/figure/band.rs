//! Intervals as bands along a line.

use super::layout::Plot;
use super::pen::{Pen, Place, pixels};
use super::{Intervals, Point, Series};

/// Fills the area between the ends of the intervals of neighboring points. A point without an
/// interval leaves a gap, and what the axes do not show is cut at the frame.
pub(super) fn draw(pen: &mut Pen, plot: &Plot<'_>, series: &Series) {
    if series.intervals != Intervals::Band {
        return;
    }
    let ends: Vec<Option<(Place, Place)>> = series.points.iter().map(|p| ends(plot, p)).collect();
    let parts = ends.split(Option::is_none).filter(|part| 1 < part.len());
    let mut path = String::new();
    for part in parts {
        let part = part.iter().flatten();
        let lower = part.clone().rev().map(|(_, lower)| lower);
        for (at, (x, y)) in part.map(|(upper, _)| upper).chain(lower).enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{} {}", pixels(*x), pixels(*y)));
        }
        path.push('Z');
    }
    if !path.is_empty() {
        let color = series.ink.color_code();
        pen.element(&format!(
            "<path class=\"band\" d=\"{path}\" fill=\"{color}\" fill-opacity=\"0.15\"/>"
        ));
    }
}

/// Whether the interval of a point is part of a band.
pub(super) fn has(plot: &Plot<'_>, series: &Series, at: usize) -> bool {
    let is_there = |at: usize| series.points.get(at).and_then(|p| ends(plot, p)).is_some();
    let beside = is_there(at + 1) || (0 < at && is_there(at - 1));
    series.intervals == Intervals::Band && is_there(at) && beside
}

/// The upper and the lower end of an interval.
fn ends(plot: &Plot<'_>, point: &Point) -> Option<(Place, Place)> {
    let half_width = point.half_width.filter(|half_width| half_width.is_finite())?;
    let (x, _) = plot.place_inside(point)?;
    let y = |value: f64, edge: f64| {
        let fraction = plot.spans.y.fraction(value).unwrap_or(edge);
        plot.frame.y_at(fraction.clamp(0.0, 1.0))
    };
    Some(((x, y(point.y + half_width, 1.0)), (x, y(point.y - half_width, 0.0))))
}
