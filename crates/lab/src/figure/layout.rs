//! Where everything goes.

use super::legend::Legend;
use super::omission;
use super::pen::{Place, text_width, wrapped};
use super::scale::{Misfit, Room, Span, Tick};
use super::{Figure, Panel, Point};

/// The width of every figure: what a README shows without scaling.
pub(super) const WIDTH: f64 = 900.0;
pub(super) const MARGIN: f64 = 18.0;
pub(super) const TITLE_SIZE: f64 = 16.0;
/// How much wider bold text is.
const BOLD: f64 = 1.15;
pub(super) const PANEL_TITLE_SIZE: f64 = 13.0;
pub(super) const LABEL_SIZE: f64 = 12.0;
pub(super) const TICK_SIZE: f64 = 11.0;
pub(super) const NOTE_SIZE: f64 = 11.0;
/// The distance between the baselines of a text of a given size, in multiples of that size.
pub(super) const LEADING: f64 = 1.3;
/// The distance from an axis to its tick labels.
pub(super) const TICK_GAP: f64 = 8.0;

/// How far the ends of a horizontal axis stay from the frame, so that no marker touches it.
const INSET: f64 = 10.0;
/// The distance between two panels that share a y axis.
const COLUMN_GAP: f64 = 22.0;
const ROW_GAP: f64 = 16.0;

/// A figure with everything in its place.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    pub(super) height: f64,
    pub(super) title: Vec<String>,
    pub(super) legend: Legend,
    pub(super) legend_top: f64,
    pub(super) plots: Vec<Plot<'a>>,
    pub(super) note: Vec<String>,
    pub(super) note_top: f64,
}

/// A panel in its place.
#[derive(Debug)]
pub(super) struct Plot<'a> {
    pub(super) panel: &'a Panel,
    pub(super) spans: Spans,
    pub(super) frame: Frame,
    pub(super) title: Vec<String>,
    pub(super) x_ticks: Vec<Tick>,
    /// Whether the labels of these are slanted: side by side they have no room.
    pub(super) slanted: bool,
    pub(super) x_label: Vec<String>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) y_label: Vec<String>,
    /// False if the panel to the left has the same y axis and labels it.
    pub(super) labels_y: bool,
    /// The room left of the frame for the y axis.
    pub(super) y_axis_width: f64,
}

/// The intervals of the two axes of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spans {
    pub(super) x: Span,
    pub(super) y: Span,
}

/// The area between the axes of a panel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl<'a> Sheet<'a> {
    pub(super) fn of(figure: &'a Figure) -> Sheet<'a> {
        let spans = Spans::of(figure);
        let text_width = WIDTH - 2.0 * MARGIN;
        let title = wrapped(&figure.title, TITLE_SIZE * BOLD, text_width);
        let series = figure.panels.iter().flat_map(|panel| &panel.series);
        let legend = Legend::of(series, text_width);
        let mut note = wrapped(&figure.note, NOTE_SIZE, text_width);
        note.extend(wrapped(&omission::sentences(&figure.panels, &spans), NOTE_SIZE, text_width));

        let title_height = height_of(&title, TITLE_SIZE);
        let legend_top = MARGIN + title_height + gap_after(title_height, 8.0);
        let plots_top = legend_top + legend.height + gap_after(legend.height, 10.0);
        let (plots, plots_bottom) = plots(figure, &spans, plots_top);
        let note_top = plots_bottom + if note.is_empty() { 0.0 } else { 12.0 };
        let height = (note_top + height_of(&note, NOTE_SIZE) + MARGIN).ceil();
        Sheet { height, title, legend, legend_top, plots, note, note_top }
    }
}

impl Spans {
    /// The intervals of all panels. Axes of equal label and scale share one, so that panels
    /// compare: horizontal axes always, vertical ones unless the figure says otherwise.
    fn of(figure: &Figure) -> Vec<Spans> {
        let panels = &figure.panels;
        let x_spans: Vec<Span> = (0..panels.len()).map(|at| x_span(panels, at)).collect();
        let y_span = |at| y_span(figure, &x_spans, at);
        x_spans.iter().enumerate().map(|(at, x)| Spans { x: *x, y: y_span(at) }).collect()
    }

    /// Where a point lies in the plot area: (0, 0) is the corner of the axes, (1, 1) the opposite
    /// one.
    pub(super) fn fractions(&self, point: &Point) -> Result<(f64, f64), Misfit> {
        Ok((self.x.fraction(point.x)?, self.y.fraction(point.y)?))
    }
}

impl Plot<'_> {
    /// How far down the labels along the horizontal axis reach.
    pub(super) fn x_ticks_height(&self) -> f64 {
        let level = TICK_SIZE * LEADING;
        if !self.slanted {
            return level;
        }
        let labels = self.x_ticks.iter().filter_map(|tick| tick.label.as_ref());
        let widest = labels.map(|label| text_width(label, TICK_SIZE)).fold(0.0, f64::max);
        level + SLANT * widest
    }

    /// The place of a point, inside the frame or not.
    pub(super) fn place(&self, point: &Point) -> Option<Place> {
        // A line from much farther away would lose the digits that matter inside the frame, and
        // looks the same.
        const FARTHEST: f64 = 1e6;
        let (x, y) = self.spans.fractions(point).ok()?;
        let [x, y] = [x, y].map(|fraction| fraction.clamp(-FARTHEST, FARTHEST));
        Some((self.frame.x_at(x), self.frame.y_at(y)))
    }

    /// The place of a point that the axes show.
    pub(super) fn place_inside(&self, point: &Point) -> Option<Place> {
        let (x, y) = self.spans.fractions(point).ok()?;
        is_inside((x, y)).then(|| (self.frame.x_at(x), self.frame.y_at(y)))
    }
}

impl Frame {
    pub(super) fn x_at(&self, fraction: f64) -> f64 {
        self.left + INSET + fraction * (self.width - 2.0 * INSET)
    }

    pub(super) fn y_at(&self, fraction: f64) -> f64 {
        self.top + self.height * (1.0 - fraction)
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Whether fractions of the axes are within them.
pub(super) fn is_inside((x, y): (f64, f64)) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}

/// The height of lines of text.
fn height_of(lines: &[String], size: f64) -> f64 {
    lines.len() as f64 * size * LEADING
}

/// Nothing needs no distance from what follows.
fn gap_after(height: f64, gap: f64) -> f64 {
    if 0.0 < height { gap } else { 0.0 }
}

fn x_span(panels: &[Panel], at: usize) -> Span {
    let axis = &panels[at].x;
    let explicit = axis.range.and_then(|range| Span::between(axis.scale, range));
    let is_alike = |other: &&Panel| other.x.label == axis.label && other.x.scale == axis.scale;
    let alike = panels.iter().filter(is_alike);
    let points = alike.flat_map(|panel| &panel.series).flat_map(|series| &series.points);
    let units: Vec<f64> = points.filter_map(|point| axis.scale.units(point.x).ok()).collect();
    explicit.unwrap_or_else(|| Span::around(axis.scale, &units, Room::Tight))
}

fn y_span(figure: &Figure, x_spans: &[Span], at: usize) -> Span {
    let axis = &figure.panels[at].y;
    let explicit = axis.range.and_then(|range| Span::between(axis.scale, range));
    let is_alike = |other: usize, panel: &Panel| {
        other == at
            || (figure.share_y && panel.y.label == axis.label && panel.y.scale == axis.scale)
    };
    let mut units = Vec::new();
    for (other, panel) in figure.panels.iter().enumerate() {
        if is_alike(other, panel) {
            units.extend(y_units(panel, &x_spans[other]));
        }
    }
    explicit.unwrap_or_else(|| Span::around(axis.scale, &units, Room::Airy))
}

/// The y values to be shown, error bars included, of the points that the x axis shows.
fn y_units(panel: &Panel, x_span: &Span) -> Vec<f64> {
    let points = panel.series.iter().flat_map(|series| &series.points);
    let is_shown = |point: &&Point| {
        x_span.fraction(point.x).is_ok_and(|fraction| (0.0..=1.0).contains(&fraction))
    };
    let values = points.filter(is_shown).flat_map(|point| {
        // One wild interval must not flatten all curves: a bar widens the axis by no more than
        // its own mean upward, and to no less than a quarter of it downward.
        let half_width = point.half_width.filter(|half_width| 0.0 < *half_width).unwrap_or(0.0);
        let up = half_width.min(point.y.abs());
        let down = half_width.min(0.75 * point.y.abs());
        [point.y - down, point.y, point.y + up]
    });
    values.filter_map(|value| panel.y.scale.units(value).ok()).collect()
}

/// The number of panels in a row.
fn columns(n_panels: usize) -> usize {
    match n_panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

/// The panels in their places, row by row, and where they end.
fn plots<'a>(figure: &'a Figure, spans: &[Spans], top: f64) -> (Vec<Plot<'a>>, f64) {
    let n_columns = columns(figure.panels.len());
    let mut plots = unplaced(figure, spans, n_columns);
    set_columns(&mut plots, n_columns);
    let mut bottom = top;
    for row in plots.chunks_mut(n_columns) {
        let row_top = if top < bottom { bottom + ROW_GAP } else { top };
        bottom = set_row(row, row_top);
    }
    (plots, bottom)
}

/// The panels with all that does not depend on their width.
fn unplaced<'a>(figure: &'a Figure, spans: &[Spans], n_columns: usize) -> Vec<Plot<'a>> {
    let height = match n_columns {
        1 => 340.0,
        2 => 290.0,
        _ => 250.0,
    };
    let plot = |(at, panel): (usize, &'a Panel)| {
        let is_first = at % n_columns == 0;
        let labels_y = is_first || !has_same_y(figure, spans, at);
        let y_label = if labels_y { wrapped(&panel.y.label, LABEL_SIZE, height) } else { vec![] };
        Plot {
            panel,
            spans: spans[at],
            frame: Frame { height, ..Frame::default() },
            title: vec![numbered_title(figure, at)],
            x_ticks: Vec::new(),
            slanted: false,
            x_label: Vec::new(),
            y_ticks: spans[at].y.ticks((height / 42.0) as usize),
            y_label,
            labels_y,
            y_axis_width: 0.0,
        }
    };
    figure.panels.iter().enumerate().map(plot).collect()
}

/// Whether the y axis of a panel repeats that of its left neighbor.
fn has_same_y(figure: &Figure, spans: &[Spans], at: usize) -> bool {
    spans[at].y == spans[at - 1].y && figure.panels[at].y.label == figure.panels[at - 1].y.label
}

fn numbered_title(figure: &Figure, at: usize) -> String {
    let title = &figure.panels[at].title;
    match u8::try_from(at) {
        Ok(at @ 0..26) if 1 < figure.panels.len() => {
            format!("({}) {title}", char::from(b'a' + at)).trim_end().to_owned()
        }
        _ => title.clone(),
    }
}

/// Sets the left ends and the common width of the plot areas, and all that depends on the width.
fn set_columns(plots: &mut [Plot<'_>], n_columns: usize) {
    let gutter = |column: usize| {
        let of_column = plots.iter().skip(column).step_by(n_columns);
        of_column.map(y_axis_width).fold(0.0, f64::max)
    };
    let gutters: Vec<f64> = (0..n_columns).map(gutter).collect();
    let gaps = 2.0 * MARGIN + COLUMN_GAP * (n_columns - 1) as f64;
    let width = (WIDTH - gaps - gutters.iter().sum::<f64>()) / n_columns as f64;
    for (at, plot) in plots.iter_mut().enumerate() {
        let column = at % n_columns;
        let before = gutters[..=column].iter().sum::<f64>();
        plot.frame.left = MARGIN + before + column as f64 * (width + COLUMN_GAP);
        plot.frame.width = width;
        plot.y_axis_width = gutters[column];
        plot.title = wrapped(&plot.title.join(" "), PANEL_TITLE_SIZE, width);
        plot.x_label = wrapped(&plot.panel.x.label, LABEL_SIZE, width);
        set_x_ticks(plot, width - 2.0 * INSET);
    }
}

/// As many ticks as have room for their labels; names are all there, slanted if need be.
fn set_x_ticks(plot: &mut Plot<'_>, width: f64) {
    let names = &plot.panel.x.names;
    if names.is_empty() {
        plot.x_ticks = x_ticks(&plot.spans.x, width);
        return;
    }
    let tick = |(at, name): (usize, &String)| {
        let at = plot.spans.x.fraction(at as f64).ok()?;
        Some(Tick { at, label: Some(name.clone()) })
    };
    plot.x_ticks = names.iter().enumerate().filter_map(tick).collect();
    plot.slanted = !are_free(&plot.x_ticks, width);
    if plot.slanted {
        let frame = plot.frame;
        for tick in &mut plot.x_ticks {
            // It ends below its tick, and begins on the sheet.
            let room = (frame.x_at(tick.at) - MARGIN) / SLANT;
            tick.label = tick.label.take().map(|name| shortened(&name, room.min(NAME_WIDTH_MAX)));
        }
    }
}

/// How much of its length a slanted text goes to the left, and down.
const SLANT: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// A slanted name is at most so long.
const NAME_WIDTH_MAX: f64 = 150.0;

/// A text that is not wider: what is too much in the middle of it is left out.
fn shortened(text: &str, width: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let without = |left_out: usize| -> String {
        let kept = letters.len() - left_out;
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let tail = &letters[letters.len() - tail..];
        letters[..head].iter().chain(&['…']).chain(tail).collect()
    };
    if text_width(text, TICK_SIZE) <= width {
        return text.to_owned();
    }
    let candidates = (1..letters.len()).map(without);
    let mut fitting = candidates.filter(|text| text_width(text, TICK_SIZE) <= width);
    fitting.next().unwrap_or_else(|| "…".into())
}

/// As many ticks as have room for their labels, which depend on the ticks.
fn x_ticks(span: &Span, width: f64) -> Vec<Tick> {
    let wanted = (width / 45.0) as usize;
    let mut candidates = (1..=wanted).rev().map(|n_labels_max| span.ticks(n_labels_max));
    candidates.find(|ticks| are_free(ticks, width)).unwrap_or_else(|| span.ticks(1))
}

/// Whether labels side by side do not touch.
fn are_free(ticks: &[Tick], width: f64) -> bool {
    const DISTANCE_MIN: f64 = 8.0;
    let labeled = ticks.iter().filter_map(|tick| Some((tick.at, tick.label.as_ref()?)));
    let ends = labeled.map(|(at, label)| {
        let half = text_width(label, TICK_SIZE) / 2.0;
        (at * width - half, at * width + half)
    });
    let ends: Vec<(f64, f64)> = ends.collect();
    ends.windows(2).all(|pair| pair[0].1 + DISTANCE_MIN <= pair[1].0)
}

/// The room left of a plot area for its y axis.
fn y_axis_width(plot: &Plot<'_>) -> f64 {
    if !plot.labels_y {
        return 0.0;
    }
    let labels = plot.y_ticks.iter().filter_map(|tick| tick.label.as_ref());
    let widest = labels.map(|label| text_width(label, TICK_SIZE)).fold(0.0, f64::max);
    let label_height = height_of(&plot.y_label, LABEL_SIZE);
    label_height + gap_after(label_height, 4.0) + widest + TICK_GAP
}

/// Sets the top ends of a row of plot areas, which agree, and returns where the row ends.
fn set_row(row: &mut [Plot<'_>], top: f64) -> f64 {
    let title_height = row.iter().map(|plot| height_of(&plot.title, PANEL_TITLE_SIZE));
    let title_height = title_height.fold(0.0, f64::max);
    let label_height = row.iter().map(|plot| height_of(&plot.x_label, LABEL_SIZE));
    let label_height = label_height.fold(0.0, f64::max);
    let frame_top = top + title_height + gap_after(title_height, 6.0);
    for plot in row.iter_mut() {
        plot.frame.top = frame_top;
    }
    let frame_height = row.first().map_or(0.0, |plot| plot.frame.height);
    let ticks_height = row.iter().map(Plot::x_ticks_height).fold(0.0, f64::max);
    frame_top + frame_height + TICK_GAP + ticks_height + 4.0 + label_height
}
