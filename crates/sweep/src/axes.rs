//! What a report draws along which axis: [`Axes`].

use std::collections::{BTreeMap, BTreeSet};

use crate::frame::{Column, Frame};
use crate::plot::{LINES_MAX, NAMES_MAX};

/// More panels than this are too small to read.
const FACETS_MAX: usize = 9;
/// More sets of figures than this are too many to look at.
const SETS_MAX: usize = 6;

/// What is drawn along which axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Axes {
    pub(crate) x: String,
    pub(crate) by: Option<String>,
    pub(crate) facet: Option<String>,
    /// What has a set of figures for each of its values.
    pub(crate) sets: Vec<String>,
    /// What is left: marks are over all of its values.
    pub(crate) pooled: Vec<String>,
}

impl Axes {
    /// The numbers of which there are most stand along the axis, or if there are none what else
    /// was varied; protocols are lines. What only
    /// follows from the other parameters is none of these. Of parameters that follow from each
    /// other those in `named` come first, which are the ones that people know of.
    pub(crate) fn of(frame: &Frame, named: &BTreeSet<String>) -> Option<Self> {
        let varied = frame.varied();
        let mut known = varied.clone();
        known.sort_by_key(|column| {
            let is_named = named.contains(&column.name);
            (column.name != "protocol", !is_named, !column.data.is_numeric())
        });
        let mut left = independent(known, &first_of_cells(frame));
        let x = most_values(&left).or(most_values(&varied)).or(most_names(&left))?;
        left.retain(|column| column.name != x.name);
        let values = |column: &Column| distinct(column).len();
        let by = left.iter().position(|column| values(column) <= LINES_MAX);
        let by = by.map(|at| left.remove(at).name.clone());
        // The more panels, the fewer sets.
        let fit = (0..left.len()).rev().filter(|at| values(left[*at]) <= FACETS_MAX);
        let facet = fit.max_by_key(|at| values(left[*at]));
        let facet = facet.map(|at| left.remove(at).name.clone());
        let (mut sets, mut pooled, mut n_sets) = (Vec::new(), Vec::new(), 1);
        for column in left {
            let more = n_sets * values(column);
            if more <= SETS_MAX {
                n_sets = more;
                sets.push(column.name.clone());
            } else {
                pooled.push(column.name.clone());
            }
        }
        Some(Axes { x: x.name.clone(), by, facet, sets, pooled })
    }

    /// The values of each set of figures, which are there together.
    pub(crate) fn choices(&self, frame: &Frame) -> Vec<Vec<(String, String)>> {
        let columns: Vec<&Column> =
            self.sets.iter().filter_map(|name| frame.column(name)).collect();
        let value = |column: &&Column, row: usize| {
            (column.name.clone(), column.data.shown(row).unwrap_or_default())
        };
        let mut seen = BTreeSet::new();
        let all = (0..frame.rows())
            .map(|row| columns.iter().map(|column| value(column, row)).collect::<Vec<_>>());
        all.filter(|choice| seen.insert(choice.clone())).collect()
    }
}

/// The values of a column, in the order of the rows.
pub(crate) fn distinct(column: &Column) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let all = (0..column.data.len()).map(|row| column.data.shown(row).unwrap_or("–".into()));
    all.filter(|value| seen.insert(value.clone())).collect()
}

/// Of columns of numbers, the first with most values.
fn most_values<'a>(columns: &[&'a Column]) -> Option<&'a Column> {
    let numeric = columns.iter().filter(|column| column.data.is_numeric()).copied();
    numeric.rev().max_by_key(|column| distinct(column).len())
}

/// Of columns without numbers, the last with most values: protocols are rather lines.
fn most_names<'a>(columns: &[&'a Column]) -> Option<&'a Column> {
    let few = columns.iter().filter(|column| distinct(column).len() <= NAMES_MAX).copied();
    few.max_by_key(|column| (column.name != "protocol", distinct(column).len()))
}

/// A row of each cell: parameters are the same in all of them.
fn first_of_cells(frame: &Frame) -> Vec<usize> {
    let Some(cells) = frame.column("cell") else { return Vec::new() };
    let mut seen = BTreeSet::new();
    (0..frame.rows()).filter(|&row| seen.insert(cells.data.shown(row))).collect()
}

/// Columns without those that follow from the others: the last is left out first.
pub(crate) fn independent<'a>(columns: Vec<&'a Column>, rows: &[usize]) -> Vec<&'a Column> {
    let mut left: Vec<(&Column, Vec<usize>)> =
        columns.into_iter().map(|column| (column, numbered(column, rows))).collect();
    for at in (0..left.len()).rev() {
        let (column, values) = left.remove(at);
        if !follows(&values, &left) {
            left.insert(at, (column, values));
        }
    }
    left.into_iter().map(|(column, _)| column).collect()
}

/// The values of a column in some rows, each by a number.
fn numbered(column: &Column, rows: &[usize]) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    let mut number = |row: &usize| {
        let next = numbers.len();
        *numbers.entry(column.data.shown(*row)).or_insert(next)
    };
    rows.iter().map(&mut number).collect()
}

/// Whether values are the same wherever those of all others are.
fn follows(values: &[usize], others: &[(&Column, Vec<usize>)]) -> bool {
    let mut first = BTreeMap::new();
    values.iter().enumerate().all(|(at, value)| {
        let there: Vec<usize> = others.iter().map(|(_, values)| values[at]).collect();
        first.entry(there).or_insert(value) == &value
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv;

    fn axes(rows: &[&str], named: &[&str]) -> Axes {
        let frame = csv::read(&rows.join("\n")).unwrap();
        let named = named.iter().map(|name| (*name).to_owned()).collect();
        Axes::of(&frame, &named).unwrap()
    }

    fn name(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    /// `medium` follows from the protocol, and `links` from nodes and density.
    #[test]
    fn what_follows_from_others_is_no_axis() {
        let mut rows = vec!["cell,protocol,links,medium,density,nodes,seed".to_owned()];
        for (protocol, medium) in [("rl", ""), ("raymond", "routed")] {
            for (density, nodes) in [(1, 10), (2, 10), (3, 10), (1, 20), (2, 20), (3, 20)] {
                let (cell, links) = (rows.len(), nodes * density);
                rows.push(format!("{cell},{protocol},{links},{medium},{density},{nodes},1"));
            }
        }
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let axes = axes(&rows, &["protocol", "nodes", "density"]);
        assert_eq!(
            (axes.x.as_str(), axes.by, axes.facet),
            ("density", name("protocol"), name("nodes"))
        );
        assert_eq!((axes.sets, axes.pooled), (Vec::new(), Vec::new()));
    }

    #[test]
    fn what_is_left_has_figures_of_its_own_or_is_pooled() {
        let mut rows = vec!["cell,protocol,a,few,b,many,x,seed".to_owned()];
        for at in 0..2 * 2 * 2 * 3 * 7 * 8 {
            let protocol = ["rl", "krl"][at % 2];
            let (a, b, few, many, x) = (at / 2 % 2, at / 4 % 2, at / 8 % 3, at / 24 % 7, at / 168);
            rows.push(format!("{at},{protocol},{a},{few},{b},{many},{x},1"));
        }
        let lines: Vec<&str> = rows.iter().map(String::as_str).collect();
        let axes = axes(&lines, &[]);
        assert_eq!(
            (axes.x.as_str(), &axes.by, &axes.facet),
            ("x", &name("protocol"), &name("many"))
        );
        assert_eq!(axes.sets, ["a", "few"]);
        assert_eq!(axes.pooled, ["b"]);
        let frame = csv::read(&rows.join("\n")).unwrap();
        let choices = axes.choices(&frame);
        assert_eq!(choices.len(), 6);
        assert!(choices.iter().all(|choice| choice.len() == 2));
    }

    #[test]
    fn without_numbers_there_are_names_along_the_axis() {
        let alone = axes(&["cell,protocol,seed", "1,rl,1", "2,krl,1"], &[]);
        assert_eq!((alone.x.as_str(), alone.by), ("protocol", None));
        let moving =
            ["cell,protocol,model,seed", "1,rl,walk,1", "2,krl,walk,1", "3,rl,,1", "4,krl,,1"];
        let moving = axes(&moving, &[]);
        assert_eq!((moving.x.as_str(), moving.by), ("model", name("protocol")));
    }

    #[test]
    fn protocols_are_never_one_line() {
        let axes = axes(&["cell,protocol,nodes,seed", "1,rl,10,1", "2,krl,20,1"], &[]);
        assert_eq!((axes.x.as_str(), axes.by, axes.facet), ("nodes", name("protocol"), None));
    }
}
