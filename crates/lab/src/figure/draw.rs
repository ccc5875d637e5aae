//! The marks themselves.

use super::band;
use super::layout::{
    Frame, LABEL_SIZE, LEADING, MARGIN, NOTE_SIZE, PANEL_TITLE_SIZE, Plot, Sheet, TICK_GAP,
    TICK_SIZE, TITLE_SIZE, WIDTH,
};
use super::legend::{self, Entry, Legend};
use super::pen::{Anchor, Pen, Place, pixels};
use super::{Figure, Ink, Marker, Point, Role, Series};
use crate::markup::escape;
use crate::stats::plus_minus;

const TEXT_COLOR: &str = "#222222";
const NOTE_COLOR: &str = "#555555";
const AXIS_COLOR: &str = "#666666";
const GRID_COLOR: &str = "#e3e3e3";
/// Of a legend entry that stands for several colors.
const NEUTRAL_COLOR: &str = "#666666";

const MEASURED_RADIUS: f64 = 3.4;
const RUN_RADIUS: f64 = 2.6;
const PUBLISHED_RADIUS: f64 = 5.4;
const BAR_CAP_REACH: f64 = 3.0;
const MAJOR_TICK: f64 = 5.0;
const MINOR_TICK: f64 = 2.5;

pub(super) fn svg(figure: &Figure) -> String {
    let sheet = Sheet::of(figure);
    let mut pen = Pen::default();
    let (width, height) = (pixels(WIDTH), pixels(sheet.height));
    let title = escape(&figure.title);
    pen.element(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"system-ui, sans-serif\" fill=\"{TEXT_COLOR}\">"
    ));
    pen.element(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    let attributes = " font-weight=\"600\"";
    lines(&mut pen, (MARGIN, MARGIN), TITLE_SIZE, attributes, &sheet.title);
    draw_legend(&mut pen, &sheet.legend, sheet.legend_top);
    for plot in &sheet.plots {
        draw_plot(&mut pen, plot);
    }
    let attributes = format!(" fill=\"{NOTE_COLOR}\"");
    lines(&mut pen, (MARGIN, sheet.note_top), NOTE_SIZE, &attributes, &sheet.note);
    pen.element("</svg>");
    pen.svg
}

/// Lines of text from a top left corner.
pub(super) fn lines(pen: &mut Pen, (x, top): Place, size: f64, attributes: &str, lines: &[String]) {
    for (at, line) in lines.iter().enumerate() {
        let baseline = top + size + at as f64 * size * LEADING;
        pen.styled_text((x, baseline), Anchor::Start, size, attributes, line);
    }
}

fn draw_legend(pen: &mut Pen, legend: &Legend, top: f64) {
    pen.element("<g class=\"legend\">");
    for entry in &legend.entries {
        let (left, baseline) = (MARGIN + entry.x, top + legend::ROW_HEIGHT * 0.7 + entry.y);
        draw_swatch(pen, entry, (left, baseline - 4.0));
        let x = left + legend::swatch_width(entry.role) + legend::SWATCH_GAP;
        pen.text((x, baseline), Anchor::Start, legend::FONT_SIZE, &entry.name);
    }
    pen.element("</g>");
}

fn draw_swatch(pen: &mut Pen, entry: &Entry, (left, y): Place) {
    let width = legend::swatch_width(entry.role);
    let center = (left + width / 2.0, y);
    let marker = entry.ink.map_or(Marker::Circle, |ink| ink.marker);
    if let (Role::Measured, Some(ink)) = (entry.role, entry.ink) {
        open_lines(pen, ink);
        pen.stroke((left, y), (left + width, y));
        pen.element("</g>");
    }
    open_markers(pen, entry.role, entry.ink.map_or(NEUTRAL_COLOR, Ink::color_code));
    pen.marker(marker, center, radius(entry.role), "");
    pen.element("</g>");
}

fn draw_plot(pen: &mut Pen, plot: &Plot<'_>) {
    let Frame { left, top, width, height } = plot.frame;
    let title_height = plot.title.len() as f64 * PANEL_TITLE_SIZE * LEADING;
    let title_top = top - title_height - 6.0;
    let attributes = " font-weight=\"600\"";
    pen.element("<g class=\"panel\">");
    lines(pen, (left, title_top), PANEL_TITLE_SIZE, attributes, &plot.title);
    let (left, top, width, height) = (pixels(left), pixels(top), pixels(width), pixels(height));
    pen.element(&format!(
        "<rect class=\"plot\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
         fill=\"none\"/>"
    ));
    draw_grid(pen, plot);
    draw_axes(pen, plot);
    draw_axis_texts(pen, plot);
    draw_all_series(pen, plot);
    pen.element("</g>");
}

fn draw_grid(pen: &mut Pen, plot: &Plot<'_>) {
    let frame = &plot.frame;
    pen.element(&format!("<g stroke=\"{GRID_COLOR}\">"));
    for tick in plot.x_ticks.iter().filter(|tick| tick.label.is_some()) {
        let x = frame.x_at(tick.at);
        pen.stroke((x, frame.top), (x, frame.bottom()));
    }
    for tick in plot.y_ticks.iter().filter(|tick| tick.label.is_some()) {
        let y = frame.y_at(tick.at);
        pen.stroke((frame.left, y), (frame.right(), y));
    }
    pen.element("</g>");
}

fn draw_axes(pen: &mut Pen, plot: &Plot<'_>) {
    let frame = &plot.frame;
    pen.element(&format!("<g stroke=\"{AXIS_COLOR}\">"));
    pen.stroke((frame.left, frame.top), (frame.left, frame.bottom()));
    pen.stroke((frame.left, frame.bottom()), (frame.right(), frame.bottom()));
    for tick in &plot.x_ticks {
        let length = if tick.label.is_some() { MAJOR_TICK } else { MINOR_TICK };
        let x = frame.x_at(tick.at);
        pen.stroke((x, frame.bottom()), (x, frame.bottom() + length));
    }
    for tick in &plot.y_ticks {
        let length = if tick.label.is_some() { MAJOR_TICK } else { MINOR_TICK };
        let y = frame.y_at(tick.at);
        pen.stroke((frame.left - length, y), (frame.left, y));
    }
    pen.element("</g>");
}

fn draw_axis_texts(pen: &mut Pen, plot: &Plot<'_>) {
    let frame = &plot.frame;
    let baseline = frame.bottom() + TICK_GAP + TICK_SIZE;
    for tick in &plot.x_ticks {
        let label = tick.label.as_deref().unwrap_or_default();
        let (x, y) = (frame.x_at(tick.at), baseline);
        if !label.is_empty() && plot.slanted {
            let turn = format!(" transform=\"rotate(-45 {} {})\"", pixels(x), pixels(y));
            pen.styled_text((x, y), Anchor::End, TICK_SIZE, &turn, label);
        } else if !label.is_empty() {
            pen.text((x, y), Anchor::Middle, TICK_SIZE, label);
        }
    }
    let bottom = frame.bottom() + TICK_GAP + plot.x_ticks_height();
    for (at, line) in plot.x_label.iter().enumerate() {
        let y = bottom - TICK_SIZE * (LEADING - 1.0) + 4.0 + (at + 1) as f64 * LABEL_SIZE * LEADING;
        let x = frame.left + frame.width / 2.0;
        pen.text((x, y), Anchor::Middle, LABEL_SIZE, line);
    }
    if plot.labels_y {
        draw_y_axis_texts(pen, plot);
    }
}

fn draw_y_axis_texts(pen: &mut Pen, plot: &Plot<'_>) {
    let frame = &plot.frame;
    for tick in &plot.y_ticks {
        let label = tick.label.as_deref().unwrap_or_default();
        if !label.is_empty() {
            // A third of the size below the tick centers digits on it.
            let y = frame.y_at(tick.at) + TICK_SIZE * 0.35;
            pen.text((frame.left - TICK_GAP, y), Anchor::End, TICK_SIZE, label);
        }
    }
    let left = frame.left - plot.y_axis_width;
    for (at, line) in plot.y_label.iter().enumerate() {
        let x = left + LABEL_SIZE + at as f64 * LABEL_SIZE * LEADING;
        let y = frame.top + frame.height / 2.0;
        let turn = format!(" transform=\"rotate(-90 {} {})\"", pixels(x), pixels(y));
        pen.styled_text((x, y), Anchor::Middle, LABEL_SIZE, &turn, line);
    }
}

/// Lines below markers, and published points on top of all.
fn draw_all_series(pen: &mut Pen, plot: &Plot<'_>) {
    let all = &plot.panel.series;
    let has_points = all.iter().flat_map(|series| &series.points);
    if !has_points.clone().any(|point| plot.place_inside(point).is_some()) {
        let middle = (plot.frame.left + plot.frame.width / 2.0, plot.frame.y_at(0.5));
        let attributes = format!(" fill=\"{NOTE_COLOR}\"");
        pen.styled_text(middle, Anchor::Middle, LABEL_SIZE, &attributes, "no data");
    }
    let (ours, published): (Vec<&Series>, Vec<&Series>) =
        all.iter().partition(|series| series.role != Role::Published);
    for series in all {
        band::draw(pen, plot, series);
    }
    for series in ours.iter().filter(|series| series.role == Role::Measured) {
        draw_line(pen, plot, series);
    }
    for series in ours.iter().chain(&published) {
        draw_markers(pen, plot, series);
        draw_bars(pen, plot, series);
    }
}

/// Joins neighboring points. A point without a place leaves a gap; a line to a point outside the
/// frame is cut at the frame.
fn draw_line(pen: &mut Pen, plot: &Plot<'_>, series: &Series) {
    let places: Vec<Option<Place>> = series.points.iter().map(|point| plot.place(point)).collect();
    let mut path = String::new();
    let mut end: Option<Place> = None;
    for pair in places.windows(2) {
        let (Some(from), Some(to)) = (pair[0], pair[1]) else { continue };
        let Some((from, to)) = cut(&plot.frame, from, to) else { continue };
        if end != Some(from) {
            path.push_str(&format!("M{} {}", pixels(from.0), pixels(from.1)));
        }
        path.push_str(&format!("L{} {}", pixels(to.0), pixels(to.1)));
        end = Some(to);
    }
    if !path.is_empty() {
        open_lines(pen, series.ink);
        pen.element(&format!("<path d=\"{path}\"/>"));
        pen.element("</g>");
    }
}

/// The part of a straight line that is inside the frame, by the method of Liang and Barsky: each
/// side of the frame bounds how far along the line to begin or to end.
fn cut(frame: &Frame, from: Place, to: Place) -> Option<(Place, Place)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let sides = [
        (-dx, from.0 - frame.left),
        (dx, frame.right() - from.0),
        (-dy, from.1 - frame.top),
        (dy, frame.bottom() - from.1),
    ];
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for (speed, distance) in sides {
        if speed == 0.0 && distance < 0.0 {
            return None;
        }
        if speed < 0.0 {
            begin = begin.max(distance / speed);
        } else if 0.0 < speed {
            end = end.min(distance / speed);
        }
    }
    let at = |part: f64| match part {
        0.0 => from,
        1.0 => to,
        part => (from.0 + part * dx, from.1 + part * dy),
    };
    (begin <= end).then(|| (at(begin), at(end)))
}

fn draw_bars(pen: &mut Pen, plot: &Plot<'_>, series: &Series) {
    let arms = |point| bar_arms(plot, point, radius(series.role));
    let bare = |at: &usize| !band::has(plot, series, *at);
    let bars = (0..series.points.len()).filter(bare).map(|at| &series.points[at]);
    let arms: Vec<Arm> = bars.flat_map(arms).collect();
    if arms.is_empty() {
        return;
    }
    let color = series.ink.color_code();
    pen.element(&format!("<g class=\"bars\" stroke=\"{color}\" stroke-width=\"1.2\">"));
    for Arm { x, from, to, has_cap } in arms {
        pen.stroke((x, from), (x, to));
        if has_cap {
            pen.stroke((x - BAR_CAP_REACH, to), (x + BAR_CAP_REACH, to));
        }
    }
    pen.element("</g>");
}

/// The part of an error bar above or below its marker.
struct Arm {
    x: f64,
    from: f64,
    to: f64,
    has_cap: bool,
}

/// The arms of the error bar of a point, as far as they are longer than its marker. An end that the
/// axis does not show, such as one below zero on a logarithmic axis, is cut at the frame and has no
/// cap.
fn bar_arms(plot: &Plot<'_>, point: &Point, radius: f64) -> Vec<Arm> {
    let (Some((x, y)), Some(half_width)) = (plot.place_inside(point), point.half_width) else {
        return Vec::new();
    };
    let place = |end: f64| {
        let fraction = plot.spans.y.fraction(end).ok();
        let shown = fraction.filter(|fraction| (0.0..=1.0).contains(fraction));
        shown.map(|fraction| plot.frame.y_at(fraction))
    };
    let arm = |side: f64, edge: f64| {
        let shown = place(point.y - side * half_width);
        let to = shown.unwrap_or(edge);
        let from = y + side * radius;
        let is_visible = half_width.is_finite() && 0.0 < half_width && 0.5 < (to - from) * side;
        is_visible.then_some(Arm { x, from, to, has_cap: shown.is_some() })
    };
    let arms = [arm(-1.0, plot.frame.top), arm(1.0, plot.frame.bottom())];
    arms.into_iter().flatten().collect()
}

fn draw_markers(pen: &mut Pen, plot: &Plot<'_>, series: &Series) {
    let shown = series.points.iter().filter_map(|point| Some((point, plot.place_inside(point)?)));
    let shown: Vec<(&Point, Place)> = shown.collect();
    if shown.is_empty() {
        return;
    }
    open_markers(pen, series.role, series.ink.color_code());
    for (point, place) in shown {
        let value = plus_minus(point.y, point.half_width);
        let hint = format!("{}: {value} at {}", series.name, plot.panel.x.shown(point.x));
        pen.marker(series.ink.marker, place, radius(series.role), &hint);
    }
    pen.element("</g>");
}

fn radius(role: Role) -> f64 {
    match role {
        Role::Measured | Role::Apart => MEASURED_RADIUS,
        Role::Runs => RUN_RADIUS,
        Role::Published => PUBLISHED_RADIUS,
    }
}

/// Opens a group for the lines of one ink.
fn open_lines(pen: &mut Pen, ink: Ink) {
    let dash = ink.dash.pattern().map(|pattern| format!(" stroke-dasharray=\"{pattern}\""));
    let (color, dash) = (ink.color_code(), dash.unwrap_or_default());
    pen.element(&format!(
        "<g fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{dash}>"
    ));
}

/// Opens a group for markers. A white rim keeps filled ones apart; hollow ones let what they
/// surround be seen, and those of single runs, of which there are many, what they cover.
fn open_markers(pen: &mut Pen, role: Role, color: &str) {
    pen.element(&match role {
        Role::Measured | Role::Apart => {
            format!("<g class=\"points\" fill=\"{color}\" stroke=\"#ffffff\" stroke-width=\"0.9\">")
        }
        Role::Runs => {
            format!("<g class=\"points\" fill=\"{color}\" fill-opacity=\"0.6\">")
        }
        Role::Published => {
            format!("<g class=\"points\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.7\">")
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { left: 0.0, top: 0.0, width: 10.0, height: 10.0 };

    #[test]
    fn a_line_inside_is_kept() {
        let line = ((1.0, 1.0), (9.0, 5.0));
        assert_eq!(cut(&FRAME, line.0, line.1), Some(line));
    }

    #[test]
    fn a_line_is_cut_at_the_frame() {
        assert_eq!(cut(&FRAME, (5.0, 5.0), (5.0, 20.0)), Some(((5.0, 5.0), (5.0, 10.0))));
        assert_eq!(cut(&FRAME, (-5.0, 2.0), (15.0, 2.0)), Some(((0.0, 2.0), (10.0, 2.0))));
    }

    #[test]
    fn a_line_outside_vanishes() {
        assert_eq!(cut(&FRAME, (-5.0, 12.0), (15.0, 12.0)), None);
        assert_eq!(cut(&FRAME, (11.0, 0.0), (12.0, 10.0)), None);
    }
}
