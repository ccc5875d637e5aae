//! Columns of plain text: [`Columns`].

use std::fmt::Display;

/// What separates two columns.
const GAP: &str = "  ";

/// One entry of a row.
pub(crate) struct Cell {
    text: String,
    is_number: bool,
}

impl Cell {
    /// Text, which leans to the left.
    pub(crate) fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), is_number: false }
    }

    /// A number, which leans to the right.
    pub(crate) fn number(number: impl Display) -> Cell {
        Cell { text: number.to_string(), is_number: true }
    }

    /// No number.
    pub(crate) fn empty() -> Cell {
        Cell::number("")
    }
}

/// Rows under headers.
pub(crate) struct Columns<const N: usize> {
    headers: [&'static str; N],
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Columns<N> {
    pub(crate) fn new(headers: [&'static str; N]) -> Self {
        Columns { headers, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: [Cell; N]) {
        self.rows.push(cells);
    }

    /// Aligned, each line ended by a line feed. The header of numbers leans as they do.
    pub(crate) fn plain_text(&self) -> String {
        let widths: [usize; N] = std::array::from_fn(|column| self.width(column));
        let header = |column: usize| {
            let is_number = self.rows.iter().all(|row| row[column].is_number);
            padded(self.headers[column], is_number, widths[column])
        };
        let mut lines =
            vec![line((0..N).map(header)), line(widths.iter().map(|&width| "-".repeat(width)))];
        for row in &self.rows {
            let cells = row.iter().zip(widths);
            lines.push(line(cells.map(|(cell, width)| padded(&cell.text, cell.is_number, width))));
        }
        lines.concat()
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].text.chars().count());
        cells.max().unwrap_or(0).max(self.headers[column].len())
    }
}

fn padded(text: &str, is_number: bool, width: usize) -> String {
    if is_number { format!("{text:>width$}") } else { format!("{text:<width$}") }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("{}\n", cells.join(GAP).trim_end_matches(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lean_to_the_right_and_text_to_the_left() {
        let mut columns = Columns::new(["name", "held", "by"]);
        columns.row([Cell::text("pad"), Cell::number(12345), Cell::text("ä")]);
        columns.row([Cell::text("corner"), Cell::empty(), Cell::text("")]);
        let expected = "\
name     held  by
------  -----  --
pad     12345  ä
corner
";
        assert_eq!(columns.plain_text(), expected);
    }
}
