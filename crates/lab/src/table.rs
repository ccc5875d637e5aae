//! Tables of results, rendered for a terminal, a spreadsheet, a page and a README.

use core::fmt;

use crate::markup::escape;
use crate::stats::Estimate;

/// What separates two columns in plain text.
const GAP: &str = "  ";

/// A table with a title, one or two lines of headers, rows and notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    title: String,
    groups: Vec<Group>,
    headers: Vec<String>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
}

/// One entry of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    text: String,
    align: Align,
}

/// The side of its column that a cell leans to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A header over several neighboring columns.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    label: String,
    span: usize,
}

impl Cell {
    /// Text, aligned to the left.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), align: Align::Left }
    }

    /// Anything that shows as a number, aligned to the right. Digits are the caller's choice:
    /// `Cell::number(format_args!("{value:.1}"))`.
    #[must_use]
    pub fn number(value: impl fmt::Display) -> Cell {
        Cell { text: value.to_string(), align: Align::Right }
    }

    /// A place where a number would stand, for instance a combination that was not measured.
    #[must_use]
    pub fn empty() -> Cell {
        Cell { text: String::new(), align: Align::Right }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::text(text)
    }
}

impl From<Estimate> for Cell {
    fn from(estimate: Estimate) -> Cell {
        Cell::number(estimate)
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new<H: Into<String>>(
        title: impl Into<String>,
        headers: impl IntoIterator<Item = H>,
    ) -> Table {
        Table {
            title: title.into(),
            groups: Vec::new(),
            headers: headers.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Puts a line of headers over the headers, each with the number of columns it spans. An empty
    /// label leaves its columns without one.
    ///
    /// # Panics
    ///
    /// If the spans do not add up to the number of columns.
    pub fn groups<L: Into<String>>(
        &mut self,
        groups: impl IntoIterator<Item = (L, usize)>,
    ) -> &mut Table {
        self.groups = groups
            .into_iter()
            .filter(|(_, span)| 0 < *span)
            .map(|(label, span)| Group { label: label.into(), span })
            .collect();
        let spanned: usize = self.groups.iter().map(|group| group.span).sum();
        assert_eq!(spanned, self.headers.len(), "header groups span every column once");
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If there is not exactly one cell per column.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) -> &mut Table {
        let cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.headers.len(), "a row has one cell per column");
        self.rows.push(cells);
        self
    }

    /// Adds a line below the table.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Table {
        self.notes.push(note.into());
        self
    }

    /// Aligned columns for a terminal, each line ended by a line feed.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let widths = self.plain_widths();
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut text = String::new();
        if !self.title.is_empty() {
            push_line(&mut text, &self.title);
            push_line(&mut text, "");
        }
        if !self.groups.is_empty() {
            let (labels, rules) = self.plain_groups(&widths);
            push_line(&mut text, &labels);
            push_line(&mut text, &rules);
        }
        push_line(&mut text, &self.aligned(&self.headers, &widths).join(GAP));
        push_line(&mut text, &rule.join(GAP));
        for row in &self.rows {
            push_line(&mut text, &aligned_row(row, &widths).join(GAP));
        }
        if !self.notes.is_empty() {
            push_line(&mut text, "");
        }
        for note in &self.notes {
            push_line(&mut text, note);
        }
        text
    }

    /// Comma-separated values with the quoting of RFC 4180 and one header row, in which the label
    /// of a group precedes each of its headers. Lines end with a line feed, which every reader
    /// accepts and version control prefers.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut csv = String::new();
        push_line(&mut csv, &csv_record(self.flat_headers().iter().map(String::as_str)));
        for row in &self.rows {
            push_line(&mut csv, &csv_record(row.iter().map(|cell| cell.text.as_str())));
        }
        csv
    }

    /// A `<table>` element: title as its caption, notes in its foot, numbers of class `number`.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::from("<table>\n");
        if !self.title.is_empty() {
            push_line(&mut html, &format!("<caption>{}</caption>", escape(&self.title)));
        }
        push_line(&mut html, "<thead>");
        if !self.groups.is_empty() {
            push_line(&mut html, &self.html_groups());
        }
        push_line(&mut html, &self.html_headers());
        push_line(&mut html, "</thead>\n<tbody>");
        for row in &self.rows {
            push_line(&mut html, &html_row(row));
        }
        push_line(&mut html, "</tbody>");
        if !self.notes.is_empty() {
            push_line(&mut html, &self.html_notes());
        }
        html.push_str("</table>\n");
        html
    }

    /// A table in GitHub's Markdown, aligned in its source too. The label of a group precedes each
    /// of its headers, because Markdown has no spanning cells.
    #[must_use]
    pub fn markdown(&self) -> String {
        let headers: Vec<String> = self.flat_headers().iter().map(|h| markdown_escape(h)).collect();
        let rows: Vec<Vec<Cell>> = self.rows.iter().map(|row| markdown_row(row)).collect();
        let widths = column_widths(&headers, &rows, 3);
        let mut markdown = String::new();
        if !self.title.is_empty() {
            push_line(&mut markdown, &format!("**{}**\n", markdown_escape(&self.title)));
        }
        let rules = self.aligns().into_iter().zip(&widths).map(|(align, width)| match align {
            Align::Left => "-".repeat(*width),
            Align::Right => format!("{}:", "-".repeat(width - 1)),
        });
        push_line(&mut markdown, &markdown_line(&self.aligned(&headers, &widths)));
        push_line(&mut markdown, &markdown_line(&rules.collect::<Vec<_>>()));
        for row in &rows {
            push_line(&mut markdown, &markdown_line(&aligned_row(row, &widths)));
        }
        for note in &self.notes {
            push_line(&mut markdown, &format!("\n{}", markdown_escape(note)));
        }
        markdown
    }

    /// A header leans to the right if its column holds nothing but numbers.
    fn aligns(&self) -> Vec<Align> {
        let is_numeric = |column: usize| {
            !self.rows.is_empty() && self.rows.iter().all(|row| row[column].align == Align::Right)
        };
        let align = |column| if is_numeric(column) { Align::Right } else { Align::Left };
        (0..self.headers.len()).map(align).collect()
    }

    fn aligned(&self, headers: &[String], widths: &[usize]) -> Vec<String> {
        let columns = headers.iter().zip(self.aligns()).zip(widths);
        columns.map(|((header, align), width)| padded(header, align, *width)).collect()
    }

    fn flat_headers(&self) -> Vec<String> {
        let labels = self.groups.iter().flat_map(|group| [group.label.as_str()].repeat(group.span));
        let labels = labels.chain(core::iter::repeat(""));
        let joined = labels.zip(&self.headers).map(|(label, header)| format!("{label} {header}"));
        joined.map(|header| header.trim().to_owned()).collect()
    }

    /// Widths of the columns, the last one of a group widened where its label needs it.
    fn plain_widths(&self) -> Vec<usize> {
        let mut widths = column_widths(&self.headers, &self.rows, 1);
        let mut first = 0;
        for group in &self.groups {
            let last = first + group.span - 1;
            let missing = width(&group.label).saturating_sub(spanned_width(&widths[first..=last]));
            widths[last] += missing;
            first = last + 1;
        }
        widths
    }

    /// The labels centered over their columns, and the rules below them.
    fn plain_groups(&self, widths: &[usize]) -> (String, String) {
        let mut labels = Vec::new();
        let mut rules = Vec::new();
        let mut first = 0;
        for group in &self.groups {
            let available = spanned_width(&widths[first..first + group.span]);
            let rule = if group.label.is_empty() { " " } else { "-" };
            labels.push(format!("{:^available$}", group.label));
            rules.push(rule.repeat(available));
            first += group.span;
        }
        (labels.join(GAP), rules.join(GAP))
    }

    fn html_groups(&self) -> String {
        let mut html = String::from("<tr>");
        for Group { label, span } in &self.groups {
            html.push_str(&match label.as_str() {
                "" => format!("<td colspan=\"{span}\"></td>"),
                label => {
                    format!("<th colspan=\"{span}\" scope=\"colgroup\">{}</th>", escape(label))
                }
            });
        }
        html + "</tr>"
    }

    fn html_headers(&self) -> String {
        let mut html = String::from("<tr>");
        for (header, align) in self.headers.iter().zip(self.aligns()) {
            let class = html_class(align);
            html.push_str(&format!("<th scope=\"col\"{class}>{}</th>", escape(header)));
        }
        html + "</tr>"
    }

    fn html_notes(&self) -> String {
        let notes: Vec<String> = self.notes.iter().map(|note| escape(note)).collect();
        let n_columns = self.headers.len().max(1);
        let notes = notes.join("<br/>");
        format!("<tfoot>\n<tr><td colspan=\"{n_columns}\">{notes}</td></tr>\n</tfoot>")
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end_matches(' '));
    text.push('\n');
}

/// The columns a terminal needs. Every character this project writes is one column wide.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn spanned_width(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1)
}

fn column_widths(headers: &[String], rows: &[Vec<Cell>], width_min: usize) -> Vec<usize> {
    let widest = |column: usize| rows.iter().map(move |row| width(&row[column].text)).max();
    let of_column = |(column, header): (usize, &String)| {
        width(header).max(widest(column).unwrap_or(0)).max(width_min)
    };
    headers.iter().enumerate().map(of_column).collect()
}

fn padded(text: &str, align: Align, width: usize) -> String {
    match align {
        Align::Left => format!("{text:<width$}"),
        Align::Right => format!("{text:>width$}"),
    }
}

fn aligned_row(row: &[Cell], widths: &[usize]) -> Vec<String> {
    row.iter().zip(widths).map(|(cell, width)| padded(&cell.text, cell.align, *width)).collect()
}

fn csv_record<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let quoted = fields.map(|field| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_owned()
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

fn html_class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}

/// The first cell names its row if it is text.
fn html_row(row: &[Cell]) -> String {
    let mut html = String::from("<tr>");
    for (column, cell) in row.iter().enumerate() {
        let text = escape(&cell.text);
        html.push_str(&match (column, cell.align) {
            (0, Align::Left) => format!("<th scope=\"row\">{text}</th>"),
            (_, align) => format!("<td{}>{text}</td>", html_class(align)),
        });
    }
    html + "</tr>"
}

fn markdown_escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '&' | '~') {
            escaped.push('\\');
        }
        // A line break would end the row.
        escaped.push(if matches!(character, '\n' | '\r') { ' ' } else { character });
    }
    escaped
}

fn markdown_row(row: &[Cell]) -> Vec<Cell> {
    row.iter().map(|cell| Cell { text: markdown_escape(&cell.text), align: cell.align }).collect()
}

fn markdown_line(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::assert_well_formed;

    fn estimate(mean: f64, half_width: f64) -> Estimate {
        Estimate { mean, half_width: Some(half_width), n: 10 }
    }

    fn example() -> Table {
        let mut table = Table::new("Time per entry", ["algorithm", "20 %", "80 %", "20 %", "80 %"]);
        table.groups([("", 1), ("zero mobility", 2), ("λ high, on the move", 2)]);
        table.row([
            Cell::text("RL"),
            Cell::from(estimate(75.21, 1.29)),
            Cell::number(9),
            Cell::number("8.5"),
            Cell::empty(),
        ]);
        table.row([
            Cell::text("RR"),
            Cell::from(estimate(8.04, 0.31)),
            Cell::number(120),
            Cell::number("-1"),
            Cell::number("3"),
        ]);
        table.note("95 % confidence.");
        table
    }

    #[test]
    fn plain_text_is_aligned() {
        let expected = "\
Time per entry

             zero mobility    λ high, on the move
           -----------------  -------------------
algorithm         20 %  80 %  20 %           80 %
---------  -----------  ----  ----  -------------
RL          75.2 ± 1.3     9   8.5
RR         8.04 ± 0.31   120    -1              3

95 % confidence.
";
        assert_eq!(example().plain_text(), expected);
    }

    #[test]
    fn csv_has_one_header_row() {
        let csv = example().csv();
        assert_eq!(
            csv,
            "algorithm,zero mobility 20 %,zero mobility 80 %,\"λ high, on the move 20 %\",\
             \"λ high, on the move 80 %\"\n\
             RL,75.2 ± 1.3,9,8.5,\n\
             RR,8.04 ± 0.31,120,-1,3\n"
        );
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut table = Table::new("", ["plain", "co,mma", "qu\"ote", "line"]);
        table.row(["a b", "1,5", "say \"hi\"", "one\ntwo"]);
        let expected = "plain,\"co,mma\",\"qu\"\"ote\",line\n\
                        a b,\"1,5\",\"say \"\"hi\"\"\",\"one\ntwo\"\n";
        assert_eq!(table.csv(), expected);
    }

    #[test]
    fn html_escapes_and_closes_everything() {
        let mut table = Table::new("a < b", ["<name>", "R&D"]);
        table.row([Cell::text("\"x\""), Cell::number("1 > 0")]).note("<script>");
        let html = table.html();
        assert_well_formed(&html);
        assert!(html.contains("<caption>a &lt; b</caption>"));
        assert!(html.contains("<th scope=\"col\">&lt;name&gt;</th>"));
        assert!(html.contains("<th scope=\"col\" class=\"number\">R&amp;D</th>"));
        assert!(html.contains("<th scope=\"row\">&quot;x&quot;</th>"));
        assert!(html.contains("<td class=\"number\">1 &gt; 0</td>"));
        assert!(!html.contains("<script>"));
    }

    #[test]
    fn html_groups_span_their_columns() {
        let html = example().html();
        assert_well_formed(&html);
        assert!(html.contains(
            "<tr><td colspan=\"1\"></td><th colspan=\"2\" scope=\"colgroup\">zero mobility</th>"
        ));
        assert!(html.contains("<tfoot>\n<tr><td colspan=\"5\">95 % confidence.</td></tr>"));
    }

    #[test]
    fn markdown_is_aligned_and_escaped() {
        let mut table = Table::new("T", ["a|b", "n"]);
        table.row([Cell::text("x<y"), Cell::number(10)]);
        table.row([Cell::text("snake_case"), Cell::number(5)]).note("Note.");
        let expected = "\
**T**

| a\\|b        |   n |
| ----------- | --: |
| x\\<y        |  10 |
| snake\\_case |   5 |

Note.
";
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn a_table_without_rows_or_columns_renders() {
        let empty = Table::new("Empty", ["a", "b"]);
        assert_eq!(empty.plain_text(), "Empty\n\na  b\n-  -\n");
        assert_eq!(empty.csv(), "a,b\n");
        assert_well_formed(&empty.html());
        let no_columns = Table::new("", [""; 0]);
        assert_eq!(no_columns.csv(), "\n");
        assert_well_formed(&no_columns.html());
    }
}
