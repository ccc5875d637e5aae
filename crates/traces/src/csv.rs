//! Contacts as CSV: `start,end,a,b`, times in seconds, names of any kind.
//!
//! Commas or semicolons. A first line of words names the columns, and then they may be in any
//! order, among others, which are left out; without it they are in this one. Fields may stand in
//! quotes, and have no separator in them. Lines may come in any order.

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
    while lines.advance()? {
        lines.keep(1)?;
        let line = lines.line();
        let fields = split(line);
        let has_names = is_first && fields[0].text.parse::<f64>().is_err();
        is_first = false;
        if has_names {
            places = columns(line, &fields)?;
            continue;
        }
        last = last.max(Some(meet(&mut meetings, line, &fields, places)?));
        lines.know(meetings.names.len())?;
    }
    Ok(meetings.trace(Format::Csv, options.end.map(micros).or(last)))
}

/// Take one line. The answer is when it ends.
fn meet(
    meetings: &mut Meetings,
    line: Line<'_>,
    fields: &[Field<'_>],
    places: [usize; 4],
) -> Result<i64, TraceError> {
    let field = |k: usize| {
        let missing = || line.wrong(line.text.len(), format!("the {} is missing", COLUMNS[k]));
        fields.get(places[k]).copied().ok_or_else(missing)
    };
    let (start, until, a, b) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let (start, end) = (start.time("start")?, until.time("end")?);
    if end < start {
        return Err(until.wrong("the end is before the start"));
    }
    if a.text == b.text {
        return Err(b.wrong("a contact has two ends"));
    }
    let (a, b) = (meetings.names.number(a.name()?), meetings.names.number(b.name()?));
    meetings.meet(a, b, micros(start), Some(micros(end)));
    Ok(micros(end))
}

/// Where the columns are that the header names.
fn columns(line: Line<'_>, fields: &[Field<'_>]) -> Result<[usize; 4], TraceError> {
    let mut places = [0; 4];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        let found = fields.iter().position(|field| field.text.eq_ignore_ascii_case(name));
        let missing = || line.wrong(0, format!("no column is called `{name}` in the header"));
        *place = found.ok_or_else(missing)?;
    }
    Ok(places)
}

/// The fields of a line, without white space and quotes around them. There is at least one.
fn split(line: Line<'_>) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut start = 0;
    let ends = line.text.match_indices([',', ';']).map(|(end, _)| end);
    for end in ends.chain([line.text.len()]) {
        let is_around = |c: char| c.is_whitespace() || c == '"';
        let part = &line.text[start..end];
        let before = part.len() - part.trim_start_matches(is_around).len();
        let length = part.trim_matches(is_around).len();
        fields.push(line.part(start + before.min(part.len()), start + before + length));
        start = end + 1;
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    #[test]
    fn columns_are_named_or_in_their_order() {
        let contact = Contact { a: 0, b: 1, start: 1_500_000, end: Some(9_000_000) };
        let texts = ["1.5,9,ann,bob\n", "B; x;Start;a ;end\n\"bob\";?; 1.5 ;ann;9\n"];
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
        assert!(error("1,2,,b\n").starts_with("line 1, column 5: the name of a node is missing"));
    }
}
