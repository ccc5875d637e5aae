//! Figures of results: [`figure`].

use driftlock_lab::figure::{Axis, Figure, Ink, Panel, Point, Series};
use driftlock_lab::stats::Estimate;

use crate::frame::{Column, Frame};

/// A figure has at most so many panels, and a panel so many lines.
const PANELS_MAX: usize = 30;
const LINES_MAX: usize = 40;

/// What is to be drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wanted {
    /// The column along the horizontal axis.
    pub x: String,
    /// The column along the vertical axis.
    pub y: String,
    /// A line for each value of this column.
    pub by: Option<String>,
    /// A panel for each value of this column.
    pub facet: Option<String>,
    /// Only rows with these values.
    pub only: Vec<(String, String)>,
    /// A logarithmic horizontal axis.
    pub log_x: bool,
    /// A logarithmic vertical axis.
    pub log_y: bool,
    /// Intervals as bars, and not as bands.
    pub bars: bool,
    /// What stands above the figure, if not what is drawn.
    pub title: Option<String>,
}

impl Wanted {
    /// The columns that are asked for.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let one = [Some(&self.x), Some(&self.y), self.by.as_ref(), self.facet.as_ref()];
        let only = self.only.iter().map(|(column, _)| column);
        one.into_iter().flatten().chain(only).map(String::as_str)
    }
}

/// Draw means with 95 % intervals of the runs in which all promises held.
pub fn figure(frame: &Frame, wanted: &Wanted) -> Result<Figure, String> {
    let drawing = Drawing::new(frame, wanted)?;
    let title = wanted.title.clone().unwrap_or_else(|| drawing.title());
    let mut figure = Figure::new(title).with_note(drawing.note());
    let facets = drawing.values(drawing.facet)?;
    if facets.len() > PANELS_MAX {
        return Err(format!("{} panels are more than {PANELS_MAX}", facets.len()));
    }
    for facet in &facets {
        figure = figure.with_panel(drawing.panel(facet)?);
    }
    Ok(figure)
}

/// What is drawn, from where.
struct Drawing<'a> {
    frame: &'a Frame,
    wanted: &'a Wanted,
    x: &'a Column,
    y: &'a Column,
    by: Option<&'a Column>,
    facet: Option<&'a Column>,
    rows: Vec<usize>,
}

impl<'a> Drawing<'a> {
    fn new(frame: &'a Frame, wanted: &'a Wanted) -> Result<Self, String> {
        let column = |name: &String| {
            frame.column(name).ok_or_else(|| format!("there is no column `{name}`"))
        };
        let (x, y) = (column(&wanted.x)?, column(&wanted.y)?);
        for (axis, column) in [("x", x), ("y", y)] {
            if !column.data.is_numeric() {
                let name = &column.name;
                return Err(format!(
                    "{axis}: `{name}` is no column of numbers: it can be a line or a panel each"
                ));
            }
        }
        let mut rows = frame.held();
        for (name, value) in &wanted.only {
            let data = &column(name)?.data;
            let number = value.parse::<f64>().ok();
            rows.retain(|&row| {
                let same = number.is_some() && data.number(row) == number;
                same || data.shown(row).unwrap_or_default() == *value
            });
        }
        rows.retain(|&row| x.data.number(row).is_some() && y.data.number(row).is_some());
        if rows.is_empty() {
            return Err("there is no run to draw: promises were broken, or nothing fits".into());
        }
        let by = wanted.by.as_ref().map(column).transpose()?;
        let facet = wanted.facet.as_ref().map(column).transpose()?;
        Ok(Drawing { frame, wanted, x, y, by, facet, rows })
    }

    fn title(&self) -> String {
        let title = format!("{} against {}", name(self.y), name(self.x));
        title[..1].to_uppercase() + &title[1..]
    }

    /// The values of a column: numbers by size, words as they come. Without a column there is one.
    fn values(&self, column: Option<&Column>) -> Result<Vec<Option<String>>, String> {
        let Some(column) = column else { return Ok(vec![None]) };
        let mut rows: Vec<usize> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for &row in &self.rows {
            if seen.insert(column.data.shown(row)) {
                rows.push(row);
            }
        }
        if column.data.is_numeric() {
            let number = |row: &usize| column.data.number(*row).unwrap_or(f64::NEG_INFINITY);
            rows.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        Ok(rows.into_iter().map(|row| Some(shown(column, row))).collect())
    }

    fn panel(&self, facet: &Option<String>) -> Result<Panel, String> {
        let title = match (self.facet, facet) {
            (Some(column), Some(value)) => format!("{} = {value}", name(column)),
            _ => String::new(),
        };
        let axis = |column: &Column, log: bool| {
            let label = column.label();
            if log { Axis::log(label) } else { Axis::linear(label) }
        };
        let Wanted { log_x, log_y, .. } = *self.wanted;
        let mut panel = Panel::new(title, axis(self.x, log_x), axis(self.y, log_y));
        let lines = self.values(self.by)?;
        if lines.len() > LINES_MAX {
            return Err(format!("{} lines are more than {LINES_MAX}", lines.len()));
        }
        for (at, line) in lines.iter().enumerate() {
            let points = self.points(facet, line);
            let label = line.clone().unwrap_or_else(|| "mean of all runs".into());
            let series = Series::measured(label, Ink::variant(at, at), points);
            panel = panel.with_series(if self.wanted.bars { series } else { series.with_band() });
        }
        Ok(panel)
    }

    /// The rows of a panel and of a line in it.
    fn of(&self, facet: &Option<String>, line: &Option<String>) -> Vec<usize> {
        let is = |column: Option<&Column>, value: &Option<String>, row: usize| match column {
            Some(column) => Some(shown(column, row)) == *value,
            None => true,
        };
        let rows = self.rows.iter().copied();
        rows.filter(|&row| is(self.facet, facet, row) && is(self.by, line, row)).collect()
    }

    fn points(&self, facet: &Option<String>, line: &Option<String>) -> Vec<Point> {
        let number = |column: &Column, row: usize| column.data.number(row).unwrap_or(f64::NAN);
        let mut pairs: Vec<(f64, f64)> = Vec::new();
        for row in self.of(facet, line) {
            pairs.push((number(self.x, row), number(self.y, row)));
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let point = |group: &[(f64, f64)]| {
            let samples: Vec<f64> = group.iter().map(|(_, y)| *y).collect();
            Some(Point::of_estimate(group[0].0, &Estimate::of(&samples)?))
        };
        pairs.chunk_by(|a, b| a.0 == b.0).filter_map(point).collect()
    }

    /// What marks are, and what they do not tell apart.
    fn note(&self) -> String {
        let mut note = "Marks: means with 95 % intervals.".to_owned();
        let kept = self.wanted.only.iter().map(|(column, value)| format!("{column} = {value}"));
        let kept: Vec<String> = kept.collect();
        if !kept.is_empty() {
            note.push_str(&format!(" Only {}.", kept.join(", ")));
        }
        let mixed: Vec<&str> = self.mixed().iter().map(|column| column.name.as_str()).collect();
        if !mixed.is_empty() {
            note.push_str(&format!(" A mark is over all values of {}.", mixed.join(", ")));
        }
        note
    }

    /// The parameters of which a mark has several values.
    fn mixed(&self) -> Vec<&Column> {
        let drawn = |row: usize| {
            let value = |column: Option<&Column>| column.map(|column| shown(column, row));
            (value(self.facet), value(self.by), self.x.data.shown(row))
        };
        let is_mixed = |column: &&Column| {
            let mut first = std::collections::BTreeMap::new();
            self.rows.iter().any(|&row| {
                let value = column.data.shown(row);
                *first.entry(drawn(row)).or_insert_with(|| value.clone()) != value
            })
        };
        self.frame.varied().into_iter().filter(is_mixed).collect()
    }
}

/// What is in a row; a dash where nothing is.
fn shown(column: &Column, row: usize) -> String {
    column.data.shown(row).unwrap_or_else(|| "–".into())
}

/// The name of a column in words.
fn name(column: &Column) -> String {
    column.name.replace('_', " ")
}
