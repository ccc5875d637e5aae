//! Which format a file is in, from how it starts: [`recognize`].

use crate::source::HEAD;
use crate::{Format, Place, TraceError};

/// How many lines are looked at.
const MOST_LINES: usize = 50;

/// What a line looks like.
struct Look<'a> {
    text: &'a str,
    fields: Vec<&'a str>,
}

impl Look<'_> {
    /// How many fields it has, if all of them are numbers.
    fn numbers(&self) -> Option<usize> {
        let is_number = |field: &&str| field.parse::<f64>().is_ok_and(f64::is_finite);
        self.fields.iter().all(is_number).then_some(self.fields.len())
    }

    /// How many fields it has, if the first of them is a number.
    fn fields_after_number(&self) -> Option<usize> {
        let first = self.fields.first()?;
        first.parse::<f64>().is_ok().then_some(self.fields.len())
    }

    fn is_whole(&self, k: usize) -> bool {
        self.fields.get(k).is_some_and(|field| field.parse::<u64>().is_ok())
    }
}

/// The format of a file that starts with these bytes.
pub(crate) fn recognize(head: &[u8]) -> Result<Format, TraceError> {
    let text = String::from_utf8_lossy(head);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // A head of full length ends in the middle of something.
    let is_cut = head.len() as u64 >= HEAD;
    let end = text.rfind(char::is_whitespace).filter(|_| is_cut);
    let text = &text[..end.unwrap_or(text.len())];
    if text.trim_start().starts_with('<') {
        return Ok(Format::Fcd);
    }
    let is_filled = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines = text.lines().map(str::trim).filter(is_filled).take(MOST_LINES);
    let looks: Vec<Look<'_>> =
        lines.map(|text| Look { text, fields: text.split_whitespace().collect() }).collect();
    let Some(first) = looks.first() else {
        return Err(unknown("there is nothing in the file"));
    };
    let known = by_word(&looks).or_else(|| by_numbers(first, looks.get(1)));
    known.ok_or_else(|| {
        let shown: String = first.text.chars().take(60).flat_map(char::escape_debug).collect();
        unknown(&format!("the format is not recognized from `{shown}`"))
    })
}

fn unknown(what: &str) -> TraceError {
    TraceError::Unknown { place: Place { line: 1, column: 1 }, what: what.into() }
}

/// Formats that have words of their own.
fn by_word(looks: &[Look<'_>]) -> Option<Format> {
    let starts = |words: &[&str]| {
        looks.iter().any(|look| words.iter().any(|word| look.text.starts_with(word)))
    };
    let first = looks.first()?;
    let third = first.fields.get(2).copied().unwrap_or_default();
    if starts(&["$ns_ ", "$ns ", "$node_(", "$god_ "]) {
        Some(Format::Ns2)
    } else if first.text.starts_with('@') {
        Some(Format::Dtnsim2)
    } else if looks.iter().any(|look| look.fields.get(1) == Some(&"CONN")) {
        Some(Format::OneConnectivity)
    } else if first.text.starts_with("BonnMotion ") || is_interval(third) {
        Some(Format::LinkDump)
    } else if first.text.split([',', ';']).count() >= 4 {
        Some(Format::Csv)
    } else {
        None
    }
}

/// Whether this is `start-stop`.
fn is_interval(field: &str) -> bool {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let mut dashes = field.match_indices('-');
    dashes.any(|(at, _)| is_number(&field[..at]) && is_number(&field[at + 1..]))
}

/// Formats that are nothing but numbers, but for the groups of SocioPatterns: by how many there are
/// on the first two lines.
fn by_numbers(first: &Look<'_>, second: Option<&Look<'_>>) -> Option<Format> {
    let is_contact = |look: &Look<'_>| (0..3).all(|k| look.is_whole(k));
    if first.fields.len() == 5 && is_contact(first) {
        return Some(Format::SocioPatterns);
    }
    match (first.numbers()?, second.and_then(Look::fields_after_number)) {
        (3, _) if is_contact(first) => Some(Format::SocioPatterns),
        (6, Some(4)) | (8, Some(5)) => Some(Format::OneMovement),
        (6, _) if (0..6).all(|k| first.is_whole(k)) => Some(Format::Haggle),
        (4, None | Some(4)) if first.is_whole(0) => Some(Format::BonnMotionCsv),
        // A long line may be cut off here; if it is in the file, the reader says where.
        (n, _) if n > 8 || n > 0 && (n % 3 == 0 || n % 4 == 0) => Some(Format::BonnMotion),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_recognized() {
        for format in Format::ALL {
            let text = match format {
                Format::OneMovement => format!("0 9 0 1 0 1\n{}", format.example()),
                Format::Fcd => format!("\n  {}", format.example()),
                _ => format!("# a comment\n\n{}\n", format.example()),
            };
            assert_eq!(recognize(text.as_bytes()).unwrap(), format, "{text}");
        }
    }

    #[test]
    fn a_line_may_be_longer_than_the_head() {
        let line = "0.0 1.5 2.25 ".repeat(10_000);
        for end in HEAD as usize..HEAD as usize + 13 {
            let head = &line.as_bytes()[end - HEAD as usize..end];
            assert_eq!(recognize(head).unwrap(), Format::BonnMotion);
        }
    }

    #[test]
    fn what_looks_alike_is_told_apart() {
        let looks = [
            ("0.0 1.5 2.5\n", Format::BonnMotion),
            ("0.0 1.5 2.5 9.0 1.5 2.5\n0.0 1.5 2.5\n", Format::BonnMotion),
            ("0.0 1.5 2.5 9.0\n", Format::BonnMotion),
            ("0.0 1.5 2.5 0.0 9.0 1.5 2.5 0.0\n0.0 1.5 2.5 0.0\n", Format::BonnMotion),
            ("20 1 2 A B\n", Format::SocioPatterns),
            ("5 C M1 0 1 10\n5 CONN 0 1 up\n", Format::OneConnectivity),
            ("start;end;a;b\n", Format::Csv),
            ("$ns_ at 0.0 \"$g(0) start\"\n", Format::Ns2),
            ("0 1 1.0E-2-3.5E-1\n", Format::LinkDump),
            ("BonnMotion 3.0.2\n\nOS: Linux\n", Format::LinkDump),
            ("\u{feff}<?xml?>", Format::Fcd),
        ];
        for (text, format) in looks {
            assert_eq!(recognize(text.as_bytes()).unwrap(), format, "{text}");
        }
        for text in ["", "# alone\n", "hello world\n", "1 2\n", "\0\u{1}", "1.5 2 3 4 5\n"] {
            let error = recognize(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("ns-2 movement (`$ns_ at 2.0"), "{error}");
        }
    }
}
