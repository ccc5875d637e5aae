//! A table with typed columns: [`Frame`].

use crate::columns;

/// A table. All columns have the same length.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frame {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub data: Data,
}

/// What is in a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Numbers.
    Float(Vec<Option<f64>>),
    /// Whether something is so.
    Bool(Vec<Option<bool>>),
    /// Words.
    Text(Vec<Option<String>>),
}

impl Data {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Data::Int(values) => values.len(),
            Data::Float(values) => values.len(),
            Data::Bool(values) => values.len(),
            Data::Text(values) => values.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether numbers are in it.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Data::Int(_) | Data::Float(_))
    }

    /// The number in a row, if there is one.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Data::Int(values) => values[row].map(|value| value as f64),
            Data::Float(values) => values[row],
            Data::Bool(_) | Data::Text(_) => None,
        }
    }

    /// What is in a row, as one reads it; nothing if nothing is there.
    pub fn shown(&self, row: usize) -> Option<String> {
        match self {
            Data::Int(values) => values[row].map(|value| value.to_string()),
            Data::Float(values) => values[row].map(|value| value.to_string()),
            Data::Bool(values) => values[row].map(|value| value.to_string()),
            Data::Text(values) => values[row].clone(),
        }
    }
}

impl Frame {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.data.len())
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The parameters: what stands between the number of the cell and the seed.
    pub fn parameters(&self) -> &[Column] {
        let place = |name: &str| self.columns.iter().position(|column| column.name == name);
        match (place("cell"), place("seed")) {
            (Some(cell), Some(seed)) if cell < seed => &self.columns[cell + 1..seed],
            _ => &[],
        }
    }

    /// The metrics: numbers that stand behind the seed.
    pub fn metrics(&self) -> impl Iterator<Item = &Column> {
        let behind = self.columns.iter().skip_while(|column| column.name != "seed").skip(1);
        behind.filter(|column| column.data.is_numeric())
    }

    /// The parameters that are not the same in all rows.
    pub fn varied(&self) -> Vec<&Column> {
        let varies = |data: &Data| (1..data.len()).any(|row| data.shown(row) != data.shown(0));
        self.parameters().iter().filter(|column| varies(&column.data)).collect()
    }

    /// The rows in which all promises held. A table without that column has no others.
    pub fn held(&self) -> Vec<usize> {
        let status = self.column("status");
        let is_held = |row: &usize| {
            status.is_none_or(|status| status.data.shown(*row).as_deref() == Some("held"))
        };
        (0..self.rows()).filter(is_held).collect()
    }
}

impl Column {
    /// Its unit; nothing where it is not known.
    pub fn unit(&self) -> String {
        columns::about(&self.name).0
    }

    /// What it is, for an axis: `waiting mean (time units)`.
    pub fn label(&self) -> String {
        let name = self.name.replace('_', " ");
        match self.unit().as_str() {
            "" | columns::NONE => name,
            unit if unit.replace('/', " per ") == name => name,
            unit => format!("{name} ({unit})"),
        }
    }
}
