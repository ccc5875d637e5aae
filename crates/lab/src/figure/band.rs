//! Intervals as bands along a line.

use super::layout::{Plot, Spans, is_inside};
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
        let around: Vec<Place> = part.map(|(upper, _)| upper).chain(lower).copied().collect();
        let below_top = cut(&around, plot.frame.top, 1.0);
        let shown = cut(&below_top, plot.frame.bottom(), -1.0);
        for (at, (x, y)) in shown.iter().enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{} {}", pixels(*x), pixels(*y)));
        }
        if !shown.is_empty() {
            path.push('Z');
        }
    }
    if !path.is_empty() {
        let color = series.ink.color_code();
        pen.element(&format!(
            "<path class=\"band\" d=\"{path}\" fill=\"{color}\" fill-opacity=\"0.15\"/>"
        ));
    }
}

/// The part of an area below a height, or above it if `side` is negative, by the method of
/// Sutherland and Hodgman: each edge that crosses the height is cut there.
fn cut(around: &[Place], height: f64, side: f64) -> Vec<Place> {
    let depth = |place: &Place| (place.1 - height) * side;
    let mut kept = Vec::new();
    for (at, to) in around.iter().enumerate() {
        let from = &around[(at + around.len() - 1) % around.len()];
        if (depth(from) < 0.0) != (depth(to) < 0.0) {
            let part = depth(from) / (depth(from) - depth(to));
            kept.push((from.0 + part * (to.0 - from.0), height));
        }
        if 0.0 <= depth(to) {
            kept.push(*to);
        }
    }
    kept
}

/// Whether the interval of a point is part of a band that the axes do not show whole.
pub(super) fn is_cut(spans: &Spans, series: &Series, point: &Point) -> bool {
    let Some(half_width) = point.half_width.filter(|half_width| half_width.is_finite()) else {
        return false;
    };
    let is_shown = |value: f64| spans.y.fraction(value).is_ok_and(|y| (0.0..=1.0).contains(&y));
    let is_drawn = spans.fractions(point).is_ok_and(is_inside);
    let ends = [point.y - half_width, point.y + half_width];
    series.intervals == Intervals::Band && is_drawn && !ends.into_iter().all(is_shown)
}

/// Whether the interval of a point is part of a band.
pub(super) fn has(plot: &Plot<'_>, series: &Series, at: usize) -> bool {
    let is_there = |at: usize| series.points.get(at).and_then(|p| ends(plot, p)).is_some();
    let beside = is_there(at + 1) || (0 < at && is_there(at - 1));
    series.intervals == Intervals::Band && is_there(at) && beside
}

/// The upper and the lower end of an interval. One that a logarithmic axis has no place for is at
/// the frame.
fn ends(plot: &Plot<'_>, point: &Point) -> Option<(Place, Place)> {
    let half_width = point.half_width.filter(|half_width| half_width.is_finite())?;
    let (x, _) = plot.place_inside(point)?;
    let y = |value: f64, edge: f64| plot.frame.y_at(plot.spans.y.fraction(value).unwrap_or(edge));
    Some(((x, y(point.y + half_width, 1.0)), (x, y(point.y - half_width, 0.0))))
}
