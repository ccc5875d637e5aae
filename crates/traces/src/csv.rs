//! Contacts as CSV: `start,end,a,b`, times in seconds, names of any kind.
//!
//! What separates fields is the same in the whole file, and the first line decides: semicolons if
//! it has any, or else tabs, commas, or white space. A first line of words names the columns, and
//! then they may be in any order, among others, which are left out; without it they are in this
//! one, and there are no others. Fields may stand in quotes, and then have separators in them, and
//! quotes, each written twice. Lines may come in any order.

use std::borrow::Cow;

use crate::build::Meetings;
use crate::read::{Field, Line, Lines};
use crate::source::Source;
use crate::trace::micros;
use crate::{Format, Options, Trace, TraceError};

/// The columns, in the order they have without a header.
const COLUMNS: [&str; 4] = ["start", "end", "a", "b"];

/// Read contacts as CSV.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::Csv, options.limits);
    let mut meetings = Meetings::default();
    let mut places = [0, 1, 2, 3];
    let (mut is_first, mut last) = (true, None);
    let mut separator = None;
    let mut n_columns = COLUMNS.len();
    let mut may_be_others = options.format.is_none();
    while lines.advance()? {
        lines.keep(1)?;
        let line = lines.line();
        let separator = *separator.get_or_insert_with(|| separator_of(line.text));
        let fields = split(line, separator)?;
        let first = fields[0].text.text;
        let has_names = is_first
            && first.parse::<f64>().is_err()
            && !first.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        is_first = false;
        if has_names {
            places = columns(line, &fields)?;
            n_columns = fields.len();
            may_be_others = false;
            continue;
        }
        if let Some(field) = fields[n_columns.min(fields.len())..].iter().find(|f| !f.is_empty()) {
            let what = format!("{} is too much: there are {n_columns} columns", field.quoted());
            return Err(field.text.wrong(what));
        }
        may_be_others = may_be_others && may_be_pairs_first(&fields);
        last = last.max(Some(meet(&mut meetings, line, &fields, places)?));
        lines.know(meetings.names.len())?;
    }
    if may_be_others && last.is_some() {
        meetings.notes.push(OTHERS.into());
    }
    Ok(meetings.trace(Format::Csv, options.end.map(micros).or(last)))
}

/// Said of numbers that would make sense in another order, too.
const OTHERS: &str = "The columns were read as start, end, a and b. If they are in another order, \
                      say so in a first line like `a,b,start,end`.";

/// Whether a line without a header may be two nodes, a start and an end as well.
fn may_be_pairs_first(fields: &[Cell<'_>]) -> bool {
    let is_id = |cell: &Cell<'_>| cell.text.text.parse::<u64>().is_ok();
    let time = |cell: &Cell<'_>| cell.text.text.parse::<f64>().ok();
    let [a, b, start, end, ..] = fields else { return false };
    is_id(a) && is_id(b) && time(start).zip(time(end)).is_some_and(|(start, end)| start <= end)
}

/// Whether a line names all columns.
pub(crate) fn is_header(text: &str) -> bool {
    let line = Line { text, number: 1, format: Format::Csv };
    split(line, separator_of(text)).is_ok_and(|fields| columns(line, &fields).is_ok())
}

/// Take one line. The answer is when it ends.
fn meet(
    meetings: &mut Meetings,
    line: Line<'_>,
    fields: &[Cell<'_>],
    places: [usize; 4],
) -> Result<i64, TraceError> {
    let field = |k: usize| {
        let missing = || line.wrong(line.text.len(), format!("the {} is missing", COLUMNS[k]));
        fields.get(places[k]).copied().ok_or_else(missing)
    };
    let (start, until, a, b) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let (start, end) = (start.time("start")?, until.time("end")?);
    if end < start {
        return Err(until.text.wrong("the end is before the start"));
    }
    let (one, two) = (a.name()?, b.name()?);
    if one == two {
        return Err(b.text.wrong("a contact has two ends"));
    }
    let (a, b) = (meetings.names.number(&one), meetings.names.number(&two));
    meetings.meet(a, b, micros(start), Some(micros(end)));
    Ok(micros(end))
}

/// Where the columns are that the header names.
fn columns(line: Line<'_>, fields: &[Cell<'_>]) -> Result<[usize; 4], TraceError> {
    let mut places = [0; 4];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        let found = fields.iter().position(|field| field.text.text.eq_ignore_ascii_case(name));
        let missing = || line.wrong(0, format!("no column is called `{name}` in the header"));
        *place = found.ok_or_else(missing)?;
    }
    Ok(places)
}

/// What separates the fields of a file with this first line.
fn separator_of(first: &str) -> char {
    let mut is_quoted = false;
    let outside: Vec<char> = first
        .chars()
        .filter(|&c| {
            is_quoted ^= c == '"';
            !is_quoted
        })
        .collect();
    [';', '\t', ','].into_iter().find(|c| outside.contains(c)).unwrap_or(' ')
}

/// A field, without white space and quotes around it.
#[derive(Clone, Copy)]
struct Cell<'a> {
    text: Field<'a>,
    is_quoted: bool,
}

impl<'a> Cell<'a> {
    fn is_empty(self) -> bool {
        self.text.text.is_empty()
    }

    fn quoted(self) -> String {
        self.text.quoted()
    }

    fn time(self, name: &str) -> Result<f64, TraceError> {
        let text = self.text.text;
        if text.contains(',') && text.replacen(',', ".", 1).parse::<f64>().is_ok() {
            let what = format!("the {name} {} has a comma: write a point", self.quoted());
            return Err(self.text.wrong(what));
        }
        self.text.time(name)
    }

    fn name(self) -> Result<Cow<'a, str>, TraceError> {
        let name = self.text.name()?;
        let is_escaped = self.is_quoted && name.contains('"');
        Ok(if is_escaped { name.replace("\"\"", "\"").into() } else { name.into() })
    }
}

/// The fields of a line. There is at least one.
fn split(line: Line<'_>, separator: char) -> Result<Vec<Cell<'_>>, TraceError> {
    let text = line.text.trim_end_matches([' ', '\r']);
    let blank = |c: char| c.is_whitespace() && c != separator;
    let mut fields = Vec::with_capacity(COLUMNS.len());
    let mut at = text.len() - text.trim_start_matches(' ').len();
    loop {
        let start = text.len() - text[at..].trim_start_matches(blank).len();
        let is_quoted = text[start..].starts_with('"');
        let (cell, end) = if is_quoted {
            let end = closing(&text[start + 1..]).map(|length| start + 1 + length);
            let end = end.ok_or_else(|| line.wrong(start, "this quote is not closed"))?;
            (line.part(start + 1, end), end + 1)
        } else {
            let end = text[start..].find(separator).map_or(text.len(), |length| start + length);
            let cell = text[start..end].trim_end();
            if let Some(at) = cell.find('"') {
                let what = "a quote within a field: put the field into quotes, and write it twice";
                return Err(line.wrong(start + at, what));
            }
            (line.part(start, start + cell.len()), end)
        };
        fields.push(Cell { text: cell, is_quoted });
        let rest = text[end..].trim_start_matches(blank);
        let end = text.len() - rest.len();
        if rest.is_empty() {
            return Ok(fields);
        }
        let Some(next) = rest.strip_prefix(separator) else {
            return Err(line.wrong(end, "behind a quote a separator should come"));
        };
        // Any number of spaces is one.
        let next = if separator == ' ' { next.trim_start_matches(' ') } else { next };
        at = text.len() - next.len();
    }
}

/// Where the quote is that closes what starts here. Two in a row do not.
fn closing(text: &str) -> Option<usize> {
    let mut quotes = text.match_indices('"').map(|(at, _)| at).peekable();
    while let Some(at) = quotes.next() {
        if quotes.next_if_eq(&(at + 1)).is_none() {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    #[test]
    fn an_order_that_may_be_another_is_told() {
        let notes = |text: &str| parsed(text).unwrap().notes.len();
        assert_eq!(parsed("1,2,100,220\n1,3,200,400\n").unwrap().notes, [OTHERS]);
        assert_eq!(notes("0,10,1,2\n"), 1);
        let certain = [
            "0,10,2,1\n",
            "0,10,1,2\n0,10,2,1\n",
            "0.5,10,1,2\n",
            "0,10,a,2\n",
            "start,end,a,b\n0,1,2,3\n",
        ];
        assert_eq!(certain.map(notes), [0; 5]);
        let source = Source::new(&b"0,10,1,2\n"[..], Limits::default()).unwrap();
        let told = Options { format: Some(Format::Csv), ..Options::default() };
        assert_eq!(read(source, &told).unwrap().notes.len(), 0);
    }

    #[test]
    fn columns_are_named_or_in_their_order() {
        let contact = Contact { a: 0, b: 1, start: 1_500_000, end: Some(9_000_000) };
        let texts = [
            "1.5,9,ann,bob\n",
            "B; x;Start;a ;end\n\"bob\";?; 1.5 ;ann;9\n",
            "start\tend\ta\tb\n1.5\t9\tann\tbob\n",
            "a b start  end\n ann  bob 1.5 9\n",
            "1.5,9,ann,bob,,\n",
        ];
        for text in texts {
            let trace = parsed(text).unwrap();
            assert_eq!(trace.nodes, ["ann", "bob"]);
            assert_eq!(trace.kind, Kind::Contacts(vec![contact]));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text).unwrap_err().to_string();
        assert!(error("1,2,a\n").starts_with("line 1, column 6: the b is missing"));
        assert!(error("2, 1,a,b\n").starts_with("line 1, column 4: the end is before"));
        assert!(error("start,end,a\n").contains("no column is called `b`"));
        assert!(error("1,2,a,b\n1,2,a, a\n").starts_with("line 2, column 8: a contact has two"));
        assert!(error("1,2,a,b\n3,4,a,b,5,6\n").starts_with("line 2, column 9: `5` is too much"));
        assert!(error("start,end,a,b\n0,1,a,b,c\n").contains("there are 4 columns"));
        let comma = error("1,5;2,5;7;8\n");
        assert!(comma.starts_with("line 1, column 1: the start `1,5` has a comma"), "{comma}");
        assert!(error("1,2,a,b\n3;4;a;b\n").starts_with("line 2, column 8: the end is missing"));
        assert!(error("1,2,\"a,b\n").starts_with("line 1, column 5: this quote is not closed"));
        assert!(error("1,2,a\"b,c\n").starts_with("line 1, column 6: a quote within a field"));
        assert!(error("1,2,\"a\"b,c\n").starts_with("line 1, column 8: behind a quote"));
        assert!(error("1,2,,b\n").starts_with("line 1, column 5: the name of a node is missing"));
    }

    #[test]
    fn names_in_quotes_may_have_anything_in_them() {
        let text =
            "start,end,a,b\n0,10,\"Doe, J\",\"the \"\"other\"\"; one\"\n\"5\",20, \"Doe, J\" ,c\n";
        let trace = parsed(text).unwrap();
        assert_eq!(trace.nodes, ["Doe, J", "c", "the \"other\"; one"]);
        let Kind::Contacts(contacts) = trace.kind else { panic!("they are contacts") };
        assert_eq!(contacts.len(), 2);
    }
}
