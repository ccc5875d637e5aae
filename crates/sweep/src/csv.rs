//! Tables as text: comma-separated, with a line of names, and nothing where there is no value.
//!
//! Numbers are written with as many digits as it takes to read the same number again; those of a
//! column that is not of whole numbers have a point or an exponent, so that types are seen.

use std::fmt::Write;

use crate::frame::{Column, Data, Frame};

/// A table as text.
pub fn write(frame: &Frame) -> String {
    let mut text = String::new();
    let names = frame.columns.iter().map(|column| quoted(&column.name));
    text.push_str(&names.collect::<Vec<_>>().join(","));
    text.push('\n');
    for row in 0..frame.rows() {
        for (at, column) in frame.columns.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            field(&mut text, &column.data, row);
        }
        text.push('\n');
    }
    text
}

fn field(text: &mut String, data: &Data, row: usize) {
    let _ = match data {
        Data::Int(values) => values[row].map_or(Ok(()), |value| write!(text, "{value}")),
        Data::Float(values) => values[row].map_or(Ok(()), |value| write!(text, "{value:?}")),
        Data::Bool(values) => values[row].map_or(Ok(()), |value| write!(text, "{value}")),
        Data::Text(values) => {
            values[row].as_ref().map_or(Ok(()), |value| write!(text, "{}", quoted(value)))
        }
    };
}

/// A word as a field: in quotes if it would be taken for something else.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.into()
    }
}

/// Read a table. The types are those that all values of a column have.
pub fn read(text: &str) -> Result<Frame, String> {
    let mut records = records(text)?.into_iter();
    let (_, names) = records.next().ok_or("there is no line of names")?;
    let names: Vec<String> = names.into_iter().map(Option::unwrap_or_default).collect();
    let mut fields: Vec<Vec<Option<String>>> = names.iter().map(|_| Vec::new()).collect();
    for (line, record) in records {
        if record.len() != names.len() {
            let (found, expected) = (record.len(), names.len());
            return Err(format!("line {line}: {found} fields, and not {expected}"));
        }
        for (column, field) in fields.iter_mut().zip(record) {
            column.push(field);
        }
    }
    let column = |(name, values)| Column { name, data: typed(values) };
    Ok(Frame { columns: names.into_iter().zip(fields).map(column).collect() })
}

fn typed(values: Vec<Option<String>>) -> Data {
    let present = || values.iter().flatten();
    if present().next().is_none() {
        return Data::Float(vec![None; values.len()]);
    }
    fn all<T: std::str::FromStr>(values: &[Option<String>]) -> Vec<Option<T>> {
        values.iter().map(|value| value.as_ref()?.parse().ok()).collect()
    }
    if present().all(|value| value.parse::<i64>().is_ok()) {
        Data::Int(all(&values))
    } else if present().all(|value| value.parse::<f64>().is_ok()) {
        Data::Float(all(&values))
    } else if present().all(|value| value.parse::<bool>().is_ok()) {
        Data::Bool(all(&values))
    } else {
        Data::Text(values)
    }
}

/// A line number, and the fields of the record that begins there.
type Record = (usize, Vec<Option<String>>);

/// All records, with the number of the line on which each begins. An empty field is no value,
/// unless it is in quotes.
fn records(text: &str) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let mut letters = text.chars().peekable();
    let mut line = 1;
    while letters.peek().is_some() {
        let (begun, mut record) = (line, Vec::new());
        loop {
            let mut field = String::new();
            let is_quoted = letters.next_if_eq(&'"').is_some();
            if is_quoted {
                loop {
                    match letters.next() {
                        Some('"') if letters.next_if_eq(&'"').is_none() => break,
                        Some(letter) => {
                            line += usize::from(letter == '\n');
                            field.push(letter);
                        }
                        None => return Err(format!("line {begun}: a quote is not closed")),
                    }
                }
            } else {
                while let Some(letter) = letters.next_if(|c| !matches!(c, ',' | '\n' | '\r')) {
                    field.push(letter);
                }
            }
            record.push((is_quoted || !field.is_empty()).then_some(field));
            letters.next_if_eq(&'\r');
            match letters.next() {
                Some(',') => {}
                None | Some('\n') => break,
                Some(_) => return Err(format!("line {line}: a comma is missing after a quote")),
            }
        }
        line += 1;
        records.push((begun, record));
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let column = |name: &str, data: Data| Column { name: name.into(), data };
        let text = |word: &str| Some(word.to_owned());
        Frame {
            columns: vec![
                column("cell", Data::Int(vec![Some(1), Some(-2), None])),
                column("rate", Data::Float(vec![Some(1.0), Some(1e-7), Some(0.1 + 0.2)])),
                column("odd, \"name\"", Data::Text(vec![text("a,b\n\"c\""), text("rl"), None])),
                column("together", Data::Bool(vec![Some(true), None, Some(false)])),
            ],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = write(&frame());
        assert_eq!(read(&text).unwrap(), frame());
        assert_eq!(read(&text.replace("-2,1e-7,rl,\n", "-2,1e-7,rl,\r\n")).unwrap(), frame());
        assert!(text.starts_with("cell,rate,\"odd, \"\"name\"\"\",together\n1,1.0,"), "{text}");
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["", "a,b\n1\n", "a\n\"x", "a\n\"x\"y\n"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        let examples = [write(&frame()).into_bytes()];
        driftlock_fuzz::fuzz!(5_000, &examples, |bytes| {
            if let Ok(frame) = read(&String::from_utf8_lossy(bytes)) {
                assert!(frame.columns.iter().all(|column| column.data.len() == frame.rows()));
            }
        });
    }
}
