//! Lines and their fields, with their places: [`Lines`].

use std::io::BufRead;

use crate::source::Source;
use crate::{Format, Limits, Place, TraceError};

/// The latest time there is, in seconds: three hundred years.
pub(crate) const MOST_TIME: f64 = 1e10;

/// The greatest coordinate there is, in meters: beyond the moon.
pub(crate) const MOST_METERS: f64 = 1e9;

/// The longest name of a node, in bytes.
const LONGEST_NAME: usize = 256;

/// The lines of a file, one after the other.
pub(crate) struct Lines<'a> {
    from: Source<'a>,
    format: Format,
    limits: Limits,
    bytes: Vec<u8>,
    text: String,
    number: u64,
    n_records: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(from: Source<'a>, format: Format, limits: Limits) -> Self {
        let (bytes, text) = (Vec::new(), String::new());
        Lines { from, format, limits, bytes, text, number: 0, n_records: 0 }
    }

    /// Go on to the next line that is neither empty nor a comment, if there is one.
    pub(crate) fn advance(&mut self) -> Result<bool, TraceError> {
        while self.fetch()? {
            if !self.line().is_comment() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where it is, without the end of the line.
    pub(crate) fn line(&self) -> Line<'_> {
        Line { text: &self.text, number: self.number, format: self.format }
    }

    /// Go on to the next line, if there is one.
    fn fetch(&mut self) -> Result<bool, TraceError> {
        self.number = self.from.place().line;
        self.bytes.clear();
        self.from.piece();
        loop {
            let seen = match self.from.fill_buf() {
                Ok(seen) => seen,
                Err(error) => return Err(self.from.failed(error)),
            };
            let end = seen.iter().position(|&byte| byte == b'\n');
            let n_bytes = end.unwrap_or(seen.len());
            self.bytes.extend_from_slice(&seen[..n_bytes]);
            let is_over = seen.is_empty();
            self.from.consume(n_bytes + usize::from(end.is_some()));
            if is_over && self.bytes.is_empty() {
                return Ok(false);
            }
            if is_over || end.is_some() {
                break;
            }
        }
        self.decode()?;
        Ok(true)
    }

    fn decode(&mut self) -> Result<(), TraceError> {
        let bytes = self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes);
        let mark = "\u{feff}".as_bytes();
        let is_first = self.number == 1;
        let bytes = if is_first { bytes.strip_prefix(mark).unwrap_or(bytes) } else { bytes };
        let text = std::str::from_utf8(bytes).map_err(|error| TraceError::Malformed {
            format: self.format,
            place: Place { line: self.number, column: error.valid_up_to() as u64 + 1 },
            what: "this is not text".into(),
            advice: "traces are text in UTF-8, or such text compressed by gzip or zip".into(),
        })?;
        self.text.clear();
        self.text.push_str(text);
        Ok(())
    }

    /// So many more records are kept.
    pub(crate) fn keep(&mut self, n_more: u64) -> Result<(), TraceError> {
        self.n_records += n_more;
        self.within("records", self.n_records, self.limits.records)
    }

    /// There are so many nodes.
    pub(crate) fn know(&self, n_nodes: usize) -> Result<(), TraceError> {
        self.within("nodes", n_nodes as u64, self.limits.nodes)
    }

    fn within(&self, what: &'static str, n: u64, most: u64) -> Result<(), TraceError> {
        if n <= most {
            return Ok(());
        }
        Err(TraceError::TooMuch { place: self.from.place(), what, most })
    }

    /// Something is wrong with the file as a whole, or where it ends.
    pub(crate) fn wrong(&self, what: impl Into<String>, advice: impl Into<String>) -> TraceError {
        let (what, advice) = (what.into(), advice.into());
        TraceError::Malformed { format: self.format, place: self.from.place(), what, advice }
    }
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    pub(crate) number: u64,
    pub(crate) format: Format,
}

impl<'a> Line<'a> {
    pub(crate) fn is_comment(&self) -> bool {
        let text = self.text.trim_start();
        text.is_empty() || text.starts_with('#')
    }

    /// Its fields, between white space.
    pub(crate) fn fields(self) -> Fields<'a> {
        self.fields_by(char::is_whitespace)
    }

    /// Its fields, between any number of these.
    pub(crate) fn fields_by(self, separates: fn(char) -> bool) -> Fields<'a> {
        Fields { line: self, at: 0, separates }
    }

    /// A part of it, with its place.
    pub(crate) fn part(self, start: usize, end: usize) -> Field<'a> {
        Field { text: &self.text[start..end], start, line: self }
    }

    /// Something is wrong at this byte, counted from 0.
    pub(crate) fn wrong(self, at: usize, what: impl Into<String>) -> TraceError {
        let place = Place { line: self.number, column: at as u64 + 1 };
        let advice = format!("a line should be like `{}`", self.format.example());
        TraceError::Malformed { format: self.format, place, what: what.into(), advice }
    }
}

/// The fields of a line, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    line: Line<'a>,
    at: usize,
    separates: fn(char) -> bool,
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let rest = &self.line.text[self.at..];
        let start = self.at + rest.find(|c| !(self.separates)(c))?;
        let rest = &self.line.text[start..];
        self.at = start + rest.find(self.separates).unwrap_or(rest.len());
        Some(self.line.part(start, self.at))
    }
}

impl<'a> Fields<'a> {
    /// The next one, which has to be there.
    pub(crate) fn want(&mut self, name: &str) -> Result<Field<'a>, TraceError> {
        let line = self.line;
        self.next().ok_or_else(|| line.wrong(line.text.len(), format!("the {name} is missing")))
    }

    /// The next one, which has to be this word.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), TraceError> {
        let field = self.want(&format!("word `{word}`"))?;
        if field.text == word { Ok(()) } else { Err(field.not(&format!("the word `{word}`"))) }
    }

    /// There is no other one.
    pub(crate) fn end(&mut self) -> Result<(), TraceError> {
        match self.next() {
            Some(field) => Err(field.wrong(format!("{} is too much here", field.quoted()))),
            None => Ok(()),
        }
    }
}

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    start: usize,
    line: Line<'a>,
}

impl<'a> Field<'a> {
    pub(crate) fn wrong(self, what: impl Into<String>) -> TraceError {
        self.line.wrong(self.start, what)
    }

    /// A part of it.
    pub(crate) fn cut(self, start: usize, end: usize) -> Field<'a> {
        self.line.part(self.start + start, self.start + end)
    }

    pub(crate) fn not(self, what: &str) -> TraceError {
        self.wrong(format!("{} is not {what}", self.quoted()))
    }

    /// What it says, cut to a length that can be read.
    pub(crate) fn quoted(self) -> String {
        let mut shown: String = self.text.chars().take(40).flat_map(char::escape_debug).collect();
        if self.text.chars().nth(40).is_some() {
            shown.push('…');
        }
        format!("`{shown}`")
    }

    /// A number that is not greater than `most`, nor less than its negative.
    fn number_within(self, name: &str, most: f64) -> Result<f64, TraceError> {
        match self.text.parse::<f64>() {
            Ok(number) if number.abs() <= most => Ok(number),
            Ok(number) if number.is_finite() => {
                Err(self.wrong(format!("the {name} {} is beyond ±{most:e}", self.quoted())))
            }
            _ => Err(self.wrong(format!("the {name} {} is not a number", self.quoted()))),
        }
    }

    /// A time in seconds.
    pub(crate) fn time(self, name: &str) -> Result<f64, TraceError> {
        self.number_within(name, MOST_TIME)
    }

    /// A length in meters.
    pub(crate) fn meters(self, name: &str) -> Result<f64, TraceError> {
        self.number_within(name, MOST_METERS)
    }

    /// A number that is not negative.
    pub(crate) fn positive(self, name: &str) -> Result<f64, TraceError> {
        let number = self.number_within(name, MOST_METERS)?;
        if number < 0.0 {
            return Err(self.wrong(format!("the {name} {} is negative", self.quoted())));
        }
        Ok(number)
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(self, name: &str) -> Result<u64, TraceError> {
        let wrong = |_| self.wrong(format!("the {name} {} is not a whole number", self.quoted()));
        self.text.parse::<u64>().map_err(wrong)
    }

    /// The name of a node.
    pub(crate) fn name(self) -> Result<&'a str, TraceError> {
        match self.text.len() {
            0 => Err(self.wrong("the name of a node is missing")),
            n if n > LONGEST_NAME => Err(self
                .wrong(format!("the name {} has {n} bytes, over {LONGEST_NAME}", self.quoted()))),
            _ => Ok(self.text),
        }
    }

    /// The id of a host of the ONE, which may start with the letters of its group.
    pub(crate) fn host(self) -> Result<&'a str, TraceError> {
        let name = self.name()?;
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.not("a host, like `12` or `p12`"));
        }
        Ok(digits)
    }
}
