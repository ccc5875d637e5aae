//! Figures of results: [`figure`].

mod note;

use std::collections::{BTreeMap, BTreeSet};

use driftlock_lab::figure::{Axis, Figure, Ink, Panel, Point, Series};
use driftlock_lab::stats::Estimate;

pub(crate) use self::note::chosen;
use crate::axes::independent;
use crate::frame::{Column, Frame};

/// A figure has at most so many panels, and a panel so many lines.
const PANELS_MAX: usize = 30;
pub(crate) const LINES_MAX: usize = 40;
/// So many things can stand side by side along an axis.
pub(crate) const NAMES_MAX: usize = 40;

/// What is to be drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wanted {
    /// The column along the horizontal axis: of numbers, or of things side by side.
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

/// Draw means with 95 % intervals of the runs in which all promises held; or single runs, where
/// the horizontal axis is of something that was measured.
pub fn figure(frame: &Frame, wanted: &Wanted) -> Result<Figure, String> {
    let drawing = Drawing::new(frame, wanted)?;
    let title = wanted.title.clone().unwrap_or_else(|| drawing.title());
    let mut figure = Figure::new(title).with_note(note::of(&drawing));
    let mut facets = drawing.values(drawing.facet);
    facets.retain(|facet| drawing.rows.iter().any(|&row| is(drawing.facet, facet, row)));
    if facets.len() > PANELS_MAX {
        return Err(format!("{} panels are more than {PANELS_MAX}", facets.len()));
    }
    for (facet, label) in facets.iter().zip(labels(&facets)) {
        figure = figure.with_panel(drawing.panel(facet, &label)?);
    }
    Ok(figure)
}

/// What is drawn, from where.
struct Drawing<'a> {
    wanted: &'a Wanted,
    x: &'a Column,
    y: &'a Column,
    by: Option<&'a Column>,
    facet: Option<&'a Column>,
    /// The runs that were asked for.
    asked: Vec<usize>,
    /// Those of them that are drawn.
    rows: Vec<usize>,
    /// The others, and why they are not.
    missing: Vec<(usize, String)>,
    /// Whether each mark is one run, and not joined to others.
    single: bool,
    /// What stands along the horizontal axis, if it is not numbers.
    names: Vec<Option<String>>,
    /// The parameters of which a mark has several values.
    mixed: Vec<&'a Column>,
}

impl<'a> Drawing<'a> {
    fn new(frame: &'a Frame, wanted: &'a Wanted) -> Result<Self, String> {
        let column = |name: &String| {
            frame.column(name).ok_or_else(|| format!("there is no column `{name}`"))
        };
        let (x, y) = (column(&wanted.x)?, column(&wanted.y)?);
        if !y.data.is_numeric() {
            return Err(format!("y: `{}` is no column of numbers", y.name));
        }
        if wanted.log_x && !x.data.is_numeric() {
            return Err(format!("x: `{}` has no numbers, so no logarithms of them", x.name));
        }
        let mut asked: Vec<usize> = (0..frame.rows()).collect();
        for (name, value) in &wanted.only {
            let data = &column(name)?.data;
            let number = value.parse::<f64>().ok();
            let is_wanted = |row: &usize| {
                let same = number.is_some() && data.number(*row) == number;
                same || data.shown(*row).unwrap_or_default() == *value
            };
            if !asked.iter().any(is_wanted) {
                return Err(note::none_has(column(name)?, value, &asked));
            }
            asked.retain(is_wanted);
        }
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for &row in &asked {
            match note::why_missing(frame, [x, y], row) {
                Some(why) => missing.push((row, why)),
                None => rows.push(row),
            }
        }
        if rows.is_empty() {
            return Err(note::nothing_left(&missing));
        }
        let by = wanted.by.as_ref().map(column).transpose()?;
        let facet = wanted.facet.as_ref().map(column).transpose()?;
        let single = is_single(frame, x, &rows);
        let (names, mixed) = (Vec::new(), Vec::new());
        let mut drawing =
            Drawing { wanted, x, y, by, facet, asked, rows, missing, single, names, mixed };
        if drawing.is_of_names() {
            drawing.names = drawing.values(Some(x));
        }
        if drawing.names.len() > NAMES_MAX {
            return Err(format!("x: {} names are more than {NAMES_MAX}", drawing.names.len()));
        }
        if !single {
            drawing.mixed = drawing.mixed(frame);
        }
        Ok(drawing)
    }

    fn title(&self) -> String {
        let title = format!("{} against {}", name(self.y), name(self.x));
        // Numbers in the legend do not say what they are of.
        let by = self.by.filter(|column| column.data.is_numeric());
        let by = by.map_or(String::new(), |column| format!(", by {}", name(column)));
        let mut letters = title.chars();
        let first = letters.next().map_or(String::new(), |letter| letter.to_uppercase().collect());
        first + letters.as_str() + &by
    }

    /// The values of a column: numbers by size, words as they come. Without a column there is one.
    /// Those of runs that are not drawn are among them, so that the others keep their inks.
    fn values(&self, column: Option<&Column>) -> Vec<Option<String>> {
        let Some(column) = column else { return vec![None] };
        let mut rows: Vec<usize> = Vec::new();
        let mut seen = BTreeSet::new();
        for &row in &self.asked {
            if seen.insert(column.data.shown(row)) {
                rows.push(row);
            }
        }
        if column.data.is_numeric() {
            let number = |row: &usize| column.data.number(*row).unwrap_or(f64::NEG_INFINITY);
            rows.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        rows.into_iter().map(|row| Some(shown(column, row))).collect()
    }

    fn panel(&self, facet: &Option<String>, label: &str) -> Result<Panel, String> {
        let named = |column: &Column| format!("{} = {label}", name(column));
        let title = self.facet.map_or(String::new(), named);
        let axis = |column: &Column, log: bool| {
            let label = column.label();
            if log { Axis::log(label) } else { Axis::linear(label) }
        };
        let Wanted { log_x, log_y, .. } = *self.wanted;
        let x = match self.is_of_names() {
            true => Axis::of_names(name(self.x), labels(&self.names)),
            false => axis(self.x, log_x),
        };
        let mut panel = Panel::new(title, x, axis(self.y, log_y));
        let lines = self.values(self.by);
        if lines.len() > LINES_MAX {
            return Err(format!("{} lines are more than {LINES_MAX}", lines.len()));
        }
        for (at, (line, label)) in lines.iter().zip(labels(&lines)).enumerate() {
            let mut pairs = self.pairs(facet, line);
            if self.is_of_names() {
                let aside = aside(at, lines.len());
                pairs.iter_mut().for_each(|(x, _)| *x += aside);
            }
            if !pairs.is_empty() {
                panel = panel.with_series(self.series(label, Ink::variant(at, at), &pairs));
            }
        }
        Ok(panel)
    }

    /// What the runs of a line in a panel have along both axes, from left to right.
    fn pairs(&self, facet: &Option<String>, line: &Option<String>) -> Vec<(f64, f64)> {
        let y = |row: usize| self.y.data.number(row).unwrap_or(f64::NAN);
        let rows = self.rows.iter().copied();
        let rows = rows.filter(|&row| is(self.facet, facet, row) && is(self.by, line, row));
        let mut pairs: Vec<(f64, f64)> = rows.map(|row| (self.place(row), y(row))).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs
    }

    fn series(&self, label: String, ink: Ink, pairs: &[(f64, f64)]) -> Series {
        if self.single {
            let label = if self.by.is_some() { label } else { "a run each".into() };
            return Series::runs(
                label,
                ink,
                pairs.iter().map(|&(x, y)| Point::new(x, y)).collect(),
            );
        }
        let point = |group: &[(f64, f64)]| {
            let samples: Vec<f64> = group.iter().map(|(_, y)| *y).collect();
            let mut point = Point::of_estimate(group[0].0, &Estimate::of(&samples)?);
            // Runs of several cells are no sample of anything.
            point.half_width = point.half_width.filter(|_| self.mixed.is_empty());
            Some(point)
        };
        let points = pairs.chunk_by(|a, b| a.0 == b.0).filter_map(point).collect();
        if self.is_of_names() {
            return Series::apart(label, ink, points);
        }
        let series = Series::measured(label, ink, points);
        if self.wanted.bars { series } else { series.with_band() }
    }

    /// Whether things stand along the horizontal axis, and not numbers.
    fn is_of_names(&self) -> bool {
        !self.x.data.is_numeric()
    }

    /// Where a run stands along the horizontal axis.
    fn place(&self, row: usize) -> f64 {
        if let Some(number) = self.x.data.number(row) {
            return number;
        }
        let shown = Some(shown(self.x, row));
        let at = self.names.iter().position(|name| *name == shown);
        at.map_or(f64::NAN, |at| at as f64)
    }

    /// The mark that a run is part of: its panel, its line, and its place along the axis.
    fn mark(&self, row: usize) -> (Option<String>, Option<String>, Option<String>) {
        let value = |column: Option<&Column>| column.map(|column| shown(column, row));
        (value(self.facet), value(self.by), self.x.data.shown(row))
    }

    fn mixed(&self, frame: &'a Frame) -> Vec<&'a Column> {
        let is_mixed = |column: &&Column| {
            let mut first = BTreeMap::new();
            self.rows.iter().any(|&row| {
                let value = column.data.shown(row);
                *first.entry(self.mark(row)).or_insert_with(|| value.clone()) != value
            })
        };
        independent(frame.varied().into_iter().filter(is_mixed).collect(), &self.rows)
    }
}

/// Whether marks are single runs: what was measured has another value in each. Of a table that does
/// not say what was measured, its values tell.
fn is_single(frame: &Frame, x: &Column, rows: &[usize]) -> bool {
    let parameters = frame.parameters();
    if !x.data.is_numeric() {
        return false;
    }
    if !parameters.is_empty() {
        return parameters.iter().all(|column| column.name != x.name);
    }
    let distinct: BTreeSet<Option<String>> = rows.iter().map(|&row| x.data.shown(row)).collect();
    distinct.len() == rows.len()
}

/// Whether a row has a value in a column, if there is one.
fn is(column: Option<&Column>, value: &Option<String>, row: usize) -> bool {
    column.is_none_or(|column| Some(shown(column, row)) == *value)
}

/// How far beside its place the marks of a line stand, so that no line hides another.
fn aside(line: usize, lines: usize) -> f64 {
    let step = (0.7 / lines as f64).min(0.12);
    (line as f64 - (lines - 1) as f64 / 2.0) * step
}

/// Values as they are shown: numbers with four digits, if that tells them apart, and paths without
/// the folder that is common to all.
fn labels(values: &[Option<String>]) -> Vec<String> {
    let common = common_folder(values);
    let whole = |value: &Option<String>| match value {
        Some(value) => value[common..].to_owned(),
        None => "mean of all runs".into(),
    };
    let short = |value: &Option<String>| match whole(value).parse::<f64>() {
        Ok(number) if number.is_finite() => {
            format!("{number:.3e}").parse::<f64>().unwrap_or(number).to_string()
        }
        _ => whole(value),
    };
    let shortened: Vec<String> = values.iter().map(short).collect();
    let distinct: BTreeSet<&String> = shortened.iter().collect();
    match distinct.len() == values.len() {
        true => shortened,
        false => values.iter().map(whole).collect(),
    }
}

/// How long the path of the folder is in which all these are, if they are several paths.
fn common_folder(values: &[Option<String>]) -> usize {
    let Some((Some(first), others)) = values.split_first() else { return 0 };
    let ends = first.match_indices('/').map(|(at, _)| at + 1);
    let is_common = |end: &usize| {
        let folder = &first[..*end];
        others.iter().all(|other| other.as_ref().is_some_and(|other| other.starts_with(folder)))
    };
    ends.filter(|_| !others.is_empty()).take_while(is_common).last().unwrap_or(0)
}

/// What is in a row; a dash where nothing is.
fn shown(column: &Column, row: usize) -> String {
    column.data.shown(row).unwrap_or_else(|| "–".into())
}

/// The name of a column in words.
fn name(column: &Column) -> String {
    column.name.replace('_', " ")
}

#[cfg(test)]
mod tests;
