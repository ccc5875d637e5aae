//! Figures of several panels side by side, drawn as self-contained SVG.
//!
//! A [`Figure`] is plain data: panels with axes and series. [`Figure::svg`] decides everything
//! about its looks. The drawing refers to nothing outside itself, has its own white background, and
//! uses no identifiers, so that several figures can stand in one page.
//!
//! * `decimal`: exact numbers for tick labels.
//! * `scale`: which interval an axis shows, and where its ticks are.
//! * `ink`: colors, dashes and markers.
//! * `layout`: where everything goes.
//! * `legend`: which entries the shared legend has, and in which columns.
//! * `draw`: the marks themselves.
//! * `band`: intervals along a line.
//! * `map`: networks, drawn as their nodes lie.
//! * `omission`: what could not be drawn, and how the note says so.
//! * `pen`: the SVG elements, and how wide text is.

mod band;
mod decimal;
mod draw;
mod ink;
mod layout;
mod legend;
mod map;
mod omission;
mod pen;
mod scale;

pub use ink::{Dash, Ink, Marker};
pub use map::{Chart, Map, Mark};
pub use scale::Scale;

use crate::stats::{Estimate, plus_minus};

/// Panels side by side with a title, one legend for all of them and a note below.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What the figure shows, on top of it. May be empty.
    pub title: String,
    /// The panels, marked (a), (b), (c) from left to right if there are several.
    pub panels: Vec<Panel>,
    /// Text below the panels. May be empty; what could not be drawn is added to it.
    pub note: String,
    /// Whether panels whose y axes have the same label and scale show the same y interval, so that
    /// heights compare. An explicit range of a panel always prevails.
    pub share_y: bool,
}

/// One plot area with its two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What distinguishes this panel from the others.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in the order of the legend; later ones are drawn over earlier ones.
    pub series: Vec<Series>,
}

/// What an axis says and how it maps values to places.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// How values map to places.
    pub scale: Scale,
    /// The interval shown, or none to let the data decide. An interval that the scale cannot show
    /// counts as none.
    pub range: Option<(f64, f64)>,
    /// What stands along a horizontal axis that is no quantity: the names of the places 0, 1, 2 and
    /// so on. None where it is one.
    pub names: Vec<String>,
}

/// Points that belong together under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend. Measured series of equal name and ink share an entry, also across
    /// panels; published series share one by name alone.
    pub name: String,
    /// The points, in the order in which a line joins them.
    pub points: Vec<Point>,
    /// How the series is drawn.
    pub ink: Ink,
    /// Where the points come from.
    pub role: Role,
    /// How the intervals of the points are drawn.
    pub intervals: Intervals,
}

/// How confidence intervals are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// A bar through each point.
    #[default]
    Bars,
    /// A band along the line. A point alone has a bar.
    Band,
}

/// Where the points of a series come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// From our own runs: filled markers joined by a line.
    Measured,
    /// The same of things that have no order: no line.
    Apart,
    /// Single runs of our own: small filled markers, and no line.
    Runs,
    /// From a publication: hollow markers, larger so that both show where they coincide, and no
    /// line.
    Published,
}

/// One value, with the half-width of its confidence interval if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position along the horizontal axis.
    pub x: f64,
    /// Position along the vertical axis.
    pub y: f64,
    /// Drawn as an error bar, up and down from `y`, as far as it is longer than the marker.
    pub half_width: Option<f64>,
}

impl Figure {
    /// A figure without panels whose panels will share their y interval.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Figure {
        Figure { title: title.into(), panels: Vec::new(), note: String::new(), share_y: true }
    }

    /// Adds a panel to the right of the others.
    #[must_use]
    pub fn with_panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }

    /// Sets the text below the panels.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Figure {
        self.note = note.into();
        self
    }

    /// Lets every panel have a y interval of its own.
    #[must_use]
    pub fn with_own_y(mut self) -> Figure {
        self.share_y = false;
        self
    }

    /// The figure as one `<svg>` element, 900 pixels wide. Equal figures give equal bytes.
    ///
    /// Points that cannot be drawn (not finite, at or below zero on a logarithmic axis, outside an
    /// explicit range) are left out, and the note says how many of which series.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self)
    }
}

impl Panel {
    /// A panel without series.
    #[must_use]
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x, y, series: Vec::new() }
    }

    /// Adds a series.
    #[must_use]
    pub fn with_series(mut self, series: Series) -> Panel {
        self.series.push(series);
        self
    }
}

impl Axis {
    /// Equal steps are equal differences.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear, range: None, names: Vec::new() }
    }

    /// Equal steps are equal ratios.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log, range: None, names: Vec::new() }
    }

    /// Things side by side, the first at 0, the next at 1 and so on.
    #[must_use]
    pub fn of_names(label: impl Into<String>, names: Vec<String>) -> Axis {
        let end = names.len() as f64 - 0.5;
        Axis { names, ..Axis::linear(label).with_range(-0.5, end) }
    }

    /// Shows this interval whatever the data.
    #[must_use]
    pub fn with_range(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// What is at a place: its name, or the number itself.
    fn shown(&self, place: f64) -> String {
        let name = self.names.get(place.round().max(0.0) as usize);
        name.cloned().unwrap_or_else(|| plus_minus(place, None))
    }
}

impl Series {
    /// A series from our own runs.
    #[must_use]
    pub fn measured(name: impl Into<String>, ink: Ink, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, ink, role: Role::Measured, intervals: Intervals::Bars }
    }

    /// A series from our own runs, of things that have no order.
    #[must_use]
    pub fn apart(name: impl Into<String>, ink: Ink, points: Vec<Point>) -> Series {
        Series { role: Role::Apart, ..Series::measured(name, ink, points) }
    }

    /// Single runs of our own, which no line joins.
    #[must_use]
    pub fn runs(name: impl Into<String>, ink: Ink, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, ink, role: Role::Runs, intervals: Intervals::Bars }
    }

    /// Reference points from a publication. With the ink of the measured series they are to be
    /// compared with, and one name for all of them, the legend stays short.
    #[must_use]
    pub fn published(name: impl Into<String>, ink: Ink, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, ink, role: Role::Published, intervals: Intervals::Bars }
    }
}

impl Series {
    /// Draws the intervals as a band.
    #[must_use]
    pub fn with_band(mut self) -> Series {
        self.intervals = Intervals::Band;
        self
    }
}

impl Point {
    /// A value without a confidence interval.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, half_width: None }
    }

    /// The mean of repetitions, with its confidence interval as an error bar.
    #[must_use]
    pub fn of_estimate(x: f64, estimate: &Estimate) -> Point {
        Point { x, y: estimate.mean, half_width: estimate.half_width }
    }
}

#[cfg(test)]
mod tests;
