//! Which entries the shared legend has, and in which columns.

use super::pen::text_width;
use super::{Ink, Role, Series};

/// The distance between the baselines of two rows.
pub(super) const ROW_HEIGHT: f64 = 20.0;
/// The distance from a swatch to its name.
pub(super) const SWATCH_GAP: f64 = 7.0;
pub(super) const FONT_SIZE: f64 = 12.0;
const COLUMN_GAP: f64 = 22.0;

/// One name and what it looks like.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) role: Role,
    /// None if published series of this name have several inks.
    pub(super) ink: Option<Ink>,
    /// Where the swatch starts, relative to the left end of the first row's baseline.
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The entries with their places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Legend {
    pub(super) entries: Vec<Entry>,
    pub(super) height: f64,
}

impl Legend {
    /// Measured series in balanced rows, published ones in columns to the right of them. Balanced,
    /// so that names which vary in two respects fall into a matrix.
    pub(super) fn of<'a>(series: impl Iterator<Item = &'a Series>, width: f64) -> Legend {
        let entries = distinct(series);
        let (mut measured, mut published): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| entry.role != Role::Published);
        let widths = (column_width(&measured), column_width(&published));
        let columns = |count: usize, n_rows: usize| count.div_ceil(n_rows) as f64;
        let fits = |n_rows: &usize| {
            columns(measured.len(), *n_rows) * widths.0
                + columns(published.len(), *n_rows) * widths.1
                <= width + COLUMN_GAP
        };
        let n_rows_max = measured.len().max(published.len());
        let n_rows = (1..n_rows_max).find(fits).unwrap_or(n_rows_max.max(1));
        let published_left = columns(measured.len(), n_rows) * widths.0;
        place(&mut measured, n_rows, 0.0, widths.0);
        place(&mut published, n_rows, published_left, widths.1);
        measured.append(&mut published);
        let height = if measured.is_empty() { 0.0 } else { n_rows as f64 * ROW_HEIGHT };
        Legend { entries: measured, height }
    }
}

/// One entry per name and ink, in the order of first appearance; published series need only share
/// the name.
fn distinct<'a>(series: impl Iterator<Item = &'a Series>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for Series { name, ink, role, .. } in series {
        let ink = Some(*ink);
        let is_same = |entry: &&mut Entry| {
            entry.name == *name
                && entry.role == *role
                && (*role == Role::Published || entry.ink == ink)
        };
        match entries.iter_mut().find(is_same) {
            Some(entry) if entry.ink != ink => entry.ink = None,
            Some(_) => {}
            None => entries.push(Entry { name: name.clone(), role: *role, ink, x: 0.0, y: 0.0 }),
        }
    }
    entries
}

/// The room before a name: for a piece of line with a marker, or for a marker alone.
pub(super) fn swatch_width(role: Role) -> f64 {
    match role {
        Role::Measured => 32.0,
        Role::Apart | Role::Runs | Role::Published => 14.0,
    }
}

fn entry_width(entry: &Entry) -> f64 {
    swatch_width(entry.role) + SWATCH_GAP + text_width(&entry.name, FONT_SIZE)
}

fn column_width(entries: &[Entry]) -> f64 {
    let widest = entries.iter().map(entry_width).reduce(f64::max);
    widest.map_or(0.0, |widest| widest + COLUMN_GAP)
}

fn place(entries: &mut [Entry], n_rows: usize, left: f64, column_width: f64) {
    let n_columns = entries.len().div_ceil(n_rows).max(1);
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.x = left + (at % n_columns) as f64 * column_width;
        entry.y = (at / n_columns) as f64 * ROW_HEIGHT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, color: usize) -> Series {
        Series::measured(name, Ink::variant(color, 0), Vec::new())
    }

    fn published(name: &str, color: usize) -> Series {
        Series::published(name, Ink::variant(color, 0), Vec::new())
    }

    #[test]
    fn equal_series_share_an_entry() {
        let series = [measured("RL", 0), measured("RR", 1), measured("RL", 0)];
        let legend = Legend::of(series.iter(), 800.0);
        let names: Vec<&str> = legend.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["RL", "RR"]);
        assert_eq!(legend.height, ROW_HEIGHT);
    }

    #[test]
    fn published_series_of_several_inks_share_a_neutral_entry() {
        let series = [published("paper", 0), measured("RL", 0), published("paper", 1)];
        let legend = Legend::of(series.iter(), 800.0);
        assert_eq!(legend.entries.len(), 2);
        assert_eq!(legend.entries[0].name, "RL");
        assert_eq!(legend.entries[1].ink, None);
    }

    #[test]
    fn rows_are_balanced_and_fit() {
        let mut series: Vec<Series> =
            (0..8).map(|at| measured(&format!("RL {at}0 %"), at)).collect();
        series.push(published("WWV 2001", 0));
        let width = 620.0;
        let legend = Legend::of(series.iter(), width);
        assert_eq!(legend.height, 2.0 * ROW_HEIGHT);
        assert_eq!((legend.entries[4].x, legend.entries[4].y), (0.0, ROW_HEIGHT));
        for entry in &legend.entries {
            let right = entry.x + entry_width(entry);
            assert!(right <= width, "{} ends at {right}", entry.name);
        }
    }

    #[test]
    fn no_series_need_no_room() {
        assert_eq!(Legend::of([].iter(), 800.0), Legend::default());
    }
}
